// The episodes of events that came back, each a row. An event of one episode has no row here: it is its own.
import { type Episode, noStatistics, type Statistics } from '../../../detect/incidents/incident-report.ts'
import { episodeFields, fieldsBy, type ValuesOf } from '../../../events/fields.ts'
import type { EventReturn, EventSummary, EventUpdate } from '../../store.ts'
import type { Database } from '../database.ts'
import { text } from '../rows.ts'
import { Columns, cellsOf, episodeColumns, episodeFrom, statisticsFrom } from './rows.ts'

const changingFields = fieldsBy(episodeFields, 'report')
const changingColumns = new Columns(changingFields)

/** The latest episode of each event of an incident. */
const latest = `SELECT event_id, number FROM event_episodes JOIN events ON events.id = event_id AND number = returns
  WHERE events.incident = ?`

function statementsOf(database: Database) {
  return {
    addFirst: database.prepare(`
      INSERT INTO event_episodes (event_id, number, user_id, ${episodeColumns.list}, statistics)
      SELECT id, 0, user_id, ${episodeColumns.list}, statistics
      FROM events JOIN event_evidence ON event_evidence.event_id = id WHERE id = ? AND user_id = ?
      ON CONFLICT DO NOTHING`),
    addReturn: database.prepare(`
      INSERT INTO event_episodes (event_id, number, user_id, ${episodeColumns.list}, statistics)
      SELECT id, returns + 1, user_id, ${episodeColumns.placeholders}, '{}' FROM events WHERE id = ? AND user_id = ?`),
    countReturn: database.prepare('UPDATE events SET returns = returns + 1 WHERE id = ? AND user_id = ?'),
    hasEntry: database.prepare('SELECT 1 FROM event_episodes WHERE id = ?'),
    update: database.prepare(`
      UPDATE event_episodes SET ${changingColumns.assignments} WHERE (event_id, number) IN (${latest})`),
    updateStatistics: database.prepare(`
      UPDATE event_episodes SET statistics = ? WHERE (event_id, number) IN (${latest} AND events.view = 'all')`),
    clearStatistics: database.prepare(`
      UPDATE event_episodes SET statistics = ?
      WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND user_id = ?)`),
    endOpen: database.prepare(`
      UPDATE event_episodes SET end_ms = max(start_ms, last_ms)
      WHERE end_ms IS NULL AND event_id IN (SELECT id FROM events WHERE phase <> 'closed' AND last_ms < ?)`),
    latest: database.prepare('SELECT * FROM event_episodes WHERE event_id = ? ORDER BY number DESC LIMIT 1'),
    eventOf: database.prepare('SELECT event_id FROM event_episodes WHERE id = ? AND user_id = ? AND number > 0'),
  }
}

export class EventEpisodes {
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(database: Database) {
    this.#statements = statementsOf(database)
  }

  /** The event came back: what it was stays in the list as it is, and what it will be is another entry. Once for each id. */
  add({ eventId, userId, id, createdMs }: EventReturn, change: EventUpdate): void {
    const { hasEntry, addFirst, addReturn, countReturn } = this.#statements
    if (hasEntry.get(id) !== undefined) return
    addFirst.run(eventId, userId)
    const episode = episodeColumns.cells({ id, createdMs, ...latestOf(change) })
    const { changes } = addReturn.run(...episode, eventId, userId)
    if (changes > 0) countReturn.run(eventId, userId)
  }

  /** Brings the latest episode of the incident's events up to date. */
  update(change: EventUpdate): void {
    const { update, updateStatistics } = this.#statements
    update.run(...changingColumns.cells(latestOf(change)), change.incident)
    const ofEpisode = change.details?.ofEpisode ?? null
    if (ofEpisode !== null) updateStatistics.run(cellsOf.statistics.toCell(ofEpisode), change.incident)
  }

  /** Empties the lists of the episodes of a user's event. */
  clear(incident: string, userId: string): void {
    this.#statements.clearStatistics.run(cellsOf.statistics.toCell(noStatistics), incident, userId)
  }

  /** Ends the episodes of events that were not active since. */
  endOpen(seenBeforeMs: number): void {
    this.#statements.endOpen.run(seenBeforeMs)
  }

  /** The event that an entry of the list belongs to, where that is not its own. */
  eventOf(userId: string, id: string): string | null {
    const row = this.#statements.eventOf.get(id, userId)
    return row === undefined ? null : text(row, 'event_id')
  }

  /** The latest episode, with its lists; null: there is but one. `detectorNumber`: what the detector calls it. */
  latestOf({ id, returns }: EventSummary, detectorNumber: number): LatestEpisode | null {
    const row = returns === 0 ? undefined : this.#statements.latest.get(id)
    if (row === undefined) return null
    const { createdMs, id: entryId, ...episode } = episodeFrom(row)
    return { episode: { ...episode, number: detectorNumber }, ofEpisode: statisticsFrom(row) }
  }
}

interface LatestEpisode {
  episode: Episode
  ofEpisode: Statistics
}

/** What the latest episode has of its own. */
function latestOf(change: EventUpdate): ValuesOf<typeof changingFields> {
  return { ...change, ...change.episode, lastMs: change.episode.endMs, endMs: change.endMs }
}
