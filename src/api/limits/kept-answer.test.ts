import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { Renewed } from './kept-answer.ts'

test('what is asked for is found out once for all who ask, and again when it is too old', async () => {
  const clock = new ManualClock(1e12)
  let finds = 0
  const renewed = new Renewed({ clock, keptMs: 1_000, find: async (userId) => `${userId} ${++finds}` })
  assert.deepEqual(await Promise.all([renewed.of('a'), renewed.of('a'), renewed.of('b')]), ['a 1', 'a 1', 'b 2'])
  clock.advance(999)
  assert.equal(await renewed.of('a'), 'a 1')
  clock.advance(1)
  assert.equal(await renewed.of('a'), 'a 3')
  clock.set(0)
  assert.equal(await renewed.of('a'), 'a 4')
})

test('a failure is not kept, and of very many users those asked for longest ago are forgotten', async () => {
  const clock = new ManualClock(1e12)
  let finds = 0
  let fails = true
  const renewed = new Renewed({
    clock,
    keptMs: 1_000,
    find: async () => (fails ? Promise.reject(new Error('down')) : ++finds),
  })
  await assert.rejects(renewed.of('a'))
  fails = false
  assert.equal(await renewed.of('a'), 1)
  for (let n = 0; n < 1_000; n++) await renewed.of(`u${n}`)
  assert.equal(await renewed.of('u999'), 1_001)
  assert.equal(await renewed.of('a'), 1_002)
})
