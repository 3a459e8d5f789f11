import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashAlerts } from './alert-rounds.ts'

/** `CRASH_ROUNDS=200` for a thorough run, which has programs alone as well. */
const { CRASH_ROUNDS } = process.env
const rounds = Number(CRASH_ROUNDS ?? 2)
const timeout = (rounds + 10) * 60_000

for (const whom of CRASH_ROUNDS === undefined ? (['people'] as const) : (['people', 'programs'] as const)) {
  test(`a service that is killed under attacks tells ${whom} of each to its end`, { timeout }, async () => {
    const { events, kills } = await crashAlerts(rounds, whom)
    assert.ok(events > 0 && kills > rounds)
  })
}
