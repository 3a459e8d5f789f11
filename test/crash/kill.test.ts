import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashService } from './service-rounds.ts'
import { crashStore } from './store-rounds.ts'

/** `CRASH_ROUNDS=100` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const serviceRounds = Number(process.env.CRASH_ROUNDS ?? 2)

test('a store whose writers are killed at any moment loses nothing that it acknowledged', {
  timeout: rounds * 20_000,
}, async () => {
  const { acknowledged } = await crashStore(rounds)
  assert.ok(acknowledged > 0)
})

test('a service that is killed under load loses neither an answered change nor a listed event', {
  timeout: (serviceRounds + 1) * 60_000,
}, async () => {
  const { acknowledged } = await crashService(serviceRounds)
  assert.ok(acknowledged > 0)
})
