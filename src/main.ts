// The composition of the service, as a list in the order in which data passes through: each component is made after those that it needs, and stopped
// before them.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { foldMetrics } from './aggregate/metrics.ts'
import { targetMetrics } from './aggregate/watch-metrics.ts'
import { type ApiServer, createServer } from './api/http/server.ts'
import { TimeSpent } from './api/limits/time-spent.ts'
import { LiveFeed } from './api/live/feed.ts'
import { basePathOf, readConsole } from './api/pages/console.ts'
import type { Clock } from './clock.ts'
import { ingestMetrics } from './collect/metrics.ts'
import type { Config } from './config.ts'
import type { ResumedIncident } from './detect/incidents/incident-report.ts'
import { detectMetrics } from './detect/metrics.ts'
import { configuredSites } from './detect/targets/target-settings.ts'
import { AttackedAddresses } from './events/attacked-addresses.ts'
import { eventId } from './events/event.ts'
import { eventMetrics } from './events/metrics.ts'
import { Recorder } from './events/recorder.ts'
import { resumeEvents } from './events/resume.ts'
import { GeoDatabases } from './geo/databases.ts'
import { geoMetrics } from './geo/metrics.ts'
import type { Logger } from './log.ts'
import { bindingsOf } from './names/bindings/watched.ts'
import { Discovery } from './names/discover/discovery.ts'
import { discoveryMetrics } from './names/discover/metrics.ts'
import { DnstapListener } from './names/dnstap/listener.ts'
import { dnstapMetrics } from './names/dnstap/metrics.ts'
import { namesMetrics, queryDuration } from './names/metrics.ts'
import { Names } from './names/names.ts'
import { reportSources } from './names/observe/sources.ts'
import { Imports } from './names/passive-dns/imports.ts'
import { importMetrics } from './names/passive-dns/metrics.ts'
import { zoneMetrics } from './names/zones/metrics.ts'
import { zoneSources } from './names/zones/settings.ts'
import { Zones } from './names/zones/zones.ts'
import { type ListenAddress, parseListen } from './net/listen.ts'
import { pipelineMetrics } from './pipeline/metrics.ts'
import { Pipeline } from './pipeline/pipeline.ts'
import { ThreadSamples } from './pipeline/thread-samples.ts'
import { createAlerts, type Telling } from './serve/alerts.ts'
import { createAuditKeeper } from './serve/audit/create.ts'
import { type AuditKeeper, auditMetrics } from './serve/audit/keeper.ts'
import { BaselineKeeper, baselineMetrics } from './serve/baseline-keeper.ts'
import { Components } from './serve/components.ts'
import { requireSoundConfig } from './serve/config-faults.ts'
import { CrowdedTables, tableMetrics } from './serve/crowded-tables.ts'
import { type Exporters, startExporters } from './serve/exporters/exporters.ts'
import { StreamStates, streamStateMetrics } from './serve/exporters/stream-states.ts'
import { openWarning } from './serve/health/checks.ts'
import { damageIn } from './serve/health/damage.ts'
import type { Readiness } from './serve/health/health.ts'
import { Integrity, integrityMetrics } from './serve/health/integrity.ts'
import { Probes } from './serve/health/probe.ts'
import type { SelfTest } from './serve/health/self-test.ts'
import { startHealth } from './serve/health/start-health.ts'
import { listening } from './serve/listen-error.ts'
import { machineAddresses } from './serve/machine-addresses.ts'
import { passDuration, serviceMetrics } from './serve/metrics.ts'
import { ObservationKeeper, observationMetrics } from './serve/observation-keeper.ts'
import { PasswordThread } from './serve/passwords/passwords.ts'
import { ProofKeeper, proofMetrics } from './serve/proof-keeper.ts'
import { readerMetrics } from './serve/readers/metrics.ts'
import { startReaderThread } from './serve/readers/reader.ts'
import { Readers } from './serve/readers/readers.ts'
import { Retention, retentionMetrics } from './serve/retention.ts'
import { SeriesWriter, seriesMetrics } from './serve/series-writer.ts'
import { SimulationBook, simulationMetrics } from './serve/simulation-book.ts'
import { SimulationRunner } from './serve/simulations.ts'
import { startSights } from './serve/traces/traces.ts'
import { TraceWriter, traceMetrics } from './serve/traces/writer.ts'
import { Watcher } from './serve/watcher.ts'
import { noteServiceUrl, storeFileOf } from './store/data-directory.ts'
import { lockDirectory } from './store/sqlite/directory-lock.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import type { Store } from './store/store.ts'

