// What telling about the installation itself counts.
import type { Metric } from '../../metrics.ts'
import type { OwnHealth } from './own-health.ts'

export const ownHealthMetrics: readonly Metric<OwnHealth>[] = [
  {
    name: 'floodgauge_alert_own_messages_total',
    help: 'Messages about exporters, flows and channels, by result: told, failed (tried again), refused (no place: 500 conditions of the installation, 500 of users, 10 of each).',
    labels: ['result'],
    read: ({ counts }) => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
