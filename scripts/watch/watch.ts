// Looks at all events again and again, by every way to read them, from the first listing of each to an hour after it was closed, and holds each look
// against the one before. It reads through the interface alone: what asks, what the stream said, and the time are given.
import type { DdosEvent, DdosEventDetail, EventOverview, EventReport, EventSeries } from '../../client/index.ts'
import { amountRules } from './amounts.ts'
import { eventRules, growthRules } from './changes.ts'
import {
  type Elsewhere,
  type EventLook,
  type FullLook,
  type Look,
  msOf,
  type Sent,
  type Turns,
  turnsOf,
} from './looks.ts'
import { accountRules, lookRules, pollEveryMs } from './ways.ts'

export interface Answer {
  status: number
  body: unknown
  /** The `Link` header. */
  link: string | null
}

/** What the stream said: of an event, of too many to name them, or that something may have been missed. */
export type Message = { type: 'event'; id: string; change: string } | { type: 'events' } | { type: 'reset' }

export interface WatchOptions {
  ask: (path: string) => Promise<Answer>
  /** The time as the service has it, Unix milliseconds. */
  now: () => number
  /** What the stream said since this was last called; null: there is no stream to listen to. */
  messages: (() => Message[]) | null
  retentionMs: number
  /** An event that does not change is read again so often. */
  readAgainMs?: number
  /** The same numbers by other ways. */
  elsewhere?: (report: EventReport) => Promise<Elsewhere[]>
  onBreach: (breach: Breach) => void
}

export interface Breach {
  atMs: number
  rule: string
  /** The event; null: it is of more than one. */
  id: string | null
  text: string
}

/** An event is followed for so long after it was closed. */
const closedMs = 3_600_000
/** How far back the first look goes for events that go on. */
const reachMs = 86_400_000
/** An event that changes all the time is tried so often to be read as it is at one moment. */
const attemptsMax = 6

interface Counts extends Turns {
  made: number
  named: number
}

/** An event that is followed. */
interface Followed {
  light: EventLook | null
  earlier: EventLook | null
  full: FullLook | null
  /** When it was first seen to be closed. */
  closedMs: number | null
  /** What had happened, and what the stream had said of it, when it was known that the stream had said all. */
  base: { turns: Turns; counts: Counts } | null
}

const noTurns: Turns = { ended: 0, returned: 0, closed: 0 }
const noCounts: Counts = { ...noTurns, made: 0, named: 0 }

export class Watch {
  readonly #options: WatchOptions
  readonly #followed = new Map<string, Followed>()
  readonly #counts = new Map<string, Counts>()
  /** Events that were closed for long enough. */
  readonly #done = new Set<string>()
  readonly #episodeIds = new Set<string>()
  readonly #reports = new Map<string, EventReport>()
  readonly #polled = new Set<string>()
  #pollsFromMs: number | null = null
  #polledMs = 0
  #before: Look | null = null
  #fromMs: number
  readonly counted = { looks: 0, events: 0, reads: 0, unsteady: 0, breaches: 0, checks: 0 }

  constructor(options: WatchOptions) {
    this.#options = options
    this.#fromMs = options.now() - reachMs
  }

  async look(): Promise<void> {
    const { now } = this.#options
    const atMs = now()
    const isWhole = this.#listen()
    const fromMs = this.#fromMs
    const listed = await this.#list<EventOverview>(`/api/v1/events?start=${wireTime(fromMs)}`, 'events')
    const byId = new Map(listed.map((event) => [event.id, event]))
    const place = this.#place(listed)
    const entries = await this.#list<DdosEvent>(`/open/event/ddos?start=${wireTime(fromMs)}`, 'data')
    const changed = await this.#list<EventOverview>(`/api/v1/events?changedSince=${place}`, 'events')
    await this.#poll()
    for (const overview of listed) await this.#follow(overview, atMs, isWhole)
    const look: Look = {
      atMs,
      fromMs,
      place,
      listed: byId,
      changed,
      entries: new Map(entries.map((entry) => [entry._id, entry])),
      polled: this.#polled,
      pollsFromMs: this.#pollsFromMs ?? atMs,
      polledMs: this.#polledMs,
      episodeIds: this.#episodeIds,
      retentionMs: this.#options.retentionMs,
    }
    for (const { name, breaches } of lookRules) this.#hold(name, null, atMs, breaches(look, this.#before))
    this.#before = look
    this.counted.looks++
    this.#forget(atMs)
  }

