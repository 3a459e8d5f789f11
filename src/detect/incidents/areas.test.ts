import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../../test/helpers/detection.ts'
import { address, batchOf, type FlowRow } from '../../../test/helpers/flow-rows.ts'
import { addressesIn } from '../../net/address-bits.ts'
import { networkOf } from '../../net/network.ts'
import { ACK, PSH, SYN } from '../../net/tcp-flags.ts'
import type { IncidentReport } from './incident-report.ts'

const first = address('192.0.64.0')
const settings = { learnSeconds: 300 }

interface Carpet {
  row: Partial<FlowRow>
  /** Packets a second, in all. */
  packets: number
  /** /24s, from which one on. */
  networks: number
  from?: number
  /** Addresses of each. */
  hosts?: number
}

/** To all of the addresses in turn, in each second as many records as make that many packets. */
function carpet({ row, packets, networks, from = 0, hosts = 32 }: Carpet): Traffic[] {
  const all = networks * hosts
  const hit = Math.min(all, packets)
  return Array.from({ length: hit }, (_, i) => {
    const place = Math.floor((i * all) / hit)
    const dstAddr = first + 256 * (from + Math.floor(place / hosts)) + (place % hosts) * Math.floor(256 / hosts)
    return { recordsPerSecond: Math.round(packets / hit), row: { ...row, dstAddr } }
  })
}

/** Connections and questions of three busy servers in each of some /24s. */
const ordinary = (networks: number): Traffic[] =>
  Array.from({ length: networks * 3 }, (_, i) => {
    const dstAddr = first + 256 * Math.floor(i / 3) + 10 + (i % 3)
    return [
      { recordsPerSecond: 2, sources: 40, row: { ...tcp(ACK | PSH, 60_000), packets: 100, dstAddr } },
      { recordsPerSecond: 1, sources: 40, row: { ...tcp(SYN, 600), packets: 10, dstAddr } },
      { recordsPerSecond: 1, sources: 40, row: { ...udpFrom(53, 500), packets: 2, dstAddr } },
    ]
  }).flat()

const wholesOf = ({ followed }: IncidentReport) => followed.wholes?.length ?? 0
const last = (lab: DetectionLab): IncidentReport => {
  const report = lab.reports.at(-1)
  assert.ok(report)
  return report
}

/** One event, of all of these /24s, with all that comes to them. */
function isOne(lab: DetectionLab, label: string, { packets, networks, hosts = 32 }: Omit<Carpet, 'row'>): void {
  assert.deepEqual(lab.life(), ['opened'])
  const report = last(lab)
  assert.equal(report.label, label)
  assert.equal(wholesOf(report), networks > 1 ? networks : 0)
  assert.equal(report.victims.length, networks * hosts)
  assert.ok(Math.abs(report.packetsPerSecond / packets - 1) < 0.15, `${report.packetsPerSecond} packets/s`)
}

const kinds: { label: string; row: Partial<FlowRow> }[] = [
  { label: 'tcp@attack@syn_flood_target', row: tcp(SYN) },
  { label: 'udp@attack@simple_flood_target', row: udpFrom(40_000) },
  { label: 'udp@attack@amp_flood_target-NTP', row: udpFrom(123, 468) },
  { label: 'udp@attack@amp_flood_target-DNS', row: udpFrom(53, 1_200) },
]

