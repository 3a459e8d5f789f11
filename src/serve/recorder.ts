// Writes what the detector reports as events of the owners whose sites are hit. The detector never waits for the store: reports are
// kept by episode, the latest of each, and written in small transactions; when the store is down they wait.
import type { EventChange } from '../api/live-feed.ts'
import type { Clock } from '../clock.ts'
import type { IncidentDetails, IncidentReport } from '../detect/incident-report.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Attack, Match } from '../names/attribution.ts'
import type { EventDetail, EventReturn, EventUpdate, NewEvent, OwnerUpdate, Store, View } from '../store/store.ts'
import { eventFrom, eventUpdate, isOver, listableAt } from './event.ts'
import { EventLog } from './event-log.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { hitBy, newlyTouched, Owners } from './owners.ts'

/** Incidents in one transaction: the main thread is blocked for a few milliseconds at most. */
const incidentsPerWrite = 50
/** Incidents that may wait for the store beside as many as the detector has: those that were closed while the store was down. */
const closedMax = 20_000
const retryAfterMs = 1000

interface RecorderOptions {
  store: Store
  clock: Clock
  log: Logger
  /** Of the detector, at a time. */
  incidentsMax: number
  /** Whose site the victim belonged to during the attack, one match a user. */
  match: (attack: Attack) => Match[]
  /** Whether the user may know who sends traffic to the addresses. */
  mayKnowSources: (userId: string, addresses: readonly number[]) => boolean
  newEventId: (createdMs: number) => string
  /** Of what has been written. */
  onEvents: (changes: EventChange[]) => void
  /** Events of simulated attacks that have been made. */
  onTests: (events: EventDetail[]) => void
}

interface Waiting {
  report: IncidentReport
  /** A report that it stands for was made before the incident was closed: owners are to have events of it. */
  mayBegin: boolean
  /** Of a simulated attack: the user who has begun it, whose event alone it is; null: the attack is real. */
  simulatedBy: string | null
}

/** The event that a user has of an incident. */
interface Told {
  id: string
  view: View
  /** IPv4 address of the victim that the event names: its DNS evidence is about this one, whoever is hit hardest later. */
  address: number
  /** Whether the attack's end is recorded: the DNS evidence stays as it was then. */
  isEnded: boolean
  /** The number of the latest episode that is recorded. */
  episode: number
  /** Sites of the user that the attack has touched so far. */
  sites: Set<string>
}

type Resumed = Pick<
  EventDetail,
  'incident' | 'userId' | 'id' | 'view' | 'address' | 'endMs' | 'episode' | 'site' | 'sites' | 'isTest'
>

