// The seconds in which collectors were away: what is known of them is no evidence that there was no more. Unix time, seconds.
import type { Away } from '../flow/away.ts'

/** Unix time; `to` is exclusive. */
export interface Seconds {
  from: number
  to: number
}

/** Absences are rare; of more the oldest are forgotten. */
const absencesMax = 64

export class Absences {
  #known: Seconds[] = []

  /** Every second that it touches. */
  note({ fromMs, toMs }: Away): Seconds {
    const noted = { from: Math.floor(fromMs / 1_000), to: Math.floor(toMs / 1_000) + 1 }
    const others = this.#known.filter(({ from, to }) => from > noted.to || to < noted.from)
    for (const each of this.#known) {
      if (others.includes(each)) continue
      noted.from = Math.min(noted.from, each.from)
      noted.to = Math.max(noted.to, each.to)
    }
    this.#known = [...others, noted].slice(-absencesMax)
    return noted
  }

  /** How many of the seconds `from` to `to` (exclusive) were not watched. */
  within(from: number, to: number): number {
    return this.#known.reduce((sum, each) => sum + Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)), 0)
  }

  /** How long it has been watched since then, milliseconds. */
  watchedMs(sinceMs: number, nowMs: number): number {
    return nowMs - sinceMs - this.within(Math.floor(sinceMs / 1_000), Math.floor(nowMs / 1_000) + 1) * 1_000
  }

  /** Forgets what lies ahead of a clock that was set back. */
  startOver(nowSecond: number): void {
    this.#known = this.#known.filter(({ to }) => to <= nowSecond + 1)
  }
}
