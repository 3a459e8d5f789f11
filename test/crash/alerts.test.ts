import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashAlerts } from './alert-rounds.ts'

/** `CRASH_ROUNDS=200` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 4)

test('a service that is killed under attacks tells the beginning and the end of each', {
  timeout: (rounds + 10) * 60_000,
}, async () => {
  const { events, arrived } = await crashAlerts(rounds)
  assert.ok(events > 0)
  assert.ok(arrived >= 2 * events)
})
