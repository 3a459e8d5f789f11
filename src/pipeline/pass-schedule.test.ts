import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PassSchedule } from './pass-schedule.ts'

test('a pass is due when all collectors have sent a slot since the last one', () => {
  const schedule = new PassSchedule<string>()
  schedule.add('a')
  schedule.add('b')
  assert.deepEqual([schedule.received('a'), schedule.received('a'), schedule.received('b')], [false, false, true])
  schedule.passed(10_000)
  assert.deepEqual([schedule.received('b'), schedule.received('a')], [false, true])
})

test('a silent collector is waited for, but not for long, whatever the clock does', () => {
  const schedule = new PassSchedule<string>()
  schedule.add('a')
  schedule.passed(10_000)
  assert.deepEqual([schedule.isDue(11_000), schedule.isDue(11_500), schedule.isDue(1_000)], [false, true, true])
})
