// How far ahead anything of alerts is ever planned. The clock may be set back, by the network's time or since it was wrong when the machine started: what was
// planned by the wrong one then lies ahead for as long as it was wrong, and is due at once.
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
  /** A message that was not taken, where nothing is kept of its attempts. */
  again: minute,
  /** How long a secret counts beside the one that has replaced it. */
  secret: day,
  /** Since when something is so. */
  since: 0,
} as const

export type Delay = keyof typeof longestMs

export class Delays {
  /** What lay too far ahead. */
  readonly hastened: Record<Delay, number> = {
    ...{ attempt: 0, lease: 0, probe: 0, silence: 0, gathering: 0, reminder: 0, escalation: 0, report: 0 },
    ...{ again: 0, secret: 0, since: 0 },
  }

  /** When what was planned for `atMs` is due: then, or now if that lies too far ahead. */
  dueAt(delay: Delay, atMs: number, nowMs: number): number {
    if (atMs - nowMs <= longestMs[delay]) return atMs
    this.hastened[delay]++
    return nowMs
  }

  add(hastened: Readonly<Partial<Record<Delay, number>>>): void {
    for (const [delay, count] of Object.entries(hastened)) if (isDelay(delay)) this.hastened[delay] += count
  }
}

function isDelay(word: string): word is Delay {
  return Object.hasOwn(longestMs, word)
}
