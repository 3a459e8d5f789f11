import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, udpFrom, victim } from '../../../test/helpers/detection.ts'
import type { IncidentReport } from './incident-report.ts'

/** Attacks on a number of addresses, each of another network. */
const attacks = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    recordsPerSecond: 15,
    row: { ...udpFrom(123, 20 * 468), packets: 20, dstAddr: victim + i * 256 },
  }))

describe('many attacks at a time', () => {
  const count = 240
  const quietSeconds = 10
  const lab = new DetectionLab({ quietSeconds, updateSeconds: 5, incidentsMax: count })
  const perPass = Array.from({ length: 40 + quietSeconds + 10 }, (_, second) => {
    const before = lab.reports.length
    lab.run(1, ...(second < 40 ? attacks(count) : []))
    return lab.reports.slice(before)
  })
  const inFull = lab.reports.filter(({ details }) => details !== null)

  it('begin at once, as many in full as a pass may have', () => {
    const opened = lab.phases('opened')
    assert.equal(opened.length, count)
    assert.equal(opened.filter(({ details }) => details !== null).length, 200)
  })

  it('are reported in full a bounded number of times a second, however often it is judged', () => {
    const begun = new DetectionLab({ updateSeconds: 1, incidentsMax: count }).run(5, ...attacks(count))
    const again = begun.detector.pass(begun.nowMs + 250)
    assert.equal(again.filter(({ details }) => details !== null).length, 0)
    assert.equal(begun.detector.pass(begun.nowMs + 1_000).filter(isUpdateInFull).length, 100)
  })

  it('have no turn while they have no traffic, as after a restart', () => {
    const before = new DetectionLab().run(5, ...attacks(150))
    const lab = new DetectionLab()
    lab.clock.set(before.nowMs)
    const was = before
      .phases('opened')
      .flatMap(({ phase, details, ...state }) => (details === null ? [] : { ...state, details, endedMs: null }))
    lab.detector.resume(was, lab.nowMs)
    const live = attacks(200).slice(-1)
    lab.run(12, ...live)
    const [begun, ...updates] = lab.seen.filter(({ report }) => report.details !== null)
    assert.deepEqual([was.length, begun.report.phase], [150, 'opened'])
    assert.deepEqual(
      updates.map(({ atMs }) => atMs - begun.atMs),
      [5_000, 10_000],
    )
  })

  it('are updated every few seconds, each in full when it is its turn', () => {
    const updatesInFull = perPass.map((reports) => reports.filter(isUpdateInFull).length)
    assert.equal(Math.max(...updatesInFull), 100)
    assert.equal(longestPause(perPass.slice(0, 40)), 5)
    for (const { incident } of lab.phases('opened')) {
      assert.ok(inFull.filter((report) => report.incident === incident).length >= 7)
    }
  })

  it('end in full, some of them a pass later, and when they did', () => {
    const ended = lab.phases('ended')
    assert.equal(ended.length, count)
    for (const { endMs, details } of ended) {
      assert.equal(endMs, startMs + 40_000)
      assert.equal(details?.statistics.sourcePort[0].flows, 40 * 15)
    }
    assert.equal(lab.detector.openIncidents, 0)
    const { reportsInFull, reportsOfRates } = lab.detector.counted
    assert.deepEqual([reportsInFull, reportsOfRates], [inFull.length, lab.reports.length - inFull.length])
  })
})

function isUpdateInFull({ phase, details }: IncidentReport): boolean {
  return phase === 'updated' && details !== null
}

/** Between two reports of an incident, in passes. */
function longestPause(perPass: IncidentReport[][]): number {
  const last = new Map<string, number>()
  const pauses = perPass.flatMap((reports, pass) =>
    reports.map(({ incident }) => {
      const pause = pass - (last.get(incident) ?? pass)
      last.set(incident, pass)
      return pause
    }),
  )
  return Math.max(...pauses)
}
