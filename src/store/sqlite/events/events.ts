// Events: a summary, in the order of the list, and apart from it what only the detail shows; of this apart what is large, as it seldom changes.
import type { StatementSync } from 'node:sqlite'
import type { Clock } from '../../../clock.ts'
import { noStatistics } from '../../../detect/incidents/incident-report.ts'
import { changesBetween, type EventChange, type EventState, stateOf } from '../../../events/changes.ts'
import { listableAt } from '../../../events/event.ts'
import type { Recorded, Recording } from '../../../events/event-store.ts'
import { hitNetwork } from '../../../events/hit-network.ts'
import type { EventDetail, EventUpdate, NewEvent, OwnerUpdate, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text, textOrNull } from '../rows.ts'
import type { ChangeLog } from './changes.ts'
import { createEpisodes } from './episodes.ts'
import { type FilterName, filterConditions, filterNames, filterValue } from './filters.ts'
import {
  cellsOf,
  changingColumns,
  changingDetailColumns,
  describedFrom,
  detailColumns,
  type Evidence,
  evidenceColumns,
  givenColumns,
  onlyEpisode,
  summaryColumns,
  summaryFrom,
} from './rows.ts'
import { nextPlace, nextPlaceOf } from './sequence.ts'
import { EventSites, eventsOfSite } from './sites.ts'

type Events = Pick<
  Store,
  | 'record'
  | 'eventsChangedSince'
  | 'entriesBetween'
  | 'entryById'
  | 'episodesOf'
  | 'eventsSeenAfter'
  | 'eventsBetween'
  | 'eventById'
  | 'eventsOfSites'
  | 'countEvents'
  | 'mostAttacked'
>

const mostMax = 10
/** What tells whose event it is and what happens to it. */
const stateColumns = `id, user_id, end_ms IS NOT NULL AS is_over, phase = 'closed' AS is_closed, episode`

