// The ingest threads as one object: collectors (sockets to sealed slots) and the detector (sealed slots to incident reports). A
// thread that dies has met a bug: the pipeline reports it once, and the service ends rather than run half blind.
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import type { Reception } from '../collect/health/reception.ts'
import type { StreamReport } from '../collect/health/report.ts'
import type { IngestSettings } from '../collect/settings.ts'
import type { Admission } from '../collect/sockets/allow-list.ts'
import type { SavedStream, StreamChange } from '../decode/saved-streams.ts'
import type { IncidentReport, ResumedIncident } from '../detect/incidents/incident-report.ts'
import type { SavedBaselines } from '../detect/normal/saved-baselines.ts'
import type { DetectSettings } from '../detect/settings.ts'
import { SettingsTable, type SiteAddresses } from '../detect/targets/target-settings.ts'
import type { TargetQuery, TargetRates, TargetState } from '../detect/targets/target-state.ts'
import type { SavedTrace } from '../detect/trace/trace-code.ts'
import type { Crowding } from '../fair-table.ts'
import type { Away } from '../flow/away.ts'
import type { MinuteColumns } from '../history/minute-series.ts'
import type { Logger } from '../log.ts'
import type { HeldRanges } from '../net/held-ranges.ts'
import { type ListenAddress, parseListen } from '../net/listen.ts'
import type { NetworkKey } from '../net/network.ts'
import { endThread } from '../thread.ts'
import { threadMemory } from '../thread-memory.ts'
import type {
  BoundListener,
  CollectorData,
  DetectorData,
  FromCollector,
  FromDetector,
  Pass,
  ToCollector,
  ToDetector,
} from './messages.ts'
import type { SimulatedReports } from './simulate/detection.ts'
import type { SimulationTag } from './simulate/traffic.ts'
import { ThreadRequests } from './thread-requests.ts'
import type { ThreadSamples } from './thread-samples.ts'
import { WatchConfirmations } from './watch-confirmations.ts'

export interface PipelineOptions {
  ingest: IngestSettings
  /** Who may send flows, until `admit` says otherwise. */
  admission: Admission
  detect: DetectSettings
  clock: Clock
  log: Logger
  samples: ThreadSamples
  onReports: (reports: IncidentReport[]) => void
  onSimulated: (reports: SimulatedReports) => void
  /** Attacks from before the start that may go on. */
  resumed: ResumedIncident[]
  /** What is known of streams from before the start, and what is to be saved of them. */
  known: SavedStream[]
  onChanges: (changes: StreamChange[]) => void
  /** A collector reports on its exporters: the streams that changed. */
  onHealth: (collector: string, streams: StreamReport[], reception: Reception) => void
  /** A thread tells who crowds its bounded tables. */
  onTables: (thread: string, tables: Readonly<Record<string, Crowding>>) => void
  onSeries: (points: MinuteColumns) => void
  /** What is normal for the targets, from before the start, and what is to be saved of it. */
  baselines: SavedBaselines[]
  onBaselines: (baselines: SavedBaselines[]) => void
  /** Half minutes near a line, to be saved. */
  onTraces: (traces: SavedTrace[]) => void
  /** A detection pass is over. */
  onPass: (durationSeconds: number) => void
  /** A thread failed: the service can't go on. */
  onFailure: (error: Error) => void
}

/** The listen settings that are not empty. An address that several name is bound once, but port 0 is any free port for each. */
function listenAddresses(settings: IngestSettings): ListenAddress[] {
  const texts = flowProtocols.map((protocol) => settings[protocol])
  return texts.filter((_, i) => isBoundFor(texts, i)).map(parseListen)
}

function isBoundFor(texts: readonly string[], i: number): boolean {
  return texts[i] !== '' && (texts[i].endsWith(':0') || texts.indexOf(texts[i]) === i)
}

const flowProtocols = ['netflow', 'ipfix', 'sflow'] as const

export class Pipeline {
  readonly #options: PipelineOptions
  readonly #stateRequests = new ThreadRequests<TargetState>()
  readonly #rateRequests = new ThreadRequests<(TargetRates | null)[]>()
  readonly #traceRequests = new ThreadRequests<SavedTrace[]>()
  readonly #simulationRequests = new ThreadRequests<null>()
  readonly #confirmations = new WatchConfirmations()
  #collectors: Worker[] = []
  #detector: Worker | null = null
  #listeners: BoundListener[] = []
  #stopping = false
  /** Time of the last detection pass, Unix milliseconds; null before the first. */
  lastPassMs: number | null = null
  /** How old the oldest slot was that it has judged. */
  behindMs = 0
  /** Addresses with traffic that found no place, counted again in each slot. */
  busyRefused = 0
  /** Half minutes near a line that were not kept, since the start. */
  tracesRefused = 0
  /** Time of the last datagram, Unix milliseconds; null before the first. */
  lastDatagramMs: number | null = null
  /** The last time in which nobody read what was sent; null: there was none. */
  lastAway: Away | null = null

  constructor(options: PipelineOptions) {
    this.#options = options
  }

