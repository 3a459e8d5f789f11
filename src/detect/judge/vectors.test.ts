// Each row of the table of vectors has traffic that is it and traffic that nearly is, written down here by what the row holds: a row that is removed,
// added or changed fails.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../../test/helpers/detection.ts'
import type { FlowRow } from '../../../test/helpers/flow-rows.ts'
import { protocolName } from '../../net/protocols.ts'
import { ACK, FIN, PSH, RST, SYN, URG } from '../../net/tcp-flags.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { classOf, compileVectors, flagsUnknown } from '../../vectors/compile.ts'
import { matchText } from '../../vectors/match-text.ts'
import { vectors } from '../../vectors/vectors.ts'

interface Fixture {
  /** The row, as `matchText` describes its packets. */
  row: string
  /** The label of the row. */
  label: string
  attack: Traffic
  /** The label of the event; connections have one by what is made of them, or none where they may be those of visitors. */
  event?: string | null
  /** Traffic of which no event is made. */
  nearMisses: Traffic[]
}

/** Records a second from many sources, each of one packet. */
const flood = (recordsPerSecond: number, row: Partial<FlowRow>): Traffic => ({ recordsPerSecond, row })
const from = (sources: number, traffic: Traffic): Traffic => ({ ...traffic, sources })
/** A record of a hundred packets, as of ordinary traffic, which must come in great numbers before anything is learnt. */
const ofHundred = (recordsPerSecond: number, row: Partial<FlowRow>) =>
  flood(recordsPerSecond, { ...row, packets: 100, bytes: (row.bytes ?? 60) * 100 })

const connFlood = 'tcp@attack@conn_flood_target'
const ackFlood = 'tcp@attack@ack_flood_target'
const synFlood = 'tcp@attack@syn_flood_target'

const answerFixtures = [80, 443].map(
  (srcPort): Fixture => ({
    row: `TCP from port ${srcPort}, with ACK, PSH, without RST, SYN`,
    label: 'tcp@attack@amp_flood_target-MIDDLEBOX',
    attack: flood(250, { ...tcp(PSH | ACK, 1_400), srcPort }),
    nearMisses: [
      flood(190, { ...tcp(PSH | ACK, 1_400), srcPort }),
      from(20, flood(250, { ...tcp(PSH | ACK, 1_400), srcPort })),
    ],
  }),
)

