// The verbs of the store that may look through much: a service has them answered by threads of their own, so that nobody else waits meanwhile.
import type { Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { createAttacks } from '../events/attacks.ts'
import { createCourses } from '../events/courses.ts'
import { createEntries } from '../events/entries.ts'
import { createEventListing } from '../events/listing.ts'
import { createNotesReading } from '../events/notes-reading.ts'
import { createSiteListing } from '../sites/listing.ts'
import { createTraceReading } from '../traces.ts'
import { createTraffic } from '../traffic.ts'

/** Those whose first argument says whose turn the answer takes. */
type VerbOfUser = {
  [Verb in keyof Store]: Store[Verb] extends (userId: string, ...rest: never[]) => unknown ? Verb : never
}[keyof Store]

/**
 * `awaits`: windows of the list join, so that whatever was dated before the window was asked for has to be there. Only a connection that may write can wait
 * for a transaction of another process; the answer's snapshot is younger than that.
 */
export const readVerbs = {
  eventsBetween: { awaits: true },
  entriesBetween: { awaits: true },
  eventsChangedSince: { awaits: false },
  countEvents: { awaits: false },
  mostAttacked: { awaits: false },
  eventsOfSites: { awaits: false },
  attacksWithin: { awaits: false },
  coursesOf: { awaits: false },
  notesOf: { awaits: false },
  findSites: { awaits: false },
  bestSites: { awaits: false },
  sumSeries: { awaits: false },
  lastTraffic: { awaits: false },
  tracesOf: { awaits: false },
  sightsBetween: { awaits: false },
  firstSight: { awaits: false },
} as const satisfies Partial<Record<VerbOfUser, { awaits: boolean }>>

export type ReadVerb = keyof typeof readVerbs
export type Reading = Pick<Store, ReadVerb>

/** Answers them on the thread that calls. */
export function createReading(database: Database): Reading {
  return {
    ...createEventListing(database),
    ...createEntries(database),
    ...createAttacks(database),
    ...createCourses(database),
    ...createNotesReading(database),
    ...createSiteListing(database),
    ...createTraffic(database),
    ...createTraceReading(database),
  }
}

/** Who answers them elsewhere. */
export interface ReadRunner {
  /** `userId`: whose turn it takes. Throws AppError STORE_UNAVAILABLE or TOO_MANY_REQUESTS. */
  run(userId: string, verb: ReadVerb, args: readonly unknown[]): Promise<unknown>
}

/** Hands them to the runner. What a user has changed before is seen: a reader's snapshot begins after the call. */
export function createRemoteReading(database: Database, runner: ReadRunner): Reading {
  const verbs = Object.entries(readVerbs).map(([verb, { awaits }]) => {
    const run = async (userId: string, ...rest: unknown[]) => {
      if (awaits) database.awaitWriter()
      // Whether sums are still wanted can be asked here alone.
      const args = [userId, ...rest.filter((each) => typeof each !== 'function')]
      if (rest.some((each) => typeof each === 'function' && each() === false)) return []
      return runner.run(userId, verb as ReadVerb, args)
    }
    return [verb, run]
  })
  return asReading(Object.fromEntries(verbs))
}

/** Each verb is there, and is answered by the verb of the same name. */
function asReading(verbs: object): Reading {
  return verbs as Reading
}
