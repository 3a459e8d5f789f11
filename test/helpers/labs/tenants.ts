// The service with several users on a clock that the test moves: names by a name server on loopback, flows through folder and detector, events and traffic in
// the store, and all of it at the interface. The world (where names lead, what flows) is the same whoever watches.
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Value } from 'typebox/value'
import type { AccessSettings } from '../../../src/access/settings.ts'
import { compileWatchList } from '../../../src/aggregate/watch-list.ts'
import type { DetectSettings } from '../../../src/detect/settings.ts'
import { eventId } from '../../../src/events/event.ts'
import { Recorder } from '../../../src/events/recorder.ts'
import { MinuteSeries } from '../../../src/history/minute-series.ts'
import { createLogger } from '../../../src/log.ts'
import { bindingsOf } from '../../../src/names/bindings/watched.ts'
import { Names } from '../../../src/names/names.ts'
import { namesSettings } from '../../../src/names/settings.ts'
import { SingleThreadPipeline } from '../../../src/pipeline/single-thread.ts'
import { SeriesWriter } from '../../../src/serve/series-writer.ts'
import type { User } from '../../../src/store/store.ts'
import { createTestApi, noSources, type TestApi, type TestApiOptions, type TestCaller } from '../api.ts'
import { defaultSettings } from '../detection.ts'
import { batchOf, type FlowRow } from '../flow-rows.ts'
import { reportOf } from '../reports.ts'
import { a, DnsServer, response } from '../servers/dns-server.ts'

export interface TenantLabOptions {
  access: AccessSettings
  users: Record<string, Pick<User, 'allowed' | 'siteQuota'>>
  detect?: Partial<DetectSettings>
}

export interface Answer {
  url: string
  status: number
  body: string
}

const log = createLogger('silent')

export class TenantLab {
  readonly #test: TestContext
  readonly #api: TestApi
  readonly #server: DnsServer
  readonly #names: Names
  readonly #pipeline: SingleThreadPipeline
  readonly #writer: SeriesWriter
  readonly #recorder: Recorder
  readonly #callers = new Map<string, TestCaller>()
  /** Where names lead. */
  readonly #addresses = new Map<string, string>()
  #made = 0
  #isChanged = true

  static async create(test: TestContext, options: TenantLabOptions): Promise<TenantLab> {
    test.mock.timers.reset()
    test.mock.timers.enable({ apis: ['setInterval'] })
    const lead = new Map<string, string>()
    const server = await new DnsServer((asked) => {
      const address = lead.get(asked.name)
      return [address === undefined ? response(asked, [], { flags: 3 }) : response(asked, [a(asked.name, address)])]
    }).start()
    const parts: { lab: TenantLab | null } = { lab: null }
    const labOf = () => {
      if (parts.lab === null) throw new Error('nobody asks before the lab is made')
      return parts.lab
    }
    const api = await createTestApi({ access: options.access, settings: { ratePerMinute: 0 }, ...apiParts(labOf) })
    const lab = new TenantLab(test, { api, server, lead, options })
    parts.lab = lab
    for (const [name, user] of Object.entries(options.users))
      lab.#callers.set(name, await api.addCaller(`${name}@example.net`, user))
    await lab.#readSites()
    lab.#names.start()
    return lab
  }

