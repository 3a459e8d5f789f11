import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decoder } from '../decode/decoder.ts'
import { ingestMetrics, ingestSamples } from './metrics.ts'

/** A NetFlow v5 header without records (Cisco, "NetFlow Export Datagram Format"). */
function emptyNetflow5(): DataView {
  const view = new DataView(new ArrayBuffer(24))
  view.setUint16(0, 5)
  return view
}

function received(exporters: number) {
  const decoder = new Decoder({ sink: () => {} })
  for (let i = 0; i < exporters; i++) {
    decoder.decode(emptyNetflow5(), { address: `10.0.${i >> 8}.${i & 255}`, port: 9, receivedMs: 1 })
  }
  decoder.decode(new DataView(new ArrayBuffer(9)), { address: '10.9.9.9', port: 9, receivedMs: 1 })
  return ingestSamples({ counters: decoder.counters, streams: decoder.streams, socketDrops: 3, notAllowed: 4 })
}

test('every sample belongs to a declared metric, with its labels', () => {
  const declared = new Map(ingestMetrics.map(({ name, labels = [] }) => [name, [...labels].sort()]))
  for (const { name, labels } of received(2)) assert.deepEqual(Object.keys(labels).sort(), declared.get(name))
})

test('datagrams are counted by exporter and protocol; what is no export, by its reason', () => {
  const samples = received(2)
  const packets = samples.filter(({ name }) => name === 'floodgauge_ingest_packets_total')
  assert.deepEqual(packets, [
    { name: 'floodgauge_ingest_packets_total', labels: { exporter: '10.0.0.0', proto: 'netflow5' }, value: 1 },
    { name: 'floodgauge_ingest_packets_total', labels: { exporter: '10.0.0.1', proto: 'netflow5' }, value: 1 },
  ])
  const unknown = samples.find(({ labels }) => labels.reason === 'unknownVersion')
  assert.equal(unknown?.value, 1)
  assert.equal(samples.find(({ labels }) => labels.reason === 'notAllowed')?.value, 4)
  assert.equal(samples.find(({ name }) => name.endsWith('socket_drops_total'))?.value, 3)
})

test('the exporters that get a label are bounded', () => {
  const packets = received(300).filter(({ name }) => name === 'floodgauge_ingest_packets_total')
  assert.equal(new Set(packets.map(({ labels }) => labels.exporter)).size, 101)
  assert.deepEqual(
    packets.filter(({ labels }) => labels.exporter === 'other').map(({ value }) => value),
    [200],
  )
})

test('an exporter that makes domains up has no more samples than another', () => {
  const decoder = new Decoder({ sink: () => {} })
  for (let domain = 0; domain < 1_000; domain++) {
    const view = emptyNetflow5()
    view.setUint16(20, domain)
    decoder.decode(view, { address: '10.0.0.1', port: 9, receivedMs: 1 })
  }
  const samples = ingestSamples({
    counters: decoder.counters,
    streams: decoder.streams,
    socketDrops: 0,
    notAllowed: 0,
  })
  const packets = samples.filter(({ name }) => name === 'floodgauge_ingest_packets_total')
  assert.deepEqual(
    packets.map(({ value }) => value),
    [1_000],
  )
  assert.deepEqual(
    samples.filter(({ name }) => name === 'floodgauge_ingest_streams').map(({ value }) => value),
    [1_000],
  )
})

test('what a stream counted stays in the sums when it makes room for others', () => {
  const decoder = new Decoder({ sink: () => {}, streamsMax: 16 })
  const seen = new Map<string, number>()
  for (let i = 0; i < 400; i++) {
    decoder.decode(emptyNetflow5(), { address: `10.0.${i >> 8}.${i & 255}`, port: 9, receivedMs: i })
    const samples = ingestSamples({
      counters: decoder.counters,
      streams: decoder.streams,
      socketDrops: 0,
      notAllowed: 0,
    })
    for (const { name, labels, value } of samples) {
      if (!name.endsWith('_total')) continue
      const series = `${name} ${JSON.stringify(labels)}`
      assert.ok(value >= (seen.get(series) ?? 0), `${series} went back`)
      seen.set(series, value)
    }
  }
  const packets = [...seen].filter(([series]) => series.startsWith('floodgauge_ingest_packets_total'))
  assert.equal(
    packets.reduce((sum, [, value]) => sum + value, 0),
    400,
  )
  assert.ok(decoder.counters.streamsEvicted > 300)
})
