import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashStore } from './store-rounds.ts'

/** `CRASH_ROUNDS=100` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 5)

test('a store whose writers are killed at any moment loses nothing that it acknowledged', {
  timeout: rounds * 20_000,
}, async () => {
  const { acknowledged } = await crashStore(rounds)
  assert.ok(acknowledged > 0)
})
