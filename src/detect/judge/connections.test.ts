import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, victim } from '../../../test/helpers/detection.ts'
import type { FlowRow } from '../../../test/helpers/flow-rows.ts'
import { createRandom } from '../../../test/helpers/random.ts'
import { ACK, FIN, PSH, RST, SYN } from '../../net/tcp-flags.ts'

const labelsAfter = (seconds: number, ...traffic: Traffic[]) =>
  new DetectionLab()
    .run(seconds, ...traffic)
    .phases('opened')
    .map(({ label }) => label)

/** Records of whole connections to one port, a number of them a second. */
const connections = (recordsPerSecond: number, tcpFlags: number, row: Partial<FlowRow> = {}): Traffic => ({
  recordsPerSecond,
  row: { ipProto: 6, dstPort: 443, packets: 6, bytes: 540, tcpFlags, ...row },
})
/** What a sampling exporter shows of connections: their packets, one by one. */
const packets = (recordsPerSecond: number, tcpFlags: number, bytes = 60): Traffic => ({
  recordsPerSecond,
  row: { ipProto: 6, dstPort: 443, tcpFlags, bytes, samplingRate: 8 },
})

const whole = SYN | ACK | PSH | FIN

/** What an exporter that samples every packet shows of page loads: packets, one by one, most of which acknowledge. */
const pageLoads = (perSecond: number): Traffic[] =>
  [
    { each: 1, tcpFlags: SYN, bytes: 78 },
    { each: 14, tcpFlags: ACK, bytes: 70 },
    { each: 1, tcpFlags: ACK | PSH, bytes: 607 },
    { each: 1, tcpFlags: ACK | FIN, bytes: 70 },
  ].map(({ each, ...row }) => ({ recordsPerSecond: each * perSecond, row: { ipProto: 6, dstPort: 443, ...row } }))

/** Slow clients that give up and come again, packet by packet. */
const slowFlood: Traffic[] = [
  { each: 75, tcpFlags: SYN, bytes: 60 },
  { each: 75, tcpFlags: ACK, bytes: 52 },
  { each: 150, tcpFlags: ACK | PSH, bytes: 80 },
  { each: 75, tcpFlags: ACK | FIN, bytes: 52 },
].map(({ each, ...row }) => ({ recordsPerSecond: each, sources: 40, row: { ipProto: 6, dstPort: 443, ...row } }))

/** The same without a second line, to a server that resets what is given up; its packets are hardly shorter than those of page loads. */
const resetFlood: Traffic[] = [
  { each: 80, tcpFlags: SYN, bytes: 78 },
  { each: 115, tcpFlags: ACK, bytes: 70 },
  { each: 75, tcpFlags: ACK | PSH, bytes: 111 },
  { each: 79, tcpFlags: ACK | FIN, bytes: 70 },
  { each: 153, tcpFlags: RST, bytes: 58 },
].map(({ each, ...row }) => ({ recordsPerSecond: each, sources: 12, row: { ipProto: 6, dstPort: 443, ...row } }))

/** To one of 32 addresses in two networks. */
const spreadTo = (each: Traffic, place: number): Traffic => {
  return { ...each, row: { ...each.row, dstAddr: victim - (victim % 256) + 256 * (place % 2) + place + 1 } }
}

