// Writes what the detector reports as events of the owners whose sites are hit. The detector never waits for the store: reports are
// kept by episode, the latest of each, and written in small transactions; when the store is down they wait.
import type { View } from '../access/authority.ts'
import type { Clock } from '../clock.ts'
import type { IncidentDetails, IncidentReport } from '../detect/incidents/incident-report.ts'
import type { Logger } from '../log.ts'
import type { Attack, Match } from '../names/bindings/attribution.ts'
import { PeriodicTask } from '../task.ts'
import { endUpdate, eventFrom, eventUpdate, listableAt, updateOf } from './event.ts'
import { EventLog } from './event-log.ts'
import type { EventStore, Recording } from './event-store.ts'
import { isAttackToNew, type Knowledge, knownPart, knownSince, partId, readPartId } from './known-part.ts'
import { hitBy, newlyTouched, type Owner, Owners } from './owners.ts'
import { isOver } from './phase.ts'
import type { EventDetail, EventReturn, EventUpdate, NewEvent, OwnerUpdate } from './records.ts'

/** Incidents in one transaction: the main thread is blocked for a few milliseconds at most. */
const incidentsPerWrite = 50
/** Incidents that may wait for the store beside as many as the detector has: those that were closed while the store was down. */
const closedMax = 20_000
const retryAfterMs = 1000

interface RecorderOptions {
  store: Pick<EventStore, 'record'>
  clock: Clock
  log: Logger
  /** Most incidents that the detector follows at a time. */
  incidentsMax: number
  /** How long the detector learns what is normal. */
  learnSeconds: number
  /** Whose site the victim belonged to during the attack, one match a user. */
  match: (attack: Attack) => Match[]
  /** Whether the user may know who sends traffic to the addresses. */
  mayKnowSources: (userId: string, addresses: readonly number[]) => boolean
  /** Whether the user shares what was learnt of an address with colleagues who watched it before: see `Authority.isColleague`. */
  isColleague: (userId: string) => boolean
  newEventId: (createdMs: number) => string
  /** Something was written: whoever reports events may look at the store. */
  onRecorded: () => void
  /** Events of simulated attacks that have been made. */
  onTests: (events: EventDetail[]) => void
}

interface Waiting {
  report: IncidentReport
  /** A report that it stands for was made before the incident was closed: owners are to have events of it. */
  mayBegin: boolean
  /** The user who began a simulated attack, and who alone has an event of it; null: the attack is real. */
  simulatedBy: string | null
}

/** The event that a user has of an incident. */
interface UserEvent {
  id: string
  /** The incident as the store has it: a part of one has an id of its own. */
  part: string
  /** What the user knows of it; null: all. */
  knowledge: Knowledge | null
  /** What is recorded of a part, without its details; null: the user knows all, and each report tells it. */
  recorded: EventUpdate | null
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

export class Recorder {
  readonly #options: RecorderOptions
  readonly #eventLog: EventLog
  /** The latest report of each episode of an incident that is not written yet. */
  readonly #pending = new Map<string, Waiting>()
  /** What users see in their event of an incident that goes on, or may be opened again. */
  readonly #events = new Map<string, Map<string, UserEvent>>()
  readonly #owners = new Owners()
  /** When each incident was first reported; 0: to an earlier process. */
  readonly #begun = new Map<string, number>()
  readonly tasks: readonly PeriodicTask[]
  readonly #writing: PeriodicTask
  #retry: NodeJS.Timeout | null = null
  readonly counts = { events: 0, unowned: 0, refused: 0 }

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#eventLog = new EventLog(options)
    const { clock, log } = options
    const failure = 'events could not be written; trying again'
    this.#writing = new PeriodicTask({ name: 'events', run: () => this.#drain(), failure, clock, log })
    this.tasks = [this.#writing]
  }

  /** Whose events there are already, of attacks that may go on after a restart. */
  resume(events: readonly NewEvent[]): void {
    this.#remember(events)
    for (const { incident } of events) this.#begun.set(readPartId(incident).incident, 0)
    this.#eventLog.resume(events.map(ofWhole))
  }

  get pending(): number {
    return this.#pending.size
  }

  /** Attempts to write that failed. */
  get failures(): number {
    return this.#writing.counts.failures
  }

