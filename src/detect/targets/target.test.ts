import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'

const visitors = { recordsPerSecond: 1, row: tcp(0x1b, 540) }
/** A packet of each of 80 protocols that nobody uses, over a number of addresses. */
const oddPackets = (hosts: number) =>
  Array.from({ length: 80 }, (_, i) => ({
    recordsPerSecond: 1,
    row: { ipProto: 60 + i, bytes: 60, dstAddr: victim + (i % hosts) },
  }))
const labels = (lab: DetectionLab) => lab.phases('opened').map(({ label }) => label)

describe('more classes than there is place for', () => {
  it('hide no flood of an address: the lightest makes room', () => {
    const flood = { recordsPerSecond: 500, row: { ...udpFrom(123, 468 * 30), packets: 30 } }
    const lab = new DetectionLab().run(60, visitors).run(1, ...oddPackets(1))
    lab.run(20, flood)
    assert.deepEqual(labels(lab), ['udp@attack@amp_flood_target-NTP'])
  })

  it('hide no attack on a network, and are counted', () => {
    const carpet = Array.from({ length: 60 }, (_, host) => ({
      recordsPerSecond: 50,
      row: { ...udpFrom(123, 468), dstAddr: victim + host },
    }))
    const lab = new DetectionLab().run(60, visitors).run(1, ...oddPackets(60))
    assert.equal(lab.detector.counted.classesRefused, 80 + 1 - 64)
    lab.run(20, ...carpet)
    assert.deepEqual(labels(lab), ['udp@attack@amp_flood_target-NTP'])
  })

  it('leave their places to what has more: a few packets take none', () => {
    const lab = new DetectionLab()
    const classes = oddPackets(1).map(({ row }) => ({ recordsPerSecond: 20, row }))
    lab.run(5, ...classes.slice(0, 64)).run(5, ...classes.slice(0, 64), ...oddPackets(1).slice(64))
    assert.equal(lab.detector.counted.classesRefused, 5 * 16 * 2, 'of the address and of its network')
    const known = lab.detector.stateOf(victim, 0).classes.map(({ packets }) => packets)
    assert.deepEqual([Math.min(...known), known.length], [20, 64 + 1])
  })

  it('do not take the place of an attack that goes on', () => {
    const classes = oddPackets(1).map(({ row }) => ({ recordsPerSecond: 400, row }))
    const lab = new DetectionLab({ packetsPerSecond: 0, flowsPerSecond: 0 }).run(5, ...classes.slice(0, 64))
    assert.equal(lab.detector.openIncidents, 1)
    lab.run(5, ...classes.map((each) => ({ ...each, recordsPerSecond: 500 })).slice(64))
    assert.equal(lab.detector.counted.classesRefused, 5 * 16 + 16, 'and those that made room in its network, once')
  })
})
