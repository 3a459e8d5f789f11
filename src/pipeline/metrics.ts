// What the pipeline measures of itself, beside what collectors, folders and the detector count.
import type { MetricRow } from '../metrics.ts'

export const pipelineMetrics = {
  slotsDelayed: {
    name: 'floodgauge_slots_delayed_total',
    help: 'Slots that a collector sealed late, since the detector had not taken those before: it is behind.',
  },
  slotsTranslated: {
    name: 'floodgauge_slots_translated_total',
    help: 'Slots of a collector of another version, whose traffic classes were translated by their names.',
  },
  slotsRefused: {
    name: 'floodgauge_slots_refused_total',
    help: 'Slots of a collector of another version that the detector cannot understand: their columns differ (layout), their list of traffic classes is malformed (classes), or they count packets that this version tells apart (unknownClass).',
    labels: ['reason'],
  },
  behind: {
    name: 'floodgauge_detect_behind_seconds',
    help: 'How long ago the oldest slot was sealed that the last detection pass has judged: more than some seconds when the detector is behind.',
  },
  simulatedDatagrams: {
    name: 'floodgauge_simulated_datagrams_total',
    help: 'Datagrams of simulated attacks and of self-tests, which no exporter is credited with: counted, or late (dropped, since the simulation was over).',
    labels: ['result'],
  },
} as const satisfies Record<string, MetricRow>
