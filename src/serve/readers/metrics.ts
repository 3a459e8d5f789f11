// What the readers of the store count.
import { byLabel, type Metric } from '../../metrics.ts'
import type { Readers } from './readers.ts'

export const readerMetrics: readonly Metric<Readers>[] = [
  {
    name: 'floodgauge_readers_questions_total',
    help: 'Questions to the threads that read the store, by outcome: answered, failed, refused (too many waited), late (waited for too long).',
    labels: ['outcome'],
    read: ({ counters: { answered, failed, refused, late } }) =>
      byLabel('outcome', { answered, failed, refused, late }),
  },
  {
    name: 'floodgauge_readers_waiting',
    help: 'Questions that wait for their turn.',
    read: ({ waiting }) => waiting,
  },
  {
    name: 'floodgauge_readers_ended_total',
    help: 'Threads that read the store and ended before their time, or did not answer; each was replaced.',
    read: ({ counters }) => counters.ended,
  },
]
