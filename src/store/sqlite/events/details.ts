// All that is stored of an event: one by its id, and those that a restart takes up again.
import type { EventDetail, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row } from '../rows.ts'
import type { EventEpisodes } from './episodes.ts'
import { describedFrom, detailColumns, type Evidence, evidenceColumns, onlyEpisode, summaryColumns } from './rows.ts'
import { EventSites } from './sites.ts'

type Details = Pick<Store, 'eventById' | 'eventsSeenAfter'>

/** What there is of an event beside its evidence. */
function createDescription(
  database: Database,
  episodes: EventEpisodes,
): (row: Row) => Omit<EventDetail, keyof Evidence> {
  const sitesOf = new EventSites(database)
  return (row) => {
    const event = describedFrom(row)
    const described = { ...event, sites: sitesOf.of(event) }
    const detectorNumber = number(row, 'episode')
    const latest = episodes.latestOf(described, detectorNumber)
    return latest === null
      ? { ...described, episode: onlyEpisode(described, detectorNumber), ofEpisode: null }
      : { ...described, ...latest }
  }
}

/** One event of a user; null: there is none. */
export function createEventReader(
  database: Database,
  episodes: EventEpisodes,
): (userId: string, id: string) => EventDetail | null {
  const detailOf = createDescription(database, episodes)
  const selectEvent = database.prepare(`
    SELECT ${summaryColumns.list}, episode, ${detailColumns.list}, ${evidenceColumns.list}
    FROM events JOIN event_details ON event_details.event_id = id JOIN event_evidence ON event_evidence.event_id = id
    WHERE id = ? AND user_id = ?`)
  return (userId, id) => {
    const row = selectEvent.get(episodes.eventOf(userId, id) ?? id, userId)
    return row === undefined ? null : { ...detailOf(row), ...evidenceColumns.valuesFrom(row) }
  }
}

export function createEventDetails(database: Database, episodes: EventEpisodes): Details {
  const readEvent = createEventReader(database, episodes)
  const detailOf = createDescription(database, episodes)
  const selectSeenAfter = database.prepare(`
    SELECT ${summaryColumns.list}, episode, ${detailColumns.list}
    FROM events JOIN event_details ON event_details.event_id = id
    WHERE last_ms >= ? ORDER BY created_ms, id`)
  const selectEvidence = database.prepare(`SELECT ${evidenceColumns.list} FROM event_evidence WHERE event_id = ?`)
  return {
    async eventById(userId, id) {
      return database.read(() => readEvent(userId, id))
    },

    async eventsSeenAfter(ms) {
      return database.read(() => {
        const events = selectSeenAfter.all(ms).map(detailOf)
        const { all = [], totals = [] } = Object.groupBy(events, ({ view }) => view)
        // Events of one incident have the same evidence: it is read once, of an event that has all of it.
        const evidence = new Map<string, Evidence>()
        for (const { incident, id } of [...all, ...totals])
          if (!evidence.has(incident)) evidence.set(incident, evidenceColumns.valuesFrom(selectEvidence.get(id) ?? {}))
        return events.flatMap((event) => {
          const ofIncident = evidence.get(event.incident)
          return ofIncident === undefined ? [] : [{ ...event, ...ofIncident }]
        })
      })
    },
  }
}
