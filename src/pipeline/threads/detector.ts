// Entry of the detector thread: takes the collectors' sealed slots, and judges what changed when all have sent theirs.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { lentMemory } from '../../aggregate/sealed-slot.ts'
import { systemClock } from '../../clock.ts'
import { type MinuteColumns, MinuteSeries } from '../../history/minute-series.ts'
import { Ticker } from '../../ticker.ts'
import { Detection } from '../detection.ts'
import {
  type DetectorData,
  type FromCollectorToDetector,
  type FromDetector,
  type Pass,
  type SlotReceipt,
  seriesBuffers,
  type ToDetector,
} from '../messages.ts'
import { pipelineMetrics } from '../metrics.ts'
import { PassSchedule } from '../pass-schedule.ts'
import { SimulatedDetection } from '../simulate/detection.ts'
import { samplesText } from '../thread-samples.ts'
import { letCollectorsGoFirst } from './priority.ts'

/** How often it is checked whether a collector is silent. */
const checkEveryMs = 250
/** A check, or a slot, that is late by more shows that the thread was held up, maybe with the whole machine: what collectors say next is waited for. */
const heldUpMs = 2_000
/** How often traffic by the minute is sent. */
const seriesEveryMs = 10_000
/** How often metrics and tables are reported, a pass late at most: less than the second between the passes of a quiet hour. */
const reportEveryMs = 900
const behind = { name: pipelineMetrics.behind.name, labels: {} }

class DetectorThread {
  readonly #parent: MessagePort
  readonly #detection: Detection
  readonly #simulated: SimulatedDetection
  readonly #ports: MessagePort[] = []
  readonly #schedule = new PassSchedule<MessagePort>()
  readonly #ticker: Ticker
  /** The pass that is to come when the slots that wait have been taken. */
  #next: NodeJS.Immediate | null = null
  #seriesSentMs = 0
  #reportedMs = 0
  #checkedMs = systemClock.now()
  /** When the oldest slot was sealed that waits for the next pass; infinity: none does. */
  #oldestMs = Number.POSITIVE_INFINITY