  private constructor(
    test: TestContext,
    given: { api: TestApi; server: DnsServer; lead: Map<string, string>; options: TenantLabOptions },
  ) {
    const { api, server, lead, options } = given
    const { clock, store } = api
    const detect = { ...defaultSettings(), ...options.detect }
    this.#test = test
    this.#api = api
    this.#server = server
    this.#addresses = lead
    this.#names = new Names({
      ...{ access: options.access, clock, log, random: () => 0.5 },
      settings: { ...Value.Create(namesSettings), resolvers: [server.address] },
    })
    this.#writer = new SeriesWriter({ store, clock, log })
    this.#pipeline = new SingleThreadPipeline({
      ...{ clock, settings: detect, series: new MinuteSeries(), watched: new Uint32Array() },
      folder: { exporterAt: () => '198.51.100.1' },
    })
    this.#names.onChange(() => {
      this.#pipeline.ingest.setWatchList(compileWatchList(this.#names.watchedAddresses()))
      this.detector.setHolders(this.#names.watchedBy())
    })
    this.#recorder = new Recorder({
      ...{ store, clock, log, incidentsMax: detect.incidentsMax, learnSeconds: detect.learnSeconds },
      match: (attack) => this.#names.attribute(attack),
      isColleague: (userId) => this.#names.isColleague(userId),
      mayKnowSources: (userId, addresses) => this.#names.mayKnowSources(userId, addresses),
      newEventId: (createdMs) => eventId(createdMs, Buffer.from((++this.#made).toString(16).padStart(16, '0'), 'hex')),
      onRecorded: () => api.feed.wake(),
      onTests: () => {},
    })
  }

  get names(): Names {
    return this.#names
  }

  get detector(): SingleThreadPipeline['detection']['detector'] {
    return this.#pipeline.detection.detector
  }

  get nowMs(): number {
    return this.#api.clock.now()
  }

  point(name: string, address: string): void {
    this.#addresses.set(name, address)
  }

  /** A second passes, in which that came. */
  async second(rows: readonly Partial<FlowRow>[]): Promise<void> {
    const { clock } = this.#api
    const endMs = Math.floor(clock.now() / 1_000) * 1_000 + 1_000
    if (this.#isChanged) await this.#readSites()
    await this.#resolve()
    if (rows.length > 0) this.#pipeline.ingest.fold(batchOf([...rows]))
    clock.set(endMs)
    const reports = this.#pipeline.step()
    if (reports.length > 0) this.#recorder.take(reports)
    await this.#recorder.write()
    const points = this.#pipeline.detection.takeSeries()
    if (points !== null) this.#writer.take(points)
    await this.#writer.write()
  }

  /** A simulated attack of the user on the address, from its beginning to its end. */
  async simulate(who: string, address: number): Promise<void> {
    const { id } = this.caller(who).user
    const incident = `simulation-${++this.#made}.i1`
    const change = { incident, address, startMs: this.nowMs, endMs: this.nowMs }
    for (const phase of ['opened', 'ended', 'closed'] as const) {
      this.#recorder.take([reportOf({ phase, ...change })], id)
      await this.#recorder.write()
    }
  }

  async ask(
    who: string,
    url: string,
    given: { method?: 'POST' | 'PATCH' | 'DELETE'; payload?: object } = {},
  ): Promise<Answer> {
    const { method, payload } = given
    const { headers } = this.caller(who)
    const answer = await this.#api.server.inject({
      ...{ url, headers },
      ...(method !== undefined && { method }),
      ...(payload !== undefined && { payload }),
    })
    this.#isChanged ||= method !== undefined
    return { url, status: answer.statusCode, body: answer.body }
  }

  caller(name: string): TestCaller {
    const caller = this.#callers.get(name)
    if (caller === undefined) throw new Error(`there is no ${name}`)
    return caller
  }

  async close(): Promise<void> {
    await this.#recorder.stop()
    this.#names.stop()
    this.#server.stop()
    await this.#api.close()
  }

  async #readSites(): Promise<void> {
    const { store } = this.#api
    this.#isChanged = false
    this.#names.setSites(await store.enabledSites(), await store.listUsers())
    this.detector.setNetworks(this.#names.watchedNetworks())
  }

  /** Asks for what is due, and watches what was answered, as if that took no time. */
  async #resolve(): Promise<void> {
    do {
      this.#test.mock.timers.tick(1_000)
      while (this.#names.openQuestions > 0) await nextTurn()
      await nextTurn()
    } while (this.#names.openQuestions > 0)
    this.#test.mock.timers.tick(1_000)
    while (this.#names.openQuestions > 0) await nextTurn()
  }
}

/** What the interface asks of the rest of the service. */
function apiParts(labOf: () => TenantLab): Pick<TestApiOptions, 'siteWatch' | 'targets' | 'names'> {
  return {
    siteWatch: {
      addressesOf: (userId, record, site) => labOf().names.addressesOf(userId, record, site),
      mayWatch: (userId, record, addedMs) => labOf().names.mayWatch(userId, record, addedMs),
      suggestionsFor: () => [],
      lastDatagramMs: () => labOf().nowMs,
    },
    targets: {
      stateOf: async (address, knownFromMs) => labOf().detector.stateOf(address, knownFromMs),
      ratesOf: async (asked) => labOf().detector.ratesOf(asked),
      waysTo: (userId, address) => labOf().names.waysTo(userId, address),
      latestTraces: async (address) => labOf().detector.latestTraces(address),
      detect: defaultSettings(),
    },
    names: {
      names: {
        known: (of) => bindingsOf({ asked: labOf().names.bindings, observed: labOf().names.observed.bindings }, of),
        mayShow: (userId, binding, asked) => labOf().names.mayShow(userId, binding, asked),
        outcomeOf: (userId, name) => labOf().names.outcomeOf(userId, name),
        isCrowdedOut: (name) => labOf().names.isCrowdedOut(name),
        sources: () => noSources,
      },
      importNames: () => Promise.reject(new Error('nobody imports')),
    },
  }
}
