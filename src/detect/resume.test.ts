import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, victim } from '../../test/helpers/detection.ts'
import { SYN } from '../net/tcp-flags.ts'
import type { ResumedIncident } from './incident-report.ts'

const synFlood: Traffic = { recordsPerSecond: 2_000, row: tcp(SYN) }
const carpet: Traffic[] = Array.from({ length: 20 }, (_, host) => ({
  recordsPerSecond: 300,
  row: { ...tcp(SYN), dstAddr: victim + host },
}))

/** What the store would have of the attack, and the lab where it is known again after so many seconds of silence. */
function restarted(before: DetectionLab, downSeconds: number): { lab: DetectionLab; was: ResumedIncident } {
  const report = before.reports.at(-1)
  assert.ok(report)
  const { phase, details, ...state } = report
  const described = before.reports.findLast((each) => each.details !== null)?.details
  assert.ok(described)
  const was = { ...state, endedMs: phase === 'ended' ? state.endMs : null, ...described }
  const lab = new DetectionLab()
  lab.clock.set(before.nowMs + downSeconds * 1_000)
  lab.detector.resume([was], lab.nowMs)
  return { lab, was }
}

describe('an attack that goes on while the service is started again', () => {
  it('is the same incident, with its beginning, sums and lists', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 10)
    assert.equal(lab.detector.openIncidents, 1)
    lab.run(60, synFlood).run(60)
    assert.deepEqual(lab.life(), ['ended'])
    const ended = lab.phases('ended')[0]
    assert.deepEqual([ended.incident, ended.startMs, ended.label], [was.incident, was.startMs, was.label])
    assert.ok(Math.abs(ended.endMs - ended.startMs - 130_000) <= 2_000, `${ended.endMs - ended.startMs} ms`)
    // Of 130 seconds those that were down are missing, and up to five since it was last told of.
    assert.ok(ended.packetsPerSecond > 1_750 && ended.packetsPerSecond < 1_850, `${ended.packetsPerSecond}`)
    const flows = ended.details?.statistics.proto[0].flows ?? 0
    assert.ok(flows > 200_000 && flows <= 240_000, `${flows} flows`)
    assert.equal(ended.details?.course.fromMs, was.course?.fromMs)
  })

  it('ends when it is over, though nothing more is heard of it', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 300)
    lab.run(20)
    assert.deepEqual(lab.life(), [])
    lab.run(20)
    assert.deepEqual(lab.life(), ['ended'])
    assert.equal(lab.phases('ended')[0].endMs, was.endMs)
  })

  it('is opened again when it had ended', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood).run(60), 60)
    assert.notEqual(was.endedMs, null)
    lab.run(20, synFlood)
    assert.deepEqual(lab.life(), ['reopened'])
    assert.equal(lab.reports[0].incident, was.incident)
  })

  it('is that of its network, when it is on one', () => {
    const { lab, was } = restarted(new DetectionLab().run(30, ...carpet), 10)
    assert.equal(was.victims.length, 20)
    lab.run(30, ...carpet).run(100)
    assert.deepEqual(lab.life(), ['ended'])
    assert.equal(lab.reports[0].incident, was.incident)
  })
})