const tcpFixtures: Fixture[] = [
  {
    row: 'TCP with SYN, without ACK, FIN',
    label: synFlood,
    attack: flood(200, tcp(SYN, 900)),
    nearMisses: [flood(140, tcp(SYN)), from(12, flood(200, tcp(SYN)))],
  },
  {
    row: 'TCP with ACK, SYN, without PSH, RST, FIN',
    label: 'tcp@attack@synack_flood_target',
    attack: flood(200, tcp(SYN | ACK, 200)),
    nearMisses: [flood(140, tcp(SYN | ACK)), from(12, flood(200, tcp(SYN | ACK))), flood(200, tcp(SYN | ACK, 201))],
  },
  {
    row: 'TCP with RST, without SYN',
    label: 'tcp@attack@rst_flood_target',
    attack: flood(200, tcp(RST | ACK, 200)),
    nearMisses: [flood(140, tcp(RST)), from(12, flood(200, tcp(RST))), flood(200, tcp(RST, 201))],
  },
  {
    row: 'TCP with SYN, FIN, without ACK, RST',
    label: 'tcp@attack@synfin_flood_target',
    attack: from(5, flood(120, tcp(SYN | FIN))),
    nearMisses: [flood(90, tcp(SYN | FIN)), from(2, flood(120, tcp(SYN | FIN)))],
  },
  {
    row: 'TCP with URG, PSH, FIN, without ACK, RST, SYN',
    label: 'tcp@attack@xmas_flood_target',
    attack: from(5, flood(120, tcp(FIN | PSH | URG))),
    nearMisses: [flood(90, tcp(FIN | PSH | URG)), from(2, flood(120, tcp(FIN | PSH | URG)))],
  },
  {
    row: 'TCP with FIN, without ACK, RST, SYN',
    label: 'tcp@attack@fin_flood_target',
    attack: from(10, flood(120, tcp(FIN))),
    nearMisses: [flood(90, tcp(FIN)), from(5, flood(120, tcp(FIN)))],
  },
  {
    row: 'TCP without CWR, ECE, URG, ACK, PSH, RST, SYN, FIN',
    label: 'tcp@attack@null_flood_target',
    attack: flood(120, tcp(0)),
    nearMisses: [flood(90, tcp(0)), from(12, flood(120, tcp(0)))],
  },
  {
    row: 'TCP with ACK, without PSH, RST, SYN, FIN',
    label: 'tcp@attack@ack_flood_target',
    attack: flood(250, tcp(ACK, 1_400)),
    nearMisses: [flood(190, tcp(ACK)), ofHundred(30, tcp(ACK))],
  },
  {
    row: 'TCP with ACK, SYN, FIN, without PSH',
    label: connFlood,
    attack: flood(200, { ...tcp(SYN | ACK | FIN, 240), packets: 4 }),
    event: synFlood,
    nearMisses: [flood(140, { ...tcp(SYN | ACK | FIN, 240), packets: 4 })],
  },
  {
    row: 'TCP with ACK, RST, SYN, without PSH',
    label: connFlood,
    attack: flood(200, { ...tcp(SYN | ACK | RST, 240), packets: 4 }),
    event: synFlood,
    nearMisses: [flood(140, { ...tcp(SYN | ACK | RST, 240), packets: 4 })],
  },
  {
    row: 'TCP with ACK, PSH, SYN, without RST, FIN',
    label: connFlood,
    attack: flood(200, { ...tcp(SYN | ACK | PSH, 300), packets: 3 }),
    event: 'tcp@attack@slow_conn_target',
    nearMisses: [flood(140, { ...tcp(SYN | ACK | PSH, 300), packets: 3 })],
  },
  {
    row: 'TCP with ACK, PSH, SYN',
    label: connFlood,
    attack: flood(200, { ...tcp(SYN | ACK | PSH | FIN, 540), packets: 6 }),
    nearMisses: [
      flood(140, { ...tcp(SYN | ACK | PSH | FIN, 540), packets: 6 }),
      flood(200, { ...tcp(SYN | ACK | PSH | FIN, 4_000), packets: 6 }),
    ],
  },
  {
    row: 'TCP with ACK, FIN, without SYN',
    label: connFlood,
    attack: flood(250, tcp(FIN | ACK)),
    event: ackFlood,
    nearMisses: [flood(190, tcp(FIN | ACK)), ofHundred(30, tcp(FIN | ACK))],
  },
  {
    row: 'TCP with ACK',
    label: connFlood,
    attack: flood(250, tcp(PSH | ACK, 1_400)),
    event: ackFlood,
    nearMisses: [flood(190, tcp(PSH | ACK)), ofHundred(30, tcp(PSH | ACK, 300))],
  },
  {
    row: 'TCP',
    label: 'tcp@attack@simple_flood_target',
    attack: flood(200, tcp(URG)),
    nearMisses: [flood(140, tcp(URG)), from(7, flood(200, tcp(URG)))],
  },
]

const fragment = (ipProto: number) => ({ ipProto, fragment: 1, srcPort: 0, dstPort: 0, bytes: 1_400 })

const fragmentFixtures: Fixture[] = (
  [
    [1, 'ICMP', 'icmp'],
    [6, 'TCP', 'tcp'],
    [17, 'UDP', 'udp'],
  ] as const
).map(([protocol, name, word]) => ({
  row: `${name} fragments`,
  label: `${word}@attack@frag_flood_target`,
  attack: from(10, flood(350, fragment(protocol))),
  nearMisses: [flood(290, fragment(protocol)), from(5, flood(350, fragment(protocol)))],
}))