describe('an attack on many networks side by side is one event', () => {
  it('also when exporters hold their records back, and those of some networks come after the others', () => {
    const lab = new DetectionLab().run(60)
    const heldBack = (from: number, networks: number) =>
      lab.ingest.fold(
        batchOf(
          Array.from({ length: networks * 32 }, (_, i) => ({
            ...udpFrom(123, 468),
            dstAddr: first + 256 * (from + Math.floor(i / 32)) + (i % 32) * 8,
            srcAddr: 0x0b00_0000 + (i % 200),
            packets: 400,
            bytes: 400 * 468,
            startMs: lab.nowMs - 60_000,
            endMs: lab.nowMs - 20_000,
          })),
        ),
      )
    heldBack(0, 14)
    lab.run(1)
    heldBack(14, 2)
    lab.run(12)
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(wholesOf(last(lab)), 16)
  })

  for (const { label, row } of kinds) {
    for (const networks of [1, 4, 16]) {
      for (const packets of networks === 4 ? [12_000, 50_000] : [12_000]) {
        it(`${label}, ${packets} packets/s on ${networks} /24s that are not known yet`, () => {
          const lab = new DetectionLab().run(4, ...carpet({ row, packets, networks }))
          isOne(lab, label, { packets, networks })
        })
      }
    }
  }

  for (const { label, row } of kinds) {
    it(`${label}, 6,000 packets/s beside what is normal for 16 /24s`, () => {
      const usual = ordinary(16)
      const lab = new DetectionLab(settings).run(470, ...usual)
      assert.deepEqual(lab.life(), [])
      // More of their usual traffic must last for a minute.
      const seconds = label.endsWith('DNS') ? 65 : 12
      lab.run(seconds, ...usual, ...carpet({ row, packets: 6_000, networks: 16 }))
      assert.deepEqual(lab.life(), ['opened'])
      assert.equal(last(lab).label, label)
      assert.equal(wholesOf(last(lab)), 16)
      lab.run(60, ...usual)
      assert.deepEqual(lab.life(), ['opened', 'ended'])
    })
  }

  it('up to a /16, at 16 packets/s for each /24', () => {
    const usual = ordinary(16)
    const lab = new DetectionLab(settings).run(
      500,
      ...usual,
      ...carpet({ row: tcp(SYN), packets: 256, networks: 256, hosts: 1, from: -64 }),
    )
    assert.deepEqual(lab.life(), [])
    lab.run(20, ...usual, ...carpet({ row: udpFrom(123, 468), packets: 6_000, networks: 256, from: -64, hosts: 16 }))
    assert.deepEqual(lab.life(), ['opened'])
    assert.deepEqual([wholesOf(last(lab)), last(lab).followed.networkLength], [256, 16])
  })

  it('that do not fill an aligned network, and not those beside them', () => {
    const usual = ordinary(32)
    const flood = { row: udpFrom(123, 468), packets: 6_000, networks: 13, from: 5 }
    const lab = new DetectionLab(settings).run(400, ...usual).run(30, ...usual, ...carpet(flood))
    assert.deepEqual(lab.life(), ['opened'])
    assert.deepEqual(
      last(lab).followed.wholes?.map((whole) => (whole - first) / 256),
      Array.from({ length: 13 }, (_, i) => i + 5),
    )
    assert.ok(last(lab).packetsPerSecond < 6_000 + 13 * 1_000, `${last(lab).packetsPerSecond}`)
  })

  it('every other one of them, too', () => {
    const every = (row: Partial<FlowRow>) =>
      Array.from({ length: 8 }, (_, i) => carpet({ row, packets: 1_000, networks: 1, from: 2 * i })).flat()
    const lab = new DetectionLab(settings).run(400, ...ordinary(16)).run(20, ...ordinary(16), ...every(tcp(SYN)))
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(wholesOf(last(lab)), 8)
  })

  it('that goes from one to the next', () => {
    const lab = new DetectionLab()
    for (let from = 0; from < 6; from++) lab.run(20, ...carpet({ row: tcp(SYN), packets: 4_000, networks: 1, from }))
    for (let from = 0; from < 3; from++) lab.run(20, ...carpet({ row: tcp(SYN), packets: 4_000, networks: 1, from }))
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(wholesOf(last(lab)), 6)
    assert.ok(Math.abs(last(lab).packetsPerSecond / 4_000 - 1) < 0.1, `${last(lab).packetsPerSecond} packets/s`)
    lab.run(60)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    assert.equal(last(lab).victims.length, 6 * 32)
  })

  it('that comes back', () => {
    const flood = carpet({ row: tcp(SYN), packets: 6_000, networks: 8 })
    const lab = new DetectionLab()
      .run(20, ...flood)
      .run(80)
      .run(20, ...flood)
      .run(200)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened', 'ended'])
    assert.equal(new Set(lab.reports.map(({ incident }) => incident)).size, 1)
  })

  it('that goes on over a restart', () => {
    const flood = carpet({ row: tcp(SYN), packets: 6_000, networks: 8 })
    const before = new DetectionLab().run(30, ...flood)
    const was = last(before)
    const details = before.reports.findLast((each) => each.details !== null)?.details
    assert.ok(details)
    const lab = new DetectionLab()
    lab.clock.set(before.nowMs + 10_000)
    lab.detector.resume([{ ...was, endedMs: null, details }], lab.nowMs)
    lab.run(30, ...flood).run(100)
    assert.deepEqual(lab.life(), ['ended'])
    assert.equal(last(lab).incident, was.incident)
    assert.equal(wholesOf(last(lab)), 8)
    assert.equal(last(lab).victims.length, 8 * 32)
    assert.ok(last(lab).packetsPerSecond > 4_500, `${last(lab).packetsPerSecond} packets/s`)
  })

  it('counts every address by /24, and lists the hardest hit ones of each', () => {
    const lab = new DetectionLab().run(
      4,
      ...carpet({ row: udpFrom(123, 468), packets: 12_000, networks: 12, hosts: 128 }),
    )
    const { victims, networks } = last(lab)
    assert.equal(networks.length, 12)
    for (const { network, addresses } of networks) {
      assert.equal(addressesIn(network, addresses).length, 128)
      assert.equal(victims.filter(({ address }) => networkOf(address, 24) === network).length, Math.floor(1_024 / 12))
    }
    const sum = networks.reduce((all, { packetsPerSecond }) => all + packetsPerSecond, 0)
    assert.ok(Math.abs(sum / last(lab).packetsPerSecond - 1) < 0.01)
  })

  it('has the flows of all of them in its lists', () => {
    const lab = new DetectionLab().run(20, ...carpet({ row: udpFrom(123, 468), packets: 6_000, networks: 8 })).run(60)
    assert.equal(lab.details('ended').statistics.protocol[0].flows, 20 * 8 * 32 * Math.round(6_000 / (8 * 32)))
  })

  it('does not become normal for them', () => {
    const lab = new DetectionLab(settings).run(400, ...ordinary(8))
    const flood = carpet({ row: udpFrom(123, 468), packets: 1_600, networks: 8, hosts: 8 })
    lab.run(450, ...ordinary(8), ...flood).run(700, ...ordinary(8))
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed'])
    lab.run(5, ...ordinary(8), ...flood)
    assert.equal(lab.life().at(-1), 'opened')
  })
})

