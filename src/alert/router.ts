// Reads what happened to events, finds what is to be told about it, and to which channels that goes. It keeps nothing in memory: killed anywhere, it does the
// same again from the place up to which the store has it.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { LoggedChange } from '../events/changes.ts'
import type { EventStore } from '../events/event-store.ts'
import type { EventSummary } from '../events/records.ts'
import type { Logger } from '../log.ts'
import { PeriodicTask } from '../task.ts'
import type { AlertStore, EventToTell, Routing } from './alert-store.ts'
import { digestKey } from './bundles/bundle-key.ts'
import type { BundlePlan } from './bundles/bundle-store.ts'
import type { Paces } from './bundles/pace.ts'
import type { Delays } from './delays.ts'
import { escalateDue, escalationsOf } from './escalation/escalate.ts'
import type { EscalationChanges } from './escalation/escalation-store.ts'
import { type NewNotice, noticesOf, type Told, type TurnKind } from './notice.ts'
import { coursesOf, destinationsOf, newcomerOccasions, type Occasions, occasionsOf } from './rules/address.ts'
import { releaseOf } from './rules/release.ts'
import { remindersAfter, tellDue } from './rules/reminders.ts'
import { openRulebook, type RulesOfEvent } from './rules/rulebook.ts'
import { rulesForTests } from './simulated/rules.ts'

/** Changes that one look takes: some milliseconds of the thread. */
const changesPerLook = 200
/** Messages that wait for a channel: a busy day of a large network. */
const waitingMax = 10_000
/** Whoever writes events wakes the router at once; the period is for what is held until a time, and for what another process writes. */
const periodMs = 1_000
/** Batches of held messages that one look releases; the next look goes on. */
const releasesMax = 100

type Found = Pick<Routing, 'notices' | 'told' | 'toldWith' | 'reminders' | 'escalations'>

const nothingKnown: EventToTell['known'] = new Map()
const noEscalations: EscalationChanges = { begun: [], done: [], resting: [] }

export interface RouterOptions {
  store: AlertStore & Pick<EventStore, 'changesAfter' | 'lastChange'>
  clock: Clock
  log: Logger
  paces: Paces
  delays: Delays
  /** Whether its user asked to be told about a simulated attack. Left out: nobody did. */
  isToldTest?: (event: Pick<EventSummary, 'incident'>) => boolean
  /** There is something to send; `userIds`: the owners of the events, where it is new. */
  onRouted: (userIds?: ReadonlySet<string>) => void
}

export class Router {
  readonly counts: Record<TurnKind, number> = {
    started: 0,
    worsened: 0,
    vector: 0,
    continues: 0,
    escalated: 0,
    ended: 0,
    resumed: 0,
  }
  /** Messages that were given up since too many waited for their channel. */
  givenUp = 0
  /** Steps that were not taken, since somebody had acknowledged the attack. */
  acknowledged = 0
  /** Messages that were told with another: in a digest, or with others of their rule. */
  readonly gathered = { joined: 0, digest: 0 }
  readonly tasks: readonly PeriodicTask[]
  readonly #options: RouterOptions
  readonly #routing: PeriodicTask
  /** The events themselves were looked at when the log of changes had this place. */
  #lookedAt = 0

  constructor(options: RouterOptions) {
    this.#options = options
    const { clock, log } = options
    const failure = 'attacks could not be told; trying again'
    this.#routing = new PeriodicTask({ name: 'alerts', periodMs, run: () => this.#look(), failure, clock, log })
    this.tasks = [this.#routing]
  }

  /** Something happened to events. */
  wake(): void {
    void this.#routing.runAgain()
  }

  async #look(): Promise<void> {
    await this.#route()
    await this.#remind()
    await this.#escalate()
    await this.#release()
  }

