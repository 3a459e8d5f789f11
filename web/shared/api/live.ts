// What the service tells by itself: the stream of server-sent events, the data that it makes stale, and whether it still comes.
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Api } from './api.ts'
import { type Connection, Watchdog } from './watchdog.ts'

export interface Live {
  connection: Connection
  /** When the service last gave anything; null: never. Up to date where it matters: while the connection is `stale`. */
  lastDataMs: number | null
}

/** What messages are about. A query says in `meta.live` which of them make its data stale; `reset` is about all of them. */
const kinds = ['event', 'events', 'sites', 'alerts', 'exporters', 'status', 'reset'] as const

type Kind = (typeof kinds)[number]

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { live?: readonly Kind[] }
  }
}

/** What happened to an event: `made`, `returned`, and more. */
export interface EventChange {
  id: string
  change: string
}

/** Changes come many at a time: data is asked for once for all of them. */
const gatherMs = 1_000
const againMs = 5_000
/** How often the watchdog is asked. */
const lookMs = 1_000
/** While there is no stream, all that is shown is asked for this often. */
const pollMs = 15_000

export class LiveStream {
  readonly #api: Api
  readonly #queries: QueryClient
  readonly #watchdog = new Watchdog(() => Date.now())
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Set<Kind>()
  readonly #onEvents = new Set<(changed: EventChange) => void>()
  #source: EventSource | null = null
  #gathering: ReturnType<typeof setTimeout> | null = null
  #looking: ReturnType<typeof setInterval> | null = null
  #polledMs = 0
  #wasLive = false
  #live: Live = { connection: 'off', lastDataMs: null }

  constructor(api: Api, queries: QueryClient) {
    this.#api = api
    this.#queries = queries
    api.onAnswered = () => {
      this.#watchdog.answered()
      this.#look()
    }
  }

  readonly live = () => this.#live

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Each change of an event, as it comes. */
  readonly onEvent = (listener: (changed: EventChange) => void) => {
    this.#onEvents.add(listener)
    return () => void this.#onEvents.delete(listener)
  }

  start(): void {
    if (this.#looking !== null) return
    this.#connect()
    this.#looking = setInterval(() => this.#look(), lookMs)
  }

  stop(): void {
    if (this.#looking !== null) clearInterval(this.#looking)
    this.#looking = null
    this.#source?.close()
    this.#source = null
    this.#watchdog.stopped()
    this.#look()
  }

  #connect(): void {
    this.#source?.close()
    const source = new EventSource(this.#api.address('getStream', {}))
    this.#source = source
    this.#watchdog.starting()
    source.addEventListener('open', () => this.#hear())
    source.addEventListener('error', () => {
      this.#watchdog.broken()
      this.#look()
      // The browser tries again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) this.#connectSoon(source)
    })
    source.addEventListener('heartbeat', () => this.#hear())
    for (const kind of kinds) {
      source.addEventListener(kind, () => {
        this.#hear()
        this.#note(kind)
      })
    }
    source.addEventListener('event', ({ data }) => {
      const changed = changeIn(String(data))
      if (changed !== null) for (const tell of this.#onEvents) tell(changed)
    })
    this.#look()
  }

  #connectSoon(failed: EventSource): void {
    setTimeout(() => {
      // Somebody else has stopped it or connected it meanwhile.
      if (this.#source === failed) this.#connect()
    }, againMs)
  }

  #hear(): void {
    const { connection: before } = this.#live
    this.#watchdog.heard()
    this.#look()
    // What changed while nothing was heard is not known. At the very first nothing is old yet.
    if (before !== 'live' && (before !== 'connecting' || this.#wasLive)) this.#refresh()
    this.#wasLive = true
  }

  #look(): void {
    const { connection, lastDataMs } = this.#watchdog
    const { connection: before, lastDataMs: lastBefore } = this.#live
    if (connection !== before || (connection === 'stale' && lastDataMs !== lastBefore)) {
      this.#live = { connection, lastDataMs }
      for (const tell of this.#listeners) tell()
    }
    const nowMs = Date.now()
    if (connection === 'polling' && nowMs - this.#polledMs > pollMs) {
      this.#polledMs = nowMs
      this.#refresh()
    }
    if (this.#watchdog.isSilent) this.#connect()
  }

  /** Fetches everything again that is shown. */
  #refresh(): void {
    this.#invalidate(new Set<Kind>(['reset']))
  }

  #note(kind: Kind): void {
    this.#waiting.add(kind)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null
      this.#invalidate(this.#waiting)
      this.#waiting.clear()
    }, gatherMs)
  }

  #invalidate(about: ReadonlySet<Kind>): void {
    const isStale = (live: readonly Kind[]) => about.has('reset') || live.some((kind) => about.has(kind))
    void this.#queries.invalidateQueries({ predicate: ({ meta }) => meta?.live !== undefined && isStale(meta.live) })
  }
}

/** Null: it says something else. */
function changeIn(data: string): EventChange | null {
  const { id, change }: { id?: unknown; change?: unknown } = Object(JSON.parse(data))
  return typeof id === 'string' && typeof change === 'string' ? { id, change } : null
}

const LiveContext = createContext<LiveStream | null>(null)
export const LiveProvider = LiveContext.Provider

function useStream(): LiveStream {
  const live = useContext(LiveContext)
  if (live === null) throw new Error('there is no stream above this component')
  return live
}

/** Keeps the stream going while the component is there. */
export function useLiveStream(): void {
  const live = useStream()
  useEffect(() => {
    live.start()
    return () => live.stop()
  }, [live])
}

/** Calls with each change of an event while the component is there. */
export function useEventChanges(listener: (changed: EventChange) => void): void {
  const live = useStream()
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => live.onEvent((changed) => latest.current(changed)), [live])
}

/** Whether what is shown is what is so now. */
export function useLive(): Live {
  const live = useStream()
  return useSyncExternalStore(live.subscribe, live.live)
}

/** Whether nothing comes from the service any more. */
export function useStale(): boolean {
  const live = useStream()
  return useSyncExternalStore(live.subscribe, () => live.live().connection === 'stale')
}
