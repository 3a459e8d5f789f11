// What the watch over exporters costs: per flow record, in full batches; and per second, with few streams and with as many as there can be.
// Run: node bench/health.ts
import { StreamWatches } from '../src/collect/health/stream-watches.ts'
import { Decoder } from '../src/decode/decoder.ts'
import type { Batch } from '../src/flow/batch.ts'
import { Exporter, type Flow } from '../test/helpers/exporter.ts'

const nowMs = 1_800_000_000_000
const seconds = 2

/** As the collectors have it. */
const settings = { recordsPerBatch: 40, rateMs: 60_000, recentMs: 900_000, recordsMs: 3_600_000, exportedTimes: false }
const due = { beforeMs: Number.POSITIVE_INFINITY, max: 100 }

const flows: Flow[] = Array.from({ length: 4_096 }, (_, i) => ({
  src: '198.51.100.1',
  dst: '203.0.113.1',
  srcPort: i & 0xffff,
  dstPort: 443,
  ipProto: 6,
  tcpFlags: 27,
  bytes: 1_400,
  packets: 1 + (i % 3),
  startMs: nowMs - 20_000 - i,
  endMs: nowMs - i,
}))

/** CPU time of this process, in seconds: other work on the machine counts for little. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Seconds that one call takes. */
function costOf(run: () => void): number {
  const start = cpuSeconds()
  let rounds = 0
  while (cpuSeconds() - start < seconds) {
    for (let i = 0; i < 10; i++) run()
    rounds += 10
  }
  return (cpuSeconds() - start) / rounds
}

function show(name: string, cost: number, scale: number, unit: string): void {
  process.stdout.write(`${name.padEnd(60)} ${(cost * scale).toFixed(2).padStart(8)} ${unit}\n`)
}

/** A decoder that was sent something by each stream, and its watches; `onBatch` is given the batches, which are valid for no longer. */
function watched(streams: number, onBatch: (batch: Batch, watches: StreamWatches) => void) {
  const decoder = new Decoder({ sink: (batch) => onBatch(batch, watches) })
  const watches = new StreamWatches({ ...settings, streams: decoder.streams })
  for (let domain = 0; domain < streams; domain++) {
    const exporter = new Exporter({ protocol: 'ipfix', samplingRate: 100, domain })
    for (const payload of exporter.datagrams(streams === 1 ? flows : flows.slice(0, 20), nowMs)) {
      const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
      decoder.decode(view, { address: '192.0.2.1', port: 9, receivedMs: nowMs })
    }
  }
  decoder.flush()
  return { decoder, watches }
}

watched(1, (batch, watches) => {
  const cost = costOf(() => watches.sample(batch))
  show(`a look at a batch of ${batch.rows} records, for each of them`, cost / batch.rows, 1e9, 'ns')
})

for (const streams of [10, 4_096]) {
  const { decoder, watches } = watched(streams, (batch, watches) => watches.sample(batch))
  let second = 0
  const cost = costOf(() => {
    const atMs = nowMs + ++second * 1000
    for (const stream of decoder.streams.list) if (stream !== undefined) stream.lastMs = atMs
    watches.look(atMs)
    structuredClone(watches.due(atMs, due))
  })
  show(`a second of ${streams} streams, their reports copied`, cost, 1e3, 'ms')
}
