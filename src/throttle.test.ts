import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Throttle } from './throttle.ts'

test('a throttle passes at once, then once a period, earlier where that is asked for, and after a clock was set back', () => {
  const throttle = new Throttle(1_000)
  const passes = (nowMs: number, isEarly = false) => throttle.pass(nowMs, isEarly)
  assert.deepEqual([passes(5_000), passes(5_999), passes(6_000), passes(6_001)], [true, false, true, false])
  assert.deepEqual([passes(6_500, true), passes(7_200), passes(7_500)], [true, false, true])
  assert.deepEqual([passes(7_000), passes(6_000), passes(6_900)], [false, true, false])
})
