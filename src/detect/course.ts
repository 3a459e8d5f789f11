// The course of an attack: how much traffic came in each second, in bounded memory. Seconds that records may still come for are read from the
// rings; those before them are summed up in steps, which double when there are too many.
import type { Course, CourseRates } from './incident-report.ts'
import { type RateRing, ringSeconds } from './rates.ts'

/** How long before the attack it begins. Seconds. */
const leadSeconds = 60
const stepsMax = 512
/** Seconds older than this do not change any more; some of them are left in the ring for a while, to be taken together. */
const settledSeconds = ringSeconds - 40
const settleEverySeconds = 16

/** Of total and attack. */
interface Rings {
  ofTotal: RateRing | null
  ofClass: RateRing | null
}

/** The numbers of a step lie side by side: packets, bytes and flows of the total, then of the attack. */
const width = 6

export class CourseLog {
  /** Unix time, seconds. */
  #from: number
  #stepSeconds = 1
  /** Of the seconds before `#through`. */
  #steps: Float32Array = new Float32Array(0)
  #through: number
  /** The course up to the end that was reported; null: the attack goes on, or late records may still change it. */
  #final: Omit<Course, 'normal'> | null = null

  /** `startSecond`: when the attack began. */
  constructor(startSecond: number, { ofTotal }: Rings) {
    this.#from = Math.min(startSecond, Math.max(startSecond - leadSeconds, ofTotal?.first ?? startSecond))
    this.#through = this.#from
  }

  /** Goes on with one that was described up to `end` (exclusive), Unix time, seconds. What came since is not known. */
  resume({ fromMs, stepSeconds, total, attack }: Course, end: number): void {
    const columns = [total, attack].flatMap((rates) => [
      rates.packetsPerSecond,
      rates.bytesPerSecond,
      rates.flowsPerSecond,
    ])
    const steps = total.packetsPerSecond.length
    this.#from = fromMs / 1000
    this.#stepSeconds = stepSeconds
    this.#through = Math.min(end, this.#from + steps * stepSeconds)
    this.#steps = new Float32Array(steps * width)
    for (let at = 0; at < this.#steps.length; at++) {
      const step = Math.floor(at / width)
      // The last one may not have been whole.
      const seconds = Math.min(stepSeconds, this.#through - this.#from - step * stepSeconds)
      this.#steps[at] = columns[at % width][step] * seconds
    }
  }

  /** Takes the seconds that do not change any more; to be called before the rings forget them. */
  follow(rings: Rings, nowSecond: number): void {
    const to = nowSecond - settledSeconds
    if (to - this.#through >= settleEverySeconds) this.#take(rings, to)
  }

  /** The same while the attack is over: what comes after its end is taken, too, as it may come back, but not described. */
  followOver(rings: Rings, nowSecond: number, end: number): void {
    const to = nowSecond - settledSeconds
    if (this.#final === null && to >= end) {
      if (end > this.#through) this.#take(rings, end)
      this.#final = this.describe(rings, end)
    }
    this.follow(rings, nowSecond)
  }

  /** The attack came back. */
  reopen(): void {
    this.#final = null
  }

  #take(rings: Rings, to: number): void {
    const stepSeconds = this.#stepSecondsTo(to)
    const steps = this.#sums(to, stepSeconds)
    addSeconds(steps, rings, { first: this.#from, stepSeconds }, this.#through, to)
    this.#steps = steps
    this.#stepSeconds = stepSeconds
    this.#through = to
  }

  /** Up to `end` (exclusive), Unix time, seconds. */
  describe(rings: Rings, end: number): Omit<Course, 'normal'> {
    if (this.#final !== null) return this.#final
    const stepSeconds = this.#stepSecondsTo(end)
    const sums = this.#sums(end, stepSeconds)
    addSeconds(sums, rings, { first: this.#from, stepSeconds }, this.#through, end)
    const last = end - this.#from - (sums.length / width - 1) * stepSeconds
    const ratesFrom = (column: number): CourseRates => ({
      packetsPerSecond: ratesOf(sums, column, stepSeconds, last),
      bytesPerSecond: ratesOf(sums, column + 1, stepSeconds, last),
      flowsPerSecond: ratesOf(sums, column + 2, stepSeconds, last),
    })
    return { fromMs: this.#from * 1000, stepSeconds, total: ratesFrom(0), attack: ratesFrom(3) }
  }

  /** The shortest that are few enough, and no shorter than those that there are. */
  #stepSecondsTo(end: number): number {
    let seconds = this.#stepSeconds
    while (end - this.#from > seconds * stepsMax) seconds *= 2
    return seconds
  }

  /** The steps that there are, as steps up to `end`, of another length. */
  #sums(end: number, stepSeconds: number): Float32Array {
    const sums = new Float32Array(Math.ceil((end - this.#from) / stepSeconds) * width)
    const merged = stepSeconds / this.#stepSeconds
    for (let at = 0; at < this.#steps.length; at++) {
      const to = Math.floor(Math.floor(at / width) / merged) * width + (at % width)
      if (to < sums.length) sums[to] += this.#steps[at]
    }
    return sums
  }
}

function addSeconds(
  sums: Float32Array,
  { ofTotal, ofClass }: Rings,
  steps: { first: number; stepSeconds: number },
  from: number,
  to: number,
): void {
  addRates(sums, 0, ofTotal, steps, from, to)
  addRates(sums, 3, ofClass, steps, from, to)
}

/** Only seconds that the ring holds: the others may be many, when the clock has been set forward. */
function addRates(
  sums: Float32Array,
  column: number,
  ring: RateRing | null,
  { first, stepSeconds }: { first: number; stepSeconds: number },
  from: number,
  to: number,
): void {
  if (ring === null) return
  const end = Math.min(to, ring.last + 1)
  for (let second = Math.max(from, ring.first); second < end; second++) {
    const at = Math.floor((second - first) / stepSeconds) * width + column
    const { packets, bytes, flows } = ring.sum(second, second + 1)
    sums[at] += packets
    sums[at + 1] += bytes
    sums[at + 2] += flows
  }
}

/** `lastSeconds`: how long the last step is so far. In hundredths: finer differences are rounding. */
function ratesOf(sums: Float32Array, column: number, stepSeconds: number, lastSeconds: number): number[] {
  return Array.from({ length: sums.length / width }, (_, step) => {
    const seconds = (step + 1) * width === sums.length ? lastSeconds : stepSeconds
    return Math.round((sums[step * width + column] / seconds) * 100) / 100
  })
}
