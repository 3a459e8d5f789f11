import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TextResolution } from './challenge.ts'
import {
  claimOf,
  dueMs,
  type Finding,
  findingOf,
  isInGrace,
  isLate,
  newProof,
  proofAfter,
  type SavedProof,
  stateOf,
  watchedUntil,
} from './proof.ts'

const hour = 3_600_000
const day = 24 * hour
const startMs = 1_000 * day
const pending = newProof('ann', { kind: 'host', text: 'www.example.com' }, { token: 'first', nowMs: startMs })
const found: Finding = { kind: 'found', expiresMs: null }
const missing: Finding = { kind: 'missing' }
const unanswered: Finding = { kind: 'unanswered' }

/** After findings, each so long after the start. */
function after(...findings: [atMs: number, finding: Finding][]): SavedProof {
  return findings.reduce<SavedProof>(
    (proof, [atMs, finding]) => proofAfter(proof, finding, { nowMs: startMs + atMs, newToken: () => 'second' }),
    pending,
  )
}

/** State, misses, and what the claim is worth then: null, weak, strong. */
function shown(proof: SavedProof, atMs: number): [string, number, string | null] {
  const claim = claimOf(proof, startMs + atMs)
  return [stateOf(proof), proof.misses, claim === null ? null : claim.missingSinceMs !== null ? 'weak' : 'strong']
}

describe('a proof', () => {
  it('is pending until the record is there', () => {
    assert.deepEqual(shown(pending, 0), ['pending', 0, null])
    assert.deepEqual(shown(after([hour, missing], [3 * day, missing], [9 * day, missing]), 9 * day), [
      'pending',
      0,
      null,
    ])
    assert.deepEqual(shown(after([hour, missing], [day, found]), day), ['verified', 0, 'strong'])
  })

  it('is missed on three days, then unverified, and worth nothing after a week', () => {
    const days: [number, Finding][] = [
      [0, found],
      [day, missing],
      [2 * day, missing],
    ]
    assert.deepEqual(shown(after(...days.slice(0, 2)), day), ['missed', 1, 'weak'])
    assert.deepEqual(shown(after(...days), 2 * day), ['missed', 2, 'weak'])
    const unverified = after(...days, [3 * day, missing], [4 * day, missing])
    assert.deepEqual(shown(unverified, 4 * day), ['unverified', 3, 'weak'])
    assert.equal(watchedUntil(unverified), startMs + 10 * day)
    assert.deepEqual(shown(unverified, 10 * day - 1), ['unverified', 3, 'weak'])
    assert.deepEqual(shown(unverified, 10 * day), ['unverified', 3, null])
    assert.deepEqual(shown(after(...days, [3 * day, missing], [5 * day, found]), 5 * day), ['verified', 0, 'strong'])
  })

  it('is missing since the first miss in a row', () => {
    const days = [1, 2, 3].map((n): [number, Finding] => [n * day, missing])
    const since = (...findings: [number, Finding][]) => claimOf(after(...findings), startMs + 3 * day)?.missingSinceMs
    assert.equal(since([0, found], ...days), startMs + day)
    assert.equal(since([0, found], days[0], [day + hour, found]), null)
    assert.equal(since([0, found], days[0], [day + hour, found], days[2]), startMs + 3 * day)
  })

  it('is missed once a day, however often it is looked for', () => {
    const proof = after([0, found], [hour, missing], [2 * hour, missing], [3 * hour, missing], [20 * hour, missing])
    assert.deepEqual([stateOf(proof), proof.misses], ['missed', 1])
    assert.equal(after([0, found], [hour, missing], [21 * hour, missing]).misses, 2)
  })

  it('stays as it is while nobody answers, for thirty days', () => {
    const verified = after([0, found])
    assert.equal(proofAfter(verified, unanswered, { nowMs: startMs + 29 * day, newToken: () => '' }), verified)
    assert.equal(after([0, found], [30 * day, unanswered]).misses, 1)
    assert.equal(after([day, unanswered]), pending)
  })

  it('is looked for when its record says that it is over, and missed though nobody answers', () => {
    const until: Finding = { kind: 'found', expiresMs: startMs + 10 * hour }
    const verified = after([0, until])
    assert.equal(dueMs(verified), startMs + 10 * hour)
    assert.deepEqual(after([0, until], [10 * hour - 1, unanswered]), verified)
    assert.deepEqual(shown(after([0, until], [10 * hour, unanswered]), 10 * hour), ['missed', 1, 'weak'])
    assert.equal(dueMs(after([0, until], [10 * hour, unanswered])), startMs + 34 * hour)
  })

  it('has another token once it was given up: a record that comes back proves nothing', () => {
    const days = [1, 2, 3].map((n): [number, Finding] => [n * day, missing])
    const lost = after([0, found], ...days, [9 * day, missing])
    assert.equal(lost.token, 'first')
    const given = after([0, found], ...days, [11 * day, missing], [12 * day, missing])
    assert.deepEqual([given.token, given.issuedMs, stateOf(given)], ['second', startMs + 11 * day, 'unverified'])
  })

  it('survives a clock that is set forth and back', () => {
    const leapt = after([0, found], [400 * day, missing], [hour, missing], [2 * hour, found])
    assert.deepEqual(shown(leapt, 2 * hour), ['verified', 0, 'strong'])
    assert.equal(after([0, found], [400 * day, unanswered], [hour, unanswered]).misses, 1)
  })

  it('is looked for every ten minutes on its first day, then daily, and after a month only when asked', () => {
    const inMs = (proof: SavedProof) => dueMs(proof) - startMs
    assert.equal(inMs(pending), 0)
    assert.equal(inMs(after([hour, missing])), hour + 600_000)
    assert.equal(inMs(after([2 * day, missing])), 3 * day)
    assert.equal(inMs(after([30 * day, missing])), Number.POSITIVE_INFINITY)
    assert.equal(inMs(after([40 * day, found])), 41 * day)
    assert.equal(inMs(after([40 * day, found], [41 * day, missing])), 42 * day)
  })
})

