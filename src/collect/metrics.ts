// The counters of reception and decoding, as metrics: by exporter where that is useful, for a bounded number of exporters.
import type { DecoderCounters, StreamCounters } from '../decode/counters.ts'
import type { StreamTable } from '../decode/streams.ts'
import { exportProtocols } from '../flow/columns.ts'
import { byLabel, type Metric, type MetricRow, type Sample, samplesOf } from '../metrics.ts'
import { presenceMetrics } from './presence.ts'

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
    name: 'floodgauge_ingest_ipv6_flows_total',
    help: 'Those of them that are of IPv6: decoded, and not attributed to sites.',
    labels: ['exporter'],
    read: single('records6'),
  },
  {
    name: 'floodgauge_ingest_reverse_flows_total',
    help: 'Flow records of two directions whose way back counts as a flow of its own, beside them.',
    labels: ['exporter'],
    read: single('reverseRecords'),
  },
  {
    name: 'floodgauge_ingest_egress_again_total',
    help: 'Flow records that tell of packets as they left (flowDirection 1) which the exporter had counted as they came in: left out, so that they count once.',
    labels: ['exporter'],
    read: single('egressAgain'),
  },
  {
    name: 'floodgauge_ingest_decode_errors_total',
    help: 'What could not be decoded, or not be believed: templates refused, sets with lengths that can not be, datagrams cut short, times moved.',
    labels: ['proto', 'reason'],
    read: byReason('templatesRefused', 'badSets', 'truncated', 'timesReplaced'),
  },
  {
    name: 'floodgauge_ingest_missing_templates_total',
    help: 'Data sets that came before their template, and waited for it.',
    labels: ['exporter'],
    read: single('setsWithoutTemplate'),
  },
  {
    name: 'floodgauge_ingest_late_templates_total',
    help: 'Data sets that had waited and were decoded when their template came.',
    labels: ['exporter'],
    read: single('setsDecodedLate'),
  },
  {
    name: 'floodgauge_ingest_undecoded_sets_total',
    help: 'Data sets that waited in vain: for too long, beside too many of their stream or of all, or for a template that was no longer theirs.',
    labels: ['exporter', 'reason'],
    read: byReason('setsExpired', 'setsCrowdedOut', 'setsOverflowed', 'setsOutdated'),
  },
  {
    name: 'floodgauge_ingest_sampling_unknown_total',
    help: 'Flow records whose exporter samples, at a rate that it has not told: they count as they are. Of those for addresses that nobody watches, one datagram in 32 is looked into.',
    labels: ['exporter'],
    read: single('samplingUnknown'),
  },
  {
    name: 'floodgauge_ingest_sampling_jumps_total',
    help: 'Changes of a sampling rate by more than 10 times: told for the first time (samplingWaits), told again so that they count (samplingConfirmed), or contradicted by the rate before (samplingContradicted).',
    labels: ['exporter', 'reason'],
    read: byReason('samplingWaits', 'samplingConfirmed', 'samplingContradicted'),
  },
  {
    name: 'floodgauge_ingest_sequence_gaps_total',
    help: 'Breaks in the sequence numbers.',
    labels: ['exporter'],
    read: single('sequenceGaps'),
  },
  {
    name: 'floodgauge_ingest_sequence_lost_total',
    help: 'Datagrams (NetFlow v9, sFlow) or flow records (NetFlow v5, IPFIX) that sequence numbers show to be lost.',
    labels: ['exporter'],
    read: single('sequenceLost'),
  },
  {
    name: 'floodgauge_ingest_restarts_total',
    help: 'Times that the exporter seems to have restarted: its uptime fell, or its sequence numbers began again.',
    labels: ['exporter'],
    read: single('restarts'),
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
  'templatesOutdated',
  'samplersRefused',
  'samplersEvicted',
  'failures',
] as const satisfies readonly (keyof DecoderCounters)[]

export interface CollectorCounts {
  counters: DecoderCounters
  streams: StreamTable
  /** Datagrams that the kernel dropped because the sockets' buffers were full. */
  socketDrops: number
  /** Datagrams from senders that are not allowed. */
  notAllowed: number
}

const collectorMetrics: readonly Metric<CollectorCounts>[] = [
  {
    name: 'floodgauge_ingest_refused_total',
    help: 'Datagrams that are no flow export, or of no allowed exporter (notAllowed), and what found no place in a bounded table.',
    labels: ['reason'],
    read: ({ counters, notAllowed }) => [
      ...decoderReasons.map((reason) => ({ labels: { reason }, value: counters[reason] })),
      ...byLabel('reason', { notAllowed }),
    ],
  },
  {
    name: 'floodgauge_ingest_late_datagrams_total',
    help: 'Datagrams that had waited to be read while the service, a relay or the exporter stood still: dated by the clock of their exporter, or left out, since that was not known or the time was too long ago.',
    labels: ['result'],
    read: ({ counters }) => byLabel('result', { dated: counters.datagramsDated, leftOut: counters.datagramsLeftOut }),
  },
  {
    name: 'floodgauge_ingest_streams',
    help: 'Observation domains of exporters that are known.',
    read: ({ streams }) => streams.size,
  },
  {
    name: 'floodgauge_ingest_waiting_bytes',
    help: 'Room that data sets take which wait for their template.',
    read: ({ streams }) => streams.waiting.bytes,
  },
  {
    name: 'floodgauge_ingest_socket_drops_total',
    help: 'Datagrams that the kernel dropped because the receive buffer was full.',
    read: ({ socketDrops }) => socketDrops,
  },
]

export const ingestMetrics: readonly MetricRow[] = [...streamMetrics, ...collectorMetrics, ...presenceMetrics]

/** The samples, each set of labels once: somebody may invent many domains, and the samples are sent every second. */
export function ingestSamples(received: CollectorCounts): Sample[] {
  const samples = samplesOf(collectorMetrics, received)
  const { evicted, list } = received.streams
  for (const { exporter, exportProtocol, counters: sum } of evicted.sums(list)) {
    for (const { name, labels, read } of streamMetrics) {
      for (const { reason = '', value } of read(sum)) {
        const all = { exporter, proto: exportProtocols[exportProtocol], reason }
        samples.push({ name, labels: Object.fromEntries(labels.map((label) => [label, all[label]])), value })
      }
    }
  }
  return samples
}
