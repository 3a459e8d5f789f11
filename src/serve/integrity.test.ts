import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
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

it('is not ready while the store is damaged, and says what is wrong', async () => {
  const damage = 'Tree 5 page 7: btreeInitPage() returns error code 11'
  const integrity = new Integrity({ findDamage: async () => damage, clock: new ManualClock(0), log })
  integrity.start()
  await immediate()
  assert.deepEqual(integrity.check(), { ok: false, detail: `damaged: ${damage}` })
  await integrity.stop()
})
