import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashAlerts } from './alert-rounds.ts'

/** `CRASH_ROUNDS=200` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const timeout = (rounds + 10) * 60_000

test('a service that is killed under attacks tells programs the beginning and the end of each', {
  timeout,
}, async () => {
  const { events, kills } = await crashAlerts(rounds, 'programs')
  assert.ok(events > 0 && kills > rounds)
})

test('a service that is killed under attacks tells people of each, together, to its end', { timeout }, async () => {
  const { events, kills } = await crashAlerts(rounds, 'people')
  assert.ok(events > 0 && kills > rounds)
})
