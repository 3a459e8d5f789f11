import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { Integrity } from './integrity.ts'

const log = createLogger('silent')
const immediate = () => new Promise((resolve) => setImmediate(resolve))

it('is not ready before the store was checked, and tells when it was', async () => {
  const clock = new ManualClock(0)
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const integrity = new Integrity({ findDamage: () => promise, clock, log })
  integrity.start()
  assert.deepEqual(integrity.check(), { ok: false, detail: 'is being checked' })
  resolve(null)
  await immediate()
  clock.advance(5 * 3_600_000)
  assert.deepEqual(integrity.check(), { ok: true, detail: 'found whole 5 h ago' })
  await integrity.stop()
})

it('tries again in a minute when the store could not be checked', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setInterval'] })
  let tries = 0
  const findDamage = async () => {
    if (++tries === 1) throw new Error('no thread')
    return null
  }
  const integrity = new Integrity({ findDamage, clock: new ManualClock(0), log })
  integrity.start()
  await immediate()
  assert.equal(integrity.check().ok, false)
  mock.timers.tick(60_000)
  await immediate()
  assert.deepEqual([integrity.check().ok, tries], [true, 2])
  mock.timers.tick(60_000)
  await immediate()
  assert.equal(tries, 2, 'once a day')
  await integrity.stop()
})

it('is not ready while the store is damaged, and says what is wrong', async () => {
  const damage = 'Tree 5 page 7: btreeInitPage() returns error code 11'
  const integrity = new Integrity({ findDamage: async () => damage, clock: new ManualClock(0), log })
  integrity.start()
  await immediate()
  assert.deepEqual(integrity.check(), { ok: false, detail: `damaged: ${damage}` })
  await integrity.stop()
})
