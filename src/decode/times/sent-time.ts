// When a datagram was sent, by the clock of its exporter: for datagrams that have waited somewhere, whose time of receipt says nothing. How far apart the two
// clocks are is known from the datagrams before. Only differences count: a wrong clock, or the time since a start, serves as well.
import { type Away, waitedMsMax } from '../../flow/away.ts'
import { clockToleranceMs } from './times.ts'

/** The difference is the least of the last one to two periods, milliseconds: datagrams take more or less time, and crystals drift by less than this shows. */
const periodMs = 60_000
/** Headers have whole seconds, and the way takes a while. */
const roundingMs = 2_000
/** A clock that is behind from one datagram to the next was set, unless what came late is read within this time. */
const burstMs = 10_000
/** What was sent longer ago is out of reach of the counters, with the time for which exporters hold records back. */
const lateMsMax = 240_000

/** Receipt of a datagram: Unix milliseconds. */
export interface Received {
  receivedMs: number
  /** When nobody read, last, so that it may have waited; null: it has come just now. */
  away: Away | null
}

export class SentTime {
  /** Least difference of receipt and exporter's clock in the current period and in the one before. */
  #least = Number.NaN
  #leastBefore = Number.NaN
  #periodFromMs = 0
  #lastMs = 0
  #theirLastMs = Number.NaN
  /** When a burst of late datagrams began; null: none is on. */
  #burstFromMs: number | null = null

  /** Forgets it: one of the clocks was set. */
  forget(): void {
    this.#least = this.#leastBefore = Number.NaN
    this.#burstFromMs = null
  }

  /** When a datagram was sent that says `theirMs`; the time of receipt when that is as good; null when it is not known, or too long ago to be counted. */
  of({ receivedMs, away }: Received, theirMs: number): number | null {
    // Most come in the same millisecond as the one before, sent in the same second.
    const isSame = receivedMs === this.#lastMs && theirMs === this.#theirLastMs
    if (isSame && away === null && this.#burstFromMs === null) return receivedMs
    const apartMs = receivedMs - theirMs
    const usualMs = Number.isNaN(this.#leastBefore) ? this.#least : Math.min(this.#least, this.#leastBefore)
    const lateMs = apartMs - usualMs
    const isLate = lateMs > clockToleranceMs
    // A clock that shows what it showed last may not run, and says nothing of how late this is.
    const isStill = theirMs === this.#theirLastMs && this.#burstFromMs === null
    if (away === null && isLate && isStill) return receivedMs
    const silentMs = receivedMs - this.#lastMs
    this.#lastMs = receivedMs
    this.#theirLastMs = theirMs
    if (away !== null) {
      const isKnown = lateMs >= -roundingMs && receivedMs - lateMs >= away.fromMs - roundingMs
      if (isKnown) return sentAt(receivedMs, lateMs)
      // Where one standstill follows another, a clock is learnt from what comes between them.
      if (receivedMs - away.toMs < waitedMsMax) return null
    }
    if (isLate && this.#isBurst(receivedMs, lateMs, silentMs)) return sentAt(receivedMs, lateMs)
    this.#burstFromMs = null
    if (Math.abs(lateMs) > clockToleranceMs) this.forget()
    this.#note(receivedMs, apartMs)
    return receivedMs
  }

  /** What comes so late after a silence may have waited on its way: a relay, or the exporter itself, stood still. */
  #isBurst(receivedMs: number, lateMs: number, silentMs: number): boolean {
    if (this.#burstFromMs === null && lateMs <= silentMs + roundingMs) this.#burstFromMs = receivedMs
    return this.#burstFromMs !== null && receivedMs - this.#burstFromMs < burstMs
  }

  #note(receivedMs: number, apartMs: number): void {
    if (!(receivedMs - this.#periodFromMs < periodMs)) {
      this.#leastBefore = this.#least
      this.#least = apartMs
      this.#periodFromMs = receivedMs
    }
    this.#least = Number.isNaN(this.#least) ? apartMs : Math.min(this.#least, apartMs)
  }
}

function sentAt(receivedMs: number, lateMs: number): number | null {
  return lateMs > lateMsMax ? null : receivedMs - Math.max(0, lateMs)
}
