// The sites that events touch: written with the event, only ever added to, and read by event and by site.
import type { EventDetail, NewEvent } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, text } from '../rows.ts'

type EventRow = Pick<EventDetail, 'userId' | 'createdMs' | 'id'>

/** A join that finds the events of one site by its own index: SQLite would rather read all events of the user. */
export const eventsOfSite = `event_sites INDEXED BY event_sites_by_host CROSS JOIN events
    ON user_id = event_user AND created_ms = event_created_ms AND id = event_id`

export class EventSites {
  readonly #database: Database
  readonly #insert
  readonly #insertByIncident
  readonly #select
  readonly #countOpen

  constructor(database: Database) {
    this.#database = database
    this.#insert = database.prepare('INSERT OR IGNORE INTO event_sites VALUES (?, ?, ?, ?)')
    this.#insertByIncident = database.prepare(`
      INSERT OR IGNORE INTO event_sites
      SELECT user_id, created_ms, id, ? FROM events WHERE incident = ? AND user_id = ?`)
    this.#select = database.prepare(`
      SELECT host FROM event_sites WHERE event_user = ? AND event_created_ms = ? AND event_id = ? ORDER BY host`)
    // Events that go on are few: their sites are looked at once, however many sites are asked about.
    this.#countOpen = database.prepare(`
      SELECT host, count(*) AS events
      FROM events INDEXED BY events_open_by_site CROSS JOIN event_sites
        ON event_user = user_id AND event_created_ms = created_ms AND event_id = id
      WHERE end_ms IS NULL AND user_id = ? AND is_test = 0 AND host IN (SELECT value FROM json_each(?)) GROUP BY host`)
  }

  /** Within the transaction that writes the event. */
  add({ userId, createdMs, id, site, sites }: NewEvent): void {
    for (const host of new Set([site, ...sites])) this.#insert.run(userId, createdMs, id, host)
  }

  /** Within a transaction: to the event that the user has of the incident. */
  addToIncident({ incident, userId }: Pick<EventDetail, 'incident' | 'userId'>, sites: readonly string[]): void {
    for (const host of sites) this.#insertByIncident.run(host, incident, userId)
  }

  /** The site that the event is named after first, the others by name. */
  of({ userId, createdMs, id, site }: EventRow & Pick<EventDetail, 'site'>): string[] {
    const hosts = this.#select.all(userId, createdMs, id).map((row) => text(row, 'host'))
    return [site, ...hosts.filter((host) => host !== site)]
  }

  /** How many attacks on each of the sites go on; a site without any is left out. */
  openBySite(userId: string, sites: readonly string[]): Map<string, number> {
    const rows = this.#database.read(() => this.#countOpen.all(userId, JSON.stringify(sites)))
    return new Map(rows.map((row) => [text(row, 'host'), number(row, 'events')]))
  }
}
