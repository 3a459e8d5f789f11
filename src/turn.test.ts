import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turn } from './turn.ts'

test('a turn comes at once, then once a period, earlier where that is asked for, and after a clock was set back', () => {
  const turn = new Turn(1_000)
  const taken = (nowMs: number, isEarly = false) => turn.take(nowMs, isEarly)
  assert.deepEqual([taken(5_000), taken(5_999), taken(6_000), taken(6_001)], [true, false, true, false])
  assert.deepEqual([taken(6_500, true), taken(7_200), taken(7_500)], [true, false, true])
  assert.deepEqual([taken(7_000), taken(6_000), taken(6_900)], [false, true, false])
})
