import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundedEntry, type Json, plainText } from './entry.ts'

const entry = (detail: Record<string, Json>) =>
  boundedEntry({
    kind: 'signIn',
    actor: { kind: 'stranger', userId: null, name: 'eve\n2026 admin done', credential: '', address: '192.0.2.1' },
    object: 'x\u001b[2J\u202egnp.exe',
    outcome: 'UNAUTHENTICATED',
    count: 1,
    detail,
  })

describe('an entry of the audit log', () => {
  it('is on one line, without what cannot be seen', () => {
    const { actor, object } = entry({})
    assert.equal(actor.name, 'eve\ufffd2026 admin done')
    assert.equal(object, 'x\ufffd[2J\ufffdgnp.exe')
    assert.equal(plainText('\ud800 lone'), '\ufffd lone')
    assert.deepEqual(entry({ 'a\nb': ['c\rd', { e: 'f\u2028' }] }).detail, {
      'a\ufffdb': ['c\ufffdd', { e: 'f\ufffd' }],
    })
  })

  it('is bounded, however much comes', () => {
    const long = 'x'.repeat(1e6)
    assert.equal(plainText(long).length, 254)
    assert.equal(plainText('😀'.repeat(200), 10).isWellFormed(), true)
    const list = entry({ hosts: Array.from({ length: 1_000 }, (_, n) => `h${n}`) }).detail.hosts
    assert.ok(Array.isArray(list))
    assert.deepEqual([list.length, list[20]], [21, '… 980 more'])
    let deep: Json = 'end'
    for (let n = 0; n < 10_000; n++) deep = [deep]
    assert.ok(JSON.stringify(entry({ deep }).detail).length < 100)
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`m${n}`, Array(20).fill(long)]))
    assert.deepEqual(entry(wide).detail, { omitted: 'it is too long' })
    assert.ok(JSON.stringify(boundedEntry({ ...entry({}), kind: long, object: long })).length < 2_000)
  })
})
