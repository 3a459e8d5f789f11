// What telling about the installation itself counts.
import type { Metric } from '../../metrics.ts'
import type { OwnHealth } from './own-health.ts'

export const ownHealthMetrics: readonly Metric<OwnHealth>[] = [
  {
    name: 'floodgauge_alert_own_messages_total',
    help: 'Messages about exporters, flows and channels, by result: told, failed (tried again), refused (more than 500 conditions).',
    labels: ['result'],
    read: ({ counts }) => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
