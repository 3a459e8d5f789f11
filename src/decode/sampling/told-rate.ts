// One sampling rate as an exporter tells it, again and again. Options data can be forged by whoever knows the exporter's port, and one forged rate would
// count until the true one comes: so a rate that is far from the one in use counts when it is told a second time while the one in use is not.
import type { Place } from '../../fair-table.ts'

/** A change by more than this factor, up or down, is large. */
const largeFactor = 10
/** How long a rate must have been in use before a large change of it waits, and how far apart the two words of a change must be. Milliseconds. */
export const settleMs = 60_000
/** Routers tell their rates again every 30 minutes at the latest. */
const gapMaxMs = 1_800_000
const hourMs = 3_600_000
/** No rate. */
export const none = -1

export interface ToldRate {
  /** Its place among the samplers of all streams. */
  place: Place<unknown> | null
  /** What counts: a rate, or the sampler of a sequence. */
  value: number
  /** Since when it counts, and when it was told last. Unix milliseconds. */
  sinceMs: number
  toldMs: number
  /** What a change is measured by, so that many small ones are no way around: the last value that was in use for a minute. */
  base: number
  /** What was told and does not count yet, and since when it is told. */
  waiting: number
  waitingMs: number
  /** The rate that it is counted with among those that share one. */
  shared: number
}

export function createToldRate(place: Place<unknown> | null, nowMs: number): ToldRate {
  return { place, value: none, sinceMs: nowMs, toldMs: nowMs, base: none, waiting: none, waitingMs: 0, shared: none }
}

/** `again`: it goes on waiting. `contradicted`: what waited does no longer, since the exporter goes on telling what counts. */
export type Hearing = 'same' | 'taken' | 'waits' | 'again' | 'confirmed' | 'contradicted'

interface Word {
  nowMs: number
  /** How long the exporter leaves between two words, as far as is known. */
  gapMs: number
  /** Whether the change from one value to the other is large. */
  isLarge: (from: number, to: number) => boolean
}

/** Takes a word of the exporter; whether it counts now is seen by `value`. */
export function hear(known: ToldRate, told: number, { nowMs, gapMs, isLarge }: Word): Hearing {
  const isSettled = nowMs - known.sinceMs >= settleMs
  if (told === known.value) {
    known.toldMs = nowMs
    if (isSettled) known.base = told
    if (known.waiting === none) return 'same'
    known.waiting = none
    return 'contradicted'
  }
  if (known.base === none && isSettled) known.base = known.value
  if (known.value !== none && !isLarge(known.base, told)) {
    Object.assign(known, { value: told, sinceMs: nowMs, toldMs: nowMs, waiting: none })
    return 'taken'
  }
  // A clock that was set back holds nothing up.
  if (told !== known.waiting || nowMs < known.waitingMs) {
    Object.assign(known, { waiting: told, waitingMs: nowMs })
    return 'waits'
  }
  if (nowMs - known.waitingMs < settleMs || nowMs - known.toldMs < gapMs * 1.5) return 'again'
  Object.assign(known, { value: told, base: told, sinceMs: nowMs, toldMs: nowMs, waiting: none })
  return 'confirmed'
}

/** From no rate there is no large change; to none, it is one to 1, as its records would count. */
export function isLargeChange(from: number, to: number): boolean {
  const rate = Math.max(to, 1)
  return from > 0 && (from > rate * largeFactor || rate > from * largeFactor)
}

/** The longest time that an exporter left between two words of a rate, in this hour and the one before. */
export class TellingGaps {
  #sinceMs = 0
  #longestMs = 0
  #beforeMs = 0

  get longestMs(): number {
    return Math.max(this.#longestMs, this.#beforeMs)
  }

  note(gapMs: number, nowMs: number): void {
    if (nowMs - this.#sinceMs >= hourMs || nowMs < this.#sinceMs) {
      this.#sinceMs = nowMs
      this.#beforeMs = this.#longestMs
      this.#longestMs = 0
    }
    if (gapMs > this.#longestMs) this.#longestMs = Math.min(gapMs, gapMaxMs)
  }
}
