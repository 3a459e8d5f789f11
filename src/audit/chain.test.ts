// Any single change of any row is found: the property that the log is for.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fuzz } from '../../test/helpers/fuzz.ts'
import { type AuditRow, ChainCheck, type ChainEnd, chainRow, chainStart, cutDetail, cutKind } from './chain.ts'
import { type AuditEntry, boundedEntry } from './entry.ts'

const nobody = { kind: 'stranger' as const, userId: null, name: '', credential: '', address: '' }
const plain: AuditEntry = { kind: 'addUser', actor: nobody, object: 'x', outcome: 'done', count: 1, detail: {} }

function chainOf(entries: readonly AuditEntry[], from: ChainEnd = chainStart): AuditRow[] {
  const rows: AuditRow[] = []
  for (const entry of entries) rows.push(chainRow(entry, 1_000 + rows.length, rows.at(-1) ?? from))
  return rows
}

function faultOf(rows: readonly AuditRow[], ends: { anchor?: ChainEnd; head: ChainEnd; known?: string | null }) {
  const check = new ChainCheck({ anchor: ends.anchor ?? chainStart, head: ends.head }, ends.known ?? null)
  for (const row of rows) check.take(row)
  return check.finish()?.fault ?? null
}

const texts = fc.string({ unit: 'binary', maxLength: 20 })
const entries = fc
  .record({
    kind: texts,
    actor: fc.record({
      kind: fc.constantFrom('session' as const, 'token' as const, 'stranger' as const),
      userId: fc.option(texts),
      name: texts,
      credential: texts,
      address: texts,
    }),
    object: texts,
    outcome: fc.constantFrom('done' as const, 'FORBIDDEN' as const),
    count: fc.integer({ min: 1, max: 1e9 }),
    detail: fc.dictionary(texts, texts, { maxKeys: 3 }),
  })
  .map(boundedEntry)
const chains = fc.array(entries, { minLength: 1, maxLength: 8 }).map((list) => chainOf(list))

type Mutation = (row: AuditRow) => AuditRow
const flip = (hash: string) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1)
const mutations: Record<string, Mutation> = {
  atMs: (row) => ({ ...row, atMs: row.atMs + 1 }),
  kind: (row) => ({ ...row, kind: `${row.kind}x` }),
  actorKind: (row) => ({ ...row, actor: { ...row.actor, kind: row.actor.kind === 'token' ? 'session' : 'token' } }),
  userId: (row) => ({ ...row, actor: { ...row.actor, userId: row.actor.userId === null ? '' : null } }),
  name: (row) => ({ ...row, actor: { ...row.actor, name: `${row.actor.name} ` } }),
  credential: (row) => ({ ...row, actor: { ...row.actor, credential: `${row.actor.credential}0` } }),
  address: (row) => ({ ...row, actor: { ...row.actor, address: `${row.actor.address}0` } }),
  object: (row) => ({ ...row, object: row.object.slice(1) + (row.object === '' ? 'x' : '') }),
  outcome: (row) => ({ ...row, outcome: row.outcome === 'done' ? 'FORBIDDEN' : 'done' }),
  count: (row) => ({ ...row, count: row.count + 1 }),
  detailText: (row) => ({ ...row, detailText: `${row.detailText} ` }),
  beforeHash: (row) => ({ ...row, beforeHash: flip(row.beforeHash) }),
  hash: (row) => ({ ...row, hash: flip(row.hash) }),
  moved: (row) => ({ ...row, actor: { ...row.actor, name: row.actor.name + row.actor.credential, credential: 'x' } }),
}

describe('the chain of the audit log', () => {
  it('is whole as it is written', () => {
    fuzz(fc.property(chains, (rows) => assert.equal(faultOf(rows, { head: rows[rows.length - 1] }), null)))
  })

  it('shows any change of any row', () => {
    fuzz(
      fc.property(chains, fc.nat(), fc.constantFrom(...Object.keys(mutations)), (rows, at, name) => {
        const changed = rows.map((row, i) => (i === at % rows.length ? mutations[name](row) : row))
        assert.notEqual(faultOf(changed, { head: rows[rows.length - 1] }), null, name)
      }),
    )
  })

  it('shows rows that are missing, twice there, exchanged, or cut off at the end', () => {
    const rows = chainOf(Array.from({ length: 5 }, (_, n) => ({ ...plain, object: String(n) })))
    const head = rows[4]
    for (let i = 0; i < 5; i++) {
      const without = rows.toSpliced(i, 1)
      assert.equal(faultOf(without, { head }), i === 4 ? 'cut short' : 'missing')
      assert.equal(faultOf(rows.toSpliced(i, 0, rows[i]), { head }), 'out of place')
    }
    assert.equal(faultOf([rows[1], rows[0], ...rows.slice(2)], { head }), 'missing')
    assert.equal(faultOf([], { head }), 'cut short')
    // Whoever numbers the rest again has to write other hashes.
    const numbered = rows.slice(1).map((row) => ({ ...row, sequence: row.sequence - 1 }))
    assert.equal(faultOf(numbered, { head }), 'changed')
    // Whoever writes the whole of it again is found by a hash that was noted elsewhere.
    const forged = chainOf(rows.slice(1).map(() => plain))
    assert.equal(faultOf(forged, { head: forged[3] }), null)
    assert.equal(faultOf(forged, { head: forged[3], known: rows[2].hash }), 'unknown head')
    assert.equal(faultOf(rows, { head, known: rows[2].hash }), null)
  })

  it('may lose its oldest part only where a row says how far', () => {
    const rows = chainOf([plain, plain, plain, { ...plain, kind: cutKind, detail: { through: 2, hash: 'of another' } }])
    const anchor = rows[1]
    const rest = rows.slice(2)
    assert.equal(faultOf(rest, { anchor, head: rows[3] }), 'cut off unsaid')
    const said = chainRow({ ...plain, kind: cutKind, detail: cutDetail(anchor) }, 9, rows[3])
    assert.equal(faultOf([...rest, said], { anchor, head: said }), null)
    assert.equal(faultOf([...rest, said], { anchor, head: said, known: anchor.hash }), null)
    assert.equal(faultOf([...rest.slice(1), said], { anchor: rows[2], head: said }), 'cut off unsaid')
    assert.equal(faultOf(rest, { anchor: { ...chainStart, hash: anchor.hash }, head: rows[3] }), 'cut off unsaid')
  })
})
