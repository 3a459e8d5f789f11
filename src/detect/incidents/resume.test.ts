import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'
import { normalsOf } from './attack-traffic.ts'
import type { ResumedIncident } from './incident-report.ts'

const synFlood: Traffic = { recordsPerSecond: 2_000, row: tcp(SYN) }
const carpet: Traffic[] = Array.from({ length: 20 }, (_, host) => ({
  recordsPerSecond: 300,
  row: { ...tcp(SYN), dstAddr: victim + host },
}))

/** What the store would have of the attack, and the lab where it is known again after a number of seconds of silence. */
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
    const flows = ended.details?.statistics.protocol[0].flows ?? 0
    assert.ok(flows > 200_000 && flows <= 240_000, `${flows} flows`)
    assert.equal(ended.details?.course.fromMs, was.details.course.fromMs)
  })

  it('has a course with nothing in it for the time in which the service was down, and what was there before', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 10)
    lab.run(60, synFlood).run(60)
    const { total, attack } = lab.details('ended').course
    const before = was.details.course.total.packetsPerSecond
    assert.deepEqual(total.packetsPerSecond.slice(0, before.length - 1), before.slice(0, -1))
    for (const rates of [total, attack]) {
      for (const column of [rates.packetsPerSecond, rates.bytesPerSecond, rates.flowsPerSecond]) {
        const unknown = column.flatMap((rate, step) => (rate === null ? [step] : []))
        assert.ok(unknown.length >= 10 && unknown.length <= 15, `${unknown.length} seconds`)
        assert.equal(unknown[unknown.length - 1] - unknown[0], unknown.length - 1, 'in one piece')
        assert.ok(column.slice(0, 60).every((rate) => rate === 0))
        assert.ok(column.slice(60).every((rate) => rate === null || rate > 0))
      }
    }
  })

  it('says what was normal when it began, as before', () => {
    const usual: Traffic = { recordsPerSecond: 50, row: tcp(27, 700) }
    const { lab, was } = restarted(new DetectionLab({ learnSeconds: 600 }).run(700, usual).run(60, usual, synFlood), 10)
    lab.run(60, synFlood).run(60)
    const normals = normalsOf(was)
    for (const [name, value] of Object.entries(normals)) assert.ok(value !== null && value > 0, name)
    assert.deepEqual(normalsOf(lab.phases('ended')[0]), normals)
    const { normalPacketsPerSecond, normalBytesPerSecond } = was
    assert.ok(
      Math.abs((normalBytesPerSecond ?? 0) / (normalPacketsPerSecond ?? 0) - 700) < 7,
      'by the length of ordinary packets',
    )
  })

  it('has no active time while the service was down, however short that was', () => {
    for (const downSeconds of [1, 5, 9]) {
      const { lab, was } = restarted(new DetectionLab().run(60, synFlood), downSeconds)
      lab.run(20, synFlood).run(60)
      const { activeSeconds, packetsPerSecond } = lab.phases('ended')[0]
      assert.deepEqual([activeSeconds, packetsPerSecond], [was.activeSeconds + 20, 2_000], `${downSeconds} s`)
    }
  })

  it('is as severe as without a restart, when it becomes weaker in its first episode', () => {
    const weaker = { ...synFlood, recordsPerSecond: 500 }
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 5)
    lab.run(120, weaker).run(60)
    const { worst, packetsPerSecond } = lab.phases('ended')[0]
    assert.ok(packetsPerSecond < was.packetsPerSecond / 1.5)
    assert.equal(worst.packetsPerSecond, packetsPerSecond)
  })

  it('counts what records tell only afterwards of the time before', () => {
    const before = new DetectionLab().run(10).run(20, synFlood)
    const { lab, was } = restarted(before, 10)
    // An exporter has held back as many records of the ten seconds that were told last, and more of the last two.
    for (let ago = 10; ago > 0; ago--) {
      const atMs = was.endMs - ago * 1_000
      lab.fold({ recordsPerSecond: ago > 2 ? 2_000 : 8_000, row: { ...tcp(SYN), startMs: atMs, endMs: atMs } })
    }
    lab.run(1_200)
    assert.deepEqual(lab.life(), ['ended', 'closed'])
    const [packets, late] = [was.packetsPerSecond * was.activeSeconds, 8 * 2_000 + 2 * 8_000]
    for (const { activeSeconds, packetsPerSecond, peak, vectors, details } of lab.reports.slice(-2)) {
      assert.deepEqual([activeSeconds, packetsPerSecond * activeSeconds], [was.activeSeconds, packets + late])
      assert.ok(peak.packetsPerSecond >= packetsPerSecond)
      assert.deepEqual(
        vectors.map(({ share }) => share),
        [1],
      )
      assert.equal(details?.statistics.protocol[0].packets, packets + late)
      const { total, attack } = details.course
      for (const { packetsPerSecond: rates } of [total, attack])
        assert.equal(
          rates.reduce((sum: number, rate) => sum + (rate ?? 0), 0),
          packets + late,
        )
    }
  })

  it('counts what records tell of the time in which the service was down, though it be too little to be active', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 10)
    lab.run(20, synFlood)
    // From where the attack was told last to its end, ten a second.
    const seconds = lab.nowMs / 1_000 - was.endMs / 1_000
    const held = { ...tcp(SYN), packets: 10 * seconds, startMs: was.endMs, endMs: lab.nowMs - 1_000 }
    lab.run(1, { recordsPerSecond: 1, row: held }).run(1_200)
    const { activeSeconds, packetsPerSecond, details } = lab.phases('closed')[0]
    const packets = 2_000 * (was.activeSeconds + 20) + 10 * seconds
    assert.equal(activeSeconds, was.activeSeconds + 20)
    assert.equal(Math.round(packetsPerSecond * activeSeconds), packets)
    assert.equal(details?.statistics.protocol[0].packets, packets)
  })

  it('still counts it when the rings have forgotten it, also when it comes back later', () => {
    const weak: Traffic = { recordsPerSecond: 400, row: tcp(SYN) }
    const { lab, was } = restarted(new DetectionLab().run(30, weak), 10)
    const late = { ...tcp(SYN), packets: 10, startMs: was.endMs - 5_000, endMs: was.endMs - 5_000 }
    lab.fold({ recordsPerSecond: 400, row: late })
    const seconds = lab.nowMs / 1_000 - was.endMs / 1_000
    const whileDown = { ...tcp(SYN), packets: 4 * seconds, startMs: was.endMs, endMs: lab.nowMs - 1_000 }
    lab.fold({ recordsPerSecond: 1, row: whileDown })
    lab.run(450, weak).run(500).run(10, weak).run(1_200)
    assert.deepEqual(lab.life(), ['ended', 'reopened', 'ended', 'closed'])
    const closed = lab.phases('closed')[0]
    const packets = 400 * (was.activeSeconds + 450 + 10) + 4_000 + 4 * seconds
    assert.equal(Math.round(closed.packetsPerSecond * closed.activeSeconds), packets)
    const { attack, stepSeconds } = closed.details?.course ?? {}
    const inCourse = attack?.packetsPerSecond.reduce((sum: number, rate) => sum + (rate ?? 0) * (stepSeconds ?? 0), 0)
    // A step of which some seconds are unknown is an average over the others.
    assert.ok(inCourse !== undefined && Math.abs(inCourse - packets) < 2_000, `${inCourse} of ${packets}`)
  })

  it('ends when it is over, though no more traffic comes', () => {
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

  it('lists its victims by what they got since the restart, even before all of them have got something', () => {
    const { lab } = restarted(new DetectionLab().run(30, ...carpet), 10)
    lab.run(15, ...carpet.slice(10).map((traffic) => ({ ...traffic, recordsPerSecond: 100 })))
    const rates = lab.reports.at(-1)?.victims.map(({ packetsPerSecond }) => packetsPerSecond) ?? []
    assert.equal(rates.length, 20)
    assert.deepEqual(
      rates,
      rates.toSorted((a, b) => b - a),
    )
    // The time before the restart is no part of the averages.
    assert.equal(rates.at(-1), 100)
  })

  it('is that of its network, also when no victim of it was reported', () => {
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

  it('is reported in full, with what its lists had, and how exact they are', () => {
    const { lab, was } = restarted(new DetectionLab().run(60, synFlood), 5)
    lab.run(30, synFlood)
    const full = lab.reports.findLast(({ details }) => details !== null)
    assert.ok(full?.details)
    const { sources, samples, flowsMissedMax, sourceAddress } = full.details.statistics
    assert.ok(sources.distinct >= was.details.statistics.sources.distinct)
    assert.ok(sources.error > 0)
    assert.equal(samples.length, 20)
    assert.ok(flowsMissedMax.sourceAddress > 0 && sourceAddress.length === 100)
    assert.equal(flowsMissedMax.protocol, 0)
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
    const { ingress, egress, sourceAs, protocol } = lab.details('ended').statistics
    const [{ flows }] = protocol
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
