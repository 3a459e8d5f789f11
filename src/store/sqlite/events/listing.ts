// Lists of events, and counts of them: summaries, in the order of the list or of the latest change.
import type { EventKey, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text, textOrNull } from '../rows.ts'
import { createEventCounts } from './counts.ts'
import { FilteredStatements } from './filters.ts'
import { summaryColumns, summaryFrom } from './rows.ts'
import { EventSites, eventsOfSite } from './sites.ts'
import { boundsOf, type EventRange, Slices } from './slices.ts'

type Listing = Pick<Store, 'eventsBetween' | 'eventsChangedSince' | 'countEvents' | 'mostAttacked' | 'eventsOfSites'>

const mostMax = 10

function statementsOf(database: Database) {
  const select = `SELECT ${summaryColumns.list} FROM`
  const within = '(created_ms, id) > (?, ?) AND (created_ms, id) <= (?, ?)'
  return {
    ascending: new FilteredStatements(
      database,
      ({ from, user, created, id }, conditions) => `
        ${select} ${from} WHERE ${user} = ? AND (${created}, ${id}) > (?, ?) AND (${created}, ${id}) <= (?, ?)${conditions}
        ORDER BY ${created}, ${id} LIMIT ?`,
    ),
    descending: new FilteredStatements(
      database,
      ({ from, user, created, id }, conditions) => `
        ${select} ${from} WHERE ${user} = ? AND (${created}, ${id}) < (?, ?) AND (${created}, ${id}) >= (?, ?)${conditions}
        ORDER BY ${created} DESC, ${id} DESC LIMIT ?`,
    ),
    changed: new FilteredStatements(
      database,
      ({ bySequence, user }, conditions) => `
        ${select} ${bySequence} WHERE ${user} = ? AND sequence > ? AND sequence <= ?${conditions} ORDER BY sequence LIMIT ?`,
    ),
    lastOfSite: database.prepare(`
      ${select} ${eventsOfSite} WHERE event_user = ? AND host = ? AND is_test = 0
      ORDER BY event_created_ms DESC, event_id DESC LIMIT 1`),
    countBySite: database.prepare(`
      SELECT host AS name, count(*) AS events
      FROM events CROSS JOIN event_sites ON event_user = user_id AND event_created_ms = created_ms AND event_id = id
      WHERE user_id = ? AND ${within} AND is_test = 0 GROUP BY host`),
    countByLabel: database.prepare(`
      SELECT label AS name, count(*) AS events FROM events WHERE user_id = ? AND ${within} AND is_test = 0 GROUP BY label`),
  }
}

export function createEventListing(database: Database): Listing {
  const statements = statementsOf(database)
  const sitesOf = new EventSites(database)
  const slices = new Slices(database)

  return {
    ...createEventCounts(database, slices),

    async eventsBetween(userId, { fromMs, toMs, filter = {}, isDescending = false, after, limit }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      const range = rangeOf({ from, to, after, isDescending })
      const { statement, values, isScan } = (isDescending ? statements.descending : statements.ascending).of(filter)
      const read = (part: EventRange, most: number) =>
        database.read(() => statement.all(userId, ...boundsOf(part), ...values, most))
      database.awaitWriter()
      if (!isScan) return read(range, limit).map(summaryFrom)
      const rows: Row[] = []
      for await (const slice of slices.of(range, { userId, site: filter.site, isDescending })) {
        rows.push(...read(slice, limit - rows.length))
        if (rows.length >= limit) break
      }
      return rows.map(summaryFrom)
    },

    async eventsChangedSince(userId, { sequence, filter, limit }) {
      const { statement, values, isScan } = statements.changed.of(filter)
      const read = (after: number, through: number, most: number) =>
        database.read(() => statement.all(userId, after, through, ...values, most))
      // The events of a site are not in this order.
      if (!isScan || filter.site !== undefined) return read(sequence, Number.MAX_SAFE_INTEGER, limit).map(summaryFrom)
      const rows: Row[] = []
      for await (const { after, through } of slices.ofChanges(userId, sequence)) {
        rows.push(...read(after, through, limit - rows.length))
        if (rows.length >= limit) break
      }
      return rows.map(summaryFrom)
    },

    async mostAttacked(userId, fromMs) {
      const sites = new Map<string, number>()
      const labels = new Map<string | null, number>()
      const range = {
        after: { createdMs: fromMs, id: '' },
        through: { createdMs: Number.MAX_SAFE_INTEGER, id: '' },
      }
      for await (const slice of slices.of(range, { userId, site: undefined, isDescending: false })) {
        const bounds = boundsOf(slice)
        database.read(() => {
          for (const row of statements.countBySite.all(userId, ...bounds)) addTo(sites, text(row, 'name'), row)
          for (const row of statements.countByLabel.all(userId, ...bounds)) addTo(labels, textOrNull(row, 'name'), row)
        })
      }
      return {
        sites: mostOf(sites).map(([site, events]) => ({ site, events })),
        labels: mostOf(labels).map(([label, events]) => ({ label, events })),
      }
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

/** No id is empty, so that (from, '') comes before every event of that moment, and (to, '') as well. */
function rangeOf(window: { from: number; to: number; after: EventKey | null; isDescending: boolean }): EventRange {
  const { from, to, after, isDescending } = window
  const [first, last] = isDescending ? [to, from] : [from, to]
  const isWithin = after !== null && (isDescending ? after.createdMs < to : after.createdMs >= from)
  return { after: isWithin ? after : { createdMs: first, id: '' }, through: { createdMs: last, id: '' } }
}

function addTo<Name>(counts: Map<Name, number>, name: Name, row: Row): void {
  counts.set(name, (counts.get(name) ?? 0) + number(row, 'events'))
}

/** Those with most events first, then by name; no name comes first. */
function mostOf<Name extends string | null>(counts: Map<Name, number>): [Name, number][] {
  const byName = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || byName(a, b)).slice(0, mostMax)
}
