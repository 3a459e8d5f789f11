import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf } from './figures.ts'
import { trafficSearch } from './search.ts'

test('a column comes to least, average, 95th percentile, most and last, of what is counted', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
  assert.deepEqual(figuresOf(hundred), { min: 1, average: 50.5, p95: 95, max: 100, last: 1 })
  assert.deepEqual(figuresOf([9, 1, 2, 3], 1), { min: 1, average: 2, p95: 3, max: 3, last: 3 })
  assert.deepEqual(figuresOf([5]), { min: 5, average: 5, p95: 5, max: 5, last: 5 })
  assert.equal(figuresOf([1], 1), null)
})

test('what the address says is taken as far as it makes sense', () => {
  const range = { start: '2026-01-15T10:00:00Z', end: '2026-01-15T12:00:00Z' }
  assert.deepEqual(trafficSearch({ ...range, last: '7d', by: 'site' }), { ...range, by: 'site' })
  assert.deepEqual(trafficSearch({ start: range.end, end: range.start, last: '7d' }), { last: '7d' })
  assert.deepEqual(trafficSearch({ start: range.start, last: '3d', by: 'port', metric: 'x', as: 1, previous: 1 }), {})
})
