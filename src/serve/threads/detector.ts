// Entry of the detector thread: merges the collectors' sealed slots and runs one detection pass a second.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { systemClock } from '../../clock.ts'
import { Detector } from '../../detect/detector.ts'
import { MinuteSeries } from '../../history/minute-series.ts'
import type { DetectorData, FromDetector, ToDetector } from '../messages.ts'
import { letCollectorsGoFirst } from './priority.ts'

const passEveryMs = 1000

function run(parent: MessagePort, { detect, baselines, resumed }: DetectorData): void {
  letCollectorsGoFirst()
  const detector = new Detector({ settings: detect, history: new MinuteSeries() })
  detector.restore(baselines, systemClock.now())
  detector.resume(resumed, systemClock.now())
  const say = (message: FromDetector) => parent.postMessage(message)

  parent.on('message', (message: ToDetector) => {
    if (message.type === 'site-addresses') detector.setSiteAddresses(message.addresses)
    else if (message.type === 'stop') stop()
    else if (message.type === 'question') {
      const state = detector.stateOf(message.address, message.knownFromMs)
      say({ type: 'answer', id: message.id, state })
    } else message.port.on('message', (slot: SealedSlot) => detector.accept(slot))
  })

  const every = setInterval(() => {
    const atMs = systemClock.now()
    const reports = detector.pass(atMs)
    say({
      type: 'pass',
      atMs,
      durationMs: systemClock.now() - atMs,
      reports,
      series: detector.takeSeries(),
      baselines: detector.takeBaselines({ all: false }),
      samples: detector.samples(),
    })
  }, passEveryMs)

  const stop = () => {
    clearInterval(every)
    say({ type: 'stopped', baselines: detector.takeBaselines({ all: true }) })
  }
}

if (parentPort !== null) run(parentPort, workerData)
