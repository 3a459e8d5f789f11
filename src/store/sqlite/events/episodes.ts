// The episodes of events that came back, and the list of the interface: it shows an event that came back once for each episode, as a return after an end
// that was reported is news. An event of one episode has no row here: it is its own.
import { type Episode, noStatistics, type Statistics } from '../../../detect/incidents/incident-report.ts'
import { episodeFields, fieldsBy, type ValuesOf } from '../../../events/fields.ts'
import type { EventEpisode, EventReturn, EventSummary, EventUpdate, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text } from '../rows.ts'
import { amountFrom, Columns, cellsOf, episodeColumns, statisticsFrom, summaryColumns, summaryFrom } from './rows.ts'

const changingFields = fieldsBy(episodeFields, 'report')
const changingColumns = new Columns(changingFields)

/** The columns of a summary, with those of the episode. */
const entryColumns = summaryColumns.names
  .map((column) => `${episodeColumns.names.includes(column) ? 'event_episodes' : 'events'}.${column} AS ${column}`)
  .join(', ')

export function createEpisodes(database: Database) {
  const addFirst = database.prepare(`
    INSERT INTO event_episodes (event_id, number, user_id, ${episodeColumns.list}, statistics)
    SELECT id, 0, user_id, ${episodeColumns.list}, statistics
    FROM events JOIN event_evidence ON event_evidence.event_id = id WHERE id = ? AND user_id = ?
    ON CONFLICT DO NOTHING`)
  const addReturn = database.prepare(`
    INSERT INTO event_episodes (event_id, number, user_id, ${episodeColumns.list}, statistics)
    SELECT id, returns + 1, user_id, ${episodeColumns.placeholders}, '{}' FROM events WHERE id = ? AND user_id = ?`)
  const countReturn = database.prepare('UPDATE events SET returns = returns + 1 WHERE id = ? AND user_id = ?')
  const hasEntry = database.prepare('SELECT 1 FROM event_episodes WHERE id = ?')
  const latest = `SELECT event_id, number FROM event_episodes JOIN events ON events.id = event_id AND number = returns
    WHERE events.incident = ?`
  const update = database.prepare(`
    UPDATE event_episodes SET ${changingColumns.assignments}
    WHERE (event_id, number) IN (${latest})`)
  const updateStatistics = database.prepare(`
    UPDATE event_episodes SET statistics = ?
    WHERE (event_id, number) IN (${latest} AND events.view = 'all')`)
  const clearStatistics = database.prepare(`
    UPDATE event_episodes SET statistics = ?
    WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND user_id = ?)`)
  const endOpen = database.prepare(`
    UPDATE event_episodes SET end_ms = max(start_ms, last_ms)
    WHERE end_ms IS NULL AND event_id IN (SELECT id FROM events WHERE phase <> 'closed' AND last_ms < ?)`)
  // Without the lists, which are large: an attack in pulses has hundreds of episodes.
  const selectEpisodes = database.prepare(`
    SELECT number, ${episodeColumns.list} FROM event_episodes
    WHERE event_id = ? AND user_id = ? ORDER BY number DESC LIMIT ?`)
  const selectLatest = database.prepare('SELECT * FROM event_episodes WHERE event_id = ? ORDER BY number DESC LIMIT 1')
  const selectEvent = database.prepare(
    'SELECT event_id FROM event_episodes WHERE id = ? AND user_id = ? AND number > 0',
  )
  const selectEntry = database.prepare(`
    SELECT ${entryColumns}, statistics FROM event_episodes JOIN events ON events.id = event_id
    WHERE event_episodes.id = ? AND events.user_id = ?`)
  const within = (table: string) =>
    `${table}.user_id = ?1 AND (${table}.created_ms, ${table}.id) > (?2, ?3) AND ${table}.created_ms < ?4`
  const selectEntries = database.prepare(`
    SELECT * FROM (
      SELECT * FROM (SELECT ${summaryColumns.list} FROM events WHERE ${within('events')} AND is_test = 0 AND returns = 0
        ORDER BY created_ms, id LIMIT ?5)
      UNION ALL
      SELECT * FROM (SELECT ${entryColumns} FROM event_episodes JOIN events ON events.id = event_id
        WHERE ${within('event_episodes')} AND is_test = 0 ORDER BY event_episodes.created_ms, event_episodes.id LIMIT ?5)
    ) ORDER BY created_ms, id LIMIT ?5`)

  const verbs: Pick<Store, 'entriesBetween' | 'entryById' | 'episodesOf'> = {
    async entriesBetween(userId, { fromMs, toMs, after, limit }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      // No id is empty, so that (from, '') comes before every entry of that moment.
      const key = after !== null && after.createdMs >= from ? after : { createdMs: from, id: '' }
      database.awaitWriter()
      return database.read(() => selectEntries.all(userId, key.createdMs, key.id, to, limit)).map(summaryFrom)
    },

    async entryById(userId, id) {
      const row = database.read(() => selectEntry.get(id, userId))
      return row === undefined ? null : { ...summaryFrom(row), statistics: statisticsFrom(row) }
    },

    async episodesOf(userId, eventId, max) {
      return database
        .read(() => selectEpisodes.all(eventId, userId, max))
        .map(eventEpisodeFrom)
        .reverse()
    },
  }

  return {
    verbs,

    /** The event came back: what it was stays in the list as it is, and what it will be is another entry. Once for each id. */
    add({ eventId, userId, id, createdMs }: EventReturn, change: EventUpdate): void {
      if (hasEntry.get(id) !== undefined) return
      addFirst.run(eventId, userId)
      const episode = episodeColumns.cells({ id, createdMs, ...latestOf(change) })
      const { changes } = addReturn.run(...episode, eventId, userId)
      if (changes > 0) countReturn.run(eventId, userId)
    },

    /** Brings the latest episode of the incident's events up to date. */
    update(change: EventUpdate): void {
      update.run(...changingColumns.cells(latestOf(change)), change.incident)
      const ofEpisode = change.details?.ofEpisode ?? null
      if (ofEpisode !== null) updateStatistics.run(cellsOf.statistics.toCell(ofEpisode), change.incident)
    },

    clear(incident: string, userId: string): void {
      clearStatistics.run(cellsOf.statistics.toCell(noStatistics), incident, userId)
    },

    endOpen(seenBeforeMs: number): void {
      endOpen.run(seenBeforeMs)
    },

    /** The event that an entry of the list belongs to, where that is not its own. */
    eventOf(userId: string, id: string): string | null {
      const row = selectEvent.get(id, userId)
      return row === undefined ? null : text(row, 'event_id')
    },

    /** The latest episode, with its lists; null: there is but one. `detectorNumber`: what the detector calls it. */
    latestOf({ id, returns }: EventSummary, detectorNumber: number): LatestEpisode | null {
      const row = returns === 0 ? undefined : selectLatest.get(id)
      if (row === undefined) return null
      const { createdMs, id: entryId, ...episode } = eventEpisodeFrom(row)
      return { episode: { ...episode, number: detectorNumber }, ofEpisode: statisticsFrom(row) }
    },
  }
}

/** What the latest episode has of its own. */
function latestOf(change: EventUpdate): ValuesOf<typeof changingFields> {
  return { ...change, ...change.episode, lastMs: change.episode.endMs, endMs: change.endMs }
}

interface LatestEpisode {
  episode: Episode
  ofEpisode: Statistics
}

function eventEpisodeFrom(row: Row): EventEpisode {
  return {
    id: text(row, 'id'),
    number: number(row, 'number'),
    createdMs: number(row, 'created_ms'),
    startMs: number(row, 'start_ms'),
    endMs: number(row, 'last_ms'),
    ...amountFrom(row),
  }
}
