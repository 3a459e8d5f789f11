// Tests the collector's thread by the messages that it sends; the test is its detector.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MessageChannel, Worker } from 'node:worker_threads'
import { victim } from '../../../test/helpers/detection.ts'
import { flowSender, synFlood } from '../../../test/helpers/flows.ts'
import { until } from '../../../test/helpers/until.ts'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import type { Sample } from '../../metrics.ts'

import { formatKey } from '../../net/address.ts'
import type { CollectorData, FromCollector, SlotReceipt, ToCollector } from '../messages.ts'

const collectorData: CollectorData = {
  listen: [{ host: '127.0.0.1', port: 0 }],
  receiveBufferBytes: 65_536,
  admission: { entries: [], leftOut: [] },
  tunnels: 'outer',
  sampling: [],
  waiting: { megabytes: 1, seconds: 60 },
  known: [],
  shared: false,
  first: true,
}

async function startCollector() {
  const thread = new Worker(new URL('./collector.ts', import.meta.url), { workerData: collectorData })
  const { port1, port2 } = new MessageChannel()
  const said: FromCollector[] = []
  const slots: SealedSlot[] = []
  thread.on('message', (message: FromCollector) => said.push(message))
  port1.on('message', (slot: SealedSlot) => slots.push(slot))
  const say = (message: ToCollector) => thread.postMessage(message, message.type === 'detector' ? [message.port] : [])
  say({ type: 'detector', port: port2 })
  say({ type: 'watch', ranges: new Uint32Array([victim, victim]), version: 1 })
  const to = await until('it listens', async () => {
    return said.find((message) => message.type === 'listening')?.listeners[0] ?? null
  })
  const counted = (name: string) => {
    const samples: Sample[] = JSON.parse(said.findLast((message) => message.type === 'second')?.samples ?? '[]')
    return samples.find((sample) => sample.name === name)?.value
  }
  // It may listen before it has read what to watch.
  await until('it watches', async () => counted('floodgauge_watched_addresses') === 1)
  const sender = await flowSender(to)
  return {
    said,
    say,
    /** Number of records of each slot so far. */
    sealed: () => slots.map(({ records }) => records.rows),
    answer: () => port1.postMessage({ isSimulated: false, memory: [] } satisfies SlotReceipt),
    /** Sends records for a watched address. */
    send: (records: number) => sender.send(synFlood(formatKey(victim), records)),
    /** The latest value of a metric. */
    counted,
    end: async () => {
      await sender.close()
      port1.close()
      await thread.terminate()
    },
  }
}

it('goes on folding while four slots have not been taken, and sends everything in the next', async () => {
  const collector = await startCollector()
  try {
    await until('a slot is late', async () => collector.counted('floodgauge_slots_delayed_total') === 1)
    assert.deepEqual(collector.sealed(), [0, 0, 0, 0])
    await collector.send(40)
    await until('records are folded', async () => collector.counted('floodgauge_fold_flows_total') === 40)
    assert.equal(collector.sealed().length, 4)
    collector.answer()
    await until('the next is sealed', async () => collector.sealed().length === 5)
    assert.deepEqual(collector.sealed(), [0, 0, 0, 0, 40])
  } finally {
    await collector.end()
  }
})

it('sends what it has received before it stops', async () => {
  const collector = await startCollector()
  try {
    await collector.send(40)
    collector.say({ type: 'stop' })
    await until('it has stopped', async () => collector.said.at(-1)?.type === 'stopped')
    await until('everything is sent', async () => collector.sealed().reduce((a, b) => a + b, 0) === 40)
  } finally {
    await collector.end()
  }
})