  /** Resolves when every listener is bound; rejects with the reason when one can't be. */
  async start(): Promise<void> {
    const { ingest, detect, baselines, onBaselines, onTraces, resumed } = this.#options
    const detector = this.#thread('detector', { detect, baselines, resumed } satisfies DetectorData)
    detector.on('message', (message: FromDetector) => {
      if (message.type === 'state-response') this.#stateRequests.respond(message.id, message.state)
      else if (message.type === 'rates-response') this.#rateRequests.respond(message.id, message.rates)
      else if (message.type === 'traces-response') this.#traceRequests.respond(message.id, message.traces)
      else if (message.type === 'second') {
        this.#options.samples.set('detector', message.samples)
        this.#options.onTables('detector', message.tables)
      } else {
        if (message.type === 'pass') this.#onPass(message)
        if (message.baselines.length > 0) onBaselines(message.baselines)
        if (message.traces.length > 0) onTraces(message.traces)
      }
    })
    this.#detector = detector
    // The first collector binds before the others share its ports, so that port 0 and "already in use" mean what they say.
    for (let i = 0; i < ingest.workers; i++) await this.#startCollector(i, detector)
    this.#warnOfSmallBuffers()
  }

  get listeners(): readonly BoundListener[] {
    return this.#listeners
  }

  /** How many share the ports. */
  get collectors(): number {
    return this.#options.ingest.workers
  }

