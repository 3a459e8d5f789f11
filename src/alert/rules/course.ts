// What comes of a notice on one channel, by what the channel was told about the event before and what holds it back. Pure: this is the rule by which an end
// always goes where its beginning went.
import type { TurnKind } from '../notice.ts'
import type { Hold } from './hold.ts'

/** What a channel knows of an event. */
export interface Known {
  /** The latest that it was told, or will be as soon as it can be reached; null: nothing. */
  lastTold: TurnKind | null
  /** What is held back of the event, which the channel does not know yet; null: nothing. */
  held: Hold | null
}

/** The channel has, or will have, something of the event, and the latest of that is no end: it believes that the attack goes on. */
export function believesOpen({ lastTold }: Pick<Known, 'lastTold'>): boolean {
  return lastTold !== null && lastTold !== 'ended'
}

/**
 * `now`: it is told; `hold`: it waits for the end of the hold; `drop`: there is nothing to say any more. Each takes the place of what was held back of the
 * event. `keep`: everything stays as it is.
 */
export type Course = { what: 'now' | 'drop' | 'keep' } | { what: 'hold'; hold: Hold }

/** `hold`: what holds the notice back now; null: nothing does. `isNews`: that it came back is said though nobody was told that it was over. */
export function courseOf(kind: TurnKind, { lastTold, held }: Known, hold: Hold | null, isNews = false): Course {
  const isOpen = believesOpen({ lastTold })
  if (kind === 'ended') {
    // Through whatever holds back: the channel believes that it goes on.
    if (isOpen) return { what: 'now' }
    // Its beginning was never told: both become one message.
    return held === null ? { what: 'keep' } : { what: 'hold', hold: held }
  }
  // What waits already says that it goes on, and later that is no news.
  if (kind === 'continues' && (!isOpen || hold !== null || held !== null)) return { what: 'keep' }
  // The channel does not know that it was over, and an end that was held back is dropped: to it the attack just goes on.
  if (kind === 'resumed' && isOpen && !isNews) return { what: 'drop' }
  return hold === null ? { what: 'now' } : { what: 'hold', hold }
}

/** What the channel knows after that. */
export function knownAfter(kind: TurnKind, before: Known, course: Course): Known {
  if (course.what === 'keep') return before
  if (course.what === 'now') return { lastTold: kind, held: null }
  return { lastTold: before.lastTold, held: course.what === 'hold' ? course.hold : null }
}
