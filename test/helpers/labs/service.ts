// The service without sockets and threads, on a clock that the test moves: datagrams or records go through decoder, folder, detector, recorder and store
// to the interface, so that hours pass in seconds. It can be killed and started again on its data.
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Static } from 'typebox'
import { StreamText } from '../../../scripts/watch/stream.ts'
import type { Message } from '../../../scripts/watch/watch.ts'
import { messages } from '../../../src/api/live/stream.ts'
import type { WatchedHost } from '../../../src/cli/detect/event-lines.ts'
import { ManualClock } from '../../../src/clock.ts'
import type { CapturedDatagram } from '../../../src/collect/capture/reader.ts'
import type { EventNoteChange } from '../../../src/contract/events/notes.ts'
import { StreamChanges } from '../../../src/decode/stream-changes.ts'
import type { DetectSettings } from '../../../src/detect/settings.ts'
import { eventId } from '../../../src/events/event.ts'
import { Recorder } from '../../../src/events/recorder.ts'
import { resumeEvents } from '../../../src/events/resume.ts'
import { MinuteSeries } from '../../../src/history/minute-series.ts'
import { createLogger } from '../../../src/log.ts'
import { addressFrom } from '../../../src/net/address.ts'
import {
  contains,
  formatNetwork,
  networkFrom,
  networkKey,
  networkRanges,
  prefixLength,
} from '../../../src/net/network.ts'
import { SingleThreadPipeline } from '../../../src/pipeline/single-thread.ts'
import type { Store } from '../../../src/store/store.ts'
import { createTestApi, type TestApi, type TestCaller } from '../api.ts'
import { defaultSettings, startMs } from '../detection.ts'
import { address, batchOf, type FlowRow } from '../flow-rows.ts'

const everyNetwork: WatchedHost[] = Array.from({ length: 256 }, (_, i) => {
  const network = networkFrom({ network: address(`192.0.${i}.0`), length: 24 })
  return { kind: 'cidr', host: formatNetwork(network), network }
})
const log = createLogger('silent')
/** The shortest that events may be kept. */
const eventsKeptMs = 365 * 86_400_000

export interface Told {
  status: number
  body: unknown
  link: string | null
}

export interface LabOptions {
  /** What the clock shows at first. Unix time, milliseconds. */
  fromMs: number
  /** The sites of its user. */
  sites: readonly WatchedHost[]
  settings: DetectSettings
  /** In place of the sampling rate of every exporter; 0: as they say. */
  sampling: number
}

export class ServiceLab {
  readonly api: TestApi
  readonly caller: TestCaller
  readonly #test: TestContext
  readonly #options: LabOptions
  readonly #messages: Message[] = []
  /** What timers have waited for. */
  #tickedMs: number
  #pipeline: SingleThreadPipeline
  #changes: StreamChanges
  #recorder: Recorder
  #made = 0
  /** The store fails while it is true. */
  isStoreDown = false

  static async start(test: TestContext, given: Partial<LabOptions> = {}): Promise<ServiceLab> {
    const options = { fromMs: startMs, sites: everyNetwork, settings: defaultSettings(), sampling: 0, ...given }
    // What waits for a moment waits by the lab's clock.
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const api = await createTestApi({ clock: new ManualClock(options.fromMs), settings: { ratePerMinute: 0 } })
    test.after(() => api.close())
    const caller = await api.addCaller('watch@example.org')
    return new ServiceLab(test, { api, caller, options })
  }