  constructor(parent: MessagePort, { detect, baselines, resumed }: DetectorData) {
    this.#parent = parent
    this.#detection = new Detection({ settings: detect, series: new MinuteSeries() })
    this.#detection.detector.restore(baselines, systemClock.now())
    this.#detection.detector.resume(resumed, systemClock.now())
    this.#simulated = new SimulatedDetection(detect)
    parent.on('message', (message: ToDetector) => this.#take(message))
    this.#ticker = new Ticker(() => this.#check()).start(checkEveryMs)
  }

  /** Passes without a collector that is silent; one that stood still with this thread is not, and says next that it was away. */
  #check(): void {
    const nowMs = systemClock.now()
    const isHeldUp = Math.abs(nowMs - this.#checkedMs) > heldUpMs
    this.#checkedMs = nowMs
    if (isHeldUp) this.#schedule.passed(nowMs)
    else if (this.#schedule.isDue(nowMs)) this.#pass()
  }

  #take(message: ToDetector): void {
    const { detector } = this.#detection
    switch (message.type) {
      case 'collector':
        this.#listen(message.port)
        break
      case 'site-addresses':
        detector.setSiteAddresses(message.addresses)
        this.#simulated.setSiteAddresses(message.addresses)
        break
      case 'networks':
        detector.setNetworks(message.networks)
        break
      case 'holders':
        detector.setHolders(message.held)
        break
      case 'state-request': {
        const state = detector.stateOf(message.address, message.knownFromMs)
        this.#send({ type: 'state-response', id: message.id, state })
        break
      }
      case 'rates-request':
        this.#send({ type: 'rates-response', id: message.id, rates: detector.ratesOf(message.asked) })
        break
      case 'traces-request':
        this.#send({ type: 'traces-response', id: message.id, traces: detector.latestTraces(message.address) })
        break
      case 'simulate':
        this.#simulated.begin(message.simulation, message)
        break
      case 'end-simulation':
        this.#simulated.end(message.simulation, systemClock.now())
        break
      case 'stop':
        this.#stop()
    }
  }

  #listen(port: MessagePort): void {
    this.#ports.push(port)
    this.#schedule.add(port)
    port.on('message', (sent: FromCollectorToDetector) => {
      if (!this.#accept(sent, port)) return
      const isLate = 'sealedMs' in sent && Math.abs(systemClock.now() - sent.sealedMs) > heldUpMs
      if (isLate) return
      // A detector that is behind takes all slots that wait, and judges them together.
      if (this.#schedule.received(port)) this.#next ??= setImmediate(() => this.#pass())
    })
  }

  /** Returns true for real traffic, which a collector sends after what is simulated. */
  #accept(sent: FromCollectorToDetector, port: MessagePort): boolean {
    const isSimulated = 'simulation' in sent
    if (isSimulated) this.#simulated.accept(sent)
    else this.#detection.accept(sent)
    const { counters, records, sealedMs } = isSimulated ? sent.slot : sent
    port.postMessage({ isSimulated, memory: lentMemory(counters, records) } satisfies SlotReceipt)
    if (!isSimulated) this.#oldestMs = Math.min(this.#oldestMs, sealedMs)
    return !isSimulated
  }

  #pass({ isLast } = { isLast: false }): void {
    if (this.#next !== null) clearImmediate(this.#next)
    this.#next = null
    const atMs = systemClock.now()
    this.#schedule.passed(atMs)
    const reports = this.#detection.pass(atMs)
    const series = this.#takeSeries(atMs, isLast)
    const endMs = systemClock.now()
    const behindMs = Math.max(0, endMs - this.#oldestMs)
    const pass: Pass = {
      type: 'pass',
      atMs,
      durationMs: endMs - atMs,
      behindMs,
      busyRefused: this.#detection.detector.counted.busyRefused,
      reports,
      simulated: this.#simulated.pass(atMs),
      series,
      baselines: this.#detection.detector.takeBaselines({ all: false }),
      traces: this.#detection.detector.takeTraces({ all: false }),
      tracesRefused: this.#detection.detector.counted.tracesRefused,
    }
    this.#oldestMs = Number.POSITIVE_INFINITY
    this.#send(pass, seriesBuffers(series))
    if (isLast || Math.abs(atMs - this.#reportedMs) >= reportEveryMs) this.#report(atMs, behindMs)
  }

  #report(nowMs: number, behindMs: number): void {
    this.#reportedMs = nowMs
    const samples = [...this.#detection.samples(), { ...behind, value: behindMs / 1_000 }]
    this.#send({ type: 'second', samples: samplesText(samples), tables: this.#detection.detector.crowding() })
  }

  #takeSeries(atMs: number, isLast: boolean): MinuteColumns | null {
    if (!isLast && Math.abs(atMs - this.#seriesSentMs) < seriesEveryMs) return null
    this.#seriesSentMs = atMs
    return this.#detection.takeSeries()
  }

  #stop(): void {
    this.#ticker.stop()
    this.#acceptWaiting()
    this.#simulated.endAll(systemClock.now())
    this.#pass({ isLast: true })
    const { detector } = this.#detection
    const [baselines, traces] = [detector.takeBaselines({ all: true }), detector.takeTraces({ all: true })]
    this.#send({ type: 'stopped', baselines, traces })
  }

  /** Accepts slots that have arrived, and whose messages have not been delivered. */
  #acceptWaiting(): void {
    for (const port of this.#ports) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
        this.#accept(got.message, port)
      }
    }
  }

  #send(message: FromDetector, buffers: ArrayBuffer[] = []): void {
    this.#parent.postMessage(message, buffers)
  }
}

if (parentPort !== null) {
  letCollectorsGoFirst()
  new DetectorThread(parentPort, workerData)
}
