import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksOf } from './marks.ts'

const from = '2026-01-15T00:00:00Z'
const hour = (n: number) => `2026-01-15T${String(n).padStart(2, '0')}:00:00Z`
const at = (n: number) => Date.parse(hour(n))
const attack = (id: string, start: string, end: string | null) => {
  const said = { severity: 'low', classification: null, isTest: false } as const
  return { id, start, end, site: 'a.example', attackType: null, ...said }
}
const window = { from, to: hour(12), stepSeconds: 3_600 }

test('attacks that are given one by one mark their own time, and nothing else is marked', () => {
  const attacks = [attack('a', hour(3), '2026-01-15T03:00:20Z'), attack('b', hour(11), null)]
  const attacksByStep = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
  assert.deepEqual(marksOf({ ...window, attacks, attackCount: 2, attacksByStep }), [
    { id: 'a', startMs: at(3), endMs: at(3) + 20_000 },
    { id: 'b', startMs: at(11), endMs: at(12) },
  ])
})

test('attacks that are not given one by one mark their steps', () => {
  const attacks = [attack('z', hour(8), hour(10))]
  const attacksByStep = [2, 0, 1, 1, 5, 0, 0, 0, 1, 2, 0, 0]
  assert.deepEqual(marksOf({ ...window, attacks, attackCount: 10, attacksByStep }), [
    { id: null, startMs: at(0), endMs: at(1) },
    { id: null, startMs: at(2), endMs: at(5) },
    { id: null, startMs: at(9), endMs: at(10) },
    { id: 'z', startMs: at(8), endMs: at(10) },
  ])
})
