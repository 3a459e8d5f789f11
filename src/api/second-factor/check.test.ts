import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { ManualClock } from '../../clock.ts'
import { SecretBox } from '../../store/secret-box.ts'
import { SecondFactorCheck } from './check.ts'
import { hotp, stepAt } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const stranger = { isKnownDevice: false }
const hourMs = 3_600_000

async function prepare(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-codes-'))
  const clock = new ManualClock(Date.UTC(2026, 0, 15))
  const store = await openFreshStore(join(folder, 'store.db'), { clock })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const secrets = new SecretBox(folder)
  const user = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
  await store.setSecondFactor(user.id, secrets.seal(secret, user.id))
  const code = (by = 0) => hotp(secret, stepAt(clock.now()) + by)
  return { clock, store, user, code, check: new SecondFactorCheck({ store, secrets, clock }) }
}

test('a code counts once, and none of a step before it', async (t) => {
  const { store, user, code, check, clock } = await prepare(t)
  assert.equal(await check.isCode(user, code(), stranger), false, 'it is not confirmed')
  await store.confirmSecondFactor(user.id, { step: 1, codeHashes: [] })
  assert.equal(await check.isCode(user, code(), stranger), true)
  assert.equal(await check.isCode(user, code(), stranger), false)
  assert.equal(await check.isCode(user, code(-1), stranger), false)
  assert.equal(await check.isCode(user, code(1), stranger), true)
  clock.advance(30_000)
  assert.equal(await check.isCode(user, code(), stranger), false, 'it was taken in the step before')
  // Two at the same moment, as two browsers would send it.
  clock.advance(30_000)
  const both = await Promise.all([check.isCode(user, code(), stranger), check.isCode(user, code(), stranger)])
  assert.deepEqual(both.toSorted(), [false, true])
  assert.deepEqual(check.counters, { succeeded: 3, recovered: 0, failed: 5, throttled: 0 })
})

test('a day of guessing is a hundred guesses, of a million codes', async (t) => {
  const { store, user, code, check, clock } = await prepare(t)
  await store.confirmSecondFactor(user.id, { step: 1, codeHashes: [] })
  let answered = 0
  for (const endMs = clock.now() + 24 * hourMs; clock.now() < endMs; clock.advance(10_000)) {
    const isAnswered = await check.isCode(user, code(1_000), stranger).then(
      (isRight) => {
        assert.equal(isRight, false)
        return true
      },
      (error: { code?: unknown }) => {
        assert.equal(error.code, 'TOO_MANY_REQUESTS')
        return false
      },
    )
    if (isAnswered) answered++
  }
  assert.ok(answered > 90 && answered < 120, `${answered} guesses`)
  assert.equal(check.counters.failed, answered)
  assert.equal(
    await check.isCode(user, code(), { isKnownDevice: true }),
    true,
    'who has signed in before does not wait',
  )
  clock.advance(hourMs)
  assert.equal(await check.isCode(user, code(), stranger), true)
})
