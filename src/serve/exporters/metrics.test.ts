import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { exportersOf } from '../../collect/health/exporter.ts'
import { rules } from '../../collect/health/findings.ts'
import { Metrics } from '../../metrics.ts'
import { exporterMetrics } from './metrics.ts'

async function textOf(reports: Parameters<typeof exportersOf>[0]): Promise<string> {
  const metrics = new Metrics()
  metrics.register(exporterMetrics, { list: () => exportersOf(reports, reportedMs), evicted: 7 })
  return metrics.text()
}

test('exporters are counted by state and by finding; their clocks, losses and last datagrams are by address', async () => {
  const lost = { sequenceLost: 6_000, sequenceGaps: 1 }
  const text = await textOf([
    streamReport({ clockAheadMs: -500 }),
    streamReport({ address: '192.0.2.8', domain: 1, protocol: 'sflow5', clockAheadMs: null, counters: lost }),
    streamReport({ address: '192.0.2.8', domain: 2, protocol: 'sflow5', clockAheadMs: null, counters: lost }),
  ])
  for (const line of [
    'floodgauge_ingest_exporters{state="ok"} 1',
    'floodgauge_ingest_exporters{state="warning"} 0',
    'floodgauge_ingest_exporters{state="error"} 1',
    'floodgauge_ingest_findings{rule="loss",severity="error"} 1',
    'floodgauge_ingest_findings{rule="silent",severity="error"} 0',
    'floodgauge_ingest_lost_ratio{exporter="192.0.2.8"} 0.5',
    'floodgauge_ingest_lag_seconds{exporter="192.0.2.7"} 1.2',
    'floodgauge_ingest_clock_ahead_seconds{exporter="192.0.2.7"} -0.5',
    `floodgauge_ingest_last_datagram_timestamp_seconds{exporter="192.0.2.7"} ${reportedMs / 1000}`,
    'floodgauge_ingest_reports_evicted_total 7',
  ]) {
    assert.ok(text.split('\n').includes(line), line)
  }
  assert.doesNotMatch(text, /clock_ahead_seconds\{exporter="192.0.2.8"/)
})

test('however many exporters there are, the labels are bounded', async () => {
  const reports = Array.from({ length: 1_000 }, (_, i) => streamReport({ address: `10.0.${i >> 8}.${i & 255}` }))
  const text = await textOf(reports)
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  assert.equal(samples.length, 3 + rules.length + 4 * 100 + 1)
})