  /** Holds what was reported against what was sent. */
  account(sent: readonly Sent[]): void {
    const account = { sent, reports: [...this.#reports.values()] }
    for (const { name, breaches } of accountRules) this.#hold(name, null, this.#options.now(), breaches(account))
  }

  /** The latest report of each event that was seen. */
  get reports(): EventReport[] {
    return [...this.#reports.values()]
  }

  /** The latest look at all events, and at one; null: nothing was looked at yet. */
  get latest(): Look | null {
    return this.#before
  }

  latestOf(id: string): { light: EventLook | null; full: FullLook | null } {
    const { light = null, full = null } = this.#followed.get(id) ?? {}
    return { light, full }
  }

  /** False: something may have been missed. */
  #listen(): boolean {
    const messages = this.#options.messages?.() ?? [{ type: 'reset' as const }]
    for (const message of messages) {
      if (message.type === 'reset') {
        this.#counts.clear()
        for (const followed of this.#followed.values()) followed.base = null
      } else if (message.type === 'events') {
        for (const id of this.#followed.keys()) this.#countsOf(id).named++
      } else {
        const counts = this.#countsOf(message.id)
        counts.named++
        const turn = (['made', 'ended', 'returned', 'closed'] as const).find((each) => each === message.change)
        if (turn !== undefined) counts[turn]++
      }
    }
    return !messages.some(({ type }) => type === 'reset')
  }

  #countsOf(id: string): Counts {
    const known = this.#counts.get(id) ?? { ...noCounts }
    this.#counts.set(id, known)
    return known
  }

  /** The highest sequence that was read before; at first, that of the list. */
  #place(listed: readonly EventOverview[]): number {
    const read = this.#before
    const highest = (events: readonly EventOverview[]) =>
      events.reduce((most, { sequence }) => Math.max(most, sequence), 0)
    return read === null ? highest(listed) : Math.max(read.place, highest(read.changed))
  }

  async #poll(): Promise<void> {
    const nowMs = this.#options.now()
    if (this.#pollsFromMs !== null && nowMs - this.#polledMs < pollEveryMs) return
    this.#pollsFromMs ??= nowMs - 2 * pollEveryMs
    this.#polledMs = nowMs
    const path = `/open/event/ddos?start=${wireTime(nowMs - 2 * pollEveryMs)}`
    for (const { _id } of await this.#list<DdosEvent>(path, 'data')) this.#polled.add(_id)
  }

  async #follow(overview: EventOverview, atMs: number, isWhole: boolean): Promise<void> {
    const { id } = overview
    if (this.#done.has(id)) return
    if (!this.#followed.has(id)) this.counted.events++
    const followed = this.#followed.get(id) ?? { light: null, earlier: null, full: null, closedMs: null, base: null }
    this.#followed.set(id, followed)
    const light = this.#lightOf(overview, followed, { atMs, isWhole })
    if (followed.light !== null)
      for (const { name, breaches } of eventRules)
        this.#hold(name, id, atMs, breaches(light, followed.light, followed.earlier))
    followed.earlier = followed.light
    followed.light = light
    if (overview.phase === 'closed') followed.closedMs ??= atMs
    const { full } = followed
    const isDue = full === null || atMs - full.atMs >= (this.#options.readAgainMs ?? 600_000)
    if (isDue || full.report.sequence !== overview.sequence) await this.#read(overview, followed)
  }

  #lightOf(
    overview: EventOverview,
    followed: Followed,
    { atMs, isWhole }: { atMs: number; isWhole: boolean },
  ): EventLook {
    const counts = this.#counts.get(overview.id) ?? noCounts
    const turns = turnsOf(overview)
    const { light } = followed
    const isSteady = isWhole && light !== null && sameTurns(turnsOf(light.overview), turns)
    // It is known from its beginning, or nothing has happened for a look, and nothing is on its way.
    if (counts.made > 0) followed.base = { turns: noTurns, counts: noCounts }
    else if (isSteady) followed.base ??= { turns, counts: { ...counts } }
    const { base } = followed
    const told =
      base === null || !isWhole
        ? null
        : {
            ended: base.turns.ended + counts.ended - base.counts.ended,
            returned: base.turns.returned + counts.returned - base.counts.returned,
            closed: base.turns.closed + counts.closed - base.counts.closed,
          }
    return { atMs, overview, told, named: isWhole ? counts.named : null }
  }

  async #read(overview: EventOverview, followed: Followed): Promise<void> {
    const full = await this.#fullLook(overview)
    if (full === null) {
      this.counted.unsteady++
      return
    }
    this.counted.reads++
    const { atMs, report } = full
    for (const { name, breaches } of [...amountRules, ...growthRules])
      this.#hold(name, report.id, atMs, breaches(full, followed.full))
    followed.full = full
    this.#reports.set(report.id, report)
    for (const { id } of report.episodes) this.#episodeIds.add(id)
  }

  /** Null: it is gone, or changes too often. */
  async #fullLook(overview: EventOverview): Promise<FullLook | null> {
    const path = `/api/v1/events/${overview.id}`
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const atMs = this.#options.now()
      const report = await this.#get<EventReport>(path)
      if (report === null) return null
      const series = await this.#get<EventSeries>(`${path}/series`)
      const entries = []
      for (const { id, createdAt } of report.isTest ? [] : report.episodes)
        entries.push(await this.#entry(id, createdAt))
      const elsewhere = (await this.#options.elsewhere?.(report)) ?? []
      const again = await this.#get<EventReport>(path)
      if (again?.sequence !== report.sequence || series === null) continue
      const isSame = overview.sequence === report.sequence
      return { atMs, report, overview: isSame ? overview : null, series, entries, elsewhere }
    }
    return null
  }

  async #entry(id: string, createdAt: string): Promise<FullLook['entries'][number]> {
    const window = `start=${wireTime(msOf(createdAt))}&end=${wireTime(msOf(createdAt) + 1000)}`
    const listed = await this.#list<DdosEvent>(`/open/event/ddos?${window}`, 'data')
    const answer = await this.#get<{ data: DdosEventDetail | Record<string, never> }>(`/open/event/ddos/detail/${id}`)
    const detail = answer !== null && '_id' in answer.data ? (answer.data as DdosEventDetail) : null
    return { id, listed: listed.find(({ _id }) => _id === id) ?? null, detail }
  }

  /** Events that were closed for long enough are followed no more; lists go back to the oldest that is. */
  #forget(atMs: number): void {
    let fromMs = atMs - closedMs
    for (const [id, { light, closedMs: sinceMs }] of this.#followed) {
      const isDone = sinceMs !== null && atMs - sinceMs > closedMs
      const isGone = light === null || light.atMs < atMs
      if (isDone || isGone) {
        if (isDone) this.#done.add(id)
        this.#followed.delete(id)
        this.#counts.delete(id)
      } else fromMs = Math.min(fromMs, msOf(light.overview.createdAt))
    }
    this.#fromMs = Math.max(this.#fromMs, fromMs)
  }

  #hold(rule: string, id: string | null, atMs: number, breaches: readonly string[]): void {
    this.counted.checks++
    this.counted.breaches += breaches.length
    for (const text of breaches) this.#options.onBreach({ atMs, rule, id, text })
  }

  async #get<Body>(path: string): Promise<Body | null> {
    const { status, body } = await this.#options.ask(path)
    if (status === 404) return null
    if (status !== 200) throw new Error(`${path}: HTTP ${status}`)
    return body as Body
  }

  /** All pages. */
  async #list<Item>(path: string, member: string): Promise<Item[]> {
    const items: Item[] = []
    for (let next: string | null = path; next !== null; ) {
      const { status, body, link } = await this.#options.ask(next)
      if (status !== 200) throw new Error(`${next}: HTTP ${status}`)
      items.push(...(body as Record<string, Item[]>)[member])
      const url = link === null ? null : (/<([^>]+)>; rel="next"/.exec(link)?.[1] ?? null)
      next = url === null ? null : url.slice(url.search(/\/(?:api|open)\//))
    }
    return items
  }
}

function sameTurns(a: Turns, b: Turns): boolean {
  return a.ended === b.ended && a.returned === b.returned && a.closed === b.closed
}

/** As the interface reads it, in a query. */
function wireTime(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000', '')
}
