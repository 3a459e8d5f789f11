import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportOf, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import { type IncidentReport, noStatistics, type StatisticEntry } from '../detect/incidents/incident-report.ts'
import { isAttackToNew, knownPart, knownSince, partId, readPartId } from './known-part.ts'

const entryOf = (item: number, flows: number): StatisticEntry => {
  return { item, flows, packets: flows * 2, bytes: flows * 100, protocols: [17] }
}

const why = {
  ...{ metric: 'packets', value: 777, threshold: 100, normal: 20, band: { low: 1, high: 30 }, error: 0 },
  ...{ source: 'baseline', unlearnt: { threshold: 500, deviation: 77, measurable: 1 } },
}

/** An attack of ten seconds: 100 packets a second in the first five, then 200. */
function attack(change: Partial<IncidentReport> = {}): IncidentReport {
  const packetsPerSecond = [7, 7, ...Array.from({ length: 10 }, (_, second) => (second < 5 ? 100 : 200))]
  const rates = {
    packetsPerSecond,
    bytesPerSecond: packetsPerSecond.map((each) => each * 60),
    flowsPerSecond: packetsPerSecond,
  }
  const course = { fromMs: startMs - 2_000, stepSeconds: 1, total: rates, attack: rates }
  const band = { low: 1, high: 2 }
  return reportOf({
    details: {
      statistics: {
        ...noStatistics,
        sourceAddress: [entryOf(1, 50), entryOf(2, 30)],
        sources: { distinct: 9, error: 0 },
      },
      course: { ...course, normal: { total: band, attack: band } },
      ofEpisode: null,
    },
    endMs: startMs + 10_000,
    deviation: 38.85,
    vectors: [{ label: 'x', share: 0.5, packetsPerSecond: 75 }],
    normalPacketsPerSecond: 20,
    why: [why],
    ...change,
  })
}

describe('what an owner knows', () => {
  it('is all of it, when the address was theirs for as long as it takes to learn', () => {
    assert.equal(knownSince(startMs - 900_000, startMs, 900), null)
    assert.equal(knownSince(startMs - 898_001, startMs, 900), startMs - 899_000)
  })

  it('has an id for each part', () => {
    assert.deepEqual(readPartId(partId('a+b', startMs)), { incident: 'a+b', sinceMs: startMs })
    assert.deepEqual(readPartId(partId('sim.i1', null)), { incident: 'sim.i1', sinceMs: null })
  })

  it('is nothing of what was learnt before, when the address is new to them', () => {
    const sinceMs = startMs - 1_000
    const known = knownPart(attack(), { sinceMs, before: null })
    assert.ok(known !== null)
    assert.deepEqual([known.startMs, known.packetsPerSecond, known.deviation], [startMs, 10, 77])
    assert.deepEqual(
      [known.normalPacketsPerSecond, known.normalBytesPerSecond, known.details?.course.normal],
      [null, null, null],
    )
    assert.deepEqual(known.why, [{ ...why, threshold: 500, normal: null, band: null, source: 'absolute' }])
    assert.deepEqual(known.details?.course.total.packetsPerSecond.slice(0, 4), [null, 7, 100, 100])
    assert.deepEqual(known.details?.statistics, attack().details?.statistics)
    assert.ok(isAttackToNew(known))
    assert.ok(!isAttackToNew({ ...known, why: known.why.map((each) => ({ ...each, value: 500 })) }))
    assert.ok(!isAttackToNew({ ...known, why: known.why.map((each) => ({ ...each, unlearnt: null })) }))
  })

  it('is what came since, when it went on already', () => {
    const sinceMs = startMs + 4_000
    const before = {
      statistics: {
        ...noStatistics,
        sourceAddress: [entryOf(1, 40), entryOf(2, 30)],
        sources: { distinct: 8, error: 0 },
      },
      frozen: false,
    }
    const known = knownPart(attack(), { sinceMs, before })
    assert.ok(known !== null)
    assert.deepEqual([known.startMs, known.activeSeconds, known.packetsPerSecond], [sinceMs, 6, (100 + 5 * 200) / 6])
    assert.deepEqual(known.peak, {
      packetsPerSecond: 200,
      bytesPerSecond: 12_000,
      flowsPerSecond: 200,
      atMs: startMs + 5_000,
    })
    assert.deepEqual([known.episode.startMs, known.episode.packetsPerSecond], [sinceMs, known.packetsPerSecond])
    assert.deepEqual([known.why[0].value, known.why[0].threshold, known.deviation], [200, 500, 200])
    assert.deepEqual(known.vectors[0].packetsPerSecond, known.packetsPerSecond / 2)
    assert.deepEqual(known.details?.course.attack.packetsPerSecond, [
      ...Array(6).fill(null),
      100,
      200,
      200,
      200,
      200,
      200,
    ])
    assert.deepEqual(known.details?.statistics.sourceAddress, [entryOf(1, 10)])
    assert.deepEqual(known.details?.statistics.sources.distinct, 1)
    const frozen = knownPart(attack(), { sinceMs, before: { ...before, frozen: true } })
    assert.deepEqual(frozen?.details?.statistics, before.statistics)
  })

  it('is of a long step that had begun the part since then', () => {
    const rates = [100, 200]
    const all = { packetsPerSecond: rates, bytesPerSecond: rates, flowsPerSecond: rates }
    const course = { fromMs: startMs, stepSeconds: 60, total: all, attack: all, normal: null }
    const details = { statistics: noStatistics, course, ofEpisode: null }
    const known = (since: number, end: number) =>
      knownPart(attack({ details, endMs: startMs + end * 1_000 }), { sinceMs: startMs + since * 1_000, before: null })
    const amountOf = (report: IncidentReport | null) => [report?.activeSeconds, report?.packetsPerSecond]
    assert.deepEqual(amountOf(known(30, 90)), [60, 150])
    assert.deepEqual(amountOf(known(70, 90)), [20, 200])
    assert.equal(known(70, 90)?.peak.atMs, startMs + 70_000)
    assert.equal(known(90, 90), null)
  })

  it('is not told by a report without its course, nor when nothing came since', () => {
    assert.equal(knownPart(attack({ details: null }), { sinceMs: startMs + 4_000, before: null }), null)
    assert.equal(knownPart(attack(), { sinceMs: startMs + 10_000, before: null }), null)
  })
})
