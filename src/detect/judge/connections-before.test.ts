import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic } from '../../../test/helpers/detection.ts'
import { ACK, FIN, PSH, SYN } from '../../net/tcp-flags.ts'

const connFlood = 'tcp@attack@conn_flood_target'

/** Whole connections of some packets of 110 octets on average, each a record. */
const connections = (recordsPerSecond: number, packets: number): Traffic => ({
  recordsPerSecond,
  row: { ipProto: 6, dstPort: 443, tcpFlags: SYN | ACK | PSH | FIN, packets, bytes: packets * 110 },
})

/** What a label is at a server that has a thousand packets a second, in connections of 13. */
function labelsOf(...now: Traffic[]): (string | null)[] {
  const usual = connections(77, 13)
  const { reports } = new DetectionLab({ learnSeconds: 300 }).run(600, usual).run(90, usual, ...now)
  return [...new Map(reports.map(({ incident, label }) => [incident, label])).values()]
}

describe('connections whose packets are as long as usual', () => {
  it('are a flood when each has fewer packets than those of the minutes before', () => {
    assert.deepEqual(labelsOf(connections(1_000, 5)), [connFlood])
    assert.deepEqual(labelsOf(connections(6_000, 8)), [connFlood])
  })

  it('may be of a crowd when each has about as many, or more', () => {
    assert.deepEqual(labelsOf(connections(800, 13)), [null])
    assert.deepEqual(labelsOf(connections(900, 11)), [null])
    assert.deepEqual(labelsOf(connections(200, 60)), [null])
  })

  it('may be of a crowd when they are of all lengths, as those before', () => {
    const mixed = (times: number) => [connections(40 * times, 6), connections(10 * times, 40), connections(times, 400)]
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...mixed(1)).run(90, ...mixed(10))
    assert.deepEqual([...new Set(lab.reports.map(({ label }) => label))], [null])
  })

  it('have no name when nothing of the minutes before is known', () => {
    const usual = connections(77, 13)
    const learnt = new DetectionLab({ learnSeconds: 300 }).run(600, usual)
    const lab = new DetectionLab({ learnSeconds: 300 })
    lab.detector.restore(learnt.detector.takeBaselines({ all: true }), lab.nowMs)
    lab.run(90, usual, connections(1_000, 5))
    assert.deepEqual([...new Set(lab.reports.map(({ label }) => label))], [null])
  })
})
