// Reads what happened to events, finds what is to be told about it, and to which channels that goes. It keeps nothing in memory: killed anywhere, it does the
// same again from the place up to which the store has it.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { LoggedChange } from '../events/changes.ts'
import type { EventStore } from '../events/event-store.ts'
import { severities } from '../events/severity.ts'
import type { Logger } from '../log.ts'
import { PeriodicTask } from '../task.ts'
import type { AlertStore, Channel, EventToTell, Routing } from './alert-store.ts'
import { type NewNotice, noticesOf, type Told, type TurnKind } from './notice.ts'

/** Changes that one look takes: some milliseconds of the thread. */
const changesPerLook = 200
/** Messages that wait for a channel: a busy day of a large network. */
const waitingMax = 10_000
/** Whoever writes events wakes the router; the period is for what another process writes. */
const periodMs = 5_000
/** How far back events are looked for that the log of changes has lost. */
const lostLookMs = 86_400_000

interface RouterOptions {
  store: AlertStore & Pick<EventStore, 'changesAfter' | 'lastChange' | 'eventsSeenAfter'>
  clock: Clock
  log: Logger
  /** There is something to send. */
  onRouted: () => void
}

export class Router {
  readonly counts: Record<TurnKind, number> = { started: 0, worsened: 0, vector: 0, ended: 0, resumed: 0 }
  /** Messages that were given up since too many waited for their channel. */
  givenUp = 0
  readonly tasks: readonly PeriodicTask[]
  readonly #options: RouterOptions
  readonly #routing: PeriodicTask

  constructor(options: RouterOptions) {
    this.#options = options
    const { clock, log } = options
    const failure = 'attacks could not be told; trying again'
    this.#routing = new PeriodicTask({ name: 'alerts', periodMs, run: () => this.#route(), failure, clock, log })
    this.tasks = [this.#routing]
  }

  /** Something happened to events. */
  wake(): void {
    void this.#routing.runAgain()
  }

  async #route(): Promise<void> {
    const { store } = this.#options
    for (let place = (await store.toldUpTo()) ?? (await this.#begin()); ; ) {
      // Before the changes are read: what is written in between is read the next time.
      const last = await store.lastChange()
      const { changes, isIncomplete } = await store.changesAfter(place, changesPerLook)
      if (changes.length === 0 && !isIncomplete) return
      const to = changes.at(-1)?.sequence ?? Math.max(place, last)
      const routing: Routing = { from: place, to, waitingMax, ...(await this.#found(changes, isIncomplete)) }
      const givenUp = await store.route(routing)
      if (givenUp === null) return
      this.givenUp += givenUp
      for (const { notice } of routing.notices) this.counts[notice.kind]++
      if (routing.notices.length > 0) this.#options.onRouted()
      place = routing.to
      // Others have their turn on the thread between two looks.
      await setImmediate()
    }
  }

  /** What was there before there were alerts is told to nobody. */
  async #begin(): Promise<number> {
    const { store } = this.#options
    const place = await store.lastChange()
    await store.route({ from: place, to: place, waitingMax, notices: [], told: new Map() })
    return place
  }

  async #found(changes: readonly LoggedChange[], isIncomplete: boolean): Promise<Pick<Routing, 'notices' | 'told'>> {
    const { store, clock } = this.#options
    const byEvent = Map.groupBy(changes, ({ id }) => id)
    const lost = isIncomplete ? await this.#lost() : []
    const ids = new Set([...byEvent.keys(), ...lost])
    const events = await store.eventsToTell([...ids])
    const channels = new Map<string, Channel[]>()
    for (const userId of new Set(events.map(({ event }) => event.userId)))
      channels.set(userId, await store.channelsOf(userId))
    const told = new Map<string, Told>()
    const notices: { notice: NewNotice; channelIds: string[] }[] = []
    for (const each of events) {
      if (each.event.isTest) continue
      const happened = (byEvent.get(each.event.id) ?? []).map(({ change }) => change)
      const found = noticesOf(each.told, each.event, happened, clock.now())
      if (found.told !== null && differs(each.told, found.told)) told.set(each.event.id, found.told)
      notices.push(...addressed(each, found.notices, channels.get(each.event.userId) ?? []))
    }
    return { notices, told }
  }

  /** Events whose changes the log has no more, since nobody read them for long. */
  async #lost(): Promise<string[]> {
    const { store, clock } = this.#options
    const seen = await store.eventsSeenAfter(clock.now() - lostLookMs)
    return [...(await store.toldOpen()), ...seen.filter(({ endMs }) => endMs === null).map(({ id }) => id)]
  }
}

/** To which channels each notice goes. An end goes where something of the event went before. */
function addressed({ channelIds }: EventToTell, notices: readonly NewNotice[], channels: readonly Channel[]) {
  const reached = new Set(channelIds)
  return notices.map((notice) => {
    const ids = channels
      .filter(({ id, fortune }) =>
        notice.kind === 'ended' ? reached.has(id) : !fortune.isDisabled && isWanted(notice),
      )
      .map(({ id }) => id)
    for (const id of ids) reached.add(id)
    return { notice, channelIds: ids }
  })
}

/** What a channel is told unless something else is asked for: beginnings, ends, and when it is serious. */
function isWanted({ kind, facts }: NewNotice): boolean {
  if (kind === 'vector') return false
  return kind !== 'worsened' || severities.indexOf(facts.severity) >= severities.indexOf('high')
}

function differs(before: Told | null, now: Told): boolean {
  const { severity, label, isOver, number } = before ?? { number: 0 }
  return number !== now.number || severity !== now.severity || label !== now.label || isOver !== now.isOver
}
