// Events in the store: how they are written, listed, and read one by one.
import type { Clock } from '../../../clock.ts'
import type { Store } from '../../store.ts'
import type { Database } from '../database.ts'
import type { ChangeLog } from './changes.ts'
import { createEventDetails } from './details.ts'
import { createEntries } from './entries.ts'
import { EventEpisodes } from './episodes.ts'
import { createEventListing } from './listing.ts'
import { createRecording } from './recording.ts'

type Events = ReturnType<typeof createRecording> &
  ReturnType<typeof createEventListing> &
  ReturnType<typeof createEntries> &
  Pick<Store, 'eventById' | 'eventsSeenAfter'>

export function createEvents(database: Database, { clock, log }: { clock: Clock; log: ChangeLog }): Events {
  const episodes = new EventEpisodes(database)
  return {
    ...createRecording({ database, clock, log, episodes }),
    ...createEventListing(database),
    ...createEntries(database),
    ...createEventDetails(database, episodes),
  }
}
