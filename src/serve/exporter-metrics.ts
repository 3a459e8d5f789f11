// How the exporters do, as metrics: counts by state and by finding, and for a bounded number of exporters their clock and when they were last heard of.
import type { ExporterHealth } from '../collect/health/exporter.ts'
import { rules } from '../collect/health/findings.ts'
import type { MetricRow, Metrics } from '../metrics.ts'
import type { ExporterBook } from './exporter-book.ts'

/** Addresses of senders are anyone's choice: those that are known longest have metrics of their own. */
const exportersMax = 100

export const exporterMetrics = {
  exporters: {
    name: 'floodgauge_ingest_exporters',
    help: 'Exporters that are known, by the severity of their worst finding.',
    labels: ['state'],
  },
  findings: {
    name: 'floodgauge_ingest_findings',
    help: 'Exporters to which a finding applies, by its rule: see `GET /api/v1/exporters`.',
    labels: ['rule', 'severity'],
  },
  lost: {
    name: 'floodgauge_ingest_lost_ratio',
    help: 'Which part of what the exporter sent in the last quarter of an hour or two is lost, by the sequence numbers of its worst stream.',
    labels: ['exporter'],
  },
  clock: {
    name: 'floodgauge_ingest_clock_ahead_seconds',
    help: "How far the exporter's clock is ahead of this machine's; negative: behind.",
    labels: ['exporter'],
  },
  lag: {
    name: 'floodgauge_ingest_lag_seconds',
    help: 'How soon after their end half of the records of the exporter are exported, of its slowest stream.',
    labels: ['exporter'],
  },
  lastSeen: {
    name: 'floodgauge_ingest_last_datagram_timestamp_seconds',
    help: 'When the last datagram of the exporter came, in Unix time.',
    labels: ['exporter'],
  },
  evicted: {
    name: 'floodgauge_ingest_reports_evicted_total',
    help: 'States of streams that were forgotten since the table is bounded.',
  },
} as const satisfies Record<string, MetricRow>

export function registerExporterMetrics(metrics: Metrics, book: Pick<ExporterBook, 'list' | 'evicted'>): void {
  const rows = exporterMetrics
  const each = (value: (exporter: ExporterHealth) => number | null) => () =>
    book
      .list()
      .slice(0, exportersMax)
      .flatMap((exporter) => {
        const known = value(exporter)
        return known === null ? [] : [{ labels: { exporter: exporter.address }, value: known }]
      })
  metrics.gaugeFrom(rows.exporters, () => {
    const exporters = book.list()
    return (['ok', 'warning', 'error'] as const).map((state) => ({
      labels: { state },
      value: exporters.filter((exporter) => exporter.state === state).length,
    }))
  })
  metrics.gaugeFrom(rows.findings, () => {
    const found = book.list().flatMap(({ findings }) => findings.map(({ rule }) => rule))
    return rules.map(({ rule, severity }) => ({
      labels: { rule, severity },
      value: found.filter((each) => each === rule).length,
    }))
  })
  metrics.gaugeFrom(
    rows.lost,
    each(({ lostShare }) => lostShare),
  )
  metrics.gaugeFrom(
    rows.clock,
    each(({ clockAheadMs }) => (clockAheadMs === null ? null : clockAheadMs / 1000)),
  )
  metrics.gaugeFrom(
    rows.lag,
    each(({ streams }) => {
      const lags = streams.flatMap(({ records: { lagSeconds } }) => (lagSeconds === null ? [] : [lagSeconds]))
      return lags.length === 0 ? null : Math.max(...lags)
    }),
  )
  metrics.gaugeFrom(
    rows.lastSeen,
    each(({ lastMs }) => lastMs / 1000),
  )
  metrics.counterFrom(rows.evicted, () => [{ labels: {}, value: book.evicted }])
}
