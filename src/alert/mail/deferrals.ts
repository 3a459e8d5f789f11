// Which recipients of a mail the server has put off while it took the mail for others, so that these do not get it again. It is known in memory: after a restart
// all of them get it, under the same id.

/** Pauses before the first, second, … further attempt; the last one is repeated. Servers that put off whom they do not know (greylisting) take minutes. */
const pausesMs: readonly number[] = [5_000, 15_000, 60_000, 300_000]
/** Who is put off for longer does without: what comes later under the same subject would wait for it. */
const untilMs = 1_800_000
/** Mails that are known at a time; the oldest are forgotten first. */
const keptMax = 1_000

interface Kept {
  left: ReadonlySet<string>
  /** Recipients that the server has it for. */
  taken: number
  attempts: number
  sinceMs: number
}

export class Deferrals {
  readonly #kept = new Map<string, Kept>()

  /** Whom a mail is still for. */
  leftOf({ id, to }: { id: string; to: readonly string[] }): string[] {
    const left = this.#kept.get(id)?.left
    return left === undefined ? [...to] : to.filter((address) => left.has(address))
  }

  /** How many recipients the server has it for by now. */
  takenOf(id: string): number {
    return this.#kept.get(id)?.taken ?? 0
  }

  /** What came of an attempt. How long those who were put off wait for the next one, milliseconds; null: there is none. `nowMs`: of a clock that is never set. */
  settle(id: string, { taken, left }: { taken: number; left: readonly string[] }, nowMs: number): number | null {
    const before = this.#kept.get(id) ?? { taken: 0, attempts: 0, sinceMs: nowMs }
    this.#kept.delete(id)
    const pauseMs = pausesMs[Math.min(before.attempts, pausesMs.length - 1)]
    if (left.length === 0 || nowMs + pauseMs - before.sinceMs > untilMs) return null
    for (const [oldest] of this.#kept) if (this.#kept.size >= keptMax) this.#kept.delete(oldest)
    const attempts = before.attempts + 1
    this.#kept.set(id, { left: new Set(left), taken: before.taken + taken, attempts, sinceMs: before.sinceMs })
    return pauseMs
  }
}
