// When an event becomes listable: in a whole second that begins after its commit, so that whoever has read the list up to now has missed nothing in it.
import type { Clock } from '../../clock.ts'
import type { Database } from './database.ts'

interface Dated {
  id: string
  createdMs: number
}

const secondMs = 1_000
/** How often an event is dated again because its commit took longer than was left of its second; each time it is given twice as long. */
const attemptsMax = 6

export function nextSecond(nowMs: number): number {
  return Math.ceil(nowMs / secondMs) * secondMs
}

/**
 * Dates again what was written with a date whose second had begun before the commit was done. This follows the commit without a pause, so that nobody in
 * this process, which alone answers requests, has seen the earlier date.
 */
export function dateAgain<Event extends Dated>(
  events: readonly Event[],
  { database, clock, setDate }: { database: Database; clock: Clock; setDate: (id: string, createdMs: number) => void },
): Event[] {
  let dated = [...events]
  try {
    for (let attempt = 0; attempt < attemptsMax && isLate(dated, clock); attempt++) {
      const from = dated
      dated = database.write(() => {
        const createdMs = nextSecond(clock.now()) + (2 ** attempt - 1) * secondMs
        return from.map((event) => {
          if (event.createdMs >= createdMs) return event
          setDate(event.id, createdMs)
          return { ...event, createdMs }
        })
      })
    }
  } catch {
    // The events are there, whatever befalls their dates: to report a failure would say the contrary.
  }
  return dated
}

function isLate(events: readonly Dated[], clock: Clock): boolean {
  const nowMs = clock.now()
  return events.some(({ createdMs }) => createdMs < nowMs)
}