describe('a flood on one address inside of it', () => {
  const flood: Traffic = {
    recordsPerSecond: 400,
    row: { ...tcp(SYN, 1_200), packets: 20, dstAddr: first + 256 * 3 + 8 },
  }
  const wide = carpet({ row: tcp(SYN), packets: 8_000, networks: 8 })

  it('that was there before is its own event', () => {
    const both = [flood, ...wide]
    const lab = new DetectionLab()
      .run(15, flood)
      .run(20, ...both)
      .run(60)
    assert.deepEqual(lab.life(), ['opened', 'opened', 'ended', 'ended'])
    const [own, area] = lab.phases('opened')
    assert.deepEqual([own.victims.length, wholesOf(own)], [0, 0])
    assert.equal(wholesOf(area), 8)
    const ended = lab.phases('ended').find(({ incident }) => incident === area.incident)
    assert.equal(ended?.victims.length, 8 * 32 - 1)
  })

  it('that begins later is its own event', () => {
    const lab = new DetectionLab()
      .run(20, ...wide)
      .run(30, flood, ...wide)
      .run(100)
    assert.deepEqual(lab.life().slice(0, 2), ['opened', 'opened'])
    const [area, own] = lab.phases('opened')
    assert.equal(wholesOf(area), 8)
    assert.deepEqual([own.address, own.victims.length], [first + 256 * 3 + 8, 0])
  })
})

describe('is no attack on all', () => {
  it('what busy networks side by side get, learnt or not', () => {
    const busy = Array.from({ length: 16 * 8 }, (_, i) => {
      const dstAddr = first + 256 * Math.floor(i / 8) + 10 + (i % 8)
      return [
        { recordsPerSecond: 1, sources: 60, row: { ...tcp(SYN, 4_000), packets: 60, dstAddr } },
        { recordsPerSecond: 1, sources: 60, row: { ...tcp(ACK | PSH, 480_000), packets: 800, dstAddr } },
        { recordsPerSecond: 1, sources: 30, row: { ...udpFrom(53, 6_000), packets: 20, dstAddr } },
        { recordsPerSecond: 1, sources: 30, row: { ...udpFrom(443, 480_000), packets: 400, dstAddr } },
      ]
    }).flat()
    const lab = new DetectionLab(settings).run(620, ...busy)
    // Twice as much everywhere, as in the evening.
    lab.run(120, ...busy, ...busy)
    assert.deepEqual(lab.life(), [])
  })

  it('two attacks on single addresses of two networks', () => {
    const on = (place: number): Traffic => ({
      recordsPerSecond: 900,
      row: { ...udpFrom(123, 468), dstAddr: first + place },
    })
    const lab = new DetectionLab().run(40, on(7), on(256 + 9))
    assert.deepEqual(lab.life(), ['opened', 'opened'])
    assert.deepEqual(lab.phases('opened').map(wholesOf), [0, 0])
  })

  it('two attacks of two kinds on two networks', () => {
    const lab = new DetectionLab().run(
      40,
      ...carpet({ row: tcp(SYN), packets: 3_000, networks: 1 }),
      ...carpet({ row: udpFrom(123, 468), packets: 3_000, networks: 1, from: 1 }),
    )
    assert.deepEqual(lab.life(), ['opened', 'opened'])
  })

  it('two of a kind that are far apart, nor one that is much stronger than what goes on beside it', () => {
    const far = (from: number, packets: number) => carpet({ row: tcp(SYN), packets, networks: 1, from })
    const apart = new DetectionLab().run(20, ...ordinary(16), ...far(0, 3_000), ...far(15, 3_000))
    assert.deepEqual(apart.life(), ['opened', 'opened'])
    const unlike = new DetectionLab().run(20, ...far(0, 30_000), ...far(1, 2_000))
    assert.deepEqual(unlike.life(), ['opened', 'opened'])
  })

  it('bursts at a few servers of several networks at once', () => {
    const noise = carpet({ row: tcp(SYN), packets: 40, networks: 8, hosts: 16 })
    const burst = [0, 1, 2].map(
      (network): Traffic => ({
        recordsPerSecond: 3,
        sources: 3,
        row: { ...udpFrom(53, 40_000), packets: 400, dstAddr: first + 256 * network + 20 },
      }),
    )
    const lab = new DetectionLab(settings).run(400, ...ordinary(8), ...noise).run(5, ...ordinary(8), ...noise, ...burst)
    assert.deepEqual(
      lab.reports.map(wholesOf).filter((count) => count > 0),
      [],
    )
  })
})
