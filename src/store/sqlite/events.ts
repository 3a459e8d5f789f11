// Events: a summary, in the order of the list, and apart from it what only the detail shows; of this apart what is large, as it seldom changes.
import type { StatementSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import { noStatistics } from '../../detect/incident-report.ts'
import { hitNetwork } from '../../targets/hit-network.ts'
import type { EventDetail, EventUpdate, NewEvent, OwnerUpdate, Store } from '../store.ts'
import type { Database } from './database.ts'
import { createEpisodes } from './episodes.ts'
import { type FilterName, filterConditions, filterNames, filterValue } from './event-filters.ts'
import {
  changingColumns,
  describedFrom,
  type Evidence,
  evidenceFrom,
  givenColumns,
  onlyEpisode,
  summaryColumns,
  summaryFrom,
  valuesOf,
} from './event-rows.ts'
import { nextPlace, nextPlaceOf } from './event-sequence.ts'
import { EventSites, eventsOfSite } from './event-sites.ts'
import { dateAgain, nextSecond } from './listable.ts'
import { number, numberOrNull, type Row, text, textOrNull } from './rows.ts'

type Events = Pick<
  Store,
  | 'appendEvents'
  | 'updateEvents'
  | 'closeEvents'
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

export function createEvents(database: Database, { clock }: { clock: Clock }): Events {
  const episodes = createEpisodes(database)
  const insertSummary = database.prepare(`
    INSERT INTO events (${Object.keys(givenColumns).join(', ')}, updated_ms, sequence)
    VALUES (${Object.keys(givenColumns).fill('?').join(', ')}, ?, ${nextPlaceOf('?')}) ON CONFLICT (id) DO NOTHING
    RETURNING updated_ms, sequence`)
  const selectUser = database.prepare('SELECT 1 FROM users WHERE id = ?')
  const insertDetail = database.prepare(
    'INSERT INTO event_details (event_id, why, vectors, victims, networks, followed, dns) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const insertEvidence = database.prepare('INSERT INTO event_evidence (event_id, statistics, course) VALUES (?, ?, ?)')
  const insertTestNote = database.prepare(
    "INSERT INTO event_notes (event_id, classification, note) VALUES (?, 'test', '')",
  )
  const updateCreated = database.prepare('UPDATE events SET created_ms = ? WHERE id = ?')
  const updateSummaries = database.prepare(`
    UPDATE events SET ${Object.keys(changingColumns)
      .map((column) => `${column} = ?`)
      .join(', ')}, updated_ms = ?, sequence = ${nextPlace}
    WHERE incident = ?`)
  const selectVictims = database.prepare(`SELECT ${summaryColumns} FROM events WHERE incident = ?`)
  const updateNetwork = database.prepare('UPDATE events SET network = ? WHERE id = ?')
  const updateDetails = database.prepare(`
    UPDATE event_details
    SET why = ?, vectors = ?, victims = ?, networks = ?, followed = ?
    WHERE event_id IN (SELECT id FROM events WHERE incident = ?)`)
  const updateEvidence = database.prepare(`
    UPDATE event_evidence
    SET statistics = ?, course = ?
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
  const selectUnclosed = database.prepare("SELECT id, end_ms FROM events WHERE phase <> 'closed' AND last_ms < ?")
  const close = database.prepare(`
    UPDATE events SET end_ms = coalesce(end_ms, max(start_ms, last_ms)), phase = 'closed', updated_ms = ?, sequence = ${nextPlace}
    WHERE id = ?`)
  const selectEvent = database.prepare(`
    SELECT ${summaryColumns}, why, vectors, victims, networks, followed, dns, statistics, course
    FROM events JOIN event_details ON event_details.event_id = id JOIN event_evidence ON event_evidence.event_id = id
    WHERE id = ? AND user_id = ?`)
  const selectSeenAfter = database.prepare(`
    SELECT ${summaryColumns}, why, vectors, victims, networks, followed, dns
    FROM events JOIN event_details ON event_details.event_id = id
    WHERE last_ms >= ? ORDER BY created_ms, id`)
  const selectEvidence = database.prepare('SELECT statistics, course FROM event_evidence WHERE event_id = ?')

  const selectLastOfSite = database.prepare(`
    SELECT ${summaryColumns} FROM ${eventsOfSite}
    WHERE event_user = ? AND host = ? AND is_test = 0 ORDER BY event_created_ms DESC, event_id DESC LIMIT 1`)
  const sitesOf = new EventSites(database)

  const countBySite = database.prepare(`
    SELECT site, count(*) AS events FROM events WHERE user_id = ? AND created_ms >= ? AND is_test = 0
    GROUP BY site ORDER BY events DESC, site LIMIT ${mostMax}`)
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
      SELECT ${summaryColumns} FROM ${from} WHERE ${user} = ? AND ${window}${conditions} ORDER BY ${order} LIMIT ?`)
    selects.set(key, made)
    return made
  }

  function selectChanged(given: FilterName[]): StatementSync {
    const conditions = given.map((name) => ` AND ${filterConditions[name]}`).join('')
    const found = changed.get(conditions)
    if (found !== undefined) return found
    const { from, user } = given.includes('site') ? sourceOf(given) : ofSequence
    const made = database.prepare(`
      SELECT ${summaryColumns} FROM ${from} WHERE ${user} = ? AND sequence > ?${conditions} ORDER BY sequence LIMIT ?`)
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
    const row = insertSummary.get(...valuesOf(givenColumns, event), nowMs, nowMs, event.userId)
    if (row === undefined) return null
    sitesOf.add(event)
    if (event.isTest) insertTestNote.run(event.id)
    const { why, vectors, victims, networks, followed, dns } = event
    insertDetail.run(event.id, ...[why, vectors, victims, networks, followed, dns].map((part) => JSON.stringify(part)))
    const statistics = event.view === 'all' ? event.statistics : noStatistics
    insertEvidence.run(event.id, JSON.stringify(statistics), JSON.stringify(event.course))
    return { ...event, returns: 0, updatedMs: number(row, 'updated_ms'), sequence: number(row, 'sequence') }
  }

  function update(change: EventUpdate): void {
    const { incident, details, why, vectors, victims, networks, followed } = change
    updateSummaries.run(...valuesOf(changingColumns, change), clock.now(), clock.now(), incident)
    updateDetails.run(...[why, vectors, victims, networks, followed].map((part) => JSON.stringify(part)), incident)
    episodes.update(change)
    for (const event of victims.length < 2 ? [] : selectVictims.all(incident).map(summaryFrom)) {
      const network = hitNetwork({ sites: sitesOf.of(event), address: event.address }, change)
      updateNetwork.run(JSON.stringify(network), event.id)
    }
    if (details === null) return
    const course = JSON.stringify(details.course)
    updateEvidence.run(JSON.stringify(details.statistics), course, incident)
    updateTotals.run(course, incident)
  }

  function updateOfOwner({ incident, userId, dns, sites = [], view }: OwnerUpdate): void {
    sitesOf.addToIncident({ incident, userId }, sites)
    if (dns !== undefined) updateDns.run(JSON.stringify(dns), incident, userId)
    if (view === undefined) return
    restrict.run(incident, userId)
    clearStatistics.run(JSON.stringify(noStatistics), incident, userId)
    episodes.clear(incident, userId)
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

    async appendEvents(events) {
      if (events.length === 0) return []
      const added = database.write(() => {
        // The lock is held by now: what is left is the commit itself.
        const earliestMs = nextSecond(clock.now())
        return events.flatMap((event) => insert({ ...event, createdMs: Math.max(event.createdMs, earliestMs) }) ?? [])
      })
      return dateAgain(added, { database, clock, setDate: (id, createdMs) => updateCreated.run(createdMs, id) })
    },

    async updateEvents(updates, ofOwners = [], returns = []) {
      if (updates.length === 0 && ofOwners.length === 0) return
      const byIncident = new Map(updates.map((each) => [each.incident, each]))
      const write = () => {
        const earliestMs = nextSecond(clock.now())
        const added = returns.flatMap((each) => {
          const change = byIncident.get(each.incident)
          const entry = { ...each, createdMs: Math.max(each.createdMs, earliestMs) }
          return change !== undefined && episodes.add(entry, change) ? [entry] : []
        })
        updates.forEach(update)
        ofOwners.forEach(updateOfOwner)
        return added
      }
      const added = database.write(write, { durable: returns.length > 0 })
      dateAgain(added, { database, clock, setDate: episodes.date })
    },

    async closeEvents(seenBeforeMs) {
      return database.write(() => {
        const unclosed = selectUnclosed.all(seenBeforeMs)
        episodes.endOpen(seenBeforeMs)
        for (const row of unclosed) close.run(clock.now(), clock.now(), text(row, 'id'))
        return unclosed.filter((row) => numberOrNull(row, 'end_ms') === null).length
      })
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
          if (!evidence.has(incident)) evidence.set(incident, evidenceFrom(selectEvidence.get(id) ?? {}))
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
        return row === undefined ? null : { ...detailOf(row), ...evidenceFrom(row) }
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
