// What a collector receives and decodes, as metrics: by exporter where that is of use, for a bounded number of exporters.
import { createStreamCounters, type DecoderCounters, type StreamCounters } from '../decode/counters.ts'
import type { Stream } from '../decode/streams.ts'
import { exportProtocols } from '../flow/columns.ts'
import type { MetricRow, Sample } from '../metrics.ts'

/** Addresses of senders are anyone's choice: beyond so many exporters they count as `other`. */
const exportersMax = 100

interface StreamMetric extends MetricRow {
  labels: readonly ('exporter' | 'proto' | 'reason')[]
  read: (counters: StreamCounters) => { reason?: string; value: number }[]
}

const single = (key: keyof StreamCounters) => (counters: StreamCounters) => [{ value: counters[key] }]
const byReason =
  (...reasons: (keyof StreamCounters)[]) =>
  (counters: StreamCounters) =>
    reasons.map((reason) => ({ reason, value: counters[reason] }))

const streamMetrics: readonly StreamMetric[] = [
  {
    name: 'floodgauge_ingest_packets_total',
    help: 'Datagrams received.',
    labels: ['exporter', 'proto'],
    read: single('datagrams'),
  },
  {
    name: 'floodgauge_ingest_bytes_total',
    help: 'Octets of these datagrams.',
    labels: ['exporter', 'proto'],
    read: single('bytes'),
  },
  {
    name: 'floodgauge_ingest_flows_total',
    help: 'Flow records decoded.',
    labels: ['exporter', 'proto'],
    read: single('records'),
  },
  {
    name: 'floodgauge_ingest_decode_errors_total',
    help: 'What could not be decoded, or not be believed: templates refused, sets with lengths that can not be, datagrams cut short, times moved.',
    labels: ['proto', 'reason'],
    read: byReason('templatesRefused', 'badSets', 'truncated', 'timesReplaced'),
  },
  {
    name: 'floodgauge_ingest_missing_templates_total',
    help: 'Data sets that came before their template.',
    labels: ['exporter'],
    read: single('setsWithoutTemplate'),
  },
  {
    name: 'floodgauge_ingest_sequence_lost_total',
    help: 'Datagrams (NetFlow v9, sFlow) or flow records (NetFlow v5, IPFIX) that sequence numbers show to be lost.',
    labels: ['exporter'],
    read: single('sequenceLost'),
  },
]

const decoderReasons = [
  'unknownVersion',
  'netflow1',
  'netflow6',
  'netflow7',
  'netflow8',
  'sflow2',
  'sflow4',
  'tooShort',
  'streamsEvicted',
  'templatesEvicted',
  'samplersRefused',
  'failures',
] as const satisfies readonly (keyof DecoderCounters)[]

const refused: MetricRow = {
  name: 'floodgauge_ingest_refused_total',
  help: 'Datagrams that are no flow export, and what found no place in a bounded table.',
  labels: ['reason'],
}
const streams: MetricRow = {
  name: 'floodgauge_ingest_streams',
  help: 'Observation domains of exporters that are known.',
}
const drops: MetricRow = {
  name: 'floodgauge_ingest_socket_drops_total',
  help: 'Datagrams that the kernel dropped because the receive buffer was full.',
}

export const ingestMetrics: readonly MetricRow[] = [...streamMetrics, refused, streams, drops]

export interface Received {
  counters: DecoderCounters
  streams: readonly (Stream | undefined)[]
  /** By the kernel, from the sockets' buffers. */
  socketDrops: number
}

const counterNames = keysOf(createStreamCounters())

/** Object.keys, whose type forgets what it was given: these objects have just the keys of their type. */
function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[]
}

/** What one exporter has sent by one protocol, in all its streams. */
interface Sum {
  labels: { exporter: string; proto: string }
  counters: StreamCounters
}

/** Each set of labels once: streams are many when someone makes domains up, and the samples are passed on every second. */
export function ingestSamples({ counters, streams: table, socketDrops }: Received): Sample[] {
  const known = table.filter((stream) => stream !== undefined)
  const samples: Sample[] = [
    ...decoderReasons.map((reason) => ({ name: refused.name, labels: { reason }, value: counters[reason] })),
    { name: streams.name, labels: {}, value: known.length },
    { name: drops.name, labels: {}, value: socketDrops },
  ]
  for (const sum of sumsOf(known)) {
    for (const { name, labels, read } of streamMetrics) {
      for (const { reason = '', value } of read(sum.counters)) {
        const all = { ...sum.labels, reason }
        samples.push({ name, labels: Object.fromEntries(labels.map((label) => [label, all[label]])), value })
      }
    }
  }
  return samples
}

function sumsOf(known: readonly Stream[]): Iterable<Sum> {
  const named = new Set<string>()
  const sums = new Map<string, Sum>()
  for (const { address, exportProtocol, counters } of known) {
    if (named.size < exportersMax) named.add(address)
    const exporter = named.has(address) ? address : 'other'
    const proto = exportProtocols[exportProtocol]
    const key = `${proto} ${exporter}`
    const sum = sums.get(key) ?? { labels: { exporter, proto }, counters: createStreamCounters() }
    for (const name of counterNames) sum.counters[name] += counters[name]
    sums.set(key, sum)
  }
  return sums.values()
}
