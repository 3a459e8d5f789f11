// The composition of the service: every component is made here, in the order in which data passes through, and stopped in the other.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { foldMetrics } from './aggregate/metrics.ts'
import { basePathOf, readConsole } from './api/console.ts'
import { LiveFeed } from './api/live-feed.ts'
import { createServer } from './api/server.ts'
import type { Clock } from './clock.ts'
import { ingestMetrics } from './collect/metrics.ts'
import type { Config } from './config.ts'
import { detectMetrics } from './detect/metrics.ts'
import { configuredSites } from './detect/target-settings.ts'
import { GeoDatabases } from './geo/databases.ts'
import { registerGeoMetrics } from './geo/metrics.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics.ts'
import { Discovery } from './names/discovery.ts'
import { registerDiscoveryMetrics } from './names/discovery-metrics.ts'
import { DnstapListener } from './names/dnstap/listener.ts'
import { registerDnstapMetrics } from './names/dnstap/metrics.ts'
import { createQueryHistogram, registerNamesMetrics } from './names/metrics.ts'
import { Names } from './names/names.ts'
import { Imports } from './names/passive-dns/imports.ts'
import { registerImportMetrics } from './names/passive-dns/metrics.ts'
import { reportSources } from './names/sources.ts'
import { bindingsOf } from './names/watched.ts'
import { registerZoneMetrics } from './names/zones/metrics.ts'
import { zoneSources } from './names/zones/settings.ts'
import { Zones } from './names/zones/zones.ts'
import { type ListenAddress, parseListen } from './net/listen.ts'
import { AttackedAddresses } from './serve/attacked-addresses.ts'
import { BaselineKeeper } from './serve/baseline-keeper.ts'
import { requireSoundConfig } from './serve/config-faults.ts'
import { eventId } from './serve/event.ts'
import { ExporterBook } from './serve/exporter-book.ts'
import { registerExporterMetrics } from './serve/exporter-metrics.ts'
import { createHealth, openWarning } from './serve/health.ts'
import { listenError } from './serve/listen-error.ts'
import { machineAddresses } from './serve/machine-addresses.ts'
import { passBuckets, registerServiceMetrics, serviceMetrics } from './serve/metrics.ts'
import { ObservationKeeper } from './serve/observation-keeper.ts'
import { Pipeline } from './serve/pipeline.ts'
import { ProofKeeper } from './serve/proof-keeper.ts'
import { Recorder } from './serve/recorder.ts'
import { resumeEvents } from './serve/resumption.ts'
import { Retention } from './serve/retention.ts'
import { SeriesWriter } from './serve/series-writer.ts'
import { SimulationRunner } from './serve/simulations.ts'
import { StreamStates } from './serve/stream-states.ts'
import { ThreadSamples } from './serve/thread-samples.ts'
import { Watcher } from './serve/watcher.ts'
import { lockDirectory, noteServiceUrl, storeFileOf } from './store/data-directory.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { targetMetrics } from './targets/metrics.ts'

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
  stop(): Promise<void>
}

