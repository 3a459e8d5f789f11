// The chain of the audit log: the hash of each row covers the row and the hash of the one before, so that a row that is changed, missing or out of its
// place is found, and with the hash of the last one known elsewhere, rows missing at the end are, too.
import { createHash } from 'node:crypto'
import type { AuditEntry } from './entry.ts'

/** Raised when the encoding changes. */
const version = 1

/** A place in the chain. */
export interface ChainEnd {
  sequence: number
  /** SHA-256, hexadecimal. */
  hash: string
}

/** Where a chain begins of which nothing was cut off. */
export const chainStart: ChainEnd = { sequence: 0, hash: '0'.repeat(64) }

export interface AuditRow extends Omit<AuditEntry, 'detail'> {
  sequence: number
  atMs: number
  /** JSON, as it was hashed. */
  detailText: string
  /** The hash of the row before. */
  beforeHash: string
  hash: string
}

/** JSON of a list in fixed order: texts are escaped in one way only, numbers are whole. */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const { sequence, atMs, kind, actor, object, outcome, count, detailText, beforeHash } = row
  const who = [actor.kind, actor.userId, actor.name, actor.credential, actor.address]
  const encoded = JSON.stringify([
    version,
    sequence,
    atMs,
    kind,
    ...who,
    object,
    outcome,
    count,
    detailText,
    beforeHash,
  ])
  return createHash('sha256').update(encoded, 'utf8').digest('hex')
}

/** The row of an entry behind the last one. */
export function chainRow(entry: AuditEntry, atMs: number, last: ChainEnd): AuditRow {
  const { detail, ...rest } = entry
  const row = { ...rest, sequence: last.sequence + 1, atMs, detailText: JSON.stringify(detail), beforeHash: last.hash }
  return { ...row, hash: hashOf(row) }
}

/** What the row says when the oldest part of the chain is cut off: see `ChainCheck`. */
export const cutKind = 'audit.cut'

/** What is wrong with the chain at a row. */
export interface ChainFault {
  sequence: number
  fault: 'changed' | 'missing' | 'out of place' | 'cut short' | 'cut off unsaid' | 'unknown head'
  text: string
}

export interface ChainEnds {
  /** The last row that was cut off. */
  anchor: ChainEnd
  /** The last row that there is. */
  head: ChainEnd
}

/** Goes over the rows in their order, and finds the first thing that is wrong. */
export class ChainCheck {
  readonly #ends: ChainEnds
  /** The hash of a row that must be there; null: none was noted elsewhere. */
  readonly #known: string | null
  #last: ChainEnd
  #isKnownSeen: boolean
  #isCutSaid: boolean
  fault: ChainFault | null = null
  rows = 0

  constructor(ends: ChainEnds, known: string | null = null) {
    this.#ends = ends
    this.#known = known
    this.#last = ends.anchor
    this.#isKnownSeen = known === null || known === ends.anchor.hash
    this.#isCutSaid = ends.anchor.sequence === 0
    if (ends.anchor.sequence === 0 && ends.anchor.hash !== chainStart.hash)
      this.#find(0, 'cut off unsaid', 'the chain does not begin where chains begin')
  }

  /** The last row that was found right. */
  get last(): ChainEnd {
    return this.#last
  }

  take(row: AuditRow): void {
    if (this.fault !== null) return
    const { sequence, hash, beforeHash } = row
    const expected = this.#last.sequence + 1
    if (sequence > expected) this.#find(expected, 'missing', `row ${expected} is missing: ${sequence} follows`)
    else if (sequence < expected) this.#find(sequence, 'out of place', `row ${sequence} stands behind ${expected - 1}`)
    else if (hashOf(row) !== hash) this.#find(sequence, 'changed', `row ${sequence} is not as it was written`)
    else if (beforeHash !== this.#last.hash)
      this.#find(sequence, 'out of place', `row ${sequence} was not written behind the row before it`)
    if (this.fault !== null) return
    this.#last = { sequence, hash }
    this.rows++
    this.#isKnownSeen ||= hash === this.#known
    this.#isCutSaid ||= row.kind === cutKind && row.detailText === cutText(this.#ends.anchor)
  }

  /** After the last row. */
  finish(): ChainFault | null {
    if (this.fault !== null) return this.fault
    const { head, anchor } = this.#ends
    const { sequence, hash } = this.#last
    if (sequence !== head.sequence || hash !== head.hash)
      this.#find(sequence + 1, 'cut short', `the last row is ${sequence}, and should be ${head.sequence}`)
    else if (!this.#isCutSaid)
      this.#find(anchor.sequence, 'cut off unsaid', `rows up to ${anchor.sequence} are gone, and no row says so`)
    else if (!this.#isKnownSeen)
      this.#find(
        sequence,
        'unknown head',
        'no row has the hash that was given: it was written to another chain, or cut off',
      )
    return this.fault
  }

  #find(sequence: number, fault: ChainFault['fault'], text: string): void {
    this.fault ??= { sequence, fault, text }
  }
}

/** The detail of the row that says how far the chain was cut off. */
export function cutDetail({ sequence, hash }: ChainEnd): { through: number; hash: string } {
  return { through: sequence, hash }
}

function cutText(anchor: ChainEnd): string {
  return JSON.stringify(cutDetail(anchor))
}
