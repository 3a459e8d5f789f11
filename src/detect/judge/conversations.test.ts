import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../../test/helpers/detection.ts'
import type { FlowRow } from '../../../test/helpers/flow-rows.ts'
import { ACK, FIN, PSH, RST, SYN } from '../../net/tcp-flags.ts'

const ackFlood = 'tcp@attack@ack_flood_target'
const connFlood = 'tcp@attack@conn_flood_target'

/** Records of whole connections of visitors. */
const visits = (perSecond: number): Traffic => ({
  recordsPerSecond: perSecond,
  row: { ...tcp(SYN | ACK | PSH | FIN, 1_400), packets: 12 },
})

/** The labels, at the end, of a minute of `now`, at a host that has had `usual` for long. */
function labelsOf(usual: readonly Traffic[], ...now: Traffic[]): (string | null)[] {
  const { reports } = new DetectionLab({ learnSeconds: 300 }).run(600, ...usual).run(60, ...usual, ...now)
  return [...new Map(reports.map(({ incident, label }) => [incident, label])).values()]
}

describe('packets of connections that nobody has opened', () => {
  const sampled = { samplingRate: 100 }
  const long = (flags: number, recordsPerSecond: number, row = {}): Traffic => ({
    ...{ recordsPerSecond, sources: 300 },
    row: { ...tcp(flags, 900), ...row },
  })

  it('are a flood, whatever they carry, at an idle host and at a busy one', () => {
    for (const usual of [[visits(1)], [visits(80)]]) {
      assert.deepEqual(labelsOf(usual, { ...long(ACK | PSH, 5_000), sourcePorts: 60_000 }), [ackFlood])
      assert.deepEqual(labelsOf(usual, { ...long(ACK, 5_000), sourcePorts: 60_000 }), [ackFlood])
      assert.deepEqual(labelsOf(usual, { ...long(ACK | FIN, 5_000), sourcePorts: 60_000 }), [ackFlood])
    }
  })

  it('are one beside visitors who are more than usual, whose connections are a record each', () => {
    const short = { recordsPerSecond: 2_000, sources: 300, sourcePorts: 60_000, row: tcp(ACK | PSH, 120) }
    assert.deepEqual(labelsOf([visits(80)], visits(16), short), [ackFlood])
  })

  it('are one behind sampling', () => {
    assert.deepEqual(labelsOf([visits(1)], long(ACK | PSH, 200, sampled)), [ackFlood])
  })

  it('are requests when they are short and of some connections of few', () => {
    const requests = { ...tcp(ACK | PSH, 4_200), packets: 10 }
    assert.deepEqual(labelsOf([visits(1)], { recordsPerSecond: 500, sources: 12, row: requests }), [connFlood])
    assert.deepEqual(labelsOf([visits(1)], { recordsPerSecond: 200, sources: 12, row: requests }), [])
  })

  it('are requests of however many behind sampling, when they are short and have the source ports of systems', () => {
    const row = { ...tcp(ACK | PSH, 420), ...sampled }
    const requests = [33_000, 40_000, 45_000, 51_000, 60_000].map((srcPort) => ({
      ...{ recordsPerSecond: 60, sources: 2_000 },
      row: { ...row, srcPort },
    }))
    assert.deepEqual(labelsOf([visits(1)], ...requests), [connFlood])
    const flood = { recordsPerSecond: 300, sourcePorts: 60_000, row }
    assert.deepEqual(labelsOf([visits(1)], { ...flood, sources: 2_000 }), [ackFlood], 'from ports all over')
    assert.deepEqual(labelsOf([visits(1)], { ...flood, sources: 12 }), [ackFlood], 'of few from ports all over')
  })

  it('may be of ones that last for hours, when they are long and have the source ports of systems', () => {
    const full = tcp(ACK | PSH, 1_460)
    const from = (recordsPerSecond: number, row: Traffic['row']): Traffic[] =>
      [33_000, 40_000, 45_000, 51_000, 60_000].map((srcPort) => ({
        ...{ recordsPerSecond: recordsPerSecond / 5, sources: 40 },
        row: { ...row, srcPort },
      }))
    const inFlows = { ...full, packets: 100, bytes: 146_000 }
    const inSamples = { ...full, ...sampled }
    for (const row of [inFlows, inSamples]) {
      assert.deepEqual(labelsOf([visits(1)], ...from(40, row)), [])
      assert.deepEqual(labelsOf([visits(1)], ...from(900, row)), [null])
    }
    const [samples] = from(200, inSamples)
    assert.deepEqual(labelsOf([visits(1)], samples), [ackFlood], 'all from one port')
    assert.deepEqual(labelsOf([visits(1)], { ...samples, sourcePorts: 60_000 }), [ackFlood], 'from ports all over')
    assert.deepEqual(labelsOf([visits(1)], ...from(4_000, full)), [ackFlood], 'a record for each packet')
  })

  it('may be what viewers of a stream acknowledge, when they are bare and have the source ports of systems', () => {
    const from = (row: Traffic['row']): Traffic[] =>
      [33_000, 40_000, 45_000, 51_000, 60_000].map((srcPort) => ({
        ...{ recordsPerSecond: 20, sources: 300 },
        row: { ...row, srcPort },
      }))
    const inFlows = (bytesEach: number) => ({ ...tcp(ACK, bytesEach * 40), packets: 40 })
    const inSamples = { ...tcp(ACK, 52), ...sampled }
    for (const row of [inFlows(52), inSamples]) assert.deepEqual(labelsOf([visits(1)], ...from(row)), [null])
    assert.deepEqual(labelsOf([visits(1)], ...from(inFlows(52)), visits(4)), [null], 'some of them open theirs now')
    assert.deepEqual(labelsOf([visits(1)], ...from(inFlows(120))), [connFlood], 'something in each')
    const allOver = { recordsPerSecond: 100, sources: 300, sourcePorts: 60_000 }
    assert.deepEqual(labelsOf([visits(1)], { ...allOver, row: inFlows(52) }), [ackFlood], 'from ports all over')
    assert.deepEqual(labelsOf([visits(1)], { ...allOver, row: inSamples }), [ackFlood], 'from ports all over')
  })

  it('are requests over some connections of few, however many packets a record has', () => {
    const row = { ...tcp(ACK | PSH, 110 * 1_200), packets: 1_200 }
    const requests = [33_000, 40_000, 45_000, 51_000, 60_000].map((srcPort) => ({
      ...{ recordsPerSecond: 1, sources: 12 },
      row: { ...row, srcPort },
    }))
    assert.deepEqual(labelsOf([visits(1)], ...requests), [connFlood])
    const acknowledgements = requests.map((each) => ({ ...each, row: { ...each.row, bytes: 52 * 1_200 } }))
    assert.deepEqual(labelsOf([visits(1)], ...acknowledgements), [])
  })

  it('have no name while too few were seen to expect one that opens a connection', () => {
    const scan: Traffic = { recordsPerSecond: 1, row: { ...tcp(SYN, 44), samplingRate: 20 } }
    const row = { ...tcp(ACK | PSH, 120), samplingRate: 1_000 }
    const flood = { recordsPerSecond: 17, sources: 300, sourcePorts: 60_000, row }
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, scan).run(12, scan, flood)
    assert.deepEqual([...new Set(lab.reports.map(({ label }) => label))], [null])
    lab.run(60, scan, flood)
    assert.equal(lab.reports.at(-1)?.label, ackFlood)
  })

  it('are of visitors when few that open were expected, and fewer came by chance', () => {
    const coarse = { samplingRate: 2_000 }
    const seen = (flags: number, bytes: number): Traffic => ({
      ...{ recordsPerSecond: 1, sources: 3_000, sourcePorts: 60_000 },
      row: { ...tcp(flags, bytes), ...coarse },
    })
    const opening = seen(SYN, 380)
    const carrying = seen(ACK | PSH, 380)
    const lab = new DetectionLab({ learnSeconds: 300 })
    // One in five opens, in ten seconds.
    for (let i = 0; i < 60; i++) lab.run(1, opening, carrying).run(4, carrying).run(5)
    const crowd = [carrying, carrying, carrying]
    for (let i = 0; i < 24; i++) lab.run(1, opening, ...crowd).run(4, ...crowd)
    assert.equal(lab.reports.length, 0)
    lab.run(120, ...Array.from({ length: 12 }, () => carrying))
    assert.equal(lab.reports.at(-1)?.label, ackFlood, 'many, and none opens')
  })

  it('are of a transfer when few sources have few ports, also where each sample is a record', () => {
    const usual: Traffic[] = [{ recordsPerSecond: 1, row: { ...tcp(ACK | PSH, 400), ...sampled } }]
    const acknowledged = (perSecond: number): Traffic => ({
      ...{ recordsPerSecond: perSecond / 100, sources: 2 },
      row: { ...tcp(ACK, 52), ...sampled, srcPort: 443 },
    })
    assert.deepEqual(labelsOf(usual, acknowledged(8_000)), [])
    assert.deepEqual(labelsOf(usual, acknowledged(90_000)), [null])
    assert.deepEqual(labelsOf(usual, { ...acknowledged(8_000), sourcePorts: 60_000 }), [ackFlood])
  })

  it('are messages where few that open are usual', () => {
    const messages = (perSecond: number): Traffic[] => [
      { recordsPerSecond: perSecond, sources: 1_000, row: { ...tcp(ACK | PSH, 120), ...sampled } },
    ]
    assert.deepEqual(labelsOf(messages(20), ...messages(40)), [])
  })
})

