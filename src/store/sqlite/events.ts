// Events: a summary, in the order of the list, and apart from it what only the detail shows; of this apart what is large, as it seldom changes.
import type { StatementSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import { noStatistics } from '../../detect/incident-report.ts'
import { hitNetwork } from '../../targets/hit-network.ts'
import type { EventDetail, EventSummary, EventUpdate, OwnerUpdate, Store } from '../store.ts'
import type { Database } from './database.ts'
import { type FilterName, filterConditions, filterNames, filterValue } from './event-filters.ts'
import { EventSites, eventsOfSite } from './event-sites.ts'
import { json, number, numberOrNull, type Row, text, textOrNull } from './rows.ts'

type Events = Pick<
  Store,
  | 'appendEvents'
  | 'updateEvents'
  | 'endOpenEvents'
  | 'eventsSeenAfter'
  | 'eventsBetween'
  | 'eventById'
  | 'eventsOfSites'
  | 'countEvents'
  | 'mostAttacked'
>

export const columns = `user_id, created_ms, id, incident, address, site, domain, view, label,
  bytes_per_second, packets_per_second, flows_per_second, deviation, normal_packets_per_second, start_ms, last_ms, end_ms, is_test, network`

const secondMs = 1_000
const mostMax = 10
/** How often an event is dated anew because its commit took longer than was left of its second; each time it is given twice as long. */
const restampsMax = 6

export function createEvents(database: Database, { clock }: { clock: Clock }): Events {
  const insertSummary = database.prepare(`
    INSERT INTO events (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  const selectUser = database.prepare('SELECT 1 FROM users WHERE id = ?')
  const insertDetail = database.prepare(
    'INSERT INTO event_details (event_id, peak, why, vectors, victims, networks, followed, dns) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertEvidence = database.prepare('INSERT INTO event_evidence (event_id, statistics, course) VALUES (?, ?, ?)')
  const insertTestNote = database.prepare(
    "INSERT INTO event_notes (event_id, classification, note) VALUES (?, 'test', '')",
  )
  const updateCreated = database.prepare('UPDATE events SET created_ms = ? WHERE id = ?')
  const updateSummaries = database.prepare(`
    UPDATE events
    SET label = ?, bytes_per_second = ?, packets_per_second = ?, flows_per_second = ?, deviation = ?,
      normal_packets_per_second = ?, start_ms = ?, last_ms = ?, end_ms = ?
    WHERE incident = ?`)
  const selectVictims = database.prepare(`SELECT ${columns} FROM events WHERE incident = ?`)
  const updateNetwork = database.prepare('UPDATE events SET network = ? WHERE id = ?')
  const updateDetails = database.prepare(`
    UPDATE event_details
    SET peak = ?, why = ?, vectors = ?, victims = ?, networks = ?, followed = ?
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
  const endOpen = database.prepare(`
    UPDATE events SET end_ms = max(start_ms, last_ms) WHERE end_ms IS NULL AND last_ms < ?`)
  const selectEvent = database.prepare(`
    SELECT ${columns}, peak, why, vectors, victims, networks, followed, dns, statistics, course
    FROM events JOIN event_details ON event_details.event_id = id JOIN event_evidence ON event_evidence.event_id = id
    WHERE id = ? AND user_id = ?`)
  const selectSeenAfter = database.prepare(`
    SELECT ${columns}, peak, why, vectors, victims, networks, followed, dns
    FROM events JOIN event_details ON event_details.event_id = id
    WHERE last_ms >= ? ORDER BY created_ms, id`)
  const selectEvidence = database.prepare('SELECT statistics, course FROM event_evidence WHERE event_id = ?')

  const selectLastOfSite = database.prepare(`
    SELECT ${columns} FROM ${eventsOfSite}
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
      SELECT ${columns} FROM ${from} WHERE ${user} = ? AND ${window}${conditions} ORDER BY ${order} LIMIT ?`)
    selects.set(key, made)
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

  function described(row: Row): Omit<EventDetail, keyof Evidence> {
    const event = describedFrom(row)
    return { ...event, sites: sitesOf.of(event) }
  }

  function insert(event: EventDetail): boolean {
    if (selectUser.get(event.userId) === undefined) return false
    const { changes } = insertSummary.run(
      event.userId,
      event.createdMs,
      event.id,
      event.incident,
      event.address,
      event.site,
      event.domain,
      event.view,
      event.label,
      event.bytesPerSecond,
      event.packetsPerSecond,
      event.flowsPerSecond,
      event.deviation,
      event.normalPacketsPerSecond,
      event.startMs,
      event.lastMs,
      event.endMs,
      Number(event.isTest),
      JSON.stringify(event.network),
    )
    if (changes === 0) return false
    sitesOf.add(event)
    if (event.isTest) insertTestNote.run(event.id)
    const { peak, why, vectors, victims, networks, followed, dns } = event
    insertDetail.run(
      event.id,
      ...[peak, why, vectors, victims, networks, followed, dns].map((part) => JSON.stringify(part)),
    )
    const statistics = event.view === 'all' ? event.statistics : noStatistics
    insertEvidence.run(event.id, JSON.stringify(statistics), JSON.stringify(event.course))
    return true
  }

  function update({ incident, details, ...change }: EventUpdate): void {
    const { label, bytesPerSecond, packetsPerSecond, flowsPerSecond, deviation, startMs, lastMs, endMs } = change
    const rates = [bytesPerSecond, packetsPerSecond, flowsPerSecond, deviation, change.normalPacketsPerSecond]
    updateSummaries.run(label, ...rates, startMs, lastMs, endMs, incident)
    const { peak, why, vectors, victims, networks, followed } = change
    updateDetails.run(
      ...[peak, why, vectors, victims, networks, followed].map((part) => JSON.stringify(part)),
      incident,
    )
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
  }

  /**
   * Dates events whose second had begun before their commit was done. This follows the commit without a pause, so that nobody in this
   * process, which alone answers requests, has seen the earlier date.
   */
  function restamp(events: EventDetail[]): EventDetail[] {
    let late = events
    for (let attempt = 0; attempt < restampsMax && isLate(late, clock); attempt++) {
      const from = late
      late = database.write(() => {
        const createdMs = nextSecond(clock.now()) + (2 ** attempt - 1) * secondMs
        return from.map((event) => {
          if (event.createdMs >= createdMs) return event
          updateCreated.run(createdMs, event.id)
          return { ...event, createdMs }
        })
      })
    }
    return late
  }

  /** The events are there, whatever befalls their dates: to report a failure would say the contrary. */
  function restampOrLeave(events: EventDetail[]): EventDetail[] {
    try {
      return restamp(events)
    } catch {
      return events
    }
  }

  return {
    async appendEvents(events) {
      if (events.length === 0) return []
      const added = database.write(() => {
        // The lock is held by now: what is left is the commit itself.
        const earliestMs = nextSecond(clock.now())
        return events.map((event) => ({ ...event, createdMs: Math.max(event.createdMs, earliestMs) })).filter(insert)
      })
      return restampOrLeave(added)
    },

    async updateEvents(updates, ofOwners = []) {
      if (updates.length === 0 && ofOwners.length === 0) return
      const write = () => {
        updates.forEach(update)
        ofOwners.forEach(updateOfOwner)
      }
      database.write(write, { durable: false })
    },

    async endOpenEvents(seenBeforeMs) {
      return Number(database.write(() => endOpen.run(seenBeforeMs)).changes)
    },

    async eventsSeenAfter(ms) {
      return database.read(() => {
        const events = selectSeenAfter.all(ms).map(described)
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
        const row = selectEvent.get(id, userId)
        return row === undefined ? null : { ...described(row), ...evidenceFrom(row) }
      })
    },
  }
}

/** What is not known of a reason of before it was told. */
const unsaid = { band: null, error: 0 }

/** Where a list is read from: those of a site, by the index of sites, and all, in their own order. */
function sourceOf(given: readonly FilterName[]) {
  return given.includes('site')
    ? { from: eventsOfSite, user: 'event_user', created: 'event_created_ms', id: 'event_id' }
    : { from: 'events', user: 'user_id', created: 'created_ms', id: 'id' }
}

function nextSecond(nowMs: number): number {
  return Math.ceil(nowMs / secondMs) * secondMs
}

function isLate(events: EventDetail[], clock: Clock): boolean {
  const nowMs = clock.now()
  return events.some(({ createdMs }) => createdMs < nowMs)
}

export function summaryFrom(row: Row): EventSummary {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    incident: text(row, 'incident'),
    createdMs: number(row, 'created_ms'),
    address: number(row, 'address'),
    site: text(row, 'site'),
    domain: text(row, 'domain'),
    view: text(row, 'view') === 'all' ? 'all' : 'totals',
    label: textOrNull(row, 'label'),
    bytesPerSecond: number(row, 'bytes_per_second'),
    packetsPerSecond: number(row, 'packets_per_second'),
    flowsPerSecond: number(row, 'flows_per_second'),
    deviation: number(row, 'deviation'),
    normalPacketsPerSecond: numberOrNull(row, 'normal_packets_per_second'),
    startMs: number(row, 'start_ms'),
    lastMs: number(row, 'last_ms'),
    endMs: numberOrNull(row, 'end_ms'),
    isTest: number(row, 'is_test') === 1,
    network: textOrNull(row, 'network') === null ? null : json<EventSummary['network']>(row, 'network'),
  }
}

/** What is large. */
type Evidence = Pick<EventDetail, 'statistics' | 'course'>

function evidenceFrom(row: Row): Evidence {
  return {
    statistics: allLists(json<Partial<EventDetail['statistics']>>(row, 'statistics')),
    course: json<EventDetail['course']>(row, 'course'),
  }
}

/** What was kept before a list was added lacks it, and how much may miss in it. */
function allLists({ flowsMissedMax, ...lists }: Partial<EventDetail['statistics']>): EventDetail['statistics'] {
  return { ...noStatistics, ...lists, flowsMissedMax: { ...noStatistics.flowsMissedMax, ...flowsMissedMax } }
}

function describedFrom(row: Row): Omit<EventDetail, keyof Evidence | 'sites'> {
  return {
    ...summaryFrom(row),
    peak: json<EventDetail['peak']>(row, 'peak'),
    // Those of older versions say less.
    why: json<EventDetail['why']>(row, 'why').map((why) => ({ ...unsaid, ...why })),
    vectors: json<EventDetail['vectors']>(row, 'vectors'),
    victims: json<EventDetail['victims']>(row, 'victims'),
    networks: json<EventDetail['networks']>(row, 'networks'),
    followed: json<EventDetail['followed']>(row, 'followed'),
    dns: json<EventDetail['dns']>(row, 'dns'),
  }
}
