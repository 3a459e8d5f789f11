// The names that the service asked for itself a moment ago. A sensor at a resolver that it asks reports these questions, too: what it says then is no
// observation, and would show others that somebody has the name. Each sensor reports a question once; what it reports beyond that, others asked for.

/** For as long after a question what sensors report of the name follows from it; at most twice as long. */
const echoMs = 10_000

/** Sensors beyond these count as one: identities are theirs to make up. */
const sensorsMax = 256

interface Asked {
  questions: number
  /** How many of them each sensor has reported. */
  told: Map<string, number>
}

export class OwnQuestions {
  #lately = new Map<string, Asked>()
  #before = new Map<string, Asked>()
  #turnedMs = Number.NEGATIVE_INFINITY

  note(name: string, nowMs: number): void {
    this.#turn(nowMs)
    const asked = this.#lately.get(name)
    if (asked === undefined) this.#lately.set(name, { questions: 1, told: new Map() })
    else asked.questions++
  }

  /** Whether what the sensor tells now of the name may follow from a question that it has not reported yet: from now on it has. */
  takeEcho(name: string, sensor: string, nowMs: number): boolean {
    this.#turn(nowMs)
    for (const asked of [this.#before.get(name), this.#lately.get(name)]) {
      if (asked === undefined) continue
      const by = asked.told.has(sensor) || asked.told.size < sensorsMax ? sensor : ''
      const told = asked.told.get(by) ?? 0
      if (told >= asked.questions) continue
      asked.told.set(by, told + 1)
      return true
    }
    return false
  }

  #turn(nowMs: number): void {
    const ageMs = Math.abs(nowMs - this.#turnedMs)
    if (ageMs < echoMs) return
    this.#before = ageMs < 2 * echoMs ? this.#lately : new Map()
    this.#lately = new Map()
    this.#turnedMs = nowMs
  }
}
