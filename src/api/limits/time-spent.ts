// How long users keep the thread busy that answers everybody. What they may use flows in evenly, up to a minute's worth; who has used it up waits until
// there is some again. Requests are not worth the same: a list of a thousand events costs a hundred times what one event does.
import type { Clock } from '../../clock.ts'

const minuteMs = 60_000
const usersMax = 10_000

interface Account {
  /** Milliseconds that may be used; below zero: used ahead of time. */
  leftMs: number
  atMs: number
}

interface TimeSpentOptions {
  clock: Clock
  /** 0: any time. */
  secondsPerMinute: number
  /** Reads what the thread has used of the processor so far, milliseconds. */
  readMs?: () => number
}

/** The time that the thread has had a processor: a machine that is busy with something else makes nobody wait who asks for little. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

export class TimeSpent {
  readonly #clock: Clock
  readonly #mostMs: number
  readonly #readMs: () => number
  /** Who was charged longest ago comes first. */
  readonly #accounts = new Map<string, Account>()
  /** Whose turn it is, and since when. */
  #turn: { userId: string; sinceMs: number } | null = null
  readonly #endTurn = () => this.end()
  readonly #endLater = () => process.nextTick(this.#endTurn)
  readonly counters = { refused: 0, forgotten: 0, spentMs: 0 }

  constructor({ clock, secondsPerMinute, readMs = threadMs }: TimeSpentOptions) {
    this.#clock = clock
    this.#mostMs = secondsPerMinute * 1_000
    this.#readMs = readMs
  }

  get secondsPerMinute(): number {
    return this.#mostMs / 1_000
  }

  /** Milliseconds until the user has time again; 0: there is some. */
  waitOf(userId: string): number {
    if (this.#mostMs === 0) return 0
    const { leftMs } = this.#current(userId)
    return leftMs > 0 ? 0 : ((1 - leftMs) * minuteMs) / this.#mostMs
  }

  /** What the thread does from now on, until it has nothing more to do at once, it does for the user. */
  begin(userId: string): void {
    if (this.#turn?.userId === userId) return
    this.end()
    this.#turn = { userId, sinceMs: this.#readMs() }
    // Ticks come after all that was promised.
    queueMicrotask(this.#endLater)
  }

  /** What the thread does now it does for nobody in particular. */
  end(): void {
    const turn = this.#turn
    if (turn === null) return
    this.#turn = null
    this.#charge(turn.userId, this.#readMs() - turn.sinceMs)
  }

  #charge(userId: string, spentMs: number): void {
    this.counters.spentMs += spentMs
    if (this.#mostMs === 0) return
    const { leftMs, atMs } = this.#current(userId)
    this.#accounts.delete(userId)
    this.#forget()
    // However much it was, after two minutes all is as at first.
    this.#accounts.set(userId, { leftMs: Math.max(-this.#mostMs, leftMs - spentMs), atMs })
  }

  #current(userId: string): Account {
    const nowMs = this.#clock.now()
    const known = this.#accounts.get(userId)
    if (known === undefined) return { leftMs: this.#mostMs, atMs: nowMs }
    // A clock that was set back gives nothing, and takes nothing for longer.
    known.atMs = Math.min(known.atMs, nowMs)
    const gained = ((nowMs - known.atMs) * this.#mostMs) / minuteMs
    return { leftMs: Math.min(this.#mostMs, known.leftMs + gained), atMs: nowMs }
  }

  #forget(): void {
    for (const userId of this.#accounts.keys()) {
      const isFull = this.#current(userId).leftMs >= this.#mostMs
      if (!isFull && this.#accounts.size < usersMax) return
      this.#accounts.delete(userId)
      if (!isFull) this.counters.forgotten++
    }
  }
}