  constructor(test: TestContext, { api, caller, options }: { api: TestApi; caller: TestCaller; options: LabOptions }) {
    this.#test = test
    this.#tickedMs = options.fromMs
    this.api = api
    this.caller = caller
    // An event is named after the smallest site that holds its address.
    this.#options = {
      ...options,
      sites: options.sites.toSorted((a, b) => prefixLength(b.network) - prefixLength(a.network)),
    }
    void this.#listen()
    this.#pipeline = this.#createPipeline()
    this.#changes = new StreamChanges(this.#pipeline.ingest.streams)
    this.#recorder = this.#createRecorder()
  }

  get nowMs(): number {
    return this.api.clock.now()
  }

  /** One second: what came in it, and what is made of it. */
  async second(rows: readonly Partial<FlowRow>[]): Promise<void> {
    if (rows.length > 0) this.#pipeline.ingest.fold(batchOf([...rows]))
    await this.until(this.nowMs + 1_000)
  }

  /** A datagram, which comes at `timeMs`, or now, if that is past. */
  receive({ timeMs, address, port, payload }: CapturedDatagram): void {
    const { clock } = this.api
    clock.set(Math.max(clock.now(), Math.floor(timeMs)))
    this.#pipeline.receive(payload, { address, port })
  }

  /** Time passes until then, and what has come is judged, if it is time for that. */
  async until(ms: number): Promise<void> {
    this.api.clock.set(ms)
    const reports = this.#pipeline.step()
    if (reports.length > 0) this.#recorder.take(reports)
    await this.#recorder.write()
    this.#test.mock.timers.tick(ms - this.#tickedMs)
    this.#tickedMs = ms
    // The stream is heard.
    await nextTurn()
  }

  /** The service is gone for so long, and goes on with what is in the store. */
  async restart(downSeconds: number): Promise<void> {
    const { clock, store } = this.api
    clock.advance(downSeconds * 1_000)
    const resumed = await resumeEvents({ store, clock, log, settings: this.#options.settings })
    await store.saveStreamStates(this.#changes.take(Number.POSITIVE_INFINITY))
    const { streams } = await store.loadStreamStates()
    this.#pipeline = this.#createPipeline()
    this.#pipeline.ingest.streams.restore(streams)
    this.#pipeline.detection.detector.resume(resumed.incidents, this.nowMs)
    this.#changes = new StreamChanges(this.#pipeline.ingest.streams)
    this.#recorder = this.#createRecorder()
    this.#recorder.resume(resumed.events)
    this.#messages.push({ type: 'reset' })
  }

  async ask(path: string): Promise<Told> {
    const { statusCode, body, headers } = await this.api.server.inject({ url: path, headers: this.caller.headers })
    const { link } = headers
    return { status: statusCode, body: JSON.parse(body), link: typeof link === 'string' ? link : null }
  }

  /** What a person says of an event. */
  async note(id: string, payload: Static<typeof EventNoteChange>): Promise<void> {
    const { headers } = this.caller
    const { statusCode, body } = await this.api.server.inject({
      method: 'PATCH',
      url: `/api/v1/events/${id}`,
      headers,
      payload,
    })
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode} ${body}`)
  }

  /** As retention does once an hour: nothing stays of the traffic by the minute, and of events what is promised. */
  async forget(): Promise<void> {
    const { nowMs } = this
    await this.api.store.prune({ eventsMs: nowMs - eventsKeptMs, seriesMs: nowMs, bindingsMs: nowMs })
  }

  /** What the stream said since this was last asked. */
  messages(): Message[] {
    return this.#messages.splice(0)
  }

  async #listen(): Promise<void> {
    const listening = this.api.feed.listen({ userId: this.caller.user.id, isAdmin: false, address: '192.0.2.1' }, null)
    if (listening === null) throw new Error('nobody may listen')
    const over = new AbortController()
    this.#test.after(() => over.abort())
    const text = new StreamText()
    for await (const part of messages(listening, { signal: over.signal, isStillKnown: async () => true }))
      this.#messages.push(...text.push(part))
  }

  #createPipeline(): SingleThreadPipeline {
    const { settings, sites, sampling } = this.#options
    const pipeline = new SingleThreadPipeline({
      clock: this.api.clock,
      settings,
      watched: networkRanges(sites.map(({ network }) => network)),
      networks: sites.map(({ network }) => networkKey(network)),
      series: new MinuteSeries(),
      decoder: { samplingOverrideOf: () => sampling },
      // Rows that come without a datagram belong to no stream.
      folder: { exporterAt: (stream) => pipeline.ingest.streams.list[stream]?.address ?? `198.51.100.${stream}` },
    })
    return pipeline
  }

  #createRecorder(): Recorder {
    const { clock, store, feed } = this.api
    const { settings, sites } = this.#options
    const fallible: Store = {
      ...store,
      record: async (recording) => {
        if (this.isStoreDown) throw new Error('the store is down')
        return store.record(recording)
      },
    }
    return new Recorder({
      store: fallible,
      clock,
      log,
      incidentsMax: settings.incidentsMax,
      learnSeconds: 900,
      match: ({ address: victim }) => {
        const holding = sites.filter(({ network }) => contains(network, addressFrom(victim))).map(({ host }) => host)
        if (holding.length === 0) return []
        return [{ userId: this.caller.user.id, site: holding[0], sites: holding, domain: '', dns: [], sinceMs: 0 }]
      },
      isColleague: () => false,
      mayKnowSources: () => true,
      newEventId: (createdMs) => eventId(createdMs, Buffer.from((++this.#made).toString(16).padStart(16, '0'), 'hex')),
      onRecorded: () => feed.wake(),
      onTests: () => {},
    })
  }
}
