// The service without sockets and threads, on a clock that the test moves: records go through folder, detector, recorder and store to the interface,
// second by second, so that hours pass in seconds. It can be killed and started again on its data.
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StreamText } from '../../scripts/watch/stream.ts'
import type { Message } from '../../scripts/watch/watch.ts'
import { Folder } from '../../src/aggregate/folder.ts'
import { messages } from '../../src/api/stream.ts'
import { ManualClock } from '../../src/clock.ts'
import { Detector } from '../../src/detect/detector.ts'
import type { DetectSettings } from '../../src/detect/settings.ts'
import { SettingsTable } from '../../src/detect/target-settings.ts'
import { MinuteSeries } from '../../src/history/minute-series.ts'
import { createLogger } from '../../src/log.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { eventId } from '../../src/serve/event.ts'
import { Recorder } from '../../src/serve/recorder.ts'
import { resumeEvents } from '../../src/serve/resumption.ts'
import type { Store } from '../../src/store/store.ts'
import { compileWatchList } from '../../src/targets/watch-list.ts'
import { createTestApi, type TestApi, type TestCaller } from './api.ts'
import { defaultSettings, startMs } from './detection.ts'
import { address, batchOf, type FlowRow } from './flow-rows.ts'

const watched = new Uint32Array([address('192.0.0.0'), address('192.0.255.255')])
const log = createLogger('silent')

export interface Told {
  status: number
  body: unknown
  link: string | null
}

export class ServiceLab {
  readonly api: TestApi
  readonly caller: TestCaller
  readonly #test: TestContext
  readonly #settings: DetectSettings
  readonly #messages: Message[] = []
  #folder: Folder
  #detector: Detector
  #recorder: Recorder
  #made = 0
  /** The store fails while it is true. */
  isStoreDown = false

  static async start(test: TestContext, given: Partial<DetectSettings> = {}): Promise<ServiceLab> {
    // What waits for a moment waits by the lab's clock.
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const api = await createTestApi({ clock: new ManualClock(startMs), settings: { ratePerMinute: 0 } })
    test.after(() => api.close())
    const caller = await api.addCaller('watch@example.org')
    return new ServiceLab(test, { api, caller, settings: { ...defaultSettings(), ...given } })
  }

  constructor(
    test: TestContext,
    { api, caller, settings }: { api: TestApi; caller: TestCaller; settings: DetectSettings },
  ) {
    this.#test = test
    this.api = api
    this.caller = caller
    this.#settings = settings
    void this.#listen()
    const { folder, detector, recorder } = this.#create()
    this.#folder = folder
    this.#detector = detector
    this.#recorder = recorder
  }

  get nowMs(): number {
    return this.api.clock.now()
  }

  /** One second: what came in it, and what is made of it. */
  async second(rows: readonly Partial<FlowRow>[]): Promise<void> {
    if (rows.length > 0) this.#folder.fold(batchOf([...rows]))
    this.api.clock.advance(1_000)
    this.#detector.accept(this.#folder.seal(this.nowMs))
    const reports = this.#detector.pass(this.nowMs)
    if (reports.length > 0) this.#recorder.take(reports)
    await this.#recorder.write()
    this.#test.mock.timers.tick(1_000)
    // The stream is heard.
    await nextTurn()
  }

  /** The service is gone for so long, and goes on with what is in the store. */
  async restart(downSeconds: number): Promise<void> {
    const { clock, store } = this.api
    clock.advance(downSeconds * 1_000)
    const resumed = await resumeEvents({ store, clock, log, settings: this.#settings })
    const { folder, detector, recorder } = this.#create()
    detector.resume(resumed.incidents, this.nowMs)
    recorder.resume(resumed.events)
    this.#folder = folder
    this.#detector = detector
    this.#recorder = recorder
    this.#messages.push({ type: 'reset' })
  }

  async ask(path: string): Promise<Told> {
    const { statusCode, body, headers } = await this.api.server.inject({ url: path, headers: this.caller.headers })
    const { link } = headers
    return { status: statusCode, body: JSON.parse(body), link: typeof link === 'string' ? link : null }
  }

  /** What the stream said since this was last asked. */
  messages(): Message[] {
    return this.#messages.splice(0)
  }

  async #listen(): Promise<void> {
    const listening = this.api.feed.listen({ userId: this.caller.user.id, isAdmin: false }, null)
    if (listening === null) throw new Error('nobody may listen')
    const over = new AbortController()
    this.#test.after(() => over.abort())
    const text = new StreamText()
    for await (const part of messages(listening, { signal: over.signal, isStillKnown: async () => true }))
      this.#messages.push(...text.push(part))
  }

  #create() {
    const { clock, store, feed } = this.api
    const settings = this.#settings
    const folder = new Folder({ clock, exporterAt: (stream) => `198.51.100.${stream}` })
    folder.setExclusions(new SettingsTable(settings).exclusions())
    folder.setWatchList(compileWatchList(watched))
    const detector = new Detector({ settings, history: new MinuteSeries() })
    const fallible: Store = {
      ...store,
      updateEvents: async (...given) => {
        if (this.isStoreDown) throw new Error('the store is down')
        await store.updateEvents(...given)
      },
    }
    const recorder = new Recorder({
      store: fallible,
      clock,
      log,
      incidentsMax: settings.incidentsMax,
      match: ({ address: victim }) => {
        const site = `${formatIpv4(victim >>> 0).replace(/\d+$/, '0')}/24`
        return [{ userId: this.caller.user.id, site, sites: [site], domain: '', dns: [] }]
      },
      mayKnowSources: () => true,
      newEventId: (createdMs) => eventId(createdMs, Buffer.from((++this.#made).toString(16).padStart(16, '0'), 'hex')),
      onEvents: (changes) => feed.tellEvents(changes),
      onTests: () => {},
    })
    return { folder, detector, recorder }
  }
}
