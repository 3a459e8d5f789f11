// The collector's thread by the messages that it gives; the test is its detector.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MessageChannel, Worker } from 'node:worker_threads'
import { victim } from '../../../test/helpers/detection.ts'
import { flowSender, synFlood } from '../../../test/helpers/flows.ts'
import { until } from '../../../test/helpers/until.ts'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { formatIpv4 } from '../../net/ipv4.ts'
import type { CollectorData, FromCollector, SlotAnswer, ToCollector } from '../messages.ts'

const collectorData: CollectorData = {
  listen: [{ host: '127.0.0.1', port: 0 }],
  receiveBufferBytes: 65_536,
  exporters: [],
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
  say({ type: 'watch', ranges: new Uint32Array([victim, victim]) })
  const to = await until('it listens', async () => {
    return said.find((message) => message.type === 'listening')?.listeners[0] ?? null
  })
  const sender = await flowSender(to)
  return {
    said,
    say,
    /** Records of the slots so far. */
    sealed: () => slots.map(({ records }) => records.rows),
    answer: () => port1.postMessage('taken' satisfies SlotAnswer),
    /** So many records for a watched address. */
    send: (records: number) => sender.send(synFlood(formatIpv4(victim), records)),
    /** Its latest count. */
    counted: (name: string) => {
      const samples = said.findLast((message) => message.type === 'samples')?.samples
      return samples?.find((sample) => sample.name === name)?.value
    },
    end: async () => {
      await sender.close()
      port1.close()
      await thread.terminate()
    },
  }
}

it('goes on folding while four slots have not been taken, and tells all in the next', async () => {
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

it('tells what it has received before it stops', async () => {
  const collector = await startCollector()
  try {
    await collector.send(40)
    collector.say({ type: 'stop' })
    await until('it has stopped', async () => collector.said.at(-1)?.type === 'stopped')
    await until('all is told', async () => collector.sealed().reduce((a, b) => a + b, 0) === 40)
  } finally {
    await collector.end()
  }
})