/** Port, service and usual packet lengths of each; hosts ask for those of everyday use, and tunnels have the ports of others. */
const services: [port: number, name: string, bytes: [min: number, max: number], use?: 'everyday' | 'tunnels'][] = [
  [17, 'QOTD', [60, 1_500]],
  [19, 'CHARGEN', [60, 1_500]],
  [53, 'DNS', [100, 1_500], 'everyday'],
  [69, 'TFTP', [60, 1_500]],
  [111, 'PORTMAP', [60, 1_500]],
  [123, 'NTP', [100, 1_500]],
  [137, 'NETBIOS', [90, 1_500]],
  [161, 'SNMP', [60, 1_500]],
  [177, 'XDMCP', [28, 1_500]],
  [389, 'CLDAP', [60, 1_500]],
  [427, 'SLP', [40, 1_500]],
  [500, 'ISAKMP', [60, 1_500]],
  [520, 'RIP', [60, 1_500]],
  [1_194, 'OPENVPN', [28, 200], 'tunnels'],
  [1_434, 'MSSQL', [60, 1_500]],
  [1_604, 'CITRIX', [40, 1_500]],
  [1_701, 'L2TP', [60, 1_500], 'tunnels'],
  [1_900, 'SSDP', [60, 1_500]],
  [2_362, 'DIGIMAN', [28, 1_500]],
  [3_283, 'ARMS', [60, 1_500]],
  [3_389, 'RDP', [60, 1_500]],
  [3_478, 'STUN', [60, 250]],
  [3_702, 'WSD', [60, 1_500]],
  [4_500, 'ISAKMP', [60, 500], 'tunnels'],
  [5_060, 'SIP', [60, 1_500], 'everyday'],
  [5_093, 'SENTINEL', [40, 1_500]],
  [5_351, 'NATPMP', [28, 1_500]],
  [5_353, 'MDNS', [60, 1_500]],
  [5_683, 'COAP', [40, 1_500]],
  [6_881, 'BITTORRENT', [60, 1_500], 'everyday'],
  [7_001, 'AFS', [28, 1_500]],
  [10_001, 'UBIQUITI', [60, 500]],
  [10_074, 'TP240', [28, 1_500]],
  [11_211, 'MEMCACHED', [60, 1_500]],
  [17_185, 'VXWORKS', [28, 1_500]],
  [20_811, 'POWERHOUSE', [28, 1_500]],
  [27_015, 'SRCDS', [60, 1_500], 'everyday'],
  [27_960, 'QUAKE3', [60, 1_500], 'everyday'],
  [30_120, 'FIVEM', [60, 1_500], 'everyday'],
  [30_718, 'LANTRONIX', [28, 1_500]],
  [32_414, 'PLEX', [60, 1_500]],
  [33_848, 'JENKINS', [60, 1_500]],
  [37_810, 'DHDISCOVER', [60, 1_500]],
  [41_794, 'CRESTRON', [60, 1_500]],
  [47_808, 'BACNET', [28, 1_500]],
  [53_413, 'NETIS', [28, 1_500]],
]

const serviceFixtures: Fixture[] = services.map(([port, name, [min, max], use]) => {
  const [above, below, many, few] = use === 'everyday' ? [450, 350, 40, 12] : [120, 90, 10, 5]
  return {
    row: `UDP from port ${port}`,
    label: `udp@attack@amp_flood_target-${name}`,
    attack: from(many, flood(above, udpFrom(port, max))),
    nearMisses: [
      flood(below, udpFrom(port, max)),
      from(few, flood(above, udpFrom(port, max))),
      flood(above, udpFrom(port, min - 1)),
      flood(above, udpFrom(port, max + 1)),
      ...(use === 'tunnels' ? [from(6, ofHundred(500, udpFrom(port, 1_000)))] : []),
    ],
  }
})

const udpFixtures: Fixture[] = [
  {
    row: 'UDP from port 443',
    label: 'udp@attack@amp_flood_target-QUIC',
    attack: { ...flood(250, udpFrom(443, 700)), ports: 5_000 },
    nearMisses: [
      { ...flood(190, udpFrom(443, 700)), ports: 5_000 },
      { ...flood(250, udpFrom(443, 701)), ports: 5_000 },
      ofHundred(45, udpFrom(443, 700)),
    ],
  },
  {
    row: 'UDP',
    label: 'udp@attack@simple_flood_target',
    attack: { ...flood(250, udpFrom(40_000)), ports: 5_000 },
    nearMisses: [{ ...flood(190, udpFrom(40_000)), ports: 5_000 }, flood(250, udpFrom(40_000))],
  },
]