  /** Where each protocol is expected; a protocol without a setting is left out. */
  get protocolListeners(): { protocol: (typeof flowProtocols)[number]; host: string; port: number }[] {
    const texts = flowProtocols.map((protocol) => this.#options.ingest[protocol])
    return flowProtocols.flatMap((protocol, i) => {
      const from = isBoundFor(texts, i) ? i : texts.indexOf(texts[i])
      const at = texts.slice(0, from).filter((_, each) => isBoundFor(texts, each)).length
      return texts[i] === '' || at >= this.#listeners.length
        ? []
        : [{ protocol, host: this.#listeners[at].host, port: this.#listeners[at].port }]
    })
  }

  /** `ranges`: sorted, disjoint pairs of first and last address (see aggregate/watch-list.ts); `held`: the users of each. */
  watch(ranges: Uint32Array, held: HeldRanges): void {
    this.#detector?.postMessage({ type: 'holders', held } satisfies ToDetector)
    const version = this.#confirmations.sent(this.#options.clock.now())
    const message = { type: 'watch', ranges, version } satisfies ToCollector
    for (const collector of this.#collectors) collector.postMessage(message)
  }

  /** How long a collector has not said that it uses the watch list which it was sent: a second or two where all is well. */
  watchLateMs(): number {
    return this.#confirmations.lateMs(this.#options.clock.now())
  }

  /** Who may send flows from now on. */
  admit(admission: Admission): void {
    for (const collector of this.#collectors) collector.postMessage({ type: 'admit', admission } satisfies ToCollector)
  }

  /** See `Detector.setNetworks`. */
  setNetworks(networks: NetworkKey[]): void {
    this.#detector?.postMessage({ type: 'networks', networks } satisfies ToDetector)
  }

  /** See `Detector.stateOf`. Rejects with AppError DETECTION_BUSY when the detector does not answer within five seconds. */
  stateOf(address: number, knownFromMs: number): Promise<TargetState> {
    return this.#stateRequests.request((id) => {
      this.#detector?.postMessage({ type: 'state-request', id, address, knownFromMs } satisfies ToDetector)
    })
  }

  /** See `Detector.ratesOf`. Rejects likewise. */
  ratesOf(asked: TargetQuery[]): Promise<(TargetRates | null)[]> {
    return this.#rateRequests.request((id) => {
      this.#detector?.postMessage({ type: 'rates-request', id, asked } satisfies ToDetector)
    })
  }

  /** See `Detector.latestTraces`. Rejects likewise. */
  latestTraces(address: number): Promise<SavedTrace[]> {
    return this.#traceRequests.request((id) => {
      this.#detector?.postMessage({ type: 'traces-request', id, address } satisfies ToDetector)
    })
  }

  /** Where the names of `detect.sites` lead now. */
  setSiteAddresses(addresses: SiteAddresses): void {
    this.#detector?.postMessage({ type: 'site-addresses', addresses } satisfies ToDetector)
    const exclusions = new SettingsTable(this.#options.detect, addresses).exclusions()
    for (const collector of this.#collectors) {
      collector.postMessage({ type: 'exclude', exclusions } satisfies ToCollector)
    }
  }

  /**
   * Datagrams with the tag are counted and judged as a simulated attack once this resolves. Rejects with AppError DETECTION_BUSY when a collector does
   * not answer within five seconds.
   */
  async beginSimulation(tag: SimulationTag): Promise<void> {
    const { simulation, probe } = tag
    this.#detector?.postMessage({ type: 'simulate', simulation, isProbe: probe !== null } satisfies ToDetector)
    const begun = this.#collectors.map((collector) =>
      this.#simulationRequests.request((id) =>
        collector.postMessage({ type: 'simulate', id, tag } satisfies ToCollector),
      ),
    )
    await Promise.all(begun)
  }

  /** Its attack is over, and its late datagrams are dropped. */
  endSimulation(simulation: string): void {
    const message = { type: 'end-simulation', simulation } satisfies ToCollector & ToDetector
    this.#detector?.postMessage(message)
    for (const collector of this.#collectors) collector.postMessage(message)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#collectors.map(endOf))
    if (this.#detector !== null) await endOf(this.#detector)
    await Promise.all([...this.#collectors, this.#detector].map((thread) => thread && endThread(thread)))
  }

  async #startCollector(index: number, detector: Worker): Promise<void> {
    const { ingest, samples } = this.#options
    const collector = this.#thread(`collector-${index}`, {
      listen: this.#listeners.length > 0 ? this.#listeners : listenAddresses(ingest),
      receiveBufferBytes: ingest.receiveBufferBytes,
      admission: this.#options.admission,
      tunnels: ingest.tunnels,
      sampling: ingest.sampling,
      waiting: ingest.waiting,
      known: this.#options.known,
      shared: ingest.workers > 1,
      first: index === 0,
    })
    this.#collectors.push(collector)
    this.#confirmations.expect(index, this.#options.clock.now())
    const { port1, port2 } = new MessageChannel()
    detector.postMessage({ type: 'collector', port: port1 } satisfies ToDetector, [port1])
    collector.postMessage({ type: 'detector', port: port2 } satisfies ToCollector, [port2])
    await new Promise<void>((resolve, reject) => {
      collector.once('error', reject)
      collector.on('message', (message: FromCollector) => {
        if (message.type === 'listening') {
          if (index === 0) this.#listeners = message.listeners
          resolve()
        } else if (message.type === 'simulating') {
          this.#simulationRequests.respond(message.id, null)
        } else if (message.type === 'away') {
          this.#onAway(message.away)
        } else if (message.type === 'changes') {
          this.#options.onChanges(message.changes)
        } else if (message.type === 'health') {
          this.#options.onHealth(`collector-${index}`, message.streams, message.reception)
        } else if (message.type === 'second') {
          samples.set(`collector-${index}`, message.samples)
          this.#options.onTables(`collector-${index}`, message.tables)
          this.#confirmations.confirmed(index, message.watching, this.#options.clock.now())
          if (message.lastDatagramMs !== null)
            this.lastDatagramMs = Math.max(this.lastDatagramMs ?? 0, message.lastDatagramMs)
        }
      })
    })
  }

  #thread(name: string, workerData: CollectorData | DetectorData): Worker {
    const kind = name === 'detector' ? 'detector' : 'collector'
    const entry = new URL(`./threads/${kind}.ts`, import.meta.url)
    const thread = new Worker(entry, { name, workerData, resourceLimits: threadMemory[kind] })
    thread.on('error', (error) => this.#options.onFailure(error))
    thread.on('exit', (code) => {
      if (!this.#stopping) this.#options.onFailure(new Error(`the ${name} thread ended with status ${code}`))
    })
    return thread
  }

  #warnOfSmallBuffers(): void {
    const { ingest, log } = this.#options
    const granted = Math.min(...this.#listeners.map(({ receiveBufferBytes }) => receiveBufferBytes))
    if (granted >= ingest.receiveBufferBytes) return
    log.warn(
      { granted, wanted: ingest.receiveBufferBytes },
      'the kernel grants a smaller receive buffer: raise net.core.rmem_max, or datagrams may be lost in bursts',
    )
  }

  /** Collectors that stood still together say so one after the other. */
  #onAway(away: Away): void {
    const last = this.lastAway
    const isSame = last !== null && away.fromMs < last.toMs && away.toMs > last.fromMs
    this.lastAway = isSame ? { fromMs: last.fromMs, toMs: Math.max(last.toMs, away.toMs) } : away
    if (isSame) return
    const seconds = Math.round((away.toMs - away.fromMs) / 1_000)
    this.#options.log.warn(
      { seconds },
      'the process or the machine stood still, or its clock was set: nothing was read',
    )
  }

  #onPass(pass: Pass): void {
    this.lastPassMs = pass.atMs
    this.behindMs = pass.behindMs
    this.busyRefused = pass.busyRefused
    this.tracesRefused = pass.tracesRefused
    this.#options.onPass(pass.durationMs / 1000)
    if (pass.reports.length > 0) this.#options.onReports(pass.reports)
    for (const simulated of pass.simulated) this.#options.onSimulated(simulated)
    if (pass.series !== null) this.#options.onSeries(pass.series)
  }
}

/** How long a thread may take to send what it still has. */
const stopMs = 4_000

/** Resolves when the thread has sent everything, or is gone, or takes too long. */
function endOf(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, stopMs)
    const end = () => {
      clearTimeout(late)
      resolve()
    }
    thread.once('exit', end)
    thread.on('message', (message: FromCollector | FromDetector) => {
      if (message.type === 'stopped') end()
    })
    thread.postMessage({ type: 'stop' } satisfies ToCollector & ToDetector)
  })
}
