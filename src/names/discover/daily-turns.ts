// Whose turn it is, of things that each are to have one a day.

const dayMs = 86_400_000

export class DailyTurns {
  readonly #dueMs = new Map<string, number>()
  readonly #firstAfterMs: number

  /** What is new has its turn after so long. */
  constructor(firstAfterMs = 0) {
    this.#firstAfterMs = firstAfterMs
  }

  /** The next of the keys that is due, and has had its turn with that; null: none is. What is not among the keys any more is forgotten. */
  take(keys: Iterable<string>, nowMs: number): string | null {
    const present = new Set(keys)
    for (const key of this.#dueMs.keys()) if (!present.has(key)) this.#dueMs.delete(key)
    for (const key of present) {
      const dueMs = this.#dueMs.get(key) ?? nowMs + this.#firstAfterMs
      this.#dueMs.set(key, dueMs)
      // A clock that was set back would leave it for later.
      if (dueMs > nowMs && dueMs - nowMs <= dayMs) continue
      this.#dueMs.set(key, nowMs + dayMs)
      return key
    }
    return null
  }
}