/** Where the build of the web console is. */
const consoleFolder = fileURLToPath(new URL('../web/dist', import.meta.url))

export interface ServiceOptions {
  config: Config
  clock: Clock
  log: Logger
  version: string
  /** Something failed that the service can't go on without. */
  onFailure: (error: Error) => void
}

export interface Service {
  /** Where the HTTP interface answers. */
  url: string
  /** Where flows are expected, as bound. */
  listeners: readonly ListenAddress[]
  /** The one-time link that makes the first admin; null when one can sign in. */
  setupUrl: string | null
  /** Writes to the audit log what becomes of the service. */
  note: AuditKeeper['note']
  stop(): Promise<void>
}

/** What every stage is given: the options, the list so far and the store. */
interface Base extends ServiceOptions {
  parts: Components
  store: Store
}

/** Rejects when something can't be had: a port, the data directory, the store. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const parts = new Components()
  try {
    return await compose(options, parts)
  } catch (error) {
    await parts.stop()
    throw error
  }
}

async function compose(options: ServiceOptions, parts: Components): Promise<Service> {
  const { config, clock, log } = options
  const startedMs = clock.now()
  requireSoundConfig(config)
  const timeSpent = new TimeSpent({ clock, secondsPerMinute: config.http.busySecondsPerMinute })
  const { store, readers } = await openStore(options, parts, timeSpent)
  const keeper = await parts.start(createAuditKeeper({ ...options, store }), auditMetrics)
  if (config.access.policy === 'open') log.warn(`access.policy is ${openWarning}`)
  const base: Base = { ...options, parts, store }
  const integrity = await parts.start(
    new Integrity({ findDamage: (signal) => damageIn(storeFileOf(config.store.dir), signal), clock, log }),
    integrityMetrics,
  )
  const names = createNames(base)
  const feed = new LiveFeed({ store, clock, log })
  const simulationBook = new SimulationBook()
  const telling = await createAlerts({ ...base, feed, simulationBook })
  parts.metrics.register(simulationMetrics, simulationBook)
  const events = await createEvents(base, { names, simulationBook, listeners: [feed, telling.alerts] })
  const series = parts.add(new SeriesWriter({ store, clock, log }), seriesMetrics)
  const traces = parts.add(new TraceWriter({ store, clock, log }), traceMetrics)
  const known = await startExporters(parts, { configured: config.ingest.exporters, store, clock, log })
  const baselines = parts.add(new BaselineKeeper({ ...base, networksMax: config.detect.targetsMax }), baselineMetrics)
  const tables = await parts.start(new CrowdedTables({ clock, log }), tableMetrics)
  const own = { bindings: names.bindings, observed: names.observed, reads: readers }
  for (const [name, table] of Object.entries(own)) tables.watch(name, () => table.crowding())
  const probes = new Probes()
  const given = { names, simulationBook, probes, ...events, series, traces, ...known, baselines, tables }
  const pipeline = await startPipeline(base, given)
  await startSights(base, { ...known, pipeline })
  const simulations = parts.add(new SimulationRunner({ book: simulationBook, clock, log, pipeline }))
  const watching = await startWatching(base, { names, pipeline })
  const told = { pipeline, probes, names, tables, integrity, telling }
  const health = await startHealth(base, { ...known, ...watching, ...told })
  const sources = await startNameSources(base, names)
  const places = await parts.start(new GeoDatabases({ files: config.geo.databases, clock, log }), geoMetrics)
  const api = await createApi(base, {
    ...{ startedMs, timeSpent, names, feed, telling, ...known, pipeline, tables, simulations, places, sources },
    ...{ ...watching, ...health },
  })
  const url = await listening('the HTTP interface', api.server.listen(parseListen(config.http.listen)))
  const noted = noteServiceUrl(config.store.dir, config.http.publicUrl || url)
  parts.add({ stop: () => noted.close() })
  const days = { ...config.store.retentionDays, alerts: config.alerts.retentionDays }
  await parts.start(new Retention({ store, clock, log, days }), retentionMetrics)
  baselines.start()
  telling.alerts.start()
  const note: Service['note'] = (...given) => keeper.note(...given)
  return { url, listeners: pipeline.listeners, setupUrl: api.setupUrl(url), note, stop: () => parts.stop() }
}

async function openStore({ config, clock, log, version }: ServiceOptions, parts: Components, timeSpent: TimeSpent) {
  const lock = lockDirectory(config.store.dir)
  parts.add({ stop: () => lock.close() })
  const file = storeFileOf(config.store.dir)
  const startThread = () => startReaderThread(file)
  const readers = new Readers({ log, startThread, onAnswer: (userId) => timeSpent.begin(userId) })
  const store = await openSqliteStore(file, { clock, readers })
  parts.add({ stop: () => store.close() })
  await parts.start(readers, readerMetrics)
  parts.metrics.register(serviceMetrics, { version, store })
  return { store, readers }
}

/** The names of the sites; the watcher starts and stops them. */
function createNames({ config, clock, log, parts }: Base): Names {
  const durations = parts.metrics.histogram(queryDuration)
  const names = new Names({
    settings: config.names,
    access: config.access,
    clock,
    log,
    configured: configuredSites(config.detect),
    onQueryDuration: (seconds) => durations.observe(seconds),
  })
  parts.metrics.register(namesMetrics, names)
  return names
}

