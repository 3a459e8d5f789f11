// Whether whoever reads the sockets was there all the time. A process that is stopped, a virtual machine that is suspended and a wall clock that is set have
// one thing in common: seconds that nobody has watched. What has come meanwhile waits in the sockets, and its time of receipt says nothing.
import type { Clock } from '../clock.ts'
import { type Away, waitedMsMax } from '../flow/away.ts'
import type { Metric } from '../metrics.ts'

/** Sockets are read every few milliseconds: garbage collection and busy neighbours hold that up for parts of a second. */
const awayMs = 2_000
/** The two clocks are read one after the other, and the steady one to a second; more, and the wall clock was set, or the whole machine stood still. */
const leapMs = 1_500
/** The steady clock is dear to read: it is when the wall clock seems to have leapt, and once in this time, to compare with. */
const compareEveryMs = 1_000
/** What is read after as long has not waited, however much there is: a flood must not keep the sockets full. */
const catchUpMsMax = 10_000

export const presenceMetrics: readonly Metric<Presence['counted']>[] = [
  {
    name: 'floodgauge_ingest_away_total',
    help: 'Times that a collector read nothing for more than 2 seconds, or its clock was set: the process or the machine stood still.',
    read: ({ times }) => times,
  },
  {
    name: 'floodgauge_ingest_away_seconds_total',
    help: 'How long that was, all together: attacks of that time may not have been seen.',
    read: ({ milliseconds }) => milliseconds / 1_000,
  },
]

export type Turn = 'in time' | 'late' | 'leapt'

export class Presence {
  readonly counted = { times: 0, milliseconds: 0, leaps: 0 }
  #nowMs = Number.NaN
  /** What the clocks showed last. */
  #compared = { nowMs: Number.NaN, steadyMs: 0, awakeMs: 0 }
  #away: Away | null = null
  /** When the reading went on for the first time since it began: it may have stood still again. */
  #backMs = 0

  /** Begins a reading. `leapt`: what was known of other clocks holds no more. */
  turn(clock: Clock): Turn {
    const nowMs = clock.now()
    const passedMs = nowMs - this.#nowMs
    const isUsual = passedMs >= 0 && passedMs <= awayMs
    if (isUsual && nowMs - this.#compared.nowMs < compareEveryMs) {
      this.#nowMs = nowMs
      return 'in time'
    }
    const [steadyMs, awakeMs] = [clock.steady(), clock.awake()]
    const sinceMs = nowMs - this.#compared.nowMs
    const isApart = (otherMs: number) => Math.abs(sinceMs - otherMs) > leapMs
    // Either of the others alone says no more than that the machine slept, or that a container got another time of start.
    const leapt = isApart(steadyMs - this.#compared.steadyMs) && isApart(awakeMs - this.#compared.awakeMs)
    if (this.#away === null || leapt) this.#backMs = nowMs
    if (passedMs > awayMs) this.#away = { fromMs: this.#away?.fromMs ?? this.#nowMs, toMs: nowMs }
    // Set back: what waits may be of any time since the last reading.
    else if (leapt) this.#away = { fromMs: Math.min(nowMs, this.#nowMs), toMs: nowMs }
    if (leapt) this.counted.leaps++
    this.#nowMs = nowMs
    this.#compared = { nowMs, steadyMs, awakeMs }
    if (leapt) return 'leapt'
    return passedMs > awayMs ? 'late' : 'in time'
  }

  /** When nobody read, last, so that what is being read may have waited; null: it comes as it is sent. */
  get away(): Away | null {
    return this.#away
  }

  /** A reading is over. Returns the time that nobody has watched, once everything that waited is read; null: there was none. */
  read(nowMs: number, isEmpty: boolean): Away | null {
    if (this.#away === null) return null
    const { fromMs, toMs } = this.#away
    const hasCaughtUp = isEmpty || (nowMs - this.#backMs >= catchUpMsMax && nowMs - toMs >= waitedMsMax)
    if (!hasCaughtUp) return null
    this.#away = null
    if (fromMs >= nowMs) return null
    this.counted.times++
    this.counted.milliseconds += nowMs - fromMs
    return { fromMs, toMs: nowMs }
  }
}
