// Refusals on their way into the audit log. The first of a kind is written at once, those like it within a minute are counted and written together: one
// row for each kind, outcome, and user or network. Beyond a budget of rows, all others of a user, or of all strangers, are one number: whoever is
// refused a million times must not fill the disk, nor push out what others did.
import type { Clock } from '../clock.ts'
import { addressBlock, partyBlocks } from '../net/address-block.ts'
import { type Actor, type AuditEntry, boundedEntry } from './entry.ts'

const windowMs = 60_000
/** Rows that a user, or all strangers together, may have at once, and how long one takes to come back. */
const rowsAtOnce = 100
const rowEveryMs = 60_000
const partiesMax = 1_000

/** The kind of the rows that count what had no row of its own. */
export const othersKind = 'refusals'

interface Window {
  entry: AuditEntry
  endMs: number
  /** Beyond the first, which has a row. */
  more: number
}

/** A user, or all strangers. */
interface Party {
  rows: number
  refilledMs: number
  windows: Map<string, Window>
  /** Refusals that had no row. */
  others: number
  othersSinceMs: number
  actor: Actor
}

export class Refusals {
  readonly #clock: Clock
  /** By user; the one that was refused longest ago comes first. */
  readonly #parties = new Map<string, Party>()
  /** Refusals that were counted together with others, and those without a row of their own kind. */
  readonly counters = { together: 0, beyond: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The rows to write now: none where it is counted. */
  take(given: AuditEntry): AuditEntry[] {
    const entry = boundedEntry(given)
    const nowMs = this.#clock.now()
    const { party, evicted } = this.#partyOf(entry.actor, nowMs)
    const key = JSON.stringify([entry.kind, entry.outcome, placeOf(entry.actor), entry.actor.name])
    const open = party.windows.get(key)
    if (open !== undefined && nowMs < open.endMs) {
      open.more++
      this.counters.together++
      return evicted
    }
    const ended = open === undefined ? [] : rowOf(open)
    party.windows.delete(key)
    refill(party, nowMs)
    if (party.rows < 1) {
      if (party.others === 0) party.othersSinceMs = nowMs
      party.others++
      this.counters.beyond++
      return [...evicted, ...ended]
    }
    party.rows--
    party.windows.set(key, { entry, endMs: nowMs + windowMs, more: 0 })
    return [...evicted, ...ended, entry]
  }

  /** The rows of what has been counted for long enough; with `isAll` of everything. */
  due(isAll = false): AuditEntry[] {
    const nowMs = this.#clock.now()
    const rows: AuditEntry[] = []
    for (const [key, party] of this.#parties) {
      for (const [name, window] of party.windows) {
        if (!isAll && nowMs < window.endMs) continue
        rows.push(...rowOf(window))
        party.windows.delete(name)
      }
      if (isAll || nowMs - party.othersSinceMs >= windowMs) rows.push(...othersOf(party))
      if (party.windows.size === 0 && party.others === 0 && nowMs - party.refilledMs >= rowsAtOnce * rowEveryMs)
        this.#parties.delete(key)
    }
    return rows
  }

  #partyOf(actor: Actor, nowMs: number): { party: Party; evicted: AuditEntry[] } {
    const key = actor.kind === 'stranger' ? '' : (actor.userId ?? '')
    const known = this.#parties.get(key)
    if (known !== undefined) {
      this.#parties.delete(key)
      this.#parties.set(key, known)
      return { party: known, evicted: [] }
    }
    const evicted: AuditEntry[] = []
    for (const [oldest, party] of this.#parties) {
      if (this.#parties.size < partiesMax) break
      evicted.push(...[...party.windows.values()].flatMap(rowOf), ...othersOf(party))
      this.#parties.delete(oldest)
    }
    const isStranger = key === ''
    const who: Actor = { ...actor, credential: '', ...(isStranger && { name: '', address: '' }) }
    const party = {
      rows: rowsAtOnce,
      refilledMs: nowMs,
      windows: new Map(),
      others: 0,
      othersSinceMs: nowMs,
      actor: who,
    }
    this.#parties.set(key, party)
    return { party, evicted }
  }
}

/** Strangers are told apart by their network: whoever has one address of it may have all. */
function placeOf({ kind, address, userId }: Actor): string {
  return kind === 'stranger' ? addressBlock(address, partyBlocks) : (userId ?? '')
}

function refill(party: Party, nowMs: number): void {
  // A clock that was set back gives nothing.
  const passedMs = Math.max(0, nowMs - party.refilledMs)
  party.rows = Math.min(rowsAtOnce, party.rows + passedMs / rowEveryMs)
  party.refilledMs = nowMs
}

function rowOf({ entry, more }: Window): AuditEntry[] {
  return more === 0 ? [] : [{ ...entry, count: more }]
}

function othersOf(party: Party): AuditEntry[] {
  if (party.others === 0) return []
  const count = party.others
  party.others = 0
  return [{ kind: othersKind, actor: party.actor, object: '', outcome: 'refused', count, detail: {} }]
}
