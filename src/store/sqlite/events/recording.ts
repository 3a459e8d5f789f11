// Writes events: what is new or has changed, and the log of these changes, in one transaction. An event is a summary, in the order of the list, and apart
// from it what only its detail shows; what is large lies apart again, as it seldom changes.
import type { Clock } from '../../../clock.ts'
import { noStatistics } from '../../../detect/incidents/incident-report.ts'
import { changesBetween, type EventChange, type EventState, stateOf } from '../../../events/changes.ts'
import { listableAt } from '../../../events/event.ts'
import type { Recorded, Recording } from '../../../events/event-store.ts'
import { hitNetwork } from '../../../events/hit-network.ts'
import type { EventDetail, EventUpdate, NewEvent, OwnerUpdate, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text } from '../rows.ts'
import type { ChangeLog } from './changes.ts'
import type { EventEpisodes } from './episodes.ts'
import {
  cellsOf,
  changingColumns,
  changingDetailColumns,
  detailColumns,
  evidenceColumns,
  givenColumns,
  summaryColumns,
  summaryFrom,
} from './rows.ts'
import { nextPlace, nextPlaceOf } from './sequence.ts'
import { EventSites } from './sites.ts'

interface RecordingParts {
  database: Database
  clock: Clock
  log: ChangeLog
  episodes: EventEpisodes
}

/** What tells whose event it is and what happens to it. */
const stateColumns = `id, user_id, end_ms IS NOT NULL AS is_over, phase = 'closed' AS is_closed, episode`
const ofIncident = 'SELECT id FROM events WHERE incident = ?'

function insertsOf(database: Database) {
  return {
    user: database.prepare('SELECT 1 FROM users WHERE id = ?'),
    summary: database.prepare(`
      INSERT INTO events (${givenColumns.list}, episode, updated_ms, sequence)
      VALUES (${givenColumns.placeholders}, ?, ?, ${nextPlaceOf('?')}) ON CONFLICT (id) DO NOTHING
      RETURNING updated_ms, sequence`),
    detail: database.prepare(
      `INSERT INTO event_details (event_id, ${detailColumns.list}) VALUES (?, ${detailColumns.placeholders})`,
    ),
    evidence: database.prepare(
      `INSERT INTO event_evidence (event_id, ${evidenceColumns.list}) VALUES (?, ${evidenceColumns.placeholders})`,
    ),
    testNote: database.prepare("INSERT INTO event_notes (event_id, classification, note) VALUES (?, 'test', '')"),
  }
}

/** The events of an incident, whoever's they are. */
function updatesOf(database: Database) {
  return {
    states: database.prepare(`SELECT ${stateColumns} FROM events WHERE incident = ? ORDER BY id`),
    summaries: database.prepare(`
      UPDATE events SET ${changingColumns.assignments}, episode = ?, updated_ms = ?, sequence = ${nextPlace}
      WHERE incident = ?`),
    victims: database.prepare(`SELECT ${summaryColumns.list} FROM events WHERE incident = ?`),
    network: database.prepare('UPDATE events SET network = ? WHERE id = ?'),
    details: database.prepare(
      `UPDATE event_details SET ${changingDetailColumns.assignments} WHERE event_id IN (${ofIncident})`,
    ),
    evidence: database.prepare(
      `UPDATE event_evidence SET ${evidenceColumns.assignments} WHERE event_id IN (${ofIncident} AND view = 'all')`,
    ),
    totals: database.prepare(
      `UPDATE event_evidence SET course = ? WHERE event_id IN (${ofIncident} AND view = 'totals')`,
    ),
    unclosed: database.prepare(`SELECT ${stateColumns} FROM events WHERE phase <> 'closed' AND last_ms < ?`),
    close: database.prepare(`
      UPDATE events
      SET end_ms = coalesce(end_ms, max(start_ms, last_ms)), phase = 'closed', updated_ms = ?, sequence = ${nextPlace}
      WHERE id = ?`),
  }
}

/** The event that a user has of an incident. */
function ownerUpdatesOf(database: Database) {
  return {
    restrict: database.prepare(`UPDATE events SET view = 'totals' WHERE incident = ? AND user_id = ?`),
    statistics: database.prepare(
      `UPDATE event_evidence SET statistics = ? WHERE event_id IN (${ofIncident} AND user_id = ?)`,
    ),
    dns: database.prepare(`UPDATE event_details SET dns = ? WHERE event_id IN (${ofIncident} AND user_id = ?)`),
  }
}

export function createRecording(parts: RecordingParts): Pick<Store, 'record'> {
  const writer = new EventWriter(parts)
  return {
    async record(recording) {
      return isNothing(recording)
        ? { made: [], changes: [] }
        : parts.database.write(() => writer.write(recording), { durable: isLasting(recording) })
    },
  }
}

/** Its calls run within a transaction. */
class EventWriter {
  readonly #clock: Clock
  readonly #log: ChangeLog
  readonly #episodes: EventEpisodes
  readonly #sites: EventSites
  readonly #insert: ReturnType<typeof insertsOf>
  readonly #update: ReturnType<typeof updatesOf>
  readonly #ofOwner: ReturnType<typeof ownerUpdatesOf>

