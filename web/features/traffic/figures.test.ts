import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf } from './figures.ts'
import { trafficSearch } from './search.ts'

const curveOf = (values: number[], least = values, most = values) => ({ values, least, most, peak: 1_000 })

test('a curve comes to least, average, 95th percentile, most, busiest second and last, of what is counted', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
  assert.deepEqual(figuresOf(curveOf(hundred)), { min: 1, average: 50.5, p95: 95, max: 100, peak: 1_000, last: 1 })
  assert.deepEqual(figuresOf(curveOf([9, 1, 2, 3]), 1), { min: 1, average: 2, p95: 3, max: 3, peak: 1_000, last: 3 })
  assert.deepEqual(figuresOf(curveOf([5])), { min: 5, average: 5, p95: 5, max: 5, peak: 1_000, last: 5 })
  assert.equal(figuresOf(curveOf([1]), 1), null)
})

test('the least and the most are those of minutes, not of steps', () => {
  const figures = figuresOf(curveOf([50, 60], [0, 55], [90, 300]))
  assert.deepEqual([figures?.min, figures?.max, figures?.average, figures?.last], [0, 300, 55, 60])
})

test('what the address says is taken as far as it makes sense', () => {
  const range = { start: '2026-01-15T10:00:00Z', end: '2026-01-15T12:00:00Z' }
  assert.deepEqual(trafficSearch({ ...range, last: '7d', by: 'site' }), { ...range, by: 'site' })
  assert.deepEqual(trafficSearch({ start: range.end, end: range.start, last: '7d' }), { last: '7d' })
  assert.deepEqual(trafficSearch({ start: range.start, last: '3d', by: 'port', metric: 'x', as: 1, previous: 1 }), {})
})
