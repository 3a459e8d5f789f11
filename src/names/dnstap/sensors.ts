// The senders of dnstap, by the name that each gives itself, with the time of its last answer: it shows a resolver that has fallen silent.

const sensorsMax = 256

export class Sensors {
  readonly #lastMs = new Map<string, number>()

  /** False: there are too many to know this one, too. */
  note(name: string, nowMs: number): boolean {
    if (!this.#lastMs.has(name) && this.#lastMs.size >= sensorsMax) return false
    this.#lastMs.set(name, nowMs)
    return true
  }

  /** When each sent its last answer, Unix milliseconds. */
  list(): Iterable<[name: string, lastMs: number]> {
    return this.#lastMs
  }
}