export class Recorder {
  readonly #options: RecorderOptions
  readonly #throttle = new LogThrottle()
  readonly #eventLog: EventLog
  /** The latest report of each episode of an incident that is not written yet. */
  readonly #pending = new Map<string, Waiting>()
  /** What users see in their event of an incident that goes on, or may be opened again. */
  readonly #told = new Map<string, Map<string, Told>>()
  readonly #owners = new Owners()
  readonly #writing = new OneAtATime(() => this.#drain())
  #retry: NodeJS.Timeout | null = null
  readonly counts = { events: 0, unowned: 0, refused: 0, failures: 0 }

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#eventLog = new EventLog(options)
  }

  /** Whose events there are already, of attacks that may go on after a restart. */
  resume(events: readonly Resumed[]): void {
    this.#remember(events)
    this.#eventLog.resume(events)
  }

  get pending(): number {
    return this.#pending.size
  }

  /** `simulatedBy`: see `Waiting`. */
  take(reports: readonly IncidentReport[], simulatedBy: string | null = null): void {
    const pendingMax = this.#options.incidentsMax + closedMax
    for (const report of reports) {
      const earlier = this.#pending.get(keyOf(report))
      if (this.#pending.size >= pendingMax && earlier === undefined) this.counts.refused++
      else this.#wait({ report, simulatedBy }, earlier)
    }
    void this.write()
  }

  /** Writes all that is pending; resolves when it is written, or when the store has failed and a retry is due. */
  write(): Promise<void> {
    return this.#writing.run()
  }

  /** Writes what it can and stops retrying. */
  async stop(): Promise<void> {
    await this.write()
    this.#forgetRetry()
  }

  /** In place of an earlier report, whose details it has when it has none of its own. */
  #wait({ report, simulatedBy }: Pick<Waiting, 'report' | 'simulatedBy'>, earlier: Waiting | undefined): void {
    const details = report.details ?? detailsBefore(report, earlier?.report) ?? null
    this.#pending.set(keyOf(report), {
      report: isOver(report) ? report : { ...report, details },
      mayBegin: report.phase !== 'closed' || earlier?.mayBegin === true,
      simulatedBy,
    })
  }

  async #drain(): Promise<void> {
    while (this.#pending.size > 0) {
      const waiting = this.#next()
      try {
        await this.#record(waiting)
      } catch (error) {
        this.#failed(waiting, error)
        return
      }
    }
  }

  /** The earliest episode of each of some incidents. */
  #next(): Waiting[] {
    const earliest = new Map<string, Waiting>()
    for (const each of this.#pending.values()) {
      const { incident, episode } = each.report
      const known = earliest.get(incident)
      if (known === undefined || episode.number < known.report.episode.number) earliest.set(incident, each)
    }
    const waiting = [...earliest.values().take(incidentsPerWrite)]
    for (const { report } of waiting) this.#pending.delete(keyOf(report))
    return waiting
  }

  async #record(waiting: Waiting[]): Promise<void> {
    const { store, clock, match, mayKnowSources, newEventId, onEvents, onTests } = this.#options
    const createdMs = listableAt(clock.now())
    const created: NewEvent[] = []
    const updates: EventUpdate[] = []
    const ofOwners: OwnerUpdate[] = []
    const returns: EventReturn[] = []
    const changes: EventChange[] = []
    for (const { report, mayBegin, simulatedBy } of waiting) {
      const { incident, startMs } = report
      const told = this.#told.get(incident)
      const toMs = isOver(report) ? report.endMs : clock.now()
      const owners = this.#owners
        .of(report, (address) => match({ address, fromMs: startMs, toMs }))
        .filter(({ userId }) => simulatedBy === null || simulatedBy === userId)
      const hit = hitBy(report)
      const viewOf = (userId: string): View => (mayKnowSources(userId, hit) ? 'all' : 'totals')
      for (const [userId, { view }] of told ?? [])
        if (view === 'all' && viewOf(userId) === 'totals') ofOwners.push({ incident, userId, view: 'totals' })
      if (told === undefined && owners.length === 0 && simulatedBy === null) this.counts.unowned++
      for (const owner of owners) {
        const known = told?.get(owner.userId)
        if (known !== undefined) {
          const sites = known.isEnded ? [] : newlyTouched(owner, known.sites)
          if (sites.length > 0) ofOwners.push({ incident, userId: owner.userId, sites })
        } else if (mayBegin) {
          const shown = { ...owner, view: viewOf(owner.userId) }
          const identity = { id: newEventId(createdMs), createdMs }
          created.push(eventFrom(report, shown, identity, { isTest: simulatedBy !== null }))
        }
      }
      for (const [userId, { address, isEnded }] of told ?? []) {
        if (!isOver(report) || isEnded) continue
        const hardest = owners.find((each) => each.userId === userId)
        const own =
          hardest?.address === address
            ? hardest
            : match({ address, fromMs: startMs, toMs }).find((each) => each.userId === userId)
        if (own !== undefined) ofOwners.push({ incident, userId, dns: own.dns })
      }
      if (told !== undefined) updates.push(eventUpdate(report))
      for (const [userId, event] of told ?? []) {
        const own = changesOf(report, event)
        changes.push(...own.map((change) => ({ userId, id: event.id, change })))
        if (own.includes('returned'))
          returns.push({ incident, eventId: event.id, userId, id: newEventId(createdMs), createdMs })
      }
    }
    await store.updateEvents(updates, ofOwners, returns)
    this.#recorded(updates)
    const stored = await store.appendEvents(created)
    this.#remember(created)
    for (const update of ofOwners) this.#touch(update)
    for (const { incident, userId, view } of ofOwners) if (view === 'totals') this.#hide(incident, userId)
    for (const { report } of waiting) if (report.phase === 'closed') this.#forget(report.incident)
    const reports = waiting.map(({ report }) => report)
    this.#eventLog.take(created, reports)
    this.counts.events += created.filter(({ isTest }) => !isTest).length
    onTests(stored.filter(({ isTest }) => isTest))
    const ofIncident = new Map(reports.map((report) => [report.incident, report]))
    const made = created.flatMap(({ userId, id, incident }) => {
      const report = ofIncident.get(incident)
      return report === undefined ? [] : firstChanges(report).map((change) => ({ userId, id, change }))
    })
    onEvents([...changes, ...made])
  }

  /** What an attempt that fails later has written is not written again. */
  #recorded(updates: readonly EventUpdate[]): void {
    for (const { incident, endMs, episode } of updates)
      for (const told of this.#told.get(incident)?.values() ?? []) {
        told.isEnded = endMs !== null
        told.episode = episode.number
      }
  }

  #remember(created: readonly Resumed[]): void {
    for (const { incident, userId, id, view, address, endMs, episode, sites } of created) {
      const told: Told = { id, view, address, isEnded: endMs !== null, episode: episode.number, sites: new Set(sites) }
      this.#told.set(incident, (this.#told.get(incident) ?? new Map()).set(userId, told))
    }
  }

  #touch({ incident, userId, sites = [] }: OwnerUpdate): void {
    const known = this.#told.get(incident)?.get(userId)?.sites
    for (const site of sites) known?.add(site)
  }

  #forget(incident: string): void {
    this.#told.delete(incident)
    this.#owners.forget(incident)
  }

  #hide(incident: string, userId: string): void {
    const told = this.#told.get(incident)?.get(userId)
    if (told !== undefined) told.view = 'totals'
  }

  /** Reports that could not be written wait, unless a later one of their incident has come meanwhile. */
  #failed(waiting: Waiting[], error: unknown): void {
    const { log, clock } = this.#options
    this.counts.failures++
    for (const each of waiting) this.#wait(this.#pending.get(keyOf(each.report)) ?? each, each)
    const heldBack = this.#throttle.pass('store', clock.now())
    if (heldBack !== null)
      log.error({ err: error, pending: this.#pending.size, heldBack }, 'events could not be written; trying again')
    // Reports go on coming while the store is down, and each is an attempt: one retry is due, however many attempts have failed.
    this.#forgetRetry()
    this.#retry = setTimeout(() => void this.write(), retryAfterMs)
  }

  #forgetRetry(): void {
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#retry = null
  }
}

