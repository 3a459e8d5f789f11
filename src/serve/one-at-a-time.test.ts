import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OneAtATime } from './one-at-a-time.ts'

test('work runs once at a time, and again when it is asked for after it', async () => {
  const ends: (() => void)[] = []
  const work = new OneAtATime(() => new Promise((resolve) => ends.push(resolve)))
  const first = work.run()
  assert.equal(work.run(), first)
  const again = work.runAgain()
  assert.equal(ends.length, 1)
  ends[0]()
  await first
  await new Promise(setImmediate)
  assert.equal(ends.length, 2)
  ends[1]()
  await again
})

test('work that failed runs again', async () => {
  let runs = 0
  const work = new OneAtATime(async () => {
    if (++runs === 1) throw new Error('once')
  })
  await assert.rejects(work.run(), /once/)
  await work.run()
  assert.equal(runs, 2)
})