/** The recorder, with the events of attacks that may go on since before the start. */
async function createEvents(
  { config, clock, log, parts, store }: Base,
  { names, simulationBook, listeners }: { names: Names; simulationBook: SimulationBook; listeners: { wake(): void }[] },
) {
  const resumed = await resumeEvents({ store, clock, log, settings: config.detect })
  const recorder = new Recorder({
    store,
    clock,
    log,
    incidentsMax: config.detect.incidentsMax,
    learnSeconds: config.detect.learnSeconds,
    match: (attack) => names.attribute(attack),
    isColleague: (userId) => names.isColleague(userId),
    mayKnowSources: (userId, addresses) => names.mayKnowSources(userId, addresses),
    newEventId: (createdMs) => eventId(createdMs, randomBytes(8)),
    onRecorded: () => {
      for (const each of listeners) each.wake()
    },
    onTests: (tests) => simulationBook.noteEvents(tests),
  })
  recorder.resume(resumed.events)
  return { recorder: parts.add(recorder, eventMetrics), resumed: resumed.incidents }
}

/** Collectors and detector, from the sockets to the reports. */
async function startPipeline(
  { config, clock, log, parts, store, onFailure }: Base,
  given: {
    names: Names
    simulationBook: SimulationBook
    probes: Probes
    recorder: Recorder
    resumed: ResumedIncident[]
    series: SeriesWriter
    traces: TraceWriter
    baselines: BaselineKeeper
    tables: CrowdedTables
  } & Pick<Exporters, 'exporters' | 'admission'>,
): Promise<Pipeline> {
  const { names, simulationBook, probes, recorder, resumed, series, exporters, admission, tables } = given
  const states = new StreamStates({ store, clock, log, keepHours: config.ingest.templateHours })
  parts.add(states, streamStateMetrics)
  const attacked = new AttackedAddresses()
  const passTimes = parts.metrics.histogram(passDuration)
  const samples = new ThreadSamples()
  const ofThreads = [...ingestMetrics, ...targetMetrics, ...foldMetrics, ...detectMetrics]
  samples.publish(parts.metrics, [...ofThreads, ...Object.values(pipelineMetrics)])
  const pipeline = new Pipeline({
    ingest: config.ingest,
    admission: admission.admission,
    detect: config.detect,
    clock,
    log,
    samples,
    resumed,
    known: await states.load(),
    baselines: await given.baselines.load(),
    onHealth: (collector, streams, reception) => exporters.take(collector, streams, reception),
    onTables: (thread, told) => tables.take(thread, told),
    onChanges: (changes) => states.take(changes),
    onReports: (reports) => {
      recorder.take(reports)
      attacked.take(reports)
      names.setAttacked(attacked.addresses())
    },
    onSimulated: (simulated) => {
      if (probes.take(simulated)) return
      const owner = simulationBook.ownerOf(simulated)
      if (owner !== null) recorder.take(simulated.reports, owner)
    },
    onSeries: (points) => {
      series.take(points)
      names.observed.noteTraffic(points.address.subarray(0, points.rows), clock.now())
    },
    onBaselines: (changed) => given.baselines.take(changed),
    onTraces: (traces) => given.traces.take(traces),
    onPass: (seconds) => passTimes.observe(seconds),
    onFailure,
  })
  admission.onChange((changed) => pipeline.admit(changed))
  return listening('the reception of flows', parts.start(pipeline))
}

/** Proofs and sites: what the collectors watch. */
async function startWatching(
  { config, clock, log, parts, store }: Base,
  { names, pipeline }: { names: Names; pipeline: Pipeline },
) {
  const { policy } = config.access
  const proofs = await parts.start(new ProofKeeper({ store, names, clock, log, policy }), proofMetrics)
  const watcher = new Watcher({
    ...{ store, names, proofs, clock, log },
    onWatched: (ranges, held) => pipeline.watch(ranges, held),
    onNetworks: (networks) => pipeline.setNetworks(networks),
    onConfigured: (addresses) => pipeline.setSiteAddresses(addresses),
  })
  return { proofs, watcher: await parts.start(watcher) }
}