  /** What is planned is planned from the time that is asked for here: if the clock is set before it is written, it moves with what was there. */
  async #now(): Promise<number> {
    const { store, clock, delays, onRouted } = this.#options
    const { nowMs, hasMoved } = await delays.now(clock, store)
    if (hasMoved) onRouted()
    return nowMs
  }

  async #route(): Promise<void> {
    const { store } = this.#options
    for (let place = (await store.toldUpTo()) ?? (await this.#begin()); ; ) {
      const beganMs = performance.now()
      const nowMs = await this.#now()
      // Before the changes are read: what is written in between is read the next time.
      const last = await store.lastChange()
      const { changes, isIncomplete } = await store.changesAfter(place, changesPerLook)
      if (changes.length === 0 && !isIncomplete) return
      const to = changes.at(-1)?.sequence ?? Math.max(place, last)
      // The log may be cut while it is read. What it lost before the events were last looked at has been seen there.
      const isLost = isIncomplete && (changes.at(0)?.sequence ?? last) > this.#lookedAt
      const lost = isLost ? await store.openOrToldOpen() : []
      const routing: Routing = { from: place, to, waitingMax, ...(await this.#found(changes, lost, nowMs)) }
      if (!(await this.#write(routing))) return
      if (isLost) this.#lookedAt = last
      place = routing.to
      // Others have half of the thread, however much there is to read.
      await delay(performance.now() - beganMs)
    }
  }

  /** False: somebody else has done it. */
  async #write(routing: Routing): Promise<boolean> {
    const givenUp = await this.#options.store.route(routing)
    if (givenUp === null) return false
    this.givenUp += givenUp
    for (const { notice } of routing.notices) this.counts[notice.kind]++
    const owners = new Set(routing.notices.map(({ notice }) => notice.userId))
    if (owners.size > 0) this.#options.onRouted(owners)
    return true
  }

  /** Tells that attacks go on, where a rule asks for it. */
  async #remind(): Promise<void> {
    const { store, paces } = this.#options
    for (;;) {
      const nowMs = await this.#now()
      const due = await store.dueReminders({ nowMs, limit: changesPerLook })
      const place = await store.toldUpTo()
      if (due.length === 0 || place === null) return
      const told = await tellDue(due, { store, nowMs, paces })
      if (!(await this.#write({ from: place, to: place, waitingMax, escalations: noEscalations, ...told }))) return
    }
  }

  /** Tells others where nobody has acknowledged an attack. */
  async #escalate(): Promise<void> {
    const { store, paces } = this.#options
    for (;;) {
      const nowMs = await this.#now()
      const due = await store.dueEscalations({ nowMs, limit: changesPerLook })
      const place = await store.toldUpTo()
      if (due.length === 0 || place === null) return
      const { acknowledged, ...told } = await escalateDue(due, { store, nowMs, paces })
      if (!(await this.#write({ from: place, to: place, waitingMax, reminders: [], ...told }))) return
      this.acknowledged += acknowledged
    }
  }

  /** What was held back until now is due, unless something holds it back further. */
  async #release(): Promise<void> {
    const { store, paces, onRouted } = this.#options
    for (let count = 0; count < releasesMax; count++) {
      const beganMs = performance.now()
      const nowMs = await this.#now()
      const held = await store.heldDue({ nowMs, limit: changesPerLook })
      if (held.length === 0) return
      const { alone, plans } = await releaseOf(held, { store, nowMs, paces })
      await store.release(alone)
      for (const plan of plans) {
        await store.carryOut(plan, nowMs)
        this.#count(plan)
      }
      onRouted()
      await delay(performance.now() - beganMs)
    }
  }

  #count({ tell, bundle }: BundlePlan): void {
    const joined = tell.reduce((sum, { others }) => sum + others.length, 0)
    this.gathered[bundle === digestKey ? 'digest' : 'joined'] += joined
  }

  /** What was there before there were alerts is told to nobody. */
  async #begin(): Promise<number> {
    const { store } = this.#options
    const place = await store.lastChange()
    const nothing = { notices: [], told: new Map<string, Told>(), reminders: [], escalations: noEscalations }
    await store.route({ from: place, to: place, waitingMax, ...nothing })
    return place
  }

  /** `lost`: events of which the log may have lost changes. */
  async #found(changes: readonly LoggedChange[], lost: readonly string[], nowMs: number): Promise<Found> {
    const { store, paces, isToldTest = () => false } = this.#options
    const byEvent = Map.groupBy(changes, ({ id }) => id)
    const ids = new Set([...byEvent.keys(), ...lost])
    const events = await store.eventsToTell([...ids])
    const rules = await openRulebook(store, new Set(events.map(({ event }) => event.userId)), {
      ...{ nowMs, paces },
    })
    const joined = await this.#joined(events)
    const told = new Map<string, Told>()
    const toldWith: string[] = []
    const notices: Found['notices'][number][] = []
    const begun: EscalationChanges['begun'][number][] = []
    for (const each of events) {
      const { isTest, userId } = each.event
      // Whoever was told that it began is told that it ended.
      if (isTest && each.told === null && !isToldTest(each.event)) continue
      const happened = (byEvent.get(each.event.id) ?? []).map(({ change }) => change)
      const found = noticesOf(each.told, each.event, happened, nowMs)
      if (found.told !== null && differs(each.told, found.told)) told.set(each.event.id, found.told)
      const ofEvent = isTest ? rulesForTests(rules.of(userId), userId) : rules.of(userId)
      if (found.notices.length > 0) toldWith.push(...each.toldWith)
      notices.push(
        ...addressed(each, found.notices, { ...ofEvent, joined: joined.get(each.joins ?? '') ?? nothingKnown }),
      )
      begun.push(...found.notices.flatMap((notice) => escalationsOf(occasionsNow(each, notice), notice, ofEvent)))
    }
    const reminders = remindersAfter(notices, rules)
    return { notices, told, toldWith, reminders, escalations: { ...noEscalations, begun } }
  }

  /** What each channel knows of the attacks that new owners have come to. */
  async #joined(events: readonly EventToTell[]): Promise<ReadonlyMap<string, EventToTell['known']>> {
    const ids = new Set(events.map(({ joins }) => joins).filter((id) => id !== null))
    const standing = ids.size === 0 ? [] : await this.#options.store.eventsToTell([...ids])
    return new Map(standing.map(({ event, known }) => [event.id, known]))
  }
}

function occasionsNow(event: EventToTell, notice: NewNotice): Occasions {
  const occasions = occasionsOf(event, notice)
  return event.joins !== null && notice.kind === 'started' ? newcomerOccasions(occasions) : occasions
}

/** To which channels each notice goes: what goes before it in the same look counts for an end. */
function addressed(
  event: EventToTell,
  notices: readonly NewNotice[],
  rules: RulesOfEvent & { joined: EventToTell['known'] },
): Found['notices'] {
  const known = new Map(event.known)
  return notices.map((notice) => {
    const occasions = occasionsNow(event, notice)
    const destinations = destinationsOf(occasions, { ...rules, reached: new Set(known.keys()) })
    return { notice, to: coursesOf(destinations, occasions, notice, { ...rules, known, ownerId: notice.userId }) }
  })
}

function differs(before: Told | null, now: Told): boolean {
  const { severity, label, isOver, number } = before ?? { number: 0 }
  return number !== now.number || severity !== now.severity || label !== now.label || isOver !== now.isOver
}
