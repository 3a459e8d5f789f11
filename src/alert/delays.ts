// What waits for a time when the machine's clock is set, by the network's time or by hand. Whoever sees the clock step moves what waits with it; after a restart
// nobody knows of a step, and what lies further ahead than anything of its kind was planned by a clock that was wrong: it is due at once.
import type { Clock } from '../clock.ts'
import type { AlertStore } from './alert-store.ts'
import { closedMaxMs, pauseMaxMs } from './attempts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** THE table: the longest delay of each, milliseconds. */
export const longestMs = {
  /** The next attempt for a message. */
  attempt: pauseMaxMs,
  /** When an attempt under way was begun. */
  lease: 0,
  /** The next attempt on a channel. */
  probe: closedMaxMs,
  /** The end of a silence, or of quiet hours. */
  silence: 30 * day,
  /** For others, or for an attack to come back. */
  gathering: day,
  /** That an attack goes on. */
  reminder: 7 * day,
  escalation: day,
  /** A week, and the hours by which clocks are set. */
  report: 8 * day,
  /** How long a secret counts beside the one that has replaced it. */
  secret: day,
  /** Since when something is so. */
  since: 0,
} as const

export type Delay = keyof typeof longestMs

/** Silences, quiet hours and reports are about times that somebody reads off a clock, and come when the clock says so; everything else waits for as long as it was to wait. */
export const wallTimes: ReadonlySet<Delay> = new Set(['silence', 'report'])

/** Smaller differences are the clock's own: it is pulled to the right time, and uptime may be known to the second. */
const stepLeastMs = 2_000

export class Delays {
  /** What lay too far ahead. */
  readonly hastened: Record<Delay, number> = {
    ...{ attempt: 0, lease: 0, probe: 0, silence: 0, gathering: 0, reminder: 0, escalation: 0, report: 0 },
    ...{ secret: 0, since: 0 },
  }
  /** How often the clock was seen to step. */
  steps = 0
  /** By how much it has stepped in all, milliseconds: what was read before, and is compared with the time now, is moved by what came since. */
  steppedMs = 0
  /** How far the clock is ahead of the two others, where what waits was moved last, or one of these has jumped alone; null: nobody has looked yet. */
  #ahead: { ofSteadyMs: number; ofAwakeMs: number } | null = null
  #following: Promise<Followed> | null = null

  /** When what was planned for `atMs` is due: then, or now if that lies too far ahead. */
  dueAt(delay: Delay, atMs: number, nowMs: number): number {
    if (atMs - nowMs <= longestMs[delay]) return atMs
    this.hastened[delay]++
    return nowMs
  }

  /**
   * The time now, after what waits in the store has been moved where the clock was set since the last time. Whoever writes times of what waits, or compares them
   * with the clock, takes the time from here.
   */
  now(clock: Clock, store: Pick<AlertStore, 'followClock'>): Promise<Followed> {
    this.#following ??= this.#follow(clock, store).finally(() => {
      this.#following = null
    })
    return this.#following
  }

  async #follow(clock: Clock, store: Pick<AlertStore, 'followClock'>): Promise<Followed> {
    const nowMs = clock.now()
    const ahead = { ofSteadyMs: nowMs - clock.steady(), ofAwakeMs: nowMs - clock.awake() }
    const before = this.#ahead
    const isFirst = before === null
    const stepMs = isFirst ? 0 : Math.round(ahead.ofSteadyMs - before.ofSteadyMs)
    if (before !== null) {
      const isApart = Math.abs(stepMs) >= stepLeastMs
      const isApartFromAwake = Math.abs(ahead.ofAwakeMs - before.ofAwakeMs) >= stepLeastMs
      // The machine has slept, or the steady clock has jumped, as where a container is moved: the clock itself was not set.
      if (isApart !== isApartFromAwake)
        this.#ahead = isApart ? { ...before, ofSteadyMs: ahead.ofSteadyMs } : { ...before, ofAwakeMs: ahead.ofAwakeMs }
      if (!isApart || !isApartFromAwake) return { nowMs, hasMoved: false }
    }
    const hastened = await store.followClock({ nowMs, stepMs })
    this.#ahead = ahead
    this.steppedMs += stepMs
    if (!isFirst) this.steps++
    for (const [delay, count] of Object.entries(hastened)) if (isDelay(delay)) this.hastened[delay] += count
    return { nowMs, hasMoved: true }
  }
}

interface Followed {
  nowMs: number
  hasMoved: boolean
}

function isDelay(word: string): word is Delay {
  return Object.hasOwn(longestMs, word)
}
