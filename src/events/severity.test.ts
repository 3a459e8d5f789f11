import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Severity, severityOf } from './severity.ts'

test('an attack is as severe as it is large, in itself and against normal', () => {
  const cases: [packets: number, megabits: number, normal: number | null, severity: Severity][] = [
    [200_000, 900, 15_000, 'critical'],
    [90_000, 1_000, 9_000, 'critical'],
    [200_000, 900, 30_000, 'high'],
    [20_000, 80, 4_000, 'high'],
    [20_000, 80, 5_000, 'medium'],
    [9_000, 99, 10, 'medium'],
    [900, 9, 0, 'low'],
    [200_000, 2_000, 150_000, 'low'],
    [200_000, 50, null, 'critical'],
    [500, 2, null, 'low'],
  ]
  for (const [packetsPerSecond, megabits, normalPacketsPerSecond, severity] of cases) {
    const worst = { packetsPerSecond, bytesPerSecond: (megabits * 1e6) / 8 }
    const rates = { worst, normalPacketsPerSecond }
    assert.equal(severityOf(rates), severity, JSON.stringify(rates))
  }
})