describe('answers of web servers', () => {
  const answers = (recordsPerSecond: number, srcPort = 443): Traffic => ({
    ...{ recordsPerSecond, sources: 300 },
    row: { ...tcp(ACK | PSH, 13_000), srcPort, dstPort: 40_000, packets: 10 },
  })
  const resets: Traffic = { recordsPerSecond: 2_000, row: { ...tcp(ACK | RST, 900), srcPort: 443, dstPort: 40_000 } }
  const accepted: Traffic = { recordsPerSecond: 200, row: { ...tcp(SYN | ACK), srcPort: 443, dstPort: 40_000 } }

  it('to nobody are those of middleboxes, resets among them', () => {
    assert.deepEqual(labelsOf([visits(1)], answers(300)), ['tcp@attack@amp_flood_target-MIDDLEBOX'])
    assert.deepEqual(labelsOf([visits(1)], answers(300), resets), ['tcp@attack@amp_flood_target-MIDDLEBOX'])
    assert.deepEqual(labelsOf([visits(1)], answers(300, 8_443)), [ackFlood])
  })

  it('and resets among them are one attack where these pass a limit on all traffic first', () => {
    const first: Traffic = { ...resets, recordsPerSecond: 600, row: { ...resets.row, samplingRate: 1_000 } }
    const later: Traffic = {
      ...answers(500),
      row: { ...answers(1).row, packets: 1, bytes: 1_100, samplingRate: 1_000 },
    }
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, visits(1)).run(1, first)
    lab.run(30, first, later)
    assert.equal(lab.reports.at(-1)?.label, 'tcp@attack@amp_flood_target-MIDDLEBOX')
  })

  it('in records of many sampled packets are downloads of few long connections', () => {
    const sampled = { srcPort: 443, dstPort: 40_000, samplingRate: 1_000 }
    const opening: Traffic = { recordsPerSecond: 1, sources: 60, row: { ...tcp(SYN | ACK), ...sampled } }
    const carrying: Traffic = { recordsPerSecond: 1, sources: 60, row: { ...tcp(ACK | PSH, 1_000), ...sampled } }
    const downloads = { ...carrying, row: { ...carrying.row, packets: 10, bytes: 10_000 } }
    const flood = { ...carrying, recordsPerSecond: 10, sources: 300 }
    const usual = new DetectionLab({ learnSeconds: 300 })
    for (let i = 0; i < 60; i++) usual.run(1, opening, carrying).run(9, carrying)
    const before = usual.reports.length
    usual.run(60, downloads)
    assert.deepEqual(usual.reports.slice(before), [])
    usual.run(120).run(60, flood)
    assert.equal(usual.reports.at(-1)?.label, 'tcp@attack@amp_flood_target-MIDDLEBOX')
  })

  it('over connections that were accepted are no flood of these', () => {
    assert.deepEqual(labelsOf([visits(1)], answers(60), accepted), [])
    assert.deepEqual(labelsOf([visits(1)], accepted), ['tcp@attack@synack_flood_target'])
  })
})