describe('page loads as an exporter of single packets shows them', () => {
  it('are no flood of acknowledgements when they become fifty times as many', () => {
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    lab.run(60, ...pageLoads(150)).run(300, ...pageLoads(3))
    assert.deepEqual(
      lab.phases('ended').map(({ label, activeSeconds }) => [label, activeSeconds]),
      [[null, 60]],
    )
  })

  it('are a flood of connections, not of acknowledgements, when they are more than a crowd makes', () => {
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    lab.run(60, ...pageLoads(330))
    assert.equal(lab.reports.at(-1)?.label, 'tcp@attack@conn_flood_target')
  })

  it('are none on several networks, either', () => {
    const spread = (perSecond: number) =>
      Array.from({ length: 32 }, (_, i) => pageLoads(perSecond).map((each) => spreadTo(each, i))).flat()
    const lab = new DetectionLab({ learnSeconds: 300 }).run(700, ...spread(1))
    lab.run(20, ...spread(10))
    assert.deepEqual(
      lab.reports.filter(({ label }) => label === 'tcp@attack@ack_flood_target'),
      [],
    )
  })

  it('are not what a flood of acknowledgements with some data is', () => {
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    const acknowledgements = { recordsPerSecond: 900, row: { ipProto: 6, dstPort: 443, tcpFlags: ACK, bytes: 60 } }
    const data = { recordsPerSecond: 100, row: { ipProto: 6, dstPort: 443, tcpFlags: ACK | PSH, bytes: 60 } }
    lab.run(30, acknowledgements, data, ...pageLoads(3))
    assert.equal(lab.phases('opened')[0]?.label, 'tcp@attack@ack_flood_target')
  })

  it('are not what a slow flood is whose packets are as long, and that is no SYN flood', () => {
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    // The first are given up after eight seconds.
    lab.run(8, ...resetFlood.slice(0, 3), ...pageLoads(3)).run(52, ...resetFlood, ...pageLoads(3))
    assert.equal(lab.reports.at(-1)?.label, 'tcp@attack@conn_flood_target')
  })

  it('are not what floods of several kinds from made-up sources are, which together have the parts of page loads', () => {
    const random = createRandom(1)
    const kinds = [ACK, ACK, ACK, ACK, ACK, ACK, ACK, ACK, SYN, ACK | PSH]
    const packet = (_: unknown, i: number): Traffic => ({
      recordsPerSecond: 1,
      row: {
        ipProto: 6,
        dstPort: 443,
        tcpFlags: kinds[i % kinds.length],
        bytes: 600,
        packets: 10,
        srcAddr: random(2 ** 32),
      },
    })
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    for (let second = 0; second < 20; second++) lab.run(1, ...Array.from({ length: 400 }, packet), ...pageLoads(3))
    assert.equal(lab.reports.at(-1)?.label, 'tcp@attack@ack_flood_target')
  })

  it('do not keep a slow flood quiet that has no more acknowledgements than they', () => {
    const usual = pageLoads(5)
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...usual).run(120, ...slowFlood, ...usual)
    lab.run(300, ...usual)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    assert.equal(lab.phases('ended')[0].activeSeconds, 120)
  })

  it('do not keep a slow flood going that is over, nor do they begin it', () => {
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...pageLoads(3))
    lab.run(120, ...slowFlood, ...pageLoads(3)).run(300, ...pageLoads(3))
    assert.deepEqual(
      lab.phases('ended').map(({ label, activeSeconds }) => [label, activeSeconds]),
      [['tcp@attack@conn_flood_target', 120]],
    )
  })
})

