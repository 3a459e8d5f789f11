// The names that the service asked for itself a moment ago. A sensor at a resolver that it asks reports these questions, too: what it says then is no
// observation, and would show others that somebody has the name.

/** For as long after a question what sensors report of the name follows from it; at most twice as long. */
const echoMs = 10_000

export class OwnQuestions {
  #lately = new Set<string>()
  #before = new Set<string>()
  #turnedMs = Number.NEGATIVE_INFINITY

  note(name: string, nowMs: number): void {
    this.#turn(nowMs)
    this.#lately.add(name)
  }

  has(name: string, nowMs: number): boolean {
    this.#turn(nowMs)
    return this.#lately.has(name) || this.#before.has(name)
  }

  #turn(nowMs: number): void {
    const ageMs = Math.abs(nowMs - this.#turnedMs)
    if (ageMs < echoMs) return
    this.#before = ageMs < 2 * echoMs ? this.#lately : new Set()
    this.#lately = new Set()
    this.#turnedMs = nowMs
  }
}
