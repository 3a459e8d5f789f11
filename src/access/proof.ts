// The life of a proof: a user shows control by a DNS record, which is looked for again and again. Pure.

import { parseNetwork } from '../net/network.ts'
import type { Claim, Scope } from './authority.ts'
import { readChallenge, type Subject, type TextResolution } from './challenge.ts'

/** A proof in the form of the store. Times are Unix milliseconds. */
export interface SavedProof {
  userId: string
  subject: Subject
  token: string
  /** The time when the token was made. */
  issuedMs: number
  /** The time when resolvers last answered; null: not yet. */
  checkedMs: number | null
  /** The time when the record was last found; null: never. */
  confirmedMs: number | null
  /** The number of misses in a row, up to `missesMax`, and the times of the first and the last of them; null: no miss. */
  misses: number
  missingSinceMs: number | null
  missedMs: number | null
  /** The end that the record states; null: none, or no record was found yet. */
  expiresMs: number | null
}

export type ProofState = 'pending' | 'verified' | 'missed' | 'unverified'

/** The result of a look-up by all resolvers. `unanswered`: none of them gave an answer. */
export type Finding = { kind: 'found'; expiresMs: number | null } | { kind: 'missing' } | { kind: 'unanswered' }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const missesMax = 3
/** The least time between two misses that count, however often a user has the proof checked. */
const missEveryMs = 20 * hourMs
/** Sites that rest on a proof stay watched for this long after the last miss that counted. */
const graceMs = 7 * dayMs
/** A proof is believed for this long without an answer: name servers under attack answer nobody. */
const unansweredMs = 30 * dayMs
/** A new proof is looked for often during this time: most records are put within the hour. */
const eagerMs = dayMs
const eagerEveryMs = 10 * 60_000
const patientMs = 30 * dayMs
/** A look-up is late when it is this much overdue: no resolver answers, or there are too many proofs. */
const lateAfterMs = hourMs

/** By which a proof is found: a user has one of each subject. */
export function proofKey(userId: string, { kind, text }: Subject): string {
  return `${userId} ${kind} ${text}`
}

export function newProof(
  userId: string,
  subject: Subject,
  { token, nowMs }: { token: string; nowMs: number },
): SavedProof {
  const never = { checkedMs: null, confirmedMs: null, misses: 0, missingSinceMs: null, missedMs: null, expiresMs: null }
  return { userId, subject, token, issuedMs: nowMs, ...never }
}

export function stateOf({ confirmedMs, misses }: SavedProof): ProofState {
  if (misses >= missesMax) return 'unverified'
  if (misses > 0) return 'missed'
  return confirmedMs === null ? 'pending' : 'verified'
}

/** The end of the grace period of a proof that was given up; null: the proof is in order, or no site rests on it. */
export function watchedUntil(proof: SavedProof): number | null {
  return stateOf(proof) === 'unverified' && proof.missedMs !== null ? proof.missedMs + graceMs : null
}

/** Whether the proof was given up and its sites are still watched. */
export function isInGrace(proof: SavedProof, nowMs: number): boolean {
  return nowMs < (watchedUntil(proof) ?? Number.NEGATIVE_INFINITY)
}

/** The claim that the proof gives; null: none. */
export function claimOf(proof: SavedProof, nowMs: number): Claim | null {
  const { userId, subject, missingSinceMs } = proof
  const state = stateOf(proof)
  const scope = scopeOf(subject)
  if (scope === null || state === 'pending' || (state === 'unverified' && !isInGrace(proof, nowMs))) return null
  return { userId, scope, missingSinceMs }
}

function scopeOf({ kind, text }: Subject): Scope | null {
  if (kind !== 'network') return { kind, name: text }
  const network = parseNetwork(text)
  return network === null ? null : { kind, network }
}

/** The common result of all resolvers: every one that answers must have the record, so that forging one resolver's answers is not enough. */
export function findingOf(resolutions: readonly TextResolution[], token: string, nowMs: number): Finding {
  const answers = resolutions.filter((resolution) => resolution.kind === 'texts')
  if (answers.length === 0) return { kind: 'unanswered' }
  const untilMs = answers.map(({ texts }) => readChallenge(texts, token, nowMs) ?? Number.NEGATIVE_INFINITY)
  const least = Math.min(...untilMs)
  if (least === Number.NEGATIVE_INFINITY) return { kind: 'missing' }
  return { kind: 'found', expiresMs: Number.isFinite(least) ? least : null }
}

/** The proof after a look-up. `newToken`: replaces the token of a proof that was given up, so that an old record from a backup proves nothing. */
export function proofAfter(
  proof: SavedProof,
  finding: Finding,
  { nowMs, newToken }: { nowMs: number; newToken: () => string },
): SavedProof {
  if (finding.kind === 'found') {
    const found = { checkedMs: nowMs, confirmedMs: nowMs, misses: 0, missingSinceMs: null, missedMs: null }
    return { ...proof, ...found, expiresMs: finding.expiresMs }
  }
  const { confirmedMs, misses, missedMs, issuedMs, expiresMs } = proof
  const isOver = expiresMs !== null && nowMs >= expiresMs
  const isBelieved = confirmedMs === null || (nowMs - confirmedMs < unansweredMs && !isOver)
  if (finding.kind === 'unanswered' && isBelieved) return proof
  const checked = { ...proof, checkedMs: nowMs }
  if (confirmedMs === null) return checked
  if (misses >= missesMax) {
    const isGivenUp = nowMs >= (watchedUntil(proof) ?? Number.POSITIVE_INFINITY) && issuedMs <= (missedMs ?? 0)
    return isGivenUp ? { ...checked, token: newToken(), issuedMs: nowMs } : checked
  }
  if (missedMs !== null && Math.abs(nowMs - missedMs) < missEveryMs) return checked
  return { ...checked, misses: misses + 1, missingSinceMs: proof.missingSinceMs ?? nowMs, missedMs: nowMs }
}

/** The time of the next look-up that happens by itself; Infinity: none. */
export function dueMs(proof: SavedProof): number {
  const { issuedMs, checkedMs, confirmedMs, missedMs, expiresMs } = proof
  if (checkedMs === null) return issuedMs
  const isWaiting = confirmedMs === null || stateOf(proof) === 'unverified'
  const endMs = expiresMs !== null && expiresMs > checkedMs ? expiresMs : Number.POSITIVE_INFINITY
  if (!isWaiting) return Math.min(checkedMs + dayMs, endMs)
  const sinceMs = Math.max(issuedMs, missedMs ?? 0)
  if (checkedMs - sinceMs >= patientMs) return Number.POSITIVE_INFINITY
  return checkedMs + (confirmedMs === null && checkedMs - issuedMs < eagerMs ? eagerEveryMs : dayMs)
}

/** Whether the look-up is overdue, and sites rest on the proof. */
export function isLate(proof: SavedProof, nowMs: number): boolean {
  return claimOf(proof, nowMs) !== null && nowMs - dueMs(proof) >= lateAfterMs
}