/** Where names are known from, beside the resolvers: earlier runs, dnstap, zones, discovery, imports. */
async function startNameSources({ config, clock, log, parts, store }: Base, names: Names) {
  const { staleSeconds, graceSeconds, allowPrivate, discovery: settings } = config.names
  const days = config.store.retentionDays.bindings
  const observations = new ObservationKeeper({ store, names, clock, log, days, staleSeconds })
  await parts.start(observations, observationMetrics)
  const dnstap = new DnstapListener({ settings: config.names.dnstap, clock, log, observer: names })
  await listening('dnstap', parts.start(dnstap, dnstapMetrics))
  const zones = new Zones({
    sources: zoneSources(config.names.zones),
    names: {
      include: (found) => names.include(found),
      scope: () => names.observed.scope,
      hold: (name) => names.observed.bindings.hold(name, clock.now()),
    },
    clock,
    log,
    staleSeconds,
  })
  await parts.start(zones, zoneMetrics)
  const discovery = new Discovery({ settings, graceSeconds, allowPrivate, names, clock })
  await parts.start(discovery, discoveryMetrics)
  const imports = new Imports({
    names: {
      isOfSite: (name) => names.observed.isOfSite(name),
      include: (found) => names.include(found),
    },
    clock,
    graceSeconds,
    save: (imported) => store.saveObservations(imported),
  })
  parts.metrics.register(importMetrics, imports)
  return { dnstap, zones, discovery, imports }
}

async function createApi(
  { config, clock, log, version, parts, store }: Base,
  given: {
    startedMs: number
    timeSpent: TimeSpent
    names: Names
    feed: LiveFeed
    telling: Telling
    pipeline: Pipeline
    tables: CrowdedTables
    readiness: Readiness
    selfTest: SelfTest
    simulations: SimulationRunner
    proofs: ProofKeeper
    watcher: Watcher
    sources: Awaited<ReturnType<typeof startNameSources>>
    places: GeoDatabases
  } & Pick<Exporters, 'exporters' | 'admission' | 'notices'>,
): Promise<ApiServer> {
  const { startedMs, names, pipeline, tables, readiness, selfTest, watcher, sources, ...handed } = given
  const { dnstap, zones, discovery, imports } = sources
  const api = await createServer({
    ...{ store, clock, log, metrics: parts.metrics, ...given.telling, ...handed },
    ...{ settings: config.http, signOn: config.signOn },
    passwords: parts.add(new PasswordThread({ log })),
    access: config.access,
    onSitesChanged: () => void watcher.refresh(),
    targets: {
      stateOf: (address, knownFromMs) => pipeline.stateOf(address, knownFromMs),
      ratesOf: (asked) => pipeline.ratesOf(asked),
      waysTo: (userId, address) => names.waysTo(userId, address),
      latestTraces: (address) => pipeline.latestTraces(address),
      detect: config.detect,
    },
    siteWatch: {
      addressesOf: (userId, record, site) => names.addressesOf(userId, record, site),
      mayWatch: (userId, record, addedMs) => names.mayWatch(userId, record, addedMs),
      lastDatagramMs: () => pipeline.lastDatagramMs,
      suggestionsFor: (userId, network) => names.withoutSite(userId, discovery.suggestions.of(network)),
    },
    names: {
      names: {
        known: (of) => bindingsOf({ asked: names.bindings, observed: names.observed.bindings }, of),
        mayShow: (userId, binding, asked) => names.mayShow(userId, binding, asked),
        outcomeOf: (userId, name) => names.outcomeOf(userId, name),
        isCrowdedOut: (name) => names.isCrowdedOut(name),
        sources: () => reportSources({ names, dnstap, zones, clock }),
      },
      importNames: (chunks) => imports.run(chunks),
    },
    installation: {
      version,
      startedMs,
      retentionDays: config.store.retentionDays,
      listeners: () => pipeline.protocolListeners,
      addresses: machineAddresses,
      tables: () => tables.list(),
      selfTest: () => selfTest.last,
    },
    health: () => readiness.recent(),
    siteQuota: config.store.siteQuota,
    webConsole: readConsole(consoleFolder, basePathOf(config.http.publicUrl)),
  })
  for (const [name, read] of Object.entries(api.tables)) tables.watch(name, read)
  parts.add({ tasks: api.tasks, stop: () => api.server.close() })
  return api
}
