// Entry of a collector thread: sockets to sealed slots, which go to the detector; reports on exporters and metrics, which go to the main thread.
// Nothing here waits.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Exclusions } from '../../aggregate/exclusions.ts'
import { isSealDue, sealEveryMs, sealsPerSecond } from '../../aggregate/seal-schedule.ts'
import { SlotMemory } from '../../aggregate/slot-memory.ts'
import { compileWatchList } from '../../aggregate/watch-list.ts'
import { targetMetrics } from '../../aggregate/watch-metrics.ts'
import { systemClock } from '../../clock.ts'
import { notExportsOf } from '../../collect/health/reception.ts'
import { StreamWatches } from '../../collect/health/stream-watches.ts'
import { ingestSamples } from '../../collect/metrics.ts'
import { compileOverrides } from '../../collect/sampling-overrides.ts'
import { AllowList } from '../../collect/sockets/allow-list.ts'
import { kernelDrops } from '../../collect/sockets/kernel-drops.ts'
import { paces, ReadSchedule } from '../../collect/sockets/read-schedule.ts'
import { createListener, type DatagramSocket, type Sender } from '../../collect/sockets/udp-listener.ts'
import { StreamChanges } from '../../decode/stream-changes.ts'
import type { Away } from '../../flow/away.ts'
import { type Sample, samplesOf } from '../../metrics.ts'
import { Ticker } from '../../ticker.ts'
import { Ingest } from '../ingest.ts'
import type { CollectorData, FromCollector, SlotReceipt, ToCollector } from '../messages.ts'
import { SimulatedTraffic } from '../simulate/traffic.ts'
import { SlotBacklog } from '../slot-backlog.ts'
import { samplesText } from '../thread-samples.ts'

/** How long sockets are still read after a stop: longer than the pause between two reads. */
const drainMs = paces[0] + 8
/** Templates and streams to be saved that are passed on at a time. */
const changesPerSecond = 500

/** How closely exporters are watched, and how often they are reported on: little of each batch, and of each second. */
const health = {
  recordsPerBatch: 40,
  rateMs: 60_000,
  recentMs: 900_000,
  recordsMs: 3_600_000,
  reportEveryMs: 4_000,
  reportsAtOnce: 100,
}

