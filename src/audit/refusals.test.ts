import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../clock.ts'
import type { AuditEntry } from './entry.ts'
import { othersKind, Refusals } from './refusals.ts'

const refused = (address: string, changed: Partial<AuditEntry> = {}, userId: string | null = null): AuditEntry => ({
  kind: 'signIn',
  actor: { kind: userId === null ? 'stranger' : 'token', userId, name: '', credential: '', address },
  object: '',
  outcome: 'UNAUTHENTICATED',
  count: 1,
  detail: {},
  ...changed,
})
const counts = (rows: readonly AuditEntry[]) => rows.map(({ kind, count }) => [kind, count])

describe('refusals', () => {
  it('that follow each other within a minute are two rows: the first, and how many came after it', () => {
    const clock = new ManualClock(0)
    const refusals = new Refusals(clock)
    assert.equal(refusals.take(refused('192.0.2.1')).length, 1)
    for (let n = 0; n < 50; n++) assert.deepEqual(refusals.take(refused('192.0.2.1')), [])
    assert.equal(refusals.take(refused('192.0.2.2')).length, 1, 'another address')
    assert.equal(refusals.take(refused('192.0.2.1', { outcome: 'FORBIDDEN' })).length, 1, 'another outcome')
    assert.equal(refusals.take(refused('192.0.2.1', { kind: 'getSession' })).length, 1, 'another kind')
    assert.deepEqual(refusals.due(), [])
    clock.advance(60_000)
    assert.deepEqual(counts(refusals.due()), [['signIn', 50]])
    assert.deepEqual(refusals.due(), [])
    assert.equal(refusals.counters.together, 50)
  })

  it('are told where the next one comes after a minute, or the service ends', () => {
    const clock = new ManualClock(0)
    const refusals = new Refusals(clock)
    refusals.take(refused('192.0.2.1'))
    refusals.take(refused('192.0.2.1'))
    clock.advance(61_000)
    assert.deepEqual(counts(refusals.take(refused('192.0.2.1'))), [
      ['signIn', 1],
      ['signIn', 1],
    ])
    refusals.take(refused('192.0.2.1'))
    assert.deepEqual(counts(refusals.due(true)), [['signIn', 1]])
  })

  it('of a flood from everywhere take a bounded number of rows, and none is lost from the count', () => {
    const clock = new ManualClock(0)
    const refusals = new Refusals(clock)
    const rows: AuditEntry[] = []
    const hours = 24
    for (let minute = 0; minute < hours * 60; minute++) {
      for (let n = 0; n < 200; n++) rows.push(...refusals.take(refused(`2001:db8:${minute.toString(16)}:${n}::1`)))
      clock.advance(60_000)
      rows.push(...refusals.due())
    }
    rows.push(...refusals.due(true))
    assert.ok(rows.length < 2 * hours * 60 + 300, `${rows.length} rows`)
    assert.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      hours * 60 * 200,
    )
    assert.ok(rows.some(({ kind }) => kind === othersKind))
  })

  it('of one user leave the rows of others and of strangers alone', () => {
    const clock = new ManualClock(0)
    const refusals = new Refusals(clock)
    for (let n = 0; n < 500; n++) refusals.take(refused('192.0.2.1', { kind: `k${n}` }, 'eve'))
    assert.equal(refusals.take(refused('192.0.2.1', {}, 'ann')).length, 1)
    assert.equal(refusals.take(refused('192.0.2.1')).length, 1)
    for (let n = 0; n < 3_000; n++) refusals.take(refused('192.0.2.1', {}, `u${n}`))
    const others = refusals.due(true)
    assert.ok(others.length <= 1_000)
  })
})