describe('a flood of connections', () => {
  it('is told by their number when each is hardly more than a handshake and a request', () => {
    assert.deepEqual(labelsAfter(15, connections(200, whole)), ['tcp@attack@conn_flood_target'])
    assert.deepEqual(labelsAfter(15, connections(200, whole), connections(1, whole)), ['tcp@attack@conn_flood_target'])
    assert.deepEqual(labelsAfter(15, connections(100, whole)), [], 'fewer')
    assert.deepEqual(labelsAfter(15, connections(200, whole, { packets: 30, bytes: 2_700 })), [], 'longer')
    assert.deepEqual(labelsAfter(15, connections(200, whole, { bytes: 3_000 })), [], 'of larger packets')
    assert.deepEqual(labelsAfter(15, { ...connections(200, whole), ports: 500 }), [], 'to many ports')
  })

  it('has no name when it may as well be visitors, however many, and normal is not known', () => {
    const crowd = connections(100, whole, { packets: 400, bytes: 240_000 })
    assert.deepEqual(labelsAfter(4, crowd), [])
    assert.deepEqual(labelsAfter(15, crowd), [null])
    const lasting = new DetectionLab().run(15, connections(100, whole, { packets: 1, bytes: 600, samplingRate: 1_000 }))
    assert.ok(lasting.reports.length > 1 && lasting.reports.every(({ label }) => label === null))
  })

  it('is told by few of them from few sources when they are left open', () => {
    const idle = { ...connections(6, SYN | ACK | PSH), sources: 1 }
    assert.deepEqual(labelsAfter(70, idle), ['tcp@attack@slow_conn_target'])
    assert.deepEqual(labelsAfter(70, { ...connections(6, whole), sources: 1 }), [], 'closed')
    assert.deepEqual(labelsAfter(70, { ...idle, recordsPerSecond: 3 }), [], 'fewer')
    assert.deepEqual(labelsAfter(70, { ...idle, sources: 60 }), [], 'from many sources')
    assert.deepEqual(labelsAfter(70, { ...idle, recordsPerSecond: 60, sources: 60 }), ['tcp@attack@slow_conn_target'])
  })

  it('is told by fewer when each carries a part of a request alone, and normal is known', () => {
    const slow = { ...connections(75, whole, { bytes: 6 * 64 }), sources: 40 }
    const visitors = { ...connections(2, whole, { packets: 8, bytes: 1_600 }), sources: 40 }
    const after = (flood: Traffic, usual: Traffic = visitors) =>
      new DetectionLab({ learnSeconds: 300 })
        .run(600, usual)
        .run(75, usual, flood)
        .phases('opened')
        .map(({ label }) => label)
    assert.deepEqual(after(slow), ['tcp@attack@conn_flood_target'])
    assert.deepEqual(after(connections(75, whole, { bytes: 6 * 150 })), [], 'whole requests')
    assert.deepEqual(after({ ...slow, recordsPerSecond: 15 }), [], 'fewer')
    assert.deepEqual(after(slow, { ...slow, recordsPerSecond: 30 }), [], 'no more than four times normal')
    assert.deepEqual(labelsAfter(75, slow), [], 'normal is not known')
    const leftOpen = { ...connections(30, SYN | ACK | PSH, { bytes: 6 * 64 }), sources: 120 }
    assert.deepEqual(after(leftOpen), ['tcp@attack@slow_conn_target'], 'left open, and fewer than of unused ones')
  })

  it('is told by half as many at a site of twice the sensitivity, whatever part of them a packet is', () => {
    const parts = [packets(3, SYN), packets(6, ACK), packets(3, ACK | PSH)].map(({ row, ...part }) => {
      return { ...part, sources: 1, row: { ...row, samplingRate: 1 } }
    })
    const labels = (sensitivity: number) =>
      new DetectionLab({ sites: [{ site: '192.0.2.10', sensitivity }] })
        .run(70, ...parts)
        .phases('opened')
        .map(({ label }) => label)
    assert.deepEqual(labels(1), [])
    assert.deepEqual(labels(2), ['tcp@attack@slow_conn_target'])
  })

  it('is a SYN flood when nothing is sent in them', () => {
    const empty = { ...connections(6, SYN | ACK | FIN, { bytes: 290 }), sources: 1 }
    assert.deepEqual(labelsAfter(70, empty), ['tcp@attack@syn_flood_target'])
  })

  it('is told from the packets that a sampling exporter shows, and its first ones are no flood of half-open ones', () => {
    const parts = [packets(40, SYN), packets(60, ACK), packets(40, ACK | PSH, 250), packets(30, ACK | FIN)]
    assert.deepEqual(labelsAfter(15, ...parts), ['tcp@attack@conn_flood_target'])
    assert.deepEqual(labelsAfter(15, packets(40, SYN), packets(10, RST)), ['tcp@attack@syn_flood_target'])
  })

  it('are as many as the records of a sampling exporter stand for', () => {
    const few = connections(3, SYN | ACK | PSH, { packets: 2, bytes: 104, samplingRate: 2 })
    assert.deepEqual(labelsAfter(90, { ...few, sources: 8 }), ['tcp@attack@slow_conn_target'])
    const unsampled = { ...few, row: { ...few.row, samplingRate: 1 }, sources: 8 }
    assert.deepEqual(labelsAfter(90, unsampled), [])
  })
})
