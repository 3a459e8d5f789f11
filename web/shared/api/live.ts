// What the service tells by itself: the stream of server-sent events, and the data that it makes stale.
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import type { Api } from './api.ts'

export type LiveState = 'off' | 'connecting' | 'live'

/** Which data of the cache each kind of message is about, by the first part of its key. */
const stale: Readonly<Record<string, readonly string[]>> = {
  event: ['events', 'event', 'overview'],
  events: ['events', 'event', 'overview'],
  sites: ['sites', 'site-pages', 'site', 'target', 'traffic', 'names', 'overview'],
  exporters: ['exporters', 'exporter'],
  status: ['overview', 'status', 'exporters'],
  reset: [
    'events',
    'event-pages',
    'event',
    'sites',
    'site-pages',
    'site',
    'target',
    'traffic',
    'names',
    'exporters',
    'exporter',
    'overview',
    'status',
  ],
}

/** Changes come many at a time: data is asked for once for all of them. */
const gatherMs = 1_000
const againMs = 5_000

export class LiveStream {
  readonly #api: Api
  readonly #queries: QueryClient
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Set<string>()
  #source: EventSource | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #state: LiveState = 'off'

  constructor(api: Api, queries: QueryClient) {
    this.#api = api
    this.#queries = queries
  }

  readonly state = () => this.#state

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    if (this.#source !== null) return
    this.#become('connecting')
    const source = new EventSource(this.#api.address('getStream'))
    this.#source = source
    source.addEventListener('open', () => this.#become('live'))
    source.addEventListener('error', () => {
      this.#become('connecting')
      // The browser tries again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) this.#restartSoon()
    })
    for (const kind of Object.keys(stale)) source.addEventListener(kind, () => this.#note(kind))
  }

  stop(): void {
    this.#source?.close()
    this.#source = null
    this.#become('off')
  }

  #restartSoon(): void {
    const failed = this.#source
    setTimeout(() => {
      // Somebody else has stopped or started it meanwhile.
      if (this.#source !== failed || failed === null) return
      this.stop()
      this.start()
    }, againMs)
  }

  #note(kind: string): void {
    for (const key of stale[kind]) this.#waiting.add(key)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const keys = [...this.#waiting]
      this.#waiting.clear()
      for (const key of keys) void this.#queries.invalidateQueries({ queryKey: [key] })
    }, gatherMs)
  }

  #become(state: LiveState): void {
    this.#state = state
    for (const tell of this.#listeners) tell()
  }
}

const LiveContext = createContext<LiveStream | null>(null)
export const LiveProvider = LiveContext.Provider

/** The state of the stream, which goes on while the component is there. */
export function useLive(): LiveState {
  const live = useContext(LiveContext)
  if (live === null) throw new Error('there is no stream above this component')
  useEffect(() => {
    live.start()
    return () => live.stop()
  }, [live])
  return useSyncExternalStore(live.subscribe, live.state)
}
