import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../metrics.ts'
import { samplesText, ThreadSamples } from './thread-samples.ts'

const row = { name: 'floodgauge_test_flows_total', help: 'Flows.', labels: ['exporter'] }

test('samples of several threads are summed by label set, the latest of each thread counting', async () => {
  const samples = new ThreadSamples()
  const metrics = new Metrics()
  samples.publish(metrics, [row])
  samples.set('collector-0', samplesText([{ name: row.name, labels: { exporter: 'a' }, value: 1 }]))
  samples.set('collector-0', samplesText([{ name: row.name, labels: { exporter: 'a' }, value: 5 }]))
  const others = [
    { name: row.name, labels: { exporter: 'a' }, value: 7 },
    { name: row.name, labels: { exporter: 'b' }, value: 2 },
  ]
  samples.set('collector-1', samplesText(others))
  const text = await metrics.text()
  assert.match(text, /floodgauge_test_flows_total\{exporter="a"\} 12/)
  assert.match(text, /floodgauge_test_flows_total\{exporter="b"\} 2/)
})
