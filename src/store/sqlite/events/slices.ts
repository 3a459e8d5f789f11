// Long searches through a user's events, a slice at a time: other work of the thread runs between two of them. The first is small, since most searches
// find enough in it.
import { setImmediate } from 'node:timers/promises'
import type { EventKey } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, text } from '../rows.ts'

const firstEvents = 500
/** How many events are looked through in some ten milliseconds. */
const mostEvents = 4_000

/** Events after `after`, up to and with `through`; where the order is descending, those before. */
export interface EventRange {
  after: EventKey
  through: EventKey
}

/** The bounds of a range as the values of a statement. */
export function boundsOf({ after, through }: EventRange): [number, string, number, string] {
  return [after.createdMs, after.id, through.createdMs, through.id]
}

interface SliceOptions {
  userId: string
  /** Undefined: of all sites. */
  site: string | undefined
  isDescending: boolean
}

export class Slices {
  readonly #database: Database
  readonly #ends: { ofAll: Ends; ofSite: Ends }
  readonly #selectSequence

  constructor(database: Database) {
    this.#database = database
    this.#ends = {
      ofAll: endsOf(database, 'events WHERE user_id = :user', 'created_ms', 'id'),
      ofSite: endsOf(
        database,
        'event_sites INDEXED BY event_sites_by_host WHERE event_user = :user AND host = :site',
        'event_created_ms',
        'event_id',
      ),
    }
    this.#selectSequence = database.prepare(`
      SELECT sequence FROM events INDEXED BY events_by_sequence WHERE user_id = ? AND sequence > ?
      ORDER BY sequence LIMIT 1 OFFSET ?`)
  }

  /** The range in parts, in order; the last is what is left of it. */
  async *of(range: EventRange, { userId, site, isDescending }: SliceOptions): AsyncGenerator<EventRange> {
    const ends = site === undefined ? this.#ends.ofAll : this.#ends.ofSite
    const select = isDescending ? ends.descending : ends.ascending
    const given = { user: userId, ...(site === undefined ? {} : { site }) }
    let { after } = range
    for (const events of sizes()) {
      const [afterMs, afterId, throughMs, throughId] = boundsOf({ after, through: range.through })
      const at = { afterMs, afterId, throughMs, throughId, skip: events - 1 }
      const row = this.#database.read(() => select.get({ ...given, ...at }))
      if (row === undefined) break
      const through = { createdMs: number(row, 'created_ms'), id: text(row, 'id') }
      yield { after, through }
      after = through
      await setImmediate()
    }
    yield { after, through: range.through }
  }

  /** The same in the order of the latest change: places after `after`, up to and with `through`. */
  async *ofChanges(userId: string, since: number): AsyncGenerator<{ after: number; through: number }> {
    let after = since
    for (const events of sizes()) {
      const row = this.#database.read(() => this.#selectSequence.get(userId, after, events - 1))
      if (row === undefined) break
      const through = number(row, 'sequence')
      yield { after, through }
      after = through
      await setImmediate()
    }
    yield { after, through: Number.MAX_SAFE_INTEGER }
  }
}

function* sizes(): Generator<number> {
  for (let events = firstEvents; ; events = Math.min(2 * events, mostEvents)) yield events
}

type Ends = ReturnType<typeof endsOf>

/** The last event of a slice, by its key. */
function endsOf(database: Database, from: string, created: string, id: string) {
  const end = (before: string, within: string, order: string) =>
    database.prepare(`
      SELECT ${created} AS created_ms, ${id} AS id FROM ${from}
        AND (${created}, ${id}) ${before} (:afterMs, :afterId) AND (${created}, ${id}) ${within} (:throughMs, :throughId)
      ORDER BY ${created} ${order}, ${id} ${order} LIMIT 1 OFFSET :skip`)
  return { ascending: end('>', '<=', 'ASC'), descending: end('<', '>=', 'DESC') }
}
