// Entry of the detector thread: merges the collectors' sealed slots and runs one detection pass a second.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { systemClock } from '../../clock.ts'
import { Detector } from '../../detect/detector.ts'
import { MinuteSeries } from '../../history/minute-series.ts'
import type { DetectorData, FromDetector, ToDetector } from '../messages.ts'
import { letCollectorsGoFirst } from './priority.ts'

const passEveryMs = 1000

function run(parent: MessagePort, { detect }: DetectorData): void {
  letCollectorsGoFirst()
  const detector = new Detector({ settings: detect, history: new MinuteSeries() })

  parent.on('message', (message: ToDetector) => {
    if (message.type === 'site-addresses') detector.setSiteAddresses(message.addresses)
    else if (message.type === 'question') {
      const state = detector.stateOf(message.address, message.knownFromMs)
      parent.postMessage({ type: 'answer', id: message.id, state } satisfies FromDetector)
    } else message.port.on('message', (slot: SealedSlot) => detector.accept(slot))
  })

  setInterval(() => {
    const atMs = systemClock.now()
    const reports = detector.pass(atMs)
    const pass: FromDetector = {
      type: 'pass',
      atMs,
      durationMs: systemClock.now() - atMs,
      reports,
      series: detector.takeSeries(),
      samples: detector.samples(),
    }
    parent.postMessage(pass)
  }, passEveryMs)
}

if (parentPort !== null) run(parentPort, workerData)