const ping = { ipProto: 1, srcPort: 0, dstPort: 2_048 }
const icmpFixture: Fixture = {
  row: 'ICMP',
  label: 'icmp@attack@simple_flood_target',
  attack: from(20, flood(200, ping)),
  nearMisses: [flood(140, ping), from(6, flood(200, ping))],
}

/** Protocols of all others. Tunnels carry the traffic of a site between few peers. */
const protocols = Array.from({ length: 256 }, (_, protocol) => protocol).filter(
  (protocol) => ![1, 6, 17].includes(protocol),
)
const tunnels = [4, 41, 47, 50, 51]

const packetsOf = (ipProto: number) => ({ ipProto, srcPort: 0, dstPort: 0, bytes: 500 })
const protocolFixtures: Fixture[] = protocols.map((protocol) => ({
  row: protocolName(protocol),
  label: `ip@attack@proto_flood_target-${protocolName(protocol)}`,
  attack: from(20, flood(200, packetsOf(protocol))),
  nearMisses: [
    flood(140, packetsOf(protocol)),
    tunnels.includes(protocol)
      ? from(6, ofHundred(500, packetsOf(protocol)))
      : from(6, flood(900, packetsOf(protocol))),
  ],
}))

const fixtures = [
  ...fragmentFixtures,
  ...serviceFixtures,
  ...udpFixtures,
  ...answerFixtures,
  ...tcpFixtures,
  icmpFixture,
  ...protocolFixtures,
]

const classes = compileVectors(vectors)
const keys = new ClassKeys(vectors)
const rowOf = (name: string) => vectors.findIndex(({ match }) => matchText(match) === name)

/** Absolute limits hold whatever the vector. */
const withoutLimits = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0 }

/** What is opened by twelve seconds of it: the label, and the row that it is followed by. */
const opened = (traffic: Traffic) =>
  new DetectionLab(withoutLimits)
    .run(12, traffic)
    .phases('opened')
    .map(({ label, followed }) => ({ label, key: followed.parts[0].key }))

/** Two and a half hundred protocols are judged by the same numbers, which the test below shows: some of them are tried. */
const isTried = ({ row }: Fixture) => {
  const protocol = protocols.find((each) => protocolName(each) === row)
  return protocol === undefined || [0, 2, ...tunnels, 99, 255].includes(protocol)
}

describe('vectors', () => {
  it('have a fixture for each row, and no other', () => {
    assert.deepEqual(
      fixtures.map(({ row, label }) => `${label}: ${row}`).sort(),
      vectors.map(({ match, label }) => `${label}: ${matchText(match)}`).sort(),
    )
  })

  for (const { row, label, attack, event = label, nearMisses } of fixtures.filter(isTried)) {
    it(`${label}: ${row}`, () => {
      assert.deepEqual(opened(attack), [{ label: event, key: keys.keyOf(rowOf(row) + 1) }])
      for (const nearMiss of nearMisses) assert.deepEqual(opened(nearMiss), [], JSON.stringify(nearMiss))
    })
  }

  it('have packets that no other row takes', () => {
    for (const { row, attack } of fixtures) {
      const { ipProto = 17, srcPort = 40_000, dstPort = 80, tcpFlags = flagsUnknown, fragment = 0 } = attack.row
      const trafficClass = classOf(classes, ipProto, srcPort, dstPort, tcpFlags, fragment)
      assert.equal(matchText(vectors[trafficClass - 1].match), row)
    }
  })

  it('of protocols are judged alike, but for tunnels', () => {
    const judged = (isTunnel: boolean) =>
      vectors
        .filter(({ label, match }) => label.startsWith('ip@') && tunnels.includes(match.protocol) === isTunnel)
        .map(({ label: _, match: __, ...rest }) => JSON.stringify(rest))
    assert.deepEqual([new Set(judged(true)).size, judged(true).length], [1, 5])
    assert.deepEqual([new Set(judged(false)).size, judged(false).length], [1, 248])
  })
})
