// How the exporters do, as metrics: counts by state and by finding, and for a bounded number of exporters their clock and their last datagram.
import type { ExporterHealth } from '../../collect/health/exporter.ts'
import { rules } from '../../collect/health/findings.ts'
import type { LabelledValue, Metric } from '../../metrics.ts'
import type { ExporterBook } from './book.ts'

/** Addresses of senders are anyone's choice: those that are known longest have metrics of their own. */
const exportersMax = 100

type Book = Pick<ExporterBook, 'list' | 'evicted'>

export const exporterMetrics: readonly Metric<Book>[] = [
  {
    name: 'floodgauge_ingest_exporters',
    help: 'Exporters that are known, by the severity of their worst finding.',
    labels: ['state'],
    read: (book) => {
      const exporters = book.list()
      return (['ok', 'warning', 'error'] as const).map((state) => ({
        labels: { state },
        value: exporters.filter((exporter) => exporter.state === state).length,
      }))
    },
  },
  {
    name: 'floodgauge_ingest_findings',
    help: 'Exporters to which a finding applies, by its rule: see `GET /api/v1/exporters`.',
    labels: ['rule', 'severity'],
    read: (book) => {
      const found = book.list().flatMap(({ findings }) => findings.map(({ rule }) => rule))
      return rules.map(({ rule, severity }) => ({
        labels: { rule, severity },
        value: found.filter((each) => each === rule).length,
      }))
    },
  },
  {
    name: 'floodgauge_ingest_lost_ratio',
    help: 'Which part of what the exporter sent in the last quarter of an hour or two is lost, by the sequence numbers of its worst stream.',
    labels: ['exporter'],
    read: eachExporter(({ lostShare }) => lostShare),
  },
  {
    name: 'floodgauge_ingest_clock_ahead_seconds',
    help: "How far the exporter's clock is ahead of this machine's; negative: behind.",
    labels: ['exporter'],
    read: eachExporter(({ clockAheadMs }) => (clockAheadMs === null ? null : clockAheadMs / 1000)),
  },
  {
    name: 'floodgauge_ingest_lag_seconds',
    help: 'How soon after their end half of the records of the exporter are exported, of its slowest stream.',
    labels: ['exporter'],
    read: eachExporter(({ streams }) => {
      const lags = streams.flatMap(({ records: { lagSeconds } }) => (lagSeconds === null ? [] : [lagSeconds]))
      return lags.length === 0 ? null : Math.max(...lags)
    }),
  },
  {
    name: 'floodgauge_ingest_last_datagram_timestamp_seconds',
    help: 'When the last datagram of the exporter came, in Unix time.',
    labels: ['exporter'],
    read: eachExporter(({ lastMs }) => lastMs / 1000),
  },
  {
    name: 'floodgauge_ingest_reports_evicted_total',
    help: 'States of streams that were forgotten since the table is bounded.',
    read: ({ evicted }) => evicted,
  },
]

/** A value of each exporter for which it is known. */
function eachExporter(value: (exporter: ExporterHealth) => number | null): (book: Book) => LabelledValue[] {
  return (book) =>
    book
      .list()
      .slice(0, exportersMax)
      .flatMap((exporter) => {
        const known = value(exporter)
        return known === null ? [] : [{ labels: { exporter: exporter.address }, value: known }]
      })
}
