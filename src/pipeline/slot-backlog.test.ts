import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlotBacklog } from './slot-backlog.ts'

test('while four slots wait none is sealed; the one that was due is sealed as soon as there is room, and counts once', () => {
  const slots = new SlotBacklog()
  const seal = (isDue: boolean) => {
    const isSealed = slots.maySeal(isDue)
    if (isSealed) slots.sent()
    return isSealed
  }
  assert.deepEqual([true, true, false, true, true].map(seal), [true, true, false, true, true])
  assert.deepEqual([false, true, false, true].map(seal), [false, false, false, false])
  assert.equal(slots.samples()[0].value, 1)
  slots.taken()
  assert.deepEqual([false, false].map(seal), [true, false])
  assert.deepEqual([true, true].map(seal), [false, false])
  assert.equal(slots.samples()[0].value, 2)
})
