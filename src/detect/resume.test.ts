import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom, victim } from '../../test/helpers/detection.ts'
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
  const was = { ...state, endedMs: phase === 'ended' ? state.endMs : null, details: described }
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
    // The seconds in which the service was down are no part of it, nor up to five since the last report.
    assert.ok(ended.activeSeconds >= 115 && ended.activeSeconds <= 120, `${ended.activeSeconds} s`)
    assert.ok(ended.packetsPerSecond > 1_950 && ended.packetsPerSecond <= 2_000, `${ended.packetsPerSecond}`)
    const flows = ended.details?.statistics.proto[0].flows ?? 0
    assert.ok(flows > 200_000 && flows <= 240_000, `${flows} flows`)
    assert.equal(ended.details?.course.fromMs, was.details.course.fromMs)
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
    assert.equal(lab.phases('ended')[0].victims.length, 20)
  })

  it('is that of its network, also when no victim of it was told of', () => {
    const before = new DetectionLab().run(30, ...carpet)
    for (const report of before.reports) report.victims = []
    const { lab, was } = restarted(before, 10)
    lab.run(30, ...carpet).run(100)
    assert.deepEqual(lab.life(), ['ended'])
    assert.equal(lab.reports[0].incident, was.incident)
  })

  it('goes on where nothing but it could be followed', () => {
    const ordinary: Traffic = { recordsPerSecond: 50, sources: 40, row: { ...tcp(0x1b, 12_000), packets: 120 } }
    const ntp: Traffic = { recordsPerSecond: 300, row: udpFrom(123, 468) }
    const small = restarted(new DetectionLab().run(60, ordinary, ntp), 5)
    small.lab.run(120, ordinary, ntp)
    assert.deepEqual(small.lab.life(), [], 'a small attack beside much ordinary traffic')
    small.lab.run(60, ordinary)
    assert.deepEqual(small.lab.life(), ['ended'])

    const slow: Traffic = { recordsPerSecond: 8, sources: 2, row: { ...tcp(0x1a, 540), packets: 6 } }
    const connections = restarted(new DetectionLab().run(90, slow), 5)
    connections.lab.run(60, slow).run(120, ordinary)
    assert.deepEqual(connections.lab.life(), ['ended'], 'a flood whose label no traffic class has')
  })

  it('is waited for as long as its exporters hold records back', () => {
    const before = new DetectionLab()
    const minute = (lab: DetectionLab): Traffic => ({
      recordsPerSecond: 30,
      row: { ...tcp(SYN, 3_600_000), packets: 60_000, startMs: lab.nowMs - 60_000, endMs: lab.nowMs - 1_000 },
    })
    for (let i = 0; i < 3; i++) before.run(1, minute(before)).run(59)
    const { lab } = restarted(before, 2)
    lab.run(57)
    for (let i = 0; i < 3; i++) lab.run(1, minute(lab)).run(59)
    assert.deepEqual(lab.life(), [])
  })

  it('is told of in full, with what its lists had, and how exact they are', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 5)
    lab.run(30, synFlood)
    const full = lab.reports.findLast(({ details }) => details !== null)
    assert.ok(full?.details)
    const { sources, samples, flowsMissedMax, srcip } = full.details.statistics
    assert.ok(sources.distinct >= was.details.statistics.sources.distinct)
    assert.ok(sources.error > 0)
    assert.equal(samples.length, 20)
    assert.ok(flowsMissedMax.srcip > 0 && srcip.length === 100)
    assert.equal(flowsMissedMax.proto, 0)
    assert.deepEqual(full.vectors[0].label, 'tcp@attack@syn_flood_target')
  })

  it('keeps the interfaces that it came in by, and the systems that it came from', () => {
    const { row } = synFlood
    const flood = {
      ...synFlood,
      row: { ...row, exporter: 1, ingressInterface: 17, egressInterface: 3, sourceAs: 64_496 },
    }
    const { lab } = restarted(new DetectionLab().run(60, flood), 5)
    lab.run(30, flood).run(60)
    const { ingress, egress, sourceAs, proto } = lab.details('ended').statistics
    const [{ flows }] = proto
    assert.ok(flows > 150_000)
    assert.deepEqual(
      [...ingress, ...egress].map(({ address, index, flows }) => [address, index, flows]),
      [
        ['198.51.100.1', 17, flows],
        ['198.51.100.1', 3, flows],
      ],
    )
    assert.deepEqual(
      sourceAs.map(({ item, flows }) => [item, flows]),
      [[64_496, flows]],
    )
  })

  it('is told to be over when there is no room for it', () => {
    const { was } = restarted(new DetectionLab().run(60, synFlood), 5)
    const lab = new DetectionLab({ incidentsMax: 1 })
    lab.detector.resume([{ ...was, incident: 'other', address: victim + 1 }, was], lab.nowMs)
    lab.run(1)
    assert.deepEqual(
      lab.reports.map(({ incident, phase, endMs }) => [incident, phase, endMs]),
      [[was.incident, 'closed', was.endMs]],
    )
  })
})