describe('few flows of many packets', () => {
  it('have no label: transfers and tunnels', () => {
    const gigabit = { packets: 83_000, bytes: 83_000 * 1_480 }
    const download = { ...tcp(ACK | PSH), ...gigabit, srcAddr: 0x0102_0304, srcPort: 443, dstPort: 40_000 }
    const upload = { ...tcp(ACK), ...gigabit, srcAddr: 0x0102_0304 }
    const tunnel = { ...udpFrom(51_820), ...gigabit, srcAddr: 0x0102_0304 }
    const gre = { ipProto: 47, srcPort: 0, dstPort: 0, ...gigabit, srcAddr: 0x0102_0304 }
    for (const row of [download, upload, tunnel, gre]) {
      assert.deepEqual(labelsOf([visits(1)], { recordsPerSecond: 1, row }), [null], JSON.stringify(row))
    }
  })

  it('of a tunnel that is usual come with more traffic in it, and have no label', () => {
    const esp = (bytes: number, peers: number): Partial<FlowRow> => ({
      ...{ ipProto: 50, tcpFlags: 0, srcPort: 0, dstPort: 0, samplingRate: 1_000 },
      ...{ packets: 1, bytes, srcAddr: 0x0102_0304 + peers },
    })
    const usual = [0, 1].map((peer) => ({ recordsPerSecond: 1, row: esp(700, peer) }))
    const more = Array.from({ length: 10 }, (_, peer) => ({ recordsPerSecond: 1, row: esp(700, peer) }))
    const { srcAddr: _, ...packet } = esp(100, 0)
    const flood = { recordsPerSecond: 20, sources: 2_000, row: packet }
    assert.deepEqual(labelsOf(usual, ...more), [])
    assert.deepEqual(labelsOf(usual, flood), ['ip@attack@proto_flood_target-ESP'], 'packets of another length')
  })

  it('have one when each packet is a flow of its own', () => {
    const flood = { recordsPerSecond: 30_000, sources: 3, sourcePorts: 60_000, row: udpFrom(0) }
    assert.deepEqual(labelsOf([visits(1)], flood), ['udp@attack@simple_flood_target'])
  })
})
