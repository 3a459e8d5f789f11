import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChartContent, columnsOf, highest, rangeWithin, wholeRange, withGaps } from './chart-content.ts'

const series = (...values: (number | null)[]) => ({ label: '', color: '--series-1', values })
const content: ChartContent = { fromMs: 60_000, stepSeconds: 10, series: [series(1, null, 3), series(4, 5, 6)] }

test('what is not recorded is a gap, also on top of others', () => {
  assert.deepEqual(columnsOf(content), [
    [60, 70, 80],
    [1, null, 3],
    [4, 5, 6],
  ])
  assert.deepEqual(columnsOf({ ...content, isStacked: true }).slice(1), [
    [1, null, 3],
    [5, null, 9],
  ])
})

test('hours without a record are a gap, a pause of a step is not', () => {
  const all = [0, 0, 0, 5, 6, 0, 7, 0, 0, 0, 0, 8]
  const none = null
  assert.deepEqual(withGaps(all, all), [none, none, 0, 5, 6, 0, 7, 0, none, none, 0, 8])
  assert.deepEqual(withGaps([1, 2, 3], [0, 0, 0]), [none, none, none])
})

test('a band has two edges, after the series', () => {
  const [, , , high, low] = columnsOf({ ...content, band: { low: 1, high: 2, label: '' } })
  assert.deepEqual([high, low], [Array(3).fill(2), Array(3).fill(1)])
})

test('a range is kept within what there is; all, or nothing, is no range', () => {
  assert.deepEqual(wholeRange(content), { fromMs: 60_000, toMs: 80_000 })
  assert.deepEqual(rangeWithin(content, { fromMs: 0, toMs: 70_000 }), { fromMs: 60_000, toMs: 70_000 })
  for (const range of [
    null,
    { fromMs: 0, toMs: 90_000 },
    { fromMs: 0, toMs: 60_500 },
    { fromMs: 100_000, toMs: 200_000 },
  ])
    assert.equal(rangeWithin(content, range), null)
})

test('more data leaves the range as it was', () => {
  const range = { fromMs: 60_000, toMs: 70_000 }
  const later = { ...content, series: [series(1, null, 3, 4, 5, 6)] }
  assert.deepEqual(rangeWithin(later, range), rangeWithin(content, range))
})

test('the axis ends a little above what there is, and where nothing came at one', () => {
  assert.deepEqual(
    [0, 0.5, 100].map((max) => highest(content, max)),
    [1.08, 0.54, 108],
  )
  assert.equal(highest({ ...content, line: { label: '', value: 300 } }, 100), 324)
})
