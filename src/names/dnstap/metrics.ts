// What is measured of dnstap.
import { byLabel, type Metric } from '../../metrics.ts'
import type { DnstapListener } from './listener.ts'

export const dnstapMetrics: readonly Metric<DnstapListener>[] = [
  {
    name: 'floodgauge_dnstap_connections',
    help: 'Open connections of dnstap senders.',
    read: ({ connections }) => connections,
  },
  {
    name: 'floodgauge_dnstap_frames_total',
    help: 'Data frames of dnstap senders.',
    read: ({ counts }) => counts.frames,
  },
  {
    name: 'floodgauge_dnstap_answers_total',
    help: 'Answers that say where a name of a site leads.',
    read: ({ counts }) => counts.answers,
  },
  {
    name: 'floodgauge_dnstap_addresses_total',
    help: 'Addresses that these answers confirmed.',
    read: ({ counts }) => counts.addresses,
  },
  {
    name: 'floodgauge_dnstap_refused_total',
    help: 'Connections turned away: sender (not allowed), connections (too many), handshake (not begun in time), idle, protocol (no Frame Streams, or of other content), frame_length. Frames: frames (too many in a second), answers (too many for names that matter), broken (no dnstap, or no DNS message). sensors: answers of senders that are too many to know by name.',
    labels: ['reason'],
    read: ({ refused }) => byLabel('reason', refused),
  },
  {
    name: 'floodgauge_dnstap_last_answer_timestamp_seconds',
    help: 'When the last answer of each sensor came, whatever it was about.',
    labels: ['sensor'],
    read: ({ sensors }) =>
      Array.from(sensors.list(), ([sensor, lastMs]) => ({ labels: { sensor }, value: lastMs / 1_000 })),
  },
]