export function createEvents(database: Database, { clock, log }: { clock: Clock; log: ChangeLog }): Events {
  const episodes = createEpisodes(database)
  const insertSummary = database.prepare(`
    INSERT INTO events (${givenColumns.list}, episode, updated_ms, sequence)
    VALUES (${givenColumns.placeholders}, ?, ?, ${nextPlaceOf('?')}) ON CONFLICT (id) DO NOTHING
    RETURNING updated_ms, sequence`)
  const selectUser = database.prepare('SELECT 1 FROM users WHERE id = ?')
  const insertDetail = database.prepare(
    `INSERT INTO event_details (event_id, ${detailColumns.list}) VALUES (?, ${detailColumns.placeholders})`,
  )
  const insertEvidence = database.prepare(
    `INSERT INTO event_evidence (event_id, ${evidenceColumns.list}) VALUES (?, ${evidenceColumns.placeholders})`,
  )
  const insertTestNote = database.prepare(
    "INSERT INTO event_notes (event_id, classification, note) VALUES (?, 'test', '')",
  )
  const updateSummaries = database.prepare(`
    UPDATE events SET ${changingColumns.assignments}, episode = ?, updated_ms = ?, sequence = ${nextPlace}
    WHERE incident = ?`)
  const selectStates = database.prepare(`SELECT ${stateColumns} FROM events WHERE incident = ? ORDER BY id`)
  const selectVictims = database.prepare(`SELECT ${summaryColumns.list} FROM events WHERE incident = ?`)
  const updateNetwork = database.prepare('UPDATE events SET network = ? WHERE id = ?')
  const updateDetails = database.prepare(`
    UPDATE event_details SET ${changingDetailColumns.assignments}
    WHERE event_id IN (SELECT id FROM events WHERE incident = ?)`)
  const updateEvidence = database.prepare(`
    UPDATE event_evidence SET ${evidenceColumns.assignments}
    WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND view = 'all')`)
  const updateTotals = database.prepare(`
    UPDATE event_evidence SET course = ?
    WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND view = 'totals')`)
  const restrict = database.prepare(`UPDATE events SET view = 'totals' WHERE incident = ? AND user_id = ?`)
  const clearStatistics = database.prepare(`
    UPDATE event_evidence SET statistics = ?
    WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND user_id = ?)`)
  const updateDns = database.prepare(`
    UPDATE event_details SET dns = ?
    WHERE event_id IN (SELECT id FROM events WHERE incident = ? AND user_id = ?)`)
  const selectUnclosed = database.prepare(`SELECT ${stateColumns} FROM events WHERE phase <> 'closed' AND last_ms < ?`)
  const close = database.prepare(`
    UPDATE events SET end_ms = coalesce(end_ms, max(start_ms, last_ms)), phase = 'closed', updated_ms = ?, sequence = ${nextPlace}
    WHERE id = ?`)
  const selectEvent = database.prepare(`
    SELECT ${summaryColumns.list}, episode, ${detailColumns.list}, ${evidenceColumns.list}
    FROM events JOIN event_details ON event_details.event_id = id JOIN event_evidence ON event_evidence.event_id = id
    WHERE id = ? AND user_id = ?`)
  const selectSeenAfter = database.prepare(`
    SELECT ${summaryColumns.list}, episode, ${detailColumns.list}
    FROM events JOIN event_details ON event_details.event_id = id
    WHERE last_ms >= ? ORDER BY created_ms, id`)
  const selectEvidence = database.prepare(`SELECT ${evidenceColumns.list} FROM event_evidence WHERE event_id = ?`)

  const selectLastOfSite = database.prepare(`
    SELECT ${summaryColumns.list} FROM ${eventsOfSite}
    WHERE event_user = ? AND host = ? AND is_test = 0 ORDER BY event_created_ms DESC, event_id DESC LIMIT 1`)
  const sitesOf = new EventSites(database)

  const countBySite = database.prepare(`
    SELECT host AS site, count(*) AS events
    FROM events CROSS JOIN event_sites ON event_user = user_id AND event_created_ms = created_ms AND event_id = id
    WHERE user_id = ? AND created_ms >= ? AND is_test = 0
    GROUP BY host ORDER BY events DESC, host LIMIT ${mostMax}`)
  const countByLabel = database.prepare(`
    SELECT label, count(*) AS events FROM events WHERE user_id = ? AND created_ms >= ? AND is_test = 0
    GROUP BY label ORDER BY events DESC, label LIMIT ${mostMax}`)

  const selects = new Map<string, StatementSync>()
  const counts = new Map<string, StatementSync>()
  const changed = new Map<string, StatementSync>()
  /** There are as many as ways to combine filters, made when they are first needed. */
  function selectBetween(given: FilterName[], isDescending: boolean): StatementSync {
    const conditions = given.map((name) => ` AND ${filterConditions[name]}`).join('')
    const key = `${isDescending}${conditions}`
    const found = selects.get(key)
    if (found !== undefined) return found
    const { from, user, created, id } = sourceOf(given)
    const [window, order] = isDescending
      ? [`(${created}, ${id}) < (?, ?) AND ${created} >= ?`, `${created} DESC, ${id} DESC`]
      : [`(${created}, ${id}) > (?, ?) AND ${created} < ?`, `${created}, ${id}`]
    const made = database.prepare(`
      SELECT ${summaryColumns.list} FROM ${from} WHERE ${user} = ? AND ${window}${conditions} ORDER BY ${order} LIMIT ?`)
    selects.set(key, made)
    return made
  }

  function selectChanged(given: FilterName[]): StatementSync {
    const conditions = given.map((name) => ` AND ${filterConditions[name]}`).join('')
    const found = changed.get(conditions)
    if (found !== undefined) return found
    const { from, user } = given.includes('site') ? sourceOf(given) : ofSequence
    const made = database.prepare(`
      SELECT ${summaryColumns.list} FROM ${from} WHERE ${user} = ? AND sequence > ?${conditions} ORDER BY sequence LIMIT ?`)
    changed.set(conditions, made)
    return made
  }

  function countBetween(given: FilterName[]): StatementSync {
    const conditions = given.map((name) => ` AND ${filterConditions[name]}`).join('')
    const found = counts.get(conditions)
    if (found !== undefined) return found
    const { from, user, created } = sourceOf(given)
    const made = database.prepare(`
      SELECT count(*) AS events FROM ${from} WHERE ${user} = ? AND ${created} >= ? AND ${created} < ?${conditions}`)
    counts.set(conditions, made)
    return made
  }

  /** Null: it is there already, or its user is not. */
  function insert(event: NewEvent): EventDetail | null {
    if (selectUser.get(event.userId) === undefined) return null
    const nowMs = clock.now()
    const row = insertSummary.get(...givenColumns.cells(event), event.episode.number, nowMs, nowMs, event.userId)
    if (row === undefined) return null
    sitesOf.add(event)
    if (event.isTest) insertTestNote.run(event.id)
    insertDetail.run(event.id, ...detailColumns.cells(event))
    const statistics = event.view === 'all' ? event.statistics : noStatistics
    insertEvidence.run(event.id, ...evidenceColumns.cells({ statistics, course: event.course }))
    return { ...event, returns: 0, updatedMs: number(row, 'updated_ms'), sequence: number(row, 'sequence') }
  }

  function update(change: EventUpdate): EventChange[] {
    const { incident, details, victims } = change
    const after = stateOf(change)
    const changes = selectStates.all(incident).flatMap((row) => changesOf(row, after))
    const nowMs = clock.now()
    updateSummaries.run(...changingColumns.cells(change), change.episode.number, nowMs, nowMs, incident)
    updateDetails.run(...changingDetailColumns.cells(change), incident)
    episodes.update(change)
    for (const event of victims.length < 2 ? [] : selectVictims.all(incident).map(summaryFrom)) {
      const network = hitNetwork({ sites: sitesOf.of(event), address: event.address }, change)
      updateNetwork.run(cellsOf.network.toCell(network), event.id)
    }
    if (details === null) return changes
    updateEvidence.run(...evidenceColumns.cells(details), incident)
    updateTotals.run(cellsOf.course.toCell(details.course), incident)
    return changes
  }

  function updateOfOwner({ incident, userId, dns, sites = [], view }: OwnerUpdate): void {
    sitesOf.addToIncident({ incident, userId }, sites)
    if (dns !== undefined) updateDns.run(cellsOf.dns.toCell(dns), incident, userId)
    if (view === undefined) return
    restrict.run(incident, userId)
    clearStatistics.run(cellsOf.statistics.toCell(noStatistics), incident, userId)
    episodes.clear(incident, userId)
  }

  function closeSeenBefore(ms: number): EventChange[] {
    const unclosed = selectUnclosed.all(ms)
    episodes.endOpen(ms)
    for (const row of unclosed) close.run(clock.now(), clock.now(), text(row, 'id'))
    return unclosed.flatMap((row) => changesOf(row, { isOver: true, isClosed: true, episode: number(row, 'episode') }))
  }

  function write({ returns = [], ofOwners = [], updates = [], made = [], closeSeenBeforeMs }: Recording): Recorded {
    const earliestMs = listableAt(clock.now())
    const dated = <Event extends { createdMs: number }>(event: Event) => {
      return { ...event, createdMs: Math.max(event.createdMs, earliestMs) }
    }
    const byIncident = new Map(updates.map((each) => [each.incident, each]))
    for (const each of returns) {
      const change = byIncident.get(each.incident)
      if (change !== undefined) episodes.add(dated(each), change)
    }
    // What an event says of its network depends on its sites.
    ofOwners.forEach(updateOfOwner)
    const changes = updates.flatMap(update)
    const stored = made.flatMap((event) => insert(dated(event)) ?? [])
    for (const event of stored)
      changes.push(
        ...changesBetween(null, stateOf(event)).map((change) => ({ userId: event.userId, id: event.id, change })),
      )
    if (closeSeenBeforeMs !== undefined) changes.push(...closeSeenBefore(closeSeenBeforeMs))
    log.add(changes)
    return { made: stored, changes }
  }

  /** What else there is of an event beside its summary. */
  function detailOf(row: Row): Omit<EventDetail, keyof Evidence> {
    const event = describedFrom(row)
    const described = { ...event, sites: sitesOf.of(event) }
    const detectorNumber = number(row, 'episode')
    const latest = episodes.latestOf(described, detectorNumber)
    return latest === null
      ? { ...described, episode: onlyEpisode(described, detectorNumber), ofEpisode: null }
      : { ...described, ...latest }
  }

  return {
    ...episodes.verbs,

    async record(recording) {
      return isNothing(recording)
        ? { made: [], changes: [] }
        : database.write(() => write(recording), { durable: isLasting(recording) })
    },

    async eventsChangedSince(userId, { sequence: place, filter, limit }) {
      const given = filterNames.filter((name) => filter[name] !== undefined)
      const values = given.map((name) => filterValue(filter[name]))
      return database.read(() => selectChanged(given).all(userId, place, ...values, limit)).map(summaryFrom)
    },

    async eventsSeenAfter(ms) {
      return database.read(() => {
        const events = selectSeenAfter.all(ms).map(detailOf)
        const { all = [], totals = [] } = Object.groupBy(events, ({ view }) => view)
        const evidence = new Map<string, Evidence>()
        for (const { incident, id } of [...all, ...totals])
          if (!evidence.has(incident)) evidence.set(incident, evidenceColumns.valuesFrom(selectEvidence.get(id) ?? {}))
        return events.flatMap((event) => {
          const ofIncident = evidence.get(event.incident)
          return ofIncident === undefined ? [] : [{ ...event, ...ofIncident }]
        })
      })
    },

    async eventsBetween(userId, { fromMs, toMs, filter = {}, isDescending = false, after, limit }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      // No id is empty, so that (from, '') comes before every event of that moment, and (to, '') as well.
      const start = { createdMs: isDescending ? to : from, id: '' }
      const isWithin = after !== null && (isDescending ? after.createdMs < to : after.createdMs >= from)
      const key = isWithin ? after : start
      const given = filterNames.filter((name) => filter[name] !== undefined)
      const values = given.map((name) => filterValue(filter[name]))
      const select = () =>
        selectBetween(given, isDescending).all(
          userId,
          key.createdMs,
          key.id,
          isDescending ? from : to,
          ...values,
          limit,
        )
      database.awaitWriter()
      return database.read(select).map(summaryFrom)
    },

    async countEvents(userId, { fromMs, toMs, filter = {} }) {
      const [from, to] = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER]
      const given = filterNames.filter((name) => filter[name] !== undefined)
      const values = given.map((name) => filterValue(filter[name]))
      const row = database.read(() => countBetween(given).get(userId, from, to, ...values))
      return row === undefined ? 0 : number(row, 'events')
    },

    async mostAttacked(userId, fromMs) {
      return database.read(() => ({
        sites: countBySite
          .all(userId, fromMs)
          .map((row) => ({ site: text(row, 'site'), events: number(row, 'events') })),
        labels: countByLabel
          .all(userId, fromMs)
          .map((row) => ({ label: textOrNull(row, 'label'), events: number(row, 'events') })),
      }))
    },

    async eventsOfSites(userId, sites) {
      const open = sitesOf.openBySite(userId, sites)
      return database.read(() =>
        sites.map((site) => {
          const last = selectLastOfSite.get(userId, site)
          return { open: open.get(site) ?? 0, last: last === undefined ? null : summaryFrom(last) }
        }),
      )
    },

    async eventById(userId, id) {
      return database.read(() => {
        const row = selectEvent.get(episodes.eventOf(userId, id) ?? id, userId)
        return row === undefined ? null : { ...detailOf(row), ...evidenceColumns.valuesFrom(row) }
      })
    },
  }
}

/** Where a list is read from: those of a site, by the index of sites, and all, in their own order. */
function sourceOf(given: readonly FilterName[]) {
  return given.includes('site')
    ? { from: eventsOfSite, user: 'event_user', created: 'event_created_ms', id: 'event_id' }
    : { from: 'events', user: 'user_id', created: 'created_ms', id: 'id' }
}

/** All events, in the order of their latest change. */
const ofSequence = { from: 'events INDEXED BY events_by_sequence', user: 'user_id' }

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
