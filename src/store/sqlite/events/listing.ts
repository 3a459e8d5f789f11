// Lists of events, and counts of them: summaries, in the order of the list or of the latest change.
import type { Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, text, textOrNull } from '../rows.ts'
import { FilteredStatements } from './filters.ts'
import { summaryColumns, summaryFrom } from './rows.ts'
import { EventSites, eventsOfSite } from './sites.ts'

type Listing = Pick<Store, 'eventsBetween' | 'eventsChangedSince' | 'countEvents' | 'mostAttacked' | 'eventsOfSites'>

const mostMax = 10

function statementsOf(database: Database) {
  const select = `SELECT ${summaryColumns.list} FROM`
  return {
    ascending: new FilteredStatements(
      database,
      ({ from, user, created, id }, conditions) => `
        ${select} ${from} WHERE ${user} = ? AND (${created}, ${id}) > (?, ?) AND ${created} < ?${conditions}
        ORDER BY ${created}, ${id} LIMIT ?`,
    ),
    descending: new FilteredStatements(
      database,
      ({ from, user, created, id }, conditions) => `
        ${select} ${from} WHERE ${user} = ? AND (${created}, ${id}) < (?, ?) AND ${created} >= ?${conditions}
        ORDER BY ${created} DESC, ${id} DESC LIMIT ?`,
    ),
    changed: new FilteredStatements(
      database,
      ({ bySequence, user }, conditions) => `
        ${select} ${bySequence} WHERE ${user} = ? AND sequence > ?${conditions} ORDER BY sequence LIMIT ?`,
    ),
    count: new FilteredStatements(
      database,
      ({ from, user, created }, conditions) => `
        SELECT count(*) AS events FROM ${from} WHERE ${user} = ? AND ${created} >= ? AND ${created} < ?${conditions}`,
    ),
    lastOfSite: database.prepare(`
      ${select} ${eventsOfSite} WHERE event_user = ? AND host = ? AND is_test = 0
      ORDER BY event_created_ms DESC, event_id DESC LIMIT 1`),
    countBySite: database.prepare(`
      SELECT host AS site, count(*) AS events
      FROM events CROSS JOIN event_sites ON event_user = user_id AND event_created_ms = created_ms AND event_id = id
      WHERE user_id = ? AND created_ms >= ? AND is_test = 0
      GROUP BY host ORDER BY events DESC, host LIMIT ${mostMax}`),
    countByLabel: database.prepare(`
      SELECT label, count(*) AS events FROM events WHERE user_id = ? AND created_ms >= ? AND is_test = 0
      GROUP BY label ORDER BY events DESC, label LIMIT ${mostMax}`),
  }
}

export function createEventListing(database: Database): Listing {
  const statements = statementsOf(database)
  const sitesOf = new EventSites(database)

  return {
    async eventsBetween(userId, { fromMs, toMs, filter = {}, isDescending = false, after, limit }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      // No id is empty, so that (from, '') comes before every event of that moment, and (to, '') as well.
      const start = { createdMs: isDescending ? to : from, id: '' }
      const isWithin = after !== null && (isDescending ? after.createdMs < to : after.createdMs >= from)
      const key = isWithin ? after : start
      const { statement, values } = (isDescending ? statements.descending : statements.ascending).of(filter)
      const last = isDescending ? from : to
      database.awaitWriter()
      return database.read(() => statement.all(userId, key.createdMs, key.id, last, ...values, limit)).map(summaryFrom)
    },

    async eventsChangedSince(userId, { sequence, filter, limit }) {
      const { statement, values } = statements.changed.of(filter)
      return database.read(() => statement.all(userId, sequence, ...values, limit)).map(summaryFrom)
    },

    async countEvents(userId, { fromMs, toMs, filter = {} }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      const { statement, values } = statements.count.of(filter)
      const row = database.read(() => statement.get(userId, from, to, ...values))
      return row === undefined ? 0 : number(row, 'events')
    },

    async mostAttacked(userId, fromMs) {
      return database.read(() => ({
        sites: statements.countBySite
          .all(userId, fromMs)
          .map((row) => ({ site: text(row, 'site'), events: number(row, 'events') })),
        labels: statements.countByLabel
          .all(userId, fromMs)
          .map((row) => ({ label: textOrNull(row, 'label'), events: number(row, 'events') })),
      }))
    },

    async eventsOfSites(userId, sites) {
      const open = sitesOf.openBySite(userId, sites)
      return database.read(() =>
        sites.map((site) => {
          const last = statements.lastOfSite.get(userId, site)
          return { open: open.get(site) ?? 0, last: last === undefined ? null : summaryFrom(last) }
        }),
      )
    },
  }
}
