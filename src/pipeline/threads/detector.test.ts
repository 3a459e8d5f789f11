// Tests the detector's thread by the messages that it takes and sends, with slots that the test makes.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MessageChannel, Worker } from 'node:worker_threads'
import { defaultSettings, victim } from '../../../test/helpers/detection.ts'
import { batchOf } from '../../../test/helpers/flow-rows.ts'
import { until } from '../../../test/helpers/until.ts'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { compileWatchList } from '../../aggregate/watch-list.ts'
import { systemClock } from '../../clock.ts'
import { Ingest } from '../ingest.ts'
import type { DetectorData, FromDetector, ToDetector } from '../messages.ts'

/** Slots with one record each. */
function slotsOf(count: number): SealedSlot[] {
  const ingest = new Ingest({ clock: systemClock })
  ingest.setWatchList(compileWatchList(new Uint32Array([victim, victim])))
  return Array.from({ length: count }, () => {
    const nowMs = systemClock.now()
    ingest.fold(batchOf([{ dstAddr: victim, startMs: nowMs, endMs: nowMs }]))
    return ingest.seal(nowMs)
  })
}

/** Records in the traffic by the minute, one sum for each pass that has such traffic. */
function recordsReported(said: readonly FromDetector[]): number[] {
  return said.flatMap((message) =>
    message.type === 'pass' && message.series !== null ? [message.series.flows.reduce((a, b) => a + b)] : [],
  )
}

it('answers each slot, judges those that wait together, and reports the last ones before it stops', async () => {
  const workerData: DetectorData = { detect: defaultSettings(), baselines: [], resumed: [] }
  const thread = new Worker(new URL('./detector.ts', import.meta.url), { workerData })
  const { port1, port2 } = new MessageChannel()
  try {
    const said: FromDetector[] = []
    thread.on('message', (message: FromDetector) => said.push(message))
    let answers = 0
    port2.on('message', () => answers++)
    for (const slot of slotsOf(3)) port2.postMessage(slot)
    thread.postMessage({ type: 'collector', port: port1 } satisfies ToDetector, [port1])
    await until('three slots are taken', async () => answers === 3)

    for (const slot of slotsOf(4)) port2.postMessage(slot)
    thread.postMessage({ type: 'stop' } satisfies ToDetector)
    await until('the thread has stopped', async () => said.some(({ type }) => type === 'stopped'))
    await until('four more are taken', async () => answers === 7)
    const reported = recordsReported(said)
    assert.ok(reported[0] >= 3, `${reported[0]} in the first pass`)
    assert.equal(
      reported.reduce((a, b) => a + b),
      7,
    )
  } finally {
    port2.close()
    await thread.terminate()
  }
})
