// The attacks of a stretch of time, however many: the latest by themselves, all of them by how many went on in each step. They are found in three
// places, so that old events are not read: those that go on, those that are long, and the others, which were listed about that time.
import { setImmediate } from 'node:timers/promises'
import type { AttacksWithin, AttackWindow, EventKey, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text } from '../rows.ts'
import { summaryColumns, summaryFrom } from './rows.ts'
import { eventsOfSite } from './sites.ts'

const dayMs = 86_400_000
/** How many events are looked through in some ten milliseconds. */
const eventsAtOnce = 20_000

export function createAttacks(database: Database): Pick<Store, 'attacksWithin'> {
  const [ofAll, ofSite] = [createSearch(database, false), createSearch(database, true)]
  return {
    attacksWithin: (userId, window) => (window.site === null ? ofAll : ofSite)(userId, window),
  }
}

type Search = (userId: string, window: AttackWindow) => Promise<AttacksWithin>

function createSearch(database: Database, isOfSite: boolean): Search {
  const ofSite = `CROSS JOIN event_sites
    ON event_user = user_id AND event_created_ms = created_ms AND event_id = id AND host = :site`
  const through = (index: string) => `events INDEXED BY ${index} ${isOfSite ? ofSite : ''}`
  const isWithin = 'is_test = 0 AND start_ms < :to AND (end_ms IS NULL OR end_ms > :from)'
  const going = `FROM ${through('events_open_by_site')} WHERE user_id = :user AND end_ms IS NULL AND ${isWithin}`
  const long = `FROM ${through('events_long')}
    WHERE user_id = :user AND end_ms - start_ms > ${dayMs} AND end_ms > :from AND ${isWithin}`
  const [listed, key] = isOfSite
    ? [`FROM ${eventsOfSite} WHERE event_user = :user AND host = :site`, 'event_created_ms, event_id']
    : ['FROM events WHERE user_id = :user', 'created_ms, id']
  const isShort = `end_ms IS NOT NULL AND end_ms - start_ms <= ${dayMs} AND ${isWithin}`
  const within = `${listed} AND (${key}) > (:afterMs, :afterId) AND (${key}) <= (:throughMs, :throughId)`
  const spans = (from: string) =>
    database.prepare(`
      SELECT CAST(max(start_ms - :from, 0) / :step AS INTEGER) AS first,
        CAST((min(max(coalesce(end_ms, :to) - 1, start_ms), :to - 1) - :from) / :step AS INTEGER) AS last,
        count(*) AS attacks
      ${from} GROUP BY 1, 2`)
  const latest = (from: string, order: string) =>
    database.prepare(`SELECT ${summaryColumns.list} ${from} ORDER BY ${order} LIMIT :latest`)
  const [selectGoing, selectLong, selectShort] = [spans(going), spans(long), spans(`${within} AND ${isShort}`)]
  const newest = [
    latest(going, 'start_ms DESC'),
    latest(long, 'start_ms DESC'),
    latest(`${within} AND ${isShort}`, key.replaceAll(/\w+/g, '$& DESC')),
  ]
  const selectEnd = database.prepare(`
    SELECT created_ms, id ${within} ORDER BY ${key} LIMIT 1 OFFSET ${eventsAtOnce}`)

  return async (userId, { site, fromMs, toMs, stepMs, latest: count }) => {
    const asked = { user: userId, ...(isOfSite ? { site } : {}) }
    const given = { ...asked, from: fromMs, to: toMs }
    // An event is listed after its attack began, and at most a while after it was over.
    const first: EventKey = { createdMs: fromMs - dayMs, id: '' }
    const end: EventKey = { createdMs: toMs + 2 * dayMs, id: '' }
    const between = (after: EventKey, through: EventKey) => ({
      afterMs: after.createdMs,
      afterId: after.id,
      throughMs: through.createdMs,
      throughId: through.id,
    })
    const step = { step: stepMs }
    const found = database.read(() =>
      [selectGoing, selectLong].flatMap((select) => select.all({ ...given, ...step }).map(spanFrom)),
    )
    for (let after = first; ; ) {
      const row = database.read(() => selectEnd.get({ ...asked, ...between(after, end) }))
      const through = row === undefined ? end : { createdMs: number(row, 'created_ms'), id: text(row, 'id') }
      const rows = database.read(() => selectShort.all({ ...given, ...step, ...between(after, through) }))
      found.push(...rows.map(spanFrom))
      if (row === undefined) break
      after = through
      await setImmediate()
    }
    const events = database.read(() =>
      newest.flatMap((select, i) =>
        select.all({ ...given, latest: count, ...(i === 2 ? between(first, end) : {}) }).map(summaryFrom),
      ),
    )
    return { latest: events.toSorted((a, b) => b.startMs - a.startMs).slice(0, count), spans: found }
  }
}

function spanFrom(row: Row): AttacksWithin['spans'][number] {
  return { first: number(row, 'first'), last: number(row, 'last'), attacks: number(row, 'attacks') }
}
