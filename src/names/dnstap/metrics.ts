// What is measured of dnstap.
import type { MetricRow, Metrics } from '../../metrics.ts'
import type { DnstapListener } from './listener.ts'

export const dnstapMetrics = {
  connections: { name: 'floodgauge_dnstap_connections', help: 'Open connections of dnstap senders.' },
  frames: { name: 'floodgauge_dnstap_frames_total', help: 'Data frames of dnstap senders.' },
  answers: { name: 'floodgauge_dnstap_answers_total', help: 'Answers that say where a name of a site leads.' },
  addresses: { name: 'floodgauge_dnstap_addresses_total', help: 'Addresses that these answers confirmed.' },
  refused: {
    name: 'floodgauge_dnstap_refused_total',
    help: 'Connections turned away: sender (not allowed), connections (too many), handshake (not begun in time), idle, protocol (no Frame Streams, or of other content), frame_length. Frames: frames (too many in a second), answers (too many for names that matter), broken (no dnstap, or no DNS message). sensors: answers of senders that are too many to know by name.',
    labels: ['reason'],
  },
  lastFrame: {
    name: 'floodgauge_dnstap_last_answer_timestamp_seconds',
    help: 'When each sensor was heard of last, whatever the answer was about.',
    labels: ['sensor'],
  },
} as const satisfies Record<string, MetricRow>

export function registerDnstapMetrics(metrics: Metrics, dnstap: DnstapListener): void {
  const { connections, frames, answers, addresses, refused, lastFrame } = dnstapMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.gaugeFrom(connections, () => single(dnstap.connections))
  metrics.counterFrom(frames, () => single(dnstap.counts.frames))
  metrics.counterFrom(answers, () => single(dnstap.counts.answers))
  metrics.counterFrom(addresses, () => single(dnstap.counts.addresses))
  metrics.counterFrom(refused, () =>
    Object.entries(dnstap.refused).map(([reason, value]) => ({ labels: { reason }, value })),
  )
  metrics.gaugeFrom(lastFrame, () =>
    Array.from(dnstap.sensors.list(), ([sensor, lastMs]) => ({ labels: { sensor }, value: lastMs / 1_000 })),
  )
}
