// The list of the interface: it shows an event that came back once for each episode, as a return after an end that was reported is news.
import type { Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { entryColumns, episodeColumns, episodeFrom, statisticsFrom } from './rows.ts'

const columnsFrom = (tableOf: (column: string) => string) =>
  entryColumns.names.map((column) => `${tableOf(column)}.${column} AS ${column}`).join(', ')

const ofEvents = columnsFrom(() => 'events')
const ofEpisodes = columnsFrom((column) => (episodeColumns.names.includes(column) ? 'event_episodes' : 'events'))

export function createEntries(database: Database): Pick<Store, 'entriesBetween' | 'entryById' | 'episodesOf'> {
  // Without the lists, which are large: an attack in pulses has hundreds of episodes.
  const selectEpisodes = database.prepare(`
    SELECT number, ${episodeColumns.list} FROM event_episodes
    WHERE event_id = ? AND user_id = ? ORDER BY number DESC LIMIT ?`)
  const selectEntry = database.prepare(`
    SELECT ${ofEpisodes}, statistics FROM event_episodes JOIN events ON events.id = event_id
    WHERE event_episodes.id = ? AND events.user_id = ?`)
  const within = (table: string) =>
    `${table}.user_id = ?1 AND (${table}.created_ms, ${table}.id) > (?2, ?3) AND ${table}.created_ms < ?4`
  // Both parts are read in the order of an index, and merged: nothing is sorted.
  const selectEntries = database.prepare(`
    SELECT ${ofEvents} FROM events WHERE ${within('events')} AND is_test = 0 AND returns = 0
    UNION ALL
    SELECT ${ofEpisodes} FROM event_episodes JOIN events ON events.id = event_id
      WHERE ${within('event_episodes')} AND is_test = 0
    ORDER BY created_ms, id LIMIT ?5`)

  return {
    async entriesBetween(userId, { fromMs, toMs, after, limit }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      // No id is empty, so that (from, '') comes before every entry of that moment.
      const key = after !== null && after.createdMs >= from ? after : { createdMs: from, id: '' }
      database.awaitWriter()
      return database
        .read(() => selectEntries.all(userId, key.createdMs, key.id, to, limit))
        .map((row) => entryColumns.valuesFrom(row))
    },

    async entryById(userId, id) {
      const row = database.read(() => selectEntry.get(id, userId))
      return row === undefined ? null : { ...entryColumns.valuesFrom(row), statistics: statisticsFrom(row) }
    },

    async episodesOf(userId, eventId, max) {
      return database
        .read(() => selectEpisodes.all(eventId, userId, max))
        .map(episodeFrom)
        .reverse()
    },
  }
}