  /** `simulatedBy`: see `Waiting`. */
  take(reports: readonly IncidentReport[], simulatedBy: string | null = null): void {
    const pendingMax = this.#options.incidentsMax + closedMax
    for (const report of reports) {
      const earlier = this.#pending.get(keyOf(report))
      if (this.#pending.size >= pendingMax && earlier === undefined) {
        this.counts.refused++
        continue
      }
      if (!this.#begun.has(report.incident)) this.#begun.set(report.incident, this.#options.clock.now())
      this.#wait({ report, simulatedBy }, earlier)
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
        this.#waitLonger(waiting)
        throw error
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
    const { store, onRecorded, onTests } = this.#options
    const reports = waiting.map(({ report }) => report)
    const { made = [], updates = [], ofOwners = [], ...rest } = this.#recordingOf(waiting)
    const stored = await store.record({ made, updates, ofOwners, ...rest })
    onRecorded()
    for (const update of updates)
      for (const event of this.#events.get(readPartId(update.incident).incident)?.values() ?? []) {
        if (event.part !== update.incident) continue
        event.isEnded = update.endMs !== null
        event.episode = update.episode.number
        if (event.knowledge !== null) event.recorded = { ...update, details: null }
      }
    this.#remember(made, reports)
    for (const update of ofOwners) this.#touch(update)
    for (const { incident, userId, view } of ofOwners) if (view === 'totals') this.#hide(incident, userId)
    for (const { phase, incident } of reports) if (phase === 'closed') this.#forget(incident)
    this.#eventLog.take(made.map(ofWhole), reports)
    this.counts.events += made.filter(({ isTest }) => !isTest).length
    onTests(stored.made.filter(({ isTest }) => isTest))
  }

  /** What the reports change for their owners, given the events that these have already. */
  #recordingOf(waiting: readonly Waiting[]): Recording {
    const createdMs = listableAt(this.#options.clock.now())
    const made: NewEvent[] = []
    const updates: EventUpdate[] = []
    const ofOwners: OwnerUpdate[] = []
    const returns: EventReturn[] = []
    for (const each of waiting) {
      const { report, simulatedBy } = each
      const byUser = this.#events.get(report.incident)
      const owners = this.#ownersOf(each)
      if (byUser === undefined && owners.length === 0 && simulatedBy === null) this.counts.unowned++
      made.push(...this.#newEvents(each, owners, createdMs))
      if (byUser === undefined) continue
      const ofReport = updatesOf(report, byUser)
      updates.push(...ofReport)
      ofOwners.push(
        ...this.#hidden(report, byUser),
        ...newSites(owners, byUser),
        ...this.#dnsAtEnd(report, owners, byUser),
      )
      for (const update of ofReport) returns.push(...this.#returnsOf(update, byUser, createdMs))
    }
    return { made, updates, ofOwners, returns }
  }

  #ownersOf({ report, simulatedBy }: Waiting): Owner[] {
    const { clock, match } = this.#options
    const toMs = isOver(report) ? report.endMs : clock.now()
    const owners = this.#owners.of(report, (address) => match({ address, fromMs: report.startMs, toMs }))
    return this.#withColleagues(owners).filter(({ userId }) => simulatedBy === null || simulatedBy === userId)
  }

  /** Colleagues know what the first of them to watch does. */
  #withColleagues(owners: readonly Owner[]): Owner[] {
    const { isColleague } = this.#options
    const sinceMs = Math.min(...owners.flatMap((each) => (isColleague(each.userId) ? [each.sinceMs] : [])))
    return owners.map((owner) => (isColleague(owner.userId) ? { ...owner, sinceMs } : owner))
  }

  /** The events of owners who have none of the incident so far. */
  #newEvents({ report, mayBegin, simulatedBy }: Waiting, owners: readonly Owner[], createdMs: number): NewEvent[] {
    const byUser = this.#events.get(report.incident)
    if (!mayBegin) return []
    return owners
      .filter(({ userId }) => byUser?.has(userId) !== true)
      .flatMap((owner) => {
        const known = this.#knownOf(report, owner)
        if (known === null) return []
        const shown = { ...owner, view: this.#viewOf(report, owner.userId) }
        const identity = { id: this.#options.newEventId(createdMs), createdMs }
        return [eventFrom(known, shown, identity, { isTest: simulatedBy !== null })]
      })
  }

  /** The report as whoever comes to it now knows it, under the id of that part; null: to them there is no attack. */
  #knownOf(report: IncidentReport, { sinceMs }: Owner): IncidentReport | null {
    const since = knownSince(sinceMs, report.startMs, this.#options.learnSeconds)
    if (since === null) return report
    const known = knownPart(report, this.#knowledgeFrom(since, report))
    return known === null || !isAttackToNew(known) ? null : { ...known, incident: partId(report.incident, since) }
  }

  #knowledgeFrom(sinceMs: number, { incident, details }: IncidentReport): Knowledge {
    const isLater = (this.#begun.get(incident) ?? sinceMs) < sinceMs
    return { sinceMs, before: isLater && details !== null ? { statistics: details.statistics, frozen: false } : null }
  }

  #viewOf(report: IncidentReport, userId: string): View {
    return this.#options.mayKnowSources(userId, hitBy(report)) ? 'all' : 'totals'
  }

  /** Whoever may no longer know the sources. */
  #hidden(report: IncidentReport, byUser: ReadonlyMap<string, UserEvent>): OwnerUpdate[] {
    return [...byUser]
      .filter(([userId, { view }]) => view === 'all' && this.#viewOf(report, userId) === 'totals')
      .map(([userId, { part: incident }]) => ({ incident, userId, view: 'totals' }))
  }

  /** The DNS evidence as it is at the end of the attack. */
  #dnsAtEnd(report: IncidentReport, owners: readonly Owner[], byUser: ReadonlyMap<string, UserEvent>): OwnerUpdate[] {
    if (!isOver(report)) return []
    const { startMs: fromMs, endMs: toMs } = report
    return [...byUser].flatMap(([userId, { part: incident, address, isEnded }]) => {
      if (isEnded) return []
      const hardest = owners.find((each) => each.userId === userId)
      const own =
        hardest?.address === address
          ? hardest
          : this.#options.match({ address, fromMs, toMs }).find((each) => each.userId === userId)
      return own === undefined ? [] : [{ incident, userId, dns: own.dns }]
    })
  }

  #returnsOf(update: EventUpdate, byUser: ReadonlyMap<string, UserEvent>, createdMs: number): EventReturn[] {
    const { incident } = update
    return [...byUser]
      .filter(([, { part, isEnded, episode }]) => part === incident && isEnded && update.episode.number > episode)
      .map(([userId, { id: eventId }]) => {
        return { incident, eventId, userId, id: this.#options.newEventId(createdMs), createdMs }
      })
  }

  /** `reports`: those by which they were made; without them an earlier process made them. */
  #remember(created: readonly NewEvent[], reports: readonly IncidentReport[] = []): void {
    for (const made of created) {
      const { userId, id, view, address, endMs, episode, sites } = made
      const { incident, sinceMs } = readPartId(made.incident)
      const report = reports.find((each) => each.incident === incident)
      const knowledge = sinceMs === null ? null : this.#knowledgeOf(made, sinceMs, report)
      const recorded = knowledge === null ? null : updateOf(made)
      const state = { isEnded: endMs !== null, episode: episode.number, part: made.incident, knowledge, recorded }
      const event: UserEvent = { id, view, address, ...state, sites: new Set(sites) }
      this.#events.set(incident, (this.#events.get(incident) ?? new Map()).set(userId, event))
    }
  }

  #knowledgeOf({ startMs, statistics }: NewEvent, sinceMs: number, report: IncidentReport | undefined): Knowledge {
    if (report !== undefined) return this.#knowledgeFrom(sinceMs, report)
    return { sinceMs, before: startMs > sinceMs ? null : { statistics, frozen: true } }
  }

