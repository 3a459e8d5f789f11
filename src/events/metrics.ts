// What is measured of events.
import type { Metric } from '../metrics.ts'
import type { Recorder } from './recorder.ts'

export const eventMetrics: readonly Metric<Recorder>[] = [
  {
    name: 'floodgauge_events_total',
    help: 'Events made: one for each owner of an attacked site.',
    read: ({ counts }) => counts.events,
  },
  {
    name: 'floodgauge_events_unowned_total',
    help: 'Reports of attacks on addresses that had no owner by then.',
    read: ({ counts }) => counts.unowned,
  },
  {
    name: 'floodgauge_events_pending',
    help: 'Attacks whose latest state is not in the store yet.',
    read: ({ pending }) => pending,
  },
  {
    name: 'floodgauge_events_refused_total',
    help: 'Reports turned away since too many waited for the store.',
    read: ({ counts }) => counts.refused,
  },
  {
    name: 'floodgauge_events_write_failures_total',
    help: 'Attempts to write events that failed; they are made again.',
    read: ({ failures }) => failures,
  },
]