/** Those of an earlier report; lists of an earlier episode are none of this one. */
function detailsBefore({ episode }: IncidentReport, earlier: IncidentReport | undefined): IncidentDetails | null {
  const details = earlier?.details ?? null
  return details === null || earlier?.episode.number === episode.number ? details : { ...details, ofEpisode: null }
}

/** What the report is to somebody who was told all before, one thing after the other. */
function changesOf(report: IncidentReport, { isEnded, episode }: Told): EventChange['change'][] {
  const hasReturned = isEnded && report.episode.number > episode
  const changes: EventChange['change'][] = hasReturned ? ['returned'] : []
  if (isOver(report) && (!isEnded || hasReturned)) changes.push('ended')
  if (report.phase === 'closed') changes.push('closed')
  return changes.length > 0 ? changes : ['updated']
}

/** The same of an event that the report makes: of an attack that is over by then both are told. */
function firstChanges(report: IncidentReport): EventChange['change'][] {
  return [
    'made',
    ...(isOver(report) ? (['ended'] as const) : []),
    ...(report.phase === 'closed' ? (['closed'] as const) : []),
  ]
}

/** Each episode is written by itself: whoever was told of an end is told of the return, also when the store was down meanwhile. */
function keyOf({ incident, episode }: IncidentReport): string {
  return `${incident} ${episode.number}`
}