  constructor({ database, clock, log, episodes }: RecordingParts) {
    this.#clock = clock
    this.#log = log
    this.#episodes = episodes
    this.#sites = new EventSites(database)
    this.#insert = insertsOf(database)
    this.#update = updatesOf(database)
    this.#ofOwner = ownerUpdatesOf(database)
  }

  write({ returns = [], ofOwners = [], updates = [], made = [], closeSeenBeforeMs }: Recording): Recorded {
    const earliestMs = listableAt(this.#clock.now())
    const dated = <Event extends { createdMs: number }>(event: Event) => {
      return { ...event, createdMs: Math.max(event.createdMs, earliestMs) }
    }
    const byIncident = new Map(updates.map((each) => [each.incident, each]))
    for (const each of returns) {
      const change = byIncident.get(each.incident)
      if (change !== undefined) this.#episodes.add(dated(each), change)
    }
    // What an event says of its network depends on its sites.
    for (const each of ofOwners) this.#updateOfOwner(each)
    const changes = updates.flatMap((each) => this.#updateIncident(each))
    const stored = made.flatMap((event) => this.#insertEvent(dated(event)) ?? [])
    for (const event of stored)
      changes.push(
        ...changesBetween(null, stateOf(event)).map((change) => ({ userId: event.userId, id: event.id, change })),
      )
    if (closeSeenBeforeMs !== undefined) changes.push(...this.#closeSeenBefore(closeSeenBeforeMs))
    this.#log.add(changes)
    return { made: stored, changes }
  }

  /** Null: it is there already, or its user is not. */
  #insertEvent(event: NewEvent): EventDetail | null {
    const { user, summary, detail, evidence, testNote } = this.#insert
    if (user.get(event.userId) === undefined) return null
    const nowMs = this.#clock.now()
    const row = summary.get(...givenColumns.cells(event), event.episode.number, nowMs, nowMs, event.userId)
    if (row === undefined) return null
    this.#sites.add(event)
    if (event.isTest) testNote.run(event.id)
    detail.run(event.id, ...detailColumns.cells(event))
    const statistics = event.view === 'all' ? event.statistics : noStatistics
    evidence.run(event.id, ...evidenceColumns.cells({ statistics, course: event.course }))
    return { ...event, returns: 0, updatedMs: number(row, 'updated_ms'), sequence: number(row, 'sequence') }
  }

  #updateIncident(change: EventUpdate): EventChange[] {
    const { incident, details, victims } = change
    const statements = this.#update
    const after = stateOf(change)
    const changes = statements.states.all(incident).flatMap((row) => changesOf(row, after))
    const nowMs = this.#clock.now()
    statements.summaries.run(...changingColumns.cells(change), change.episode.number, nowMs, nowMs, incident)
    statements.details.run(...changingDetailColumns.cells(change), incident)
    this.#episodes.update(change)
    for (const event of victims.length < 2 ? [] : statements.victims.all(incident).map(summaryFrom)) {
      const network = hitNetwork({ sites: this.#sites.of(event), address: event.address }, change)
      statements.network.run(cellsOf.network.toCell(network), event.id)
    }
    if (details === null) return changes
    statements.evidence.run(...evidenceColumns.cells(details), incident)
    statements.totals.run(cellsOf.course.toCell(details.course), incident)
    return changes
  }

  #updateOfOwner({ incident, userId, dns, sites = [], view }: OwnerUpdate): void {
    const statements = this.#ofOwner
    this.#sites.addToIncident({ incident, userId }, sites)
    if (dns !== undefined) statements.dns.run(cellsOf.dns.toCell(dns), incident, userId)
    if (view === undefined) return
    statements.restrict.run(incident, userId)
    statements.statistics.run(cellsOf.statistics.toCell(noStatistics), incident, userId)
    this.#episodes.clear(incident, userId)
  }

  #closeSeenBefore(ms: number): EventChange[] {
    const { unclosed, close } = this.#update
    const rows = unclosed.all(ms)
    this.#episodes.endOpen(ms)
    for (const row of rows) close.run(this.#clock.now(), this.#clock.now(), text(row, 'id'))
    return rows.flatMap((row) => changesOf(row, { isOver: true, isClosed: true, episode: number(row, 'episode') }))
  }
}

function isNothing({ made = [], updates = [], ofOwners = [], closeSeenBeforeMs }: Recording): boolean {
  return made.length + updates.length + ofOwners.length === 0 && closeSeenBeforeMs === undefined
}

/** Whether there is more to it than what the next report brings again. */
function isLasting({ made = [], updates = [], returns = [], closeSeenBeforeMs }: Recording): boolean {
  const isOver = updates.some(({ endMs }) => endMs !== null)
  return made.length + returns.length > 0 || isOver || closeSeenBeforeMs !== undefined
}

function changesOf(row: Row, after: EventState): EventChange[] {
  const [userId, id] = [text(row, 'user_id'), text(row, 'id')]
  const before = {
    isOver: number(row, 'is_over') === 1,
    isClosed: number(row, 'is_closed') === 1,
    episode: number(row, 'episode'),
  }
  return changesBetween(before, after).map((change) => ({ userId, id, change }))
}
