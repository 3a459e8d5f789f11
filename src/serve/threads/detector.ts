// Entry of the detector thread: merges the collectors' sealed slots, and judges what changed when all have told theirs.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../clock.ts'
import { Detector } from '../../detect/detector.ts'
import { MinuteSeries } from '../../history/minute-series.ts'
import {
  type DetectorData,
  type FromCollectorToDetector,
  type FromDetector,
  type Pass,
  type SlotAnswer,
  seriesBuffers,
  type ToDetector,
} from '../messages.ts'
import { PassRhythm } from '../pass-rhythm.ts'
import { SimulatedDetection } from '../simulated-detection.ts'
import { letCollectorsGoFirst } from './priority.ts'

/** How often it is looked whether a collector is silent. */
const lookEveryMs = 250
/** How old traffic by the minute may be. */
const seriesEveryMs = 10_000

function run(parent: MessagePort, { detect, baselines, resumed }: DetectorData): void {
  letCollectorsGoFirst()
  const history = new MinuteSeries()
  const detector = new Detector({ settings: detect, history })
  detector.restore(baselines, systemClock.now())
  detector.resume(resumed, systemClock.now())
  const simulated = new SimulatedDetection(detect)
  const say = (message: FromDetector, buffers: ArrayBuffer[] = []) => parent.postMessage(message, buffers)

  parent.on('message', (message: ToDetector) => {
    if (message.type === 'site-addresses') {
      detector.setSiteAddresses(message.addresses)
      simulated.setSiteAddresses(message.addresses)
    } else if (message.type === 'simulate') simulated.begin(message.simulation)
    else if (message.type === 'end-simulation') simulated.end(message.simulation, systemClock.now())
    else if (message.type === 'networks') detector.setNetworks(message.networks)
    else if (message.type === 'stop') stop()
    else if (message.type === 'question') {
      const state = detector.stateOf(message.address, message.knownFromMs)
      say({ type: 'answer', id: message.id, state })
    } else if (message.type === 'rates-question') {
      say({ type: 'rates-answer', id: message.id, rates: detector.ratesOf(message.asked) })
    } else listen(message.port)
  })

  const ports: MessagePort[] = []
  const rhythm = new PassRhythm<MessagePort>()
  let next: NodeJS.Immediate | null = null
  const listen = (port: MessagePort) => {
    ports.push(port)
    rhythm.add(port)
    port.on('message', (told: FromCollectorToDetector) => {
      if (!take(told, port)) return
      // When all slots that wait are taken: a detector that is behind judges them together.
      if (rhythm.hear(port)) next ??= setImmediate(pass, { isLast: false })
    })
  }
  /** True: it was real traffic, which comes after what is simulated. */
  const take = (told: FromCollectorToDetector, port: MessagePort): boolean => {
    if ('simulation' in told) {
      simulated.accept(told)
      return false
    }
    detector.accept(told)
    port.postMessage('taken' satisfies SlotAnswer)
    return true
  }

  /** Slots that have come, and whose messages have not had their turn. */
  const takeWaiting = () => {
    for (const port of ports) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
        take(got.message, port)
      }
    }
  }

  let seriesTakenMs = 0
  const takeSeries = (atMs: number, isLast: boolean) => {
    if (!isLast && Math.abs(atMs - seriesTakenMs) < seriesEveryMs) return null
    seriesTakenMs = atMs
    return history.take()
  }

  const pass = ({ isLast }: { isLast: boolean }) => {
    if (next !== null) clearImmediate(next)
    next = null
    const atMs = systemClock.now()
    rhythm.passed(atMs)
    const reports = detector.pass(atMs)
    const series = takeSeries(atMs, isLast)
    const pass: Pass = {
      type: 'pass',
      atMs,
      durationMs: systemClock.now() - atMs,
      reports,
      simulated: simulated.pass(atMs),
      series,
      baselines: detector.takeBaselines({ all: false }),
      samples: detector.samples(),
    }
    say(pass, seriesBuffers(series))
  }
  const every = setInterval(() => {
    if (rhythm.isDue(systemClock.now())) pass({ isLast: false })
  }, lookEveryMs)

  const stop = () => {
    clearInterval(every)
    takeWaiting()
    simulated.endAll(systemClock.now())
    pass({ isLast: true })
    say({ type: 'stopped', baselines: detector.takeBaselines({ all: true }) })
  }
}

if (parentPort !== null) run(parentPort, workerData)
