// The course of an attack: its traffic second by second, in bounded memory. Seconds that late records may still change are read from the rings; earlier ones
// are summed up in steps, whose length doubles when there are too many.
import type { Seconds } from '../absences.ts'
import { incidents } from '../lines/incidents.ts'
import type { RateRing } from '../rates/rates.ts'
import type { Course, CourseRates } from './incident-report.ts'
import { settledSeconds } from './tally.ts'

const { courseLeadSeconds, courseStepsMax, settleEverySeconds } = incidents

/** The rates of all traffic and of the attack's class. */
interface Rings {
  ofTotal: RateRing | null
  ofClass: RateRing | null
}

/** The numbers of a step lie side by side: packets, bytes and flows of the total, then of the attack, and the seconds without any record of what came. */
const width = 7
const unknown = 6

export class CourseLog {
  /** Unix time, seconds. */
  #from: number
  #stepSeconds = 1
  /** Sums of the seconds before `#through`. */
  #steps: Float32Array = new Float32Array(0)
  #through: number
  /** Seconds that were described before the service was started again, as far as late records may still add to them. */
  #before: Seconds = { from: 0, to: 0 }
  /** Seconds in which the service was down, unless late records cover them. */
  #gap: Seconds = { from: 0, to: 0 }
  /** The course up to the reported end; null while the attack goes on, or late records may change it. */
  #final: Omit<Course, 'normal'> | null = null

  /** `startSecond`: when the attack began. */
  constructor(startSecond: number, { ofTotal }: Rings) {
    this.#from = Math.min(startSecond, Math.max(startSecond - courseLeadSeconds, ofTotal?.first ?? startSecond))
    this.#through = this.#from
  }

  /** Continues a course described up to `end` (exclusive), from `nowSecond` on. Unix time, seconds. */
  resume({ fromMs, stepSeconds, total, attack }: Course, end: number, nowSecond: number): void {
    const columns = [total, attack].flatMap((rates) => [
      rates.packetsPerSecond,
      rates.bytesPerSecond,
      rates.flowsPerSecond,
    ])
    const steps = total.packetsPerSecond.length
    this.#from = fromMs / 1000
    this.#stepSeconds = stepSeconds
    this.#through = Math.min(end, this.#from + steps * stepSeconds)
    this.#before = { from: this.#from, to: this.#through }
    this.#gap = { from: this.#through, to: nowSecond }
    this.#steps = new Float32Array(steps * width)
    for (let step = 0; step < steps; step++) {
      // The last one may not have been whole.
      const seconds = Math.min(stepSeconds, this.#through - this.#from - step * stepSeconds)
      columns.forEach((rates, column) => {
        this.#steps[step * width + column] = (rates[step] ?? 0) * seconds
      })
      if (columns[0][step] === null) this.#steps[step * width + unknown] = seconds
    }
  }

  /** Takes the seconds that do not change any more. The caller does this before the rings forget them. */
  follow(rings: Rings, nowSecond: number): void {
    const to = nowSecond - settledSeconds
    this.#takeBefore(rings, to)
    if (to - this.#through >= settleEverySeconds) this.#take(rings, to)
  }

  /** Does the same while the attack is over: later seconds are taken, too, as it may come back, but not described. */
  followOver(rings: Rings, nowSecond: number, end: number): void {
    const to = nowSecond - settledSeconds
    if (this.#final === null && to >= end) {
      if (end > this.#through) this.#take(rings, end)
      this.#final = this.describe(rings, end)
    }
    this.follow(rings, nowSecond)
  }

  /** Goes on because the attack came back. */
  reopen(): void {
    this.#final = null
  }

  #takeBefore(rings: Rings, settledTo: number): void {
    const { from, to } = this.#before
    const end = Math.min(settledTo, to)
    if (end <= from || (end < to && end - from < settleEverySeconds)) return
    this.#addRates(this.#steps, rings, this.#stepSeconds, { from, to: end })
    this.#before.from = end
  }

  #take(rings: Rings, to: number): void {
    this.#takeBefore(rings, to)
    const stepSeconds = this.#stepSecondsTo(to)
    const steps = this.#sums(to, stepSeconds)
    this.#addSeconds(steps, rings, stepSeconds, to)
    this.#steps = steps
    this.#stepSeconds = stepSeconds
    this.#through = to
  }

  /** The course up to `end` (exclusive), Unix time, seconds. */
  describe(rings: Rings, end: number): Omit<Course, 'normal'> {
    if (this.#final !== null) return this.#final
    const stepSeconds = this.#stepSecondsTo(end)
    const sums = this.#sums(end, stepSeconds)
    this.#addSeconds(sums, rings, stepSeconds, end)
    const last = end - this.#from - (sums.length / width - 1) * stepSeconds
    const ratesFrom = (column: number): CourseRates => ({
      packetsPerSecond: ratesOf(sums, column, stepSeconds, last),
      bytesPerSecond: ratesOf(sums, column + 1, stepSeconds, last),
      flowsPerSecond: ratesOf(sums, column + 2, stepSeconds, last),
    })
    return { fromMs: this.#from * 1000, stepSeconds, total: ratesFrom(0), attack: ratesFrom(3) }
  }

  /** Length of a step, no shorter than now, with which there are few enough up to `end`. */
  #stepSecondsTo(end: number): number {
    let seconds = this.#stepSeconds
    while (end - this.#from > seconds * courseStepsMax) seconds *= 2
    return seconds
  }

  #addRates(sums: Float32Array, { ofTotal, ofClass }: Rings, stepSeconds: number, { from, to }: Seconds): void {
    const steps = { first: this.#from, stepSeconds }
    addRates(sums, 0, ofTotal, steps, from, to)
    addRates(sums, 3, ofClass, steps, from, to)
  }

  /** Adds the seconds up to `to` (exclusive) that are not in the steps yet. */
  #addSeconds(sums: Float32Array, rings: Rings, stepSeconds: number, to: number): void {
    const { ofTotal } = rings
    this.#addRates(sums, rings, stepSeconds, this.#before)
    this.#addRates(sums, rings, stepSeconds, { from: this.#through, to })
    const end = Math.min(to, this.#gap.to)
    for (let second = Math.max(this.#through, this.#gap.from); second < end; second++) {
      const isKnown = (ofTotal?.packetsIn(second, second + 1) ?? 0) > 0
      if (!isKnown) sums[Math.floor((second - this.#from) / stepSeconds) * width + unknown]++
    }
  }

  /** The steps up to `end`, merged to another length. */
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

/** Adds the seconds that the ring holds. The others may be many, when the clock has been set forward. */
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

/**
 * Averages over the seconds that are known; null: none of the step is. `lastSeconds`: how long the last step is so far. In hundredths: finer differences
 * are rounding.
 */
function ratesOf(sums: Float32Array, column: number, stepSeconds: number, lastSeconds: number): (number | null)[] {
  return Array.from({ length: sums.length / width }, (_, step) => {
    const length = (step + 1) * width === sums.length ? lastSeconds : stepSeconds
    const seconds = length - sums[step * width + unknown]
    return seconds <= 0 ? null : Math.round((sums[step * width + column] / seconds) * 100) / 100
  })
}
