import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSealDue } from './seal-schedule.ts'

test('a slot is sealed at the end of its second, and before that while it holds little', () => {
  assert.deepEqual([isSealDue(true, 0), isSealDue(true, 1_000_000)], [true, true])
  assert.deepEqual([isSealDue(false, 0), isSealDue(false, 2_000), isSealDue(false, 2_001)], [true, true, false])
})
