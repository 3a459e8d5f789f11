import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../test/helpers/detection.ts'
import type { FlowRow } from '../../test/helpers/flow-rows.ts'
import { ACK, FIN, PSH, RST, SYN, URG } from '../net/tcp-flags.ts'
import { amplificationServices } from '../vectors/services.ts'
import { type Vector, vectors } from '../vectors/vectors.ts'

/** Traffic that is the vector's, and traffic that nearly is and must raise nothing. */
interface Fixture {
  attack: Traffic
  nearMiss: Traffic
}

/** Records a second from many sources, each of one packet. */
const flood = (recordsPerSecond: number, row: Partial<FlowRow>): Traffic => ({ recordsPerSecond, row })
const few = (traffic: Traffic, sources = 2): Traffic => ({ ...traffic, sources })
/** What ordinary traffic consists of must come in great numbers before anything is learnt. */
const heavy = (row: Partial<FlowRow>) => flood(300, { ...row, packets: 100, bytes: (row.bytes ?? 60) * 100 })
const mild = (row: Partial<FlowRow>) => flood(30, { ...row, packets: 100, bytes: (row.bytes ?? 60) * 100 })
const fragment = (ipProto: number) => ({ ipProto, fragment: 1, srcPort: 0, dstPort: 0, bytes: 1_400 })

const fixtures: Record<string, Fixture> = {
  'tcp@attack@syn_flood_target': {
    attack: flood(400, tcp(SYN)),
    nearMiss: flood(400, tcp(SYN | ACK | PSH | FIN, 4_000)),
  },
  'tcp@attack@synack_flood_target': { attack: flood(400, tcp(SYN | ACK)), nearMiss: few(flood(400, tcp(SYN | ACK))) },
  'tcp@attack@rst_flood_target': { attack: flood(400, tcp(RST | ACK)), nearMiss: few(flood(400, tcp(RST))) },
  'tcp@attack@synfin_flood_target': { attack: flood(200, tcp(SYN | FIN)), nearMiss: flood(40, tcp(SYN | FIN)) },
  'tcp@attack@xmas_flood_target': {
    attack: flood(200, tcp(FIN | PSH | URG)),
    nearMiss: flood(40, tcp(FIN | PSH | URG)),
  },
  'tcp@attack@fin_flood_target': { attack: flood(200, tcp(FIN)), nearMiss: flood(150, tcp(FIN | ACK)) },
  'tcp@attack@null_flood_target': { attack: flood(200, tcp(0)), nearMiss: few(flood(200, tcp(0))) },
  'tcp@attack@ack_flood_target': { attack: flood(300, tcp(ACK)), nearMiss: mild(tcp(ACK)) },
  'tcp@attack@conn_flood_target': {
    attack: flood(200, { ...tcp(0x1b, 540), packets: 6 }),
    nearMiss: mild(tcp(0x1b, 300)),
  },
  'tcp@attack@simple_flood_target': { attack: flood(400, tcp(URG)), nearMiss: few(flood(400, tcp(URG))) },
  'udp@attack@simple_flood_target': {
    attack: { ...flood(300, udpFrom(40_000)), ports: 5_000 },
    nearMiss: flood(300, udpFrom(40_000)),
  },
  'udp@attack@amp_flood_target-QUIC': { attack: heavy(udpFrom(443, 300)), nearMiss: mild(udpFrom(443, 1_200)) },
  'udp@attack@frag_flood_target': { attack: flood(500, fragment(17)), nearMiss: few(flood(500, fragment(17))) },
  'tcp@attack@frag_flood_target': { attack: flood(500, fragment(6)), nearMiss: few(flood(500, fragment(6))) },
  'icmp@attack@frag_flood_target': { attack: flood(500, fragment(1)), nearMiss: few(flood(500, fragment(1))) },
  'icmp@attack@simple_flood_target': {
    attack: flood(300, { ipProto: 1, srcPort: 0, dstPort: 2_048 }),
    nearMiss: few(flood(300, { ipProto: 1, srcPort: 0, dstPort: 2_048 })),
  },
}

for (const { port, name, packetBytes, everyday } of amplificationServices) {
  const answers = udpFrom(port, Math.round((packetBytes[0] + packetBytes[1]) / 2))
  const rate = everyday ? 600 : 200
  fixtures[`udp@attack@amp_flood_target-${name}`] = {
    attack: flood(rate, answers),
    nearMiss: few(flood(rate, answers)),
  }
}

for (const vector of vectors.filter(({ label }) => label.startsWith('ip@'))) {
  const packets = { ipProto: vector.match.protocol, srcPort: 0, dstPort: 0, bytes: 500 }
  fixtures[vector.label] = { attack: flood(300, packets), nearMiss: few(flood(300, packets)) }
}

/** 250 protocols are one row's worth: those with a name, and some without. */
const isTried = ({ match, label }: Vector) =>
  !label.startsWith('ip@') || [0, 2, 47, 50, 99, 255].includes(match.protocol)

const labelsOf = (traffic: Traffic) =>
  new DetectionLab()
    .run(12, traffic)
    .phases('opened')
    .map(({ label }) => label)

describe('vectors', () => {
  for (const vector of vectors.filter(isTried)) {
    it(vector.label, () => {
      const fixture = fixtures[vector.label]
      assert.ok(fixture, 'a vector needs a fixture and a near miss')
      assert.deepEqual(labelsOf(fixture.attack), [vector.label])
      assert.deepEqual(labelsOf(fixture.nearMiss), [])
    })
  }
})
