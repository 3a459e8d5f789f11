// How many events a user has: real ones by counts that are kept by the hour, with what is beyond whole hours counted, those that go on by their index,
// any other by looking through them.
import type { EventFilter, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number } from '../rows.ts'
import { FilteredStatements } from './filters.ts'
import { boundsOf, type EventRange, type Slices } from './slices.ts'

const hourMs = 3_600_000

export function createEventCounts(database: Database, slices: Slices): Pick<Store, 'countEvents'> {
  const countReal = createRealCounts(database)
  const count = new FilteredStatements(
    database,
    ({ from, user, created, id }, conditions) => `
      SELECT count(*) AS events FROM ${from}
      WHERE ${user} = ? AND (${created}, ${id}) > (?, ?) AND (${created}, ${id}) <= (?, ?)${conditions}`,
  )
  return {
    async countEvents(userId, { fromMs, toMs, filter = {} }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      if (isKept(filter)) return countReal(userId, { from, to, isUnacknowledged: filter.isAcknowledged === false })
      const { statement, values, isScan } = count.of(filter)
      // No id is empty, so that (from, '') comes before every event of that moment, and (to, '') as well.
      const range: EventRange = { after: { createdMs: from, id: '' }, through: { createdMs: to, id: '' } }
      const countIn = (part: EventRange) =>
        number(database.read(() => statement.get(userId, ...boundsOf(part), ...values)) ?? {}, 'events')
      if (!isScan) return countIn(range)
      let events = 0
      for await (const slice of slices.of(range, { userId, site: filter.site, isDescending: false }))
        events += countIn(slice)
      return events
    },
  }
}

/** Whether the counts of hours tell it: of real events, all or those that nobody has acknowledged. */
function isKept(filter: EventFilter): boolean {
  const { isTest, isAcknowledged, ...others } = filter
  return isTest === false && isAcknowledged !== true && Object.values(others).every((value) => value === undefined)
}

function createRealCounts(database: Database) {
  const within = (from: string, to: string) => `(
    SELECT count(*) FROM events WHERE user_id = :user AND created_ms >= ${from} AND created_ms < ${to} AND is_test = 0
      AND (:unacknowledged = 0 OR (SELECT acknowledged_ms FROM event_notes WHERE event_id = id) IS NULL))`
  const ofHours = `(
    SELECT coalesce(sum(events - :unacknowledged * acknowledged), 0) FROM event_counts
    WHERE user_id = :user AND hour >= :firstHour AND hour < :endHour)`
  // One statement has one view of the store.
  const selectAll = database.prepare(`
    SELECT ${within(':from', ':firstMs')} + ${ofHours} + ${within(':endMs', ':to')} AS events`)
  const selectPlain = database.prepare(`SELECT ${within(':from', ':to')} AS events`)

  return (userId: string, { from, to, isUnacknowledged }: { from: number; to: number; isUnacknowledged: boolean }) => {
    const given = { user: userId, unacknowledged: Number(isUnacknowledged), from, to }
    const [firstHour, endHour] = [Math.ceil(from / hourMs), Math.floor(to / hourMs)]
    const row = database.read(() =>
      firstHour >= endHour
        ? selectPlain.get(given)
        : selectAll.get({ ...given, firstHour, endHour, firstMs: firstHour * hourMs, endMs: endHour * hourMs }),
    )
    return number(row ?? {}, 'events')
  }
}