/** Rejects when something can't be had: a port, the data directory, the store. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, log, onFailure } = options
  const startedMs = clock.now()
  const stack = new AsyncDisposableStack()
  try {
    requireSoundConfig(config)
    const lock = lockDirectory(config.store.dir)
    stack.defer(() => lock.close())
    const store = await openSqliteStore(storeFileOf(config.store.dir), { clock })
    stack.defer(() => store.close())
    const resumed = await resumeEvents({ store, clock, log, settings: config.detect })

    if (config.access.policy === 'open') log.warn(`access.policy is ${openWarning}`)

    const metrics = new Metrics()
    const queryTimes = createQueryHistogram(metrics)
    const names = new Names({
      settings: config.names,
      access: config.access,
      clock,
      log,
      configured: configuredSites(config.detect),
      onQueryDuration: (seconds) => queryTimes.observe(seconds),
    })
    const feed = new LiveFeed({ clock })
    const recorder = new Recorder({
      store,
      clock,
      log,
      incidentsMax: config.detect.incidentsMax,
      match: (attack) => names.attribute(attack),
      mayKnowSources: (userId, addresses) => names.mayKnowSources(userId, addresses),
      newEventId: (createdMs) => eventId(createdMs, randomBytes(8)),
      onEvents: (changes) => feed.tellEvents(changes),
      onTests: (events) => simulations.found(events),
    })
    recorder.resume(resumed.events)
    const attacked = new AttackedAddresses()
    stack.defer(() => recorder.stop())
    const series = new SeriesWriter({ store, clock, log })
    stack.defer(() => series.write())
    const retention = new Retention({ store, clock, log, days: config.store.retentionDays })
    stack.defer(() => retention.stop())

    const exporters = new ExporterBook({ store, clock, log })
    stack.defer(() => exporters.stop())
    await exporters.start()

    const states = new StreamStates({ store, clock, log, keepHours: config.ingest.templateHours })
    stack.defer(() => states.stop())

    const baselines = new BaselineKeeper({ store, clock, log, networksMax: config.detect.targetsMax })
    stack.defer(() => baselines.stop())

    const samples = new ThreadSamples()
    const passTimes = metrics.histogram(serviceMetrics.pass, passBuckets)
    const pipeline = new Pipeline({
      ingest: config.ingest,
      detect: config.detect,
      log,
      samples,
      resumed: resumed.incidents,
      onHealth: (collector, streams, reception) => exporters.take(collector, streams, reception),
      known: await states.load(),
      onChanges: (changes) => states.take(changes),
      onReports: (reports) => {
        recorder.take(reports)
        attacked.take(reports)
        names.setAttacked(attacked.addresses())
      },
      onSimulated: ({ simulation, reports }) => {
        const owner = simulations.ownerOf(simulation)
        if (owner !== null) recorder.take(reports, owner)
      },
      onSeries: (points) => {
        series.take(points)
        names.observed.noteTraffic(points.address.subarray(0, points.rows), clock.now())
      },
      baselines: await baselines.load(),
      onBaselines: (changed) => baselines.take(changed),
      onPass: (seconds) => passTimes.observe(seconds),
      onFailure,
    })
    stack.defer(() => pipeline.stop())
    await pipeline.start().catch((error) => {
      throw listenError('the reception of flows', error)
    })
    const simulations = new SimulationRunner({ clock, log, pipeline })
    stack.defer(() => simulations.stop())
    const proofs = new ProofKeeper({
      store,
      names,
      clock,
      log,
      policy: config.access.policy,
      onChange: () => void watcher.readAgain(),
    })
    await proofs.start()
    const watcher = new Watcher({
      store,
      names,
      clock,
      log,
      claims: () => proofs.claims(),
      onWatched: (ranges) => pipeline.watch(ranges),
      onNetworks: (networks) => pipeline.setNetworks(networks),
      onConfigured: (addresses) => pipeline.setSiteAddresses(addresses),
    })
    stack.defer(() => watcher.stop())
    stack.defer(() => proofs.stop())
    await watcher.start()
    const observations = new ObservationKeeper({
      store,
      names,
      clock,
      log,
      days: config.store.retentionDays.bindings,
      staleSeconds: config.names.staleSeconds,
    })
    stack.defer(() => observations.stop())
    await observations.start()
    const dnstap = new DnstapListener({ settings: config.names.dnstap, clock, log, observer: names })
    stack.defer(() => dnstap.stop())
    await dnstap.start().catch((error) => {
      throw listenError('dnstap', error)
    })
    const zones = new Zones({
      sources: zoneSources(config.names.zones),
      names: {
        include: (observations) => names.include(observations),
        hold: (name) => names.observed.bindings.hold(name, clock.now()),
      },
      clock,
      log,
      staleSeconds: config.names.staleSeconds,
    })
    stack.defer(() => zones.stop())
    const { graceSeconds, allowPrivate, discovery: settings } = config.names
    const discovery = new Discovery({ settings, graceSeconds, allowPrivate, names, clock })
    stack.defer(() => discovery.stop())
    const imports = new Imports({
      names: {
        isOfSite: (name) => names.observed.isOfSite(name),
        include: (observations) => names.include(observations),
      },
      clock,
      graceSeconds,
      save: (taken) => store.saveObservations(taken),
    })
    const geo = new GeoDatabases({ files: config.geo.databases, clock, log })
    stack.defer(() => geo.stop())
    await geo.start()
    zones.start()
    discovery.start()
    retention.start()

    const { slotsDelayed, simulatedDatagrams } = serviceMetrics
    const ofThreads = [...ingestMetrics, ...targetMetrics, ...foldMetrics, ...detectMetrics]
    samples.publish(metrics, [...ofThreads, slotsDelayed, simulatedDatagrams])
    registerNamesMetrics(metrics, names, clock)
    registerDnstapMetrics(metrics, dnstap)
    registerImportMetrics(metrics, imports)
    registerZoneMetrics(metrics, zones)
    registerDiscoveryMetrics(metrics, discovery)
    registerGeoMetrics(metrics, geo)
    registerExporterMetrics(metrics, exporters)
    const measured = { store, recorder, series, retention, states, baselines, observations, proofs, simulations }
    registerServiceMetrics(metrics, { version: options.version, ...measured })
    const api = await createServer({
      store,
      clock,
      settings: config.http,
      access: config.access,
      log,
      metrics,
      onSitesChanged: () => void watcher.refresh(),
      exporters,
      targets: {
        stateOf: (address, knownFromMs) => pipeline.stateOf(address, knownFromMs),
        ratesOf: (asked) => pipeline.ratesOf(asked),
        waysTo: (userId, address) => names.waysTo(userId, address),
      },
      siteWatch: {
        addressesOf: (userId, record, addedMs) => names.addressesOf(userId, record, addedMs),
        mayWatch: (userId, record, addedMs) => names.mayWatch(userId, record, addedMs),
        lastDatagramMs: () => pipeline.lastDatagramMs,
        suggestionsFor: (userId, record) =>
          names.withoutSite(userId, discovery.suggestions.of(record.first, record.last)),
      },
      names: {
        names: {
          known: (of) => bindingsOf({ asked: names.bindings, observed: names.observed.bindings }, of),
          mayShow: (userId, binding, asked) => names.mayShow(userId, binding, asked),
          outcomeOf: (name) => names.schedule.outcomeOf(name),
          sources: () => reportSources({ names, dnstap, zones, clock }),
        },
        importNames: (chunks) => imports.run(chunks),
      },
      proofs,
      places: geo,
      simulations,
      feed,
      installation: {
        version: options.version,
        startedMs,
        retentionDays: config.store.retentionDays,
        listeners: () => pipeline.protocolListeners,
        addresses: machineAddresses,
      },
      health: createHealth({ store, pipeline, clock, policy: config.access.policy }),
      siteQuota: config.store.siteQuota,
      webConsole: readConsole(consoleFolder, basePathOf(config.http.publicUrl)),
    })
    stack.defer(() => api.server.close())
    const url = await api.server.listen(parseListen(config.http.listen)).catch((error) => {
      throw listenError('the HTTP interface', error)
    })
    const note = noteServiceUrl(config.store.dir, config.http.publicUrl || url)
    stack.defer(() => note.close())
    baselines.start()
    return { url, listeners: pipeline.listeners, setupUrl: api.setupUrl(url), stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
