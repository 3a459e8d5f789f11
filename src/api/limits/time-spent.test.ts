import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ManualClock } from '../../clock.ts'
import { TimeSpent } from './time-spent.ts'

function budget(secondsPerMinute = 3) {
  const clock = new ManualClock(1_000_000)
  let readMs = 0
  const spent = new TimeSpent({ clock, secondsPerMinute, readMs: () => readMs })
  /** A turn of the user in which the thread works for so long. */
  const work = async (userId: string, ms: number) => {
    spent.begin(userId)
    readMs += ms
    await nextTurn()
  }
  return { clock, spent, work, pass: (ms: number) => (readMs += ms) }
}

describe('the time of the thread that a user takes', () => {
  it('is there a minute’s worth at first, and comes back evenly', async () => {
    const { clock, spent, work } = budget()
    await work('ann', 2_999)
    assert.equal(spent.waitOf('ann'), 0)
    await work('ann', 1)
    assert.equal(spent.waitOf('ann'), 20)
    clock.advance(20)
    assert.equal(spent.waitOf('ann'), 0)
    await work('ann', 501)
    assert.equal(Math.round(spent.waitOf('ann')), 10_020)
    clock.advance(60_000)
    await work('ann', 2_000)
    assert.equal(spent.waitOf('ann'), 0)
    assert.equal(spent.waitOf('bob'), 0)
  })

  it('may be used ahead, however much it was, for a minute at most', async () => {
    const { clock, spent, work } = budget()
    await work('ann', 100_000)
    assert.equal(Math.round(spent.waitOf('ann') / 1_000), 60)
    clock.advance(60_100)
    assert.equal(spent.waitOf('ann'), 0)
    clock.set(0)
    assert.equal(Math.round(spent.waitOf('ann') / 1_000), 60)
    clock.advance(60_100)
    assert.equal(spent.waitOf('ann'), 0)
  })

  it('ends when all that was promised is done, or when the next begins: what comes later is nobody’s', async () => {
    const { spent, work, pass } = budget()
    spent.begin('ann')
    pass(5)
    const promised = Promise.resolve().then(async () => {
      await null
      pass(10)
    })
    setImmediate(() => pass(1_000))
    await promised
    spent.begin('bob')
    pass(7)
    spent.end()
    pass(100)
    await nextTurn()
    assert.equal(spent.counters.spentMs, 22)
    await work('ann', 3_000 - 15 - 1)
    assert.equal(spent.waitOf('ann'), 0)
    await work('ann', 1)
    assert.ok(spent.waitOf('ann') > 0)
  })

  it('is as much as one likes where there is no limit, and counted all the same', async () => {
    const { spent, work } = budget(0)
    await work('ann', 100_000)
    assert.deepEqual([spent.waitOf('ann'), spent.counters.spentMs], [0, 100_000])
  })

  it('is kept of a bounded number of users, those who have used none first to be forgotten', async () => {
    const { clock, spent, work } = budget()
    for (let n = 0; n < 10_000; n++) await work(`u${n}`, 1)
    clock.advance(60_000)
    await work('u10000', 5_000)
    assert.equal(spent.counters.forgotten, 0)
    for (let n = 0; n < 10_001; n++) await work(`v${n}`, 1)
    assert.equal(spent.counters.forgotten, 2)
    assert.equal(spent.waitOf('u10000'), 0)
  })
})