class Collector {
  readonly #parent: MessagePort
  readonly #data: CollectorData
  readonly #ingest: Ingest
  readonly #memory = new SlotMemory()
  readonly #simulated = new SimulatedTraffic(systemClock, this.#memory)
  readonly #changes: StreamChanges
  readonly #watches: StreamWatches
  readonly #allowed: AllowList
  readonly #backlog = new SlotBacklog()
  readonly #schedule = new ReadSchedule({
    begin: () => this.#turn(),
    end: (isEmpty) => this.#noteAway(this.#ingest.read(systemClock.now(), { isEmpty })),
  })
  #listeners: DatagramSocket[] = []
  readonly #ticker = new Ticker(() => this.#tick())
  #ticks = 0
  #detector: MessagePort | null = null
  #lastDatagramMs: number | null = null
  #watchSamples: Sample[] = []
  /** Version of the watch list in use. */
  #watching = 0

  constructor(parent: MessagePort, data: CollectorData) {
    this.#parent = parent
    this.#data = data
    const overrides = compileOverrides(data.sampling)
    this.#ingest = new Ingest({
      clock: systemClock,
      decoder: {
        tunnels: data.tunnels,
        samplingOverrideOf: overrides.rateOf,
        linkBitsPerSecondOf: overrides.linkBitsPerSecondOf,
        waitingBytesMax: data.waiting.megabytes * 2 ** 20,
        waitingBytesPerStreamMax: data.waiting.megabytes * 2 ** 19,
        waitingMs: data.waiting.seconds * 1000,
      },
      folder: { memory: this.#memory },
      onBatch: (batch) => this.#watches.sample(batch),
    })
    const { streams } = this.#ingest
    streams.restore(data.known)
    this.#changes = new StreamChanges(streams)
    this.#watches = new StreamWatches({ ...health, streams, exportedTimes: false })
    this.#allowed = new AllowList(data.admission)
    parent.on('message', (message: ToCollector) => this.#take(message))
  }

  /** Resolves when every listener is bound. */
  async start(): Promise<void> {
    const { listen, receiveBufferBytes, shared } = this.#data
    this.#listeners = await Promise.all(
      listen.map(({ host, port }) =>
        createListener({
          host,
          port,
          receiveBufferBytes,
          reusePort: shared,
          clock: systemClock,
          schedule: this.#schedule,
          onDatagram: (datagram, sender, receivedMs) => this.#receive(datagram, sender, receivedMs),
          onError: (error) => {
            throw error
          },
        }),
      ),
    )
    for (const listener of this.#listeners) await listener.start()
    this.#send({ type: 'listening', listeners: this.#listeners.map(boundTo) })
    this.#ticker.start(sealEveryMs)
  }

  #take(message: ToCollector): void {
    switch (message.type) {
      case 'detector':
        this.#detector = message.port
        this.#detector.on('message', (receipt: SlotReceipt) => this.#taken(receipt))
        break
      case 'watch':
        this.#watch(message.ranges)
        this.#watching = message.version
        break
      case 'admit':
        this.#allowed.set(message.admission)
        break
      case 'exclude':
        this.#exclude(message.exclusions)
        break
      case 'simulate':
        this.#simulated.begin(message.tag)
        this.#send({ type: 'simulating', id: message.id })
        break
      case 'end-simulation':
        this.#simulated.end(message.simulation)
        break
      case 'stop':
        if (!this.#ticker.isRunning) this.#send({ type: 'stopped' })
        else setTimeout(() => this.#end(), drainMs)
    }
  }

  #taken({ isSimulated, memory }: SlotReceipt): void {
    if (!isSimulated) this.#backlog.taken()
    this.#memory.takeBack(memory)
  }

  #watch(ranges: Uint32Array): void {
    const list = compileWatchList(ranges)
    this.#ingest.setWatchList(list)
    this.#simulated.setWatchList(list)
    this.#watchSamples = samplesOf(targetMetrics, list)
  }

  #exclude(exclusions: Exclusions | null): void {
    this.#ingest.setExclusions(exclusions)
    this.#simulated.setExclusions(exclusions)
  }

  #receive(datagram: DataView, sender: Sender, receivedMs: number): void {
    if (this.#simulated.take(datagram, sender, receivedMs)) return
    const { address, port } = sender
    if (!this.#allowed.admits(address, receivedMs)) return
    this.#lastDatagramMs = receivedMs
    this.#ingest.receive(datagram, { address, port, receivedMs })
  }

  #turn(): void {
    if (this.#ingest.turn(systemClock) && this.#backlog.maySeal(true)) this.#seal(systemClock.now())
  }

  #noteAway(away: Away | null): void {
    if (away === null) return
    this.#send({ type: 'away', away })
    // The detector is not to wait for it.
    if (this.#backlog.maySeal(true)) this.#seal(systemClock.now())
  }

  #tick(): void {
    const isSecondOver = ++this.#ticks % sealsPerSecond === 0
    this.#schedule.readNow()
    this.#ingest.flush()
    const nowMs = systemClock.now()
    if (this.#backlog.maySeal(isSealDue(isSecondOver, this.#ingest.heldRecords))) this.#seal(nowMs)
    if (!isSecondOver) return
    this.#schedule.readNow()
    this.#reportSecond(nowMs)
  }

  #seal(nowMs: number): void {
    if (this.#detector === null) return
    for (const each of this.#simulated.seal(nowMs)) this.#detector.postMessage(each)
    this.#detector.postMessage(this.#ingest.seal(nowMs))
    this.#backlog.sent()
  }

  #reportSecond(nowMs: number): void {
    const { counters, streams } = this.#ingest
    const socketDrops = this.#socketDrops()
    const received = ingestSamples({ counters, streams, socketDrops, notAllowed: this.#allowed.refused })
    const samples = [
      ...received,
      ...this.#ingest.samples(),
      ...this.#backlog.samples(),
      ...this.#simulated.samples(),
      // All collectors watch the same addresses, and samples are summed over the threads: the first reports them.
      ...(this.#data.first ? this.#watchSamples : []),
    ]
    this.#send({
      type: 'second',
      samples: samplesText(samples),
      tables: streams.crowding(),
      lastDatagramMs: this.#lastDatagramMs,
      watching: this.#watching,
    })
    this.#sendChanges(changesPerSecond)
    this.#sendHealth(nowMs, socketDrops, { beforeMs: nowMs - health.reportEveryMs, max: health.reportsAtOnce })
  }

  #sendChanges(max: number): void {
    const changes = this.#changes.take(max)
    if (changes.length > 0) this.#send({ type: 'changes', changes })
  }

  /** Reports on streams last reported at `beforeMs` or earlier. */
  #sendHealth(nowMs: number, socketDrops: number, due: { beforeMs: number; max: number }): void {
    this.#watches.look(nowMs)
    const notExports = Object.values(notExportsOf(this.#ingest.counters)).reduce((sum, count) => sum + count, 0)
    const { refused } = this.#allowed
    const reception = { socketDrops, notExports, refused, refusedSenders: this.#allowed.refusedSenders() }
    this.#send({ type: 'health', streams: this.#watches.due(nowMs, due), reception })
  }

  /** Datagrams that the kernel dropped. It counts them by port: of the collectors that share a port, the first asks. */
  #socketDrops(): number {
    return this.#data.first ? kernelDrops(this.#listeners.map(({ bound }) => bound.port)) : 0
  }

  #end(): void {
    this.#ticker.stop()
    // A busy machine may not have read the sockets for a while.
    this.#schedule.readNow()
    const socketDrops = this.#socketDrops()
    for (const listener of this.#listeners) listener.stop()
    const nowMs = systemClock.now()
    this.#seal(nowMs)
    this.#sendChanges(Number.POSITIVE_INFINITY)
    this.#sendHealth(nowMs, socketDrops, { beforeMs: nowMs, max: Number.POSITIVE_INFINITY })
    this.#send({ type: 'stopped' })
  }

  #send(message: FromCollector): void {
    this.#parent.postMessage(message)
  }
}

function boundTo(listener: DatagramSocket) {
  const { address, port } = listener.bound
  return { host: address, port, receiveBufferBytes: listener.receiveBufferBytes }
}

if (parentPort !== null) await new Collector(parentPort, workerData).start()