describe('what is to be seen of proofs from outside', () => {
  const misses = [1, 2, 3].map((n): [number, Finding] => [n * day, missing])

  it('is that one is late: an hour after it was to be looked for, as long as sites rest on it', () => {
    const late = (proof: SavedProof, atMs: number) => isLate(proof, startMs + atMs)
    const verified = after([0, found])
    assert.deepEqual([late(verified, day + hour - 1), late(verified, day + hour)], [false, true])
    assert.equal(late(pending, 9 * day), false)
    const unverified = after([0, found], ...misses)
    assert.deepEqual(
      [late(unverified, 4 * day), late(unverified, 5 * day), late(unverified, 10 * day)],
      [false, true, false],
    )
  })

  it('is that one was given up, and that sites are still watched by it', () => {
    const inGrace = (proof: SavedProof, atMs: number) => isInGrace(proof, startMs + atMs)
    assert.equal(inGrace(after([0, found], ...misses.slice(0, 2)), 2 * day), false)
    const unverified = after([0, found], ...misses)
    assert.deepEqual([inGrace(unverified, 10 * day - 1), inGrace(unverified, 10 * day)], [true, false])
  })
})

describe('what several resolvers say', () => {
  const has: TextResolution = { kind: 'texts', texts: ['token=first expiry=1973-01-01'] }
  const forGood: TextResolution = { kind: 'texts', texts: ['token=first'] }
  const hasNot: TextResolution = { kind: 'texts', texts: ['token=second'] }
  const failed: TextResolution = { kind: 'failed' }
  const rows: [said: TextResolution[], expected: Finding][] = [
    [[has, forGood], { kind: 'found', expiresMs: Date.UTC(1973, 0, 2) }],
    [[forGood, forGood], { kind: 'found', expiresMs: null }],
    [[forGood, failed], { kind: 'found', expiresMs: null }],
    [[forGood, hasNot], missing],
    [[hasNot, failed], missing],
    [[failed, failed], unanswered],
    [[], unanswered],
  ]
  for (const [said, expected] of rows) {
    it(`${said.map((each) => (each.kind === 'failed' ? 'none' : each.texts[0])).join(', ')}: ${expected.kind}`, () => {
      assert.deepEqual(findingOf(said, 'first', startMs), expected)
    })
  }
})