  #touch({ incident, userId, sites = [] }: OwnerUpdate): void {
    const known = this.#events.get(readPartId(incident).incident)?.get(userId)?.sites
    for (const site of sites) known?.add(site)
  }

  #forget(incident: string): void {
    this.#events.delete(incident)
    this.#begun.delete(incident)
    this.#owners.forget(incident)
  }

  #hide(part: string, userId: string): void {
    const event = this.#events.get(readPartId(part).incident)?.get(userId)
    if (event !== undefined) event.view = 'totals'
  }

  /** Reports that could not be written wait, unless a later one of their incident has come meanwhile. */
  #waitLonger(waiting: readonly Waiting[]): void {
    for (const each of waiting) this.#wait(this.#pending.get(keyOf(each.report)) ?? each, each)
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

/** The sites that the attack touches now and has not touched before, of events that go on. */
function newSites(owners: readonly Owner[], byUser: ReadonlyMap<string, UserEvent>): OwnerUpdate[] {
  return owners.flatMap((owner) => {
    const known = byUser.get(owner.userId)
    if (known === undefined || known.isEnded) return []
    const sites = newlyTouched(owner, known.sites)
    return sites.length === 0 ? [] : [{ incident: known.part, userId: owner.userId, sites }]
  })
}

/** What the report changes in each part of the incident that users have events of. An end is an end, even to those who can't be told what came before it. */
function updatesOf(report: IncidentReport, byUser: ReadonlyMap<string, UserEvent>): EventUpdate[] {
  const parts = new Map(Array.from(byUser.values(), (event) => [event.part, event]))
  return [...parts].flatMap(([incident, { knowledge, recorded }]) => {
    const known = knowledge === null ? report : knownPart(report, knowledge)
    if (known !== null) return [eventUpdate({ ...known, incident })]
    return isOver(report) && recorded !== null ? [endUpdate(recorded, report)] : []
  })
}

function ofWhole<Event extends { incident: string }>(event: Event): Event {
  return { ...event, incident: readPartId(event.incident).incident }
}

/** The recorder writes each episode separately, so that whoever read an end reads the return too, even if the store was down in between. */
function keyOf({ incident, episode }: IncidentReport): string {
  return `${incident} ${episode.number}`
}
