import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRecordedEvents } from '../../../../test/helpers/recorded-events/recorded.ts'
import type { EventSeries } from '../queries.ts'
import { backToBefore, columnOf, judgedQuantity, levelsOf, rateNow, wholeSteps, windowsOf } from './course.ts'

const recorded = readRecordedEvents()
const startMs = Date.UTC(2026, 0, 1)
const iso = (ms: number) => new Date(ms).toISOString()

/** A minute before the attack, then these. */
function seriesOf(before: number, ...packets: number[]): EventSeries {
  const all = [...new Array<number>(60).fill(before), ...packets]
  const rates = { packetsPerSecond: all, bytesPerSecond: all.map((each) => each * 100), flowsPerSecond: all }
  return { id: '', from: iso(startMs - 60_000), stepSeconds: 1, total: rates, attack: rates, normal: null }
}
const many = (count: number, value: number) => new Array<number>(count).fill(value)

describe('the course of what goes on', () => {
  test('is drawn without its last step, which is not over', () => {
    const series = seriesOf(10, 1_000, 400)
    assert.deepEqual(wholeSteps(series, true).total.packetsPerSecond.slice(-2), [10, 1_000])
    assert.deepEqual(wholeSteps(series, false), series)
  })

  test('has a rate now, of whole seconds', () =>
    assert.deepEqual(rateNow(seriesOf(10, ...many(10, 1_000), 3)), {
      packetsPerSecond: 1_000,
      bytesPerSecond: 100_000,
    }))
})

describe('traffic is back to what it was before', () => {
  const event = { start: iso(startMs) }

  test('since the spike, though nobody has said that the attack is over', () => {
    const series = seriesOf(100, ...many(40, 5_000), ...many(200, 120))
    assert.equal(backToBefore(series, event), startMs + 40_000)
  })

  test('not while it goes on, nor in a pause, nor where nothing is known of before', () => {
    assert.equal(backToBefore(seriesOf(100, ...many(40, 5_000)), event), null)
    assert.equal(backToBefore(seriesOf(100, ...many(40, 5_000), ...many(20, 120)), event), null)
    assert.equal(backToBefore(seriesOf(100, ...many(40, 5_000), ...many(200, 900)), event), null)
    const unknown = { ...seriesOf(0, ...many(40, 5_000), ...many(200, 120)), from: event.start }
    assert.equal(backToBefore(unknown, event), null)
  })
})

describe('threshold and normal band', () => {
  test('are of one quantity, that which crossed its threshold', () => {
    for (const { name, event, series } of recorded) {
      const { of, threshold, band } = levelsOf(event, series, 'packets')
      if (threshold === null || band === null) continue
      assert.ok(threshold > band.high, `${name}: the threshold is ${threshold}, normal up to ${band.high}`)
      // What was judged was above its threshold, in the curve that is drawn with it.
      const drawn = columnOf(of === 'kind' ? series.attack : series.total, 'packets')
      assert.ok(Math.max(...drawn.map((value) => value ?? 0)) > threshold, name)
    }
  })

  test('are of all traffic where no kind stood out, and of an unnamed kind where one did', () => {
    const quantityOf = (wanted: string) => {
      const found = recorded.find(({ name }) => name === wanted)
      return found === undefined ? undefined : judgedQuantity(found.event, found.series)
    }
    assert.equal(quantityOf('unknown kind: one transfer'), 'all')
    assert.equal(quantityOf('SYN flood'), 'kind')
    const [{ event, series }] = recorded
    assert.equal(judgedQuantity({ ...event, attackType: null }, series), 'kind')
  })

  test('of a number that was not judged are not shown, but for the band of packets', () => {
    const [{ event, series }] = recorded
    assert.deepEqual(levelsOf(event, series, 'bits'), { of: 'kind', threshold: null, band: null })
    assert.ok(levelsOf({ ...event, why: [] }, series, 'packets').band)
  })
})

test('what is shaded is the episodes, and not the time between them', () => {
  const episodes = [
    { start: iso(startMs), end: iso(startMs + 30_000) },
    { start: iso(startMs + 120_000), end: null },
  ]
  assert.deepEqual(windowsOf(episodes, startMs + 150_000), [
    { startMs, endMs: startMs + 30_000 },
    { startMs: startMs + 120_000, endMs: startMs + 150_000 },
  ])
})
