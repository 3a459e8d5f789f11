// A user's proof to control something, and what becomes of it as it is looked for again and again. Pure.
import { parsePrefix } from '../net/prefix.ts'
import { readChallenge, type Subject } from '../targets/challenge.ts'
import type { Claim, Scope } from './authority.ts'
import type { TextResolution } from './text-answer.ts'

/** As it is saved. Times are Unix milliseconds. */
export interface SavedProof {
  userId: string
  subject: Subject
  token: string
  /** When the token was made. */
  issuedMs: number
  /** When resolvers last answered; null: not yet. */
  checkedMs: number | null
  /** When the record was last there; null: never. */
  confirmedMs: number | null
  /** How often in a row it was not, up to `missesMax`, and when that first and last counted; null: it was there. */
  misses: number
  missingSinceMs: number | null
  missedMs: number | null
  /** Until when the record counts, as it says itself; null: for good, or there was none yet. */
  expiresMs: number | null
}

export type ProofState = 'pending' | 'verified' | 'missed' | 'unverified'

/** What the resolvers say of the record. `unanswered`: none of them knows. */
export type Finding = { kind: 'found'; expiresMs: number | null } | { kind: 'missing' } | { kind: 'unanswered' }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const missesMax = 3
/** Two misses are so far apart at least, however often somebody has it checked. */
const missEveryMs = 20 * hourMs
/** What rests on a proof stays watched for so long after the last miss that counted. */
const graceMs = 7 * dayMs
/** A proof that nobody can answer for is believed for so long: name servers that are attacked answer nobody. */
const unansweredMs = 30 * dayMs
/** A record is often put within the hour; who takes longer has it checked. */
const eagerMs = dayMs
const eagerEveryMs = 10 * 60_000
const patientMs = 30 * dayMs
/** Looked for later than this after it was due: nobody answers for it, or there are too many. */
const lateAfterMs = hourMs

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

/** Until when what rests on the proof stays watched; null: it is not running out, or nothing rests on it. */
export function watchedUntil(proof: SavedProof): number | null {
  return stateOf(proof) === 'unverified' && proof.missedMs !== null ? proof.missedMs + graceMs : null
}

/** Whether sites are still watched by it though it was given up. */
export function isInGrace(proof: SavedProof, nowMs: number): boolean {
  return nowMs < (watchedUntil(proof) ?? Number.NEGATIVE_INFINITY)
}

/** What the proof is worth; null: nothing. */
export function claimOf(proof: SavedProof, nowMs: number): Claim | null {
  const { userId, subject, missingSinceMs } = proof
  const state = stateOf(proof)
  const scope = scopeOf(subject)
  if (scope === null || state === 'pending' || (state === 'unverified' && !isInGrace(proof, nowMs))) return null
  return { userId, scope, missingSinceMs }
}

function scopeOf({ kind, text }: Subject): Scope | null {
  if (kind !== 'network') return { kind, name: text }
  const prefix = parsePrefix(text)
  return prefix === null ? null : { kind, prefix }
}

/** Every resolver that answers must have the record: else who can forge the answers of one of them would do. */
export function findingOf(resolutions: readonly TextResolution[], token: string, nowMs: number): Finding {
  const answers = resolutions.filter((resolution) => resolution.kind === 'texts')
  if (answers.length === 0) return { kind: 'unanswered' }
  const untilMs = answers.map(({ texts }) => readChallenge(texts, token, nowMs) ?? Number.NEGATIVE_INFINITY)
  const least = Math.min(...untilMs)
  if (least === Number.NEGATIVE_INFINITY) return { kind: 'missing' }
  return { kind: 'found', expiresMs: Number.isFinite(least) ? least : null }
}

/** `newToken`: for one that was given up, so that a record of before that comes back from a backup proves nothing. */
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

/** When it is to be looked for without being asked to; Infinity: no more. */
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

/** Whether it should have been looked for a while ago, and sites rest on it. */
export function isLate(proof: SavedProof, nowMs: number): boolean {
  return claimOf(proof, nowMs) !== null && nowMs - dueMs(proof) >= lateAfterMs
}
