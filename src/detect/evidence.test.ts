import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, udpFrom, victim } from '../../test/helpers/detection.ts'
import { createRecordColumns, type RecordColumns } from '../aggregate/sealed-slot.ts'
import { Evidence } from './evidence.ts'
import { Places } from './places.ts'

const limits = { dstport: 1_024, srcport: 1_024, srcip: 1_024, proto: 256, flags: 256, length: 256, exporter: 16 }

/** UDP records of one packet each, from these sources. */
function recordsFrom(sources: Iterable<number>): RecordColumns {
  const addresses = [...sources]
  const records = createRecordColumns(addresses.length)
  records.rows = addresses.length
  records.srcAddr.set(addresses)
  records.ipProto.fill(17)
  records.packets.fill(1)
  records.bytes.fill(100)
  return records
}

function evidenceOf(records: RecordColumns, places = new Places(1 << 20)): Evidence {
  const evidence = new Evidence(limits, places)
  for (let row = 0; row < records.rows; row++) evidence.add(records, row)
  return evidence
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => Math.imul(i, 0x01000193) >>> 0)

describe('evidence', () => {
  it('counts sources while it has them all, and then estimates them', () => {
    assert.deepEqual(evidenceOf(recordsFrom([...numbers(1_000), ...numbers(1_000)])).sources, {
      distinct: 1_000,
      error: 0,
    })
    const { distinct, error } = evidenceOf(recordsFrom([...numbers(50_000), ...numbers(50_000)])).sources
    assert.ok(error > 0 && error < 0.02)
    assert.ok(Math.abs(distinct / 50_000 - 1) < 4 * error, `${distinct}`)
  })

  it('misses no source when another attack takes places of its list', () => {
    const places = new Places(1_020)
    const first = evidenceOf(recordsFrom(numbers(600)), places)
    evidenceOf(recordsFrom(numbers(200)), places)
    const { distinct, error } = first.sources
    assert.ok(error > 0, 'the list was cut')
    assert.ok(Math.abs(distinct / 600 - 1) < 4 * error, `${distinct}`)
  })

  it('has each of many records among its samples with the same probability', () => {
    const earlier = Array.from({ length: 50 }, (_, round) => {
      const samples = evidenceOf(recordsFrom(numbers(400 + round))).samples.list(() => '')
      assert.equal(samples.length, 20)
      const first = new Set(numbers(200))
      return samples.filter(({ source }) => first.has(source)).length
    })
    const share = earlier.reduce((sum, count) => sum + count) / (50 * 20)
    assert.ok(Math.abs(share - 0.47) < 0.1, `${share}`)
  })
})

describe('the statistics of an attack', () => {
  const attack = { recordsPerSecond: 2_000, row: { ...udpFrom(123, 468), exporter: 1 } }
  const beside = { recordsPerSecond: 40, row: { ...udpFrom(123, 936), packets: 2, exporter: 2, samplingRate: 10 } }
  const lab = new DetectionLab().run(5).run(20, attack, beside).run(300)
  const { statistics } = lab.details('ended')

  it('have the lengths of packets', () => {
    const lengths = statistics.length.map(({ item, flows, packets }) => ({ item, flows, packets }))
    assert.deepEqual(lengths, [{ item: 468, flows: 40_800, packets: 40_000 + 800 * 20 }])
  })

  it('have the exporters that saw it', () => {
    assert.deepEqual(
      statistics.exporter.map(({ address, flows }) => ({ address, flows })),
      [
        { address: '198.51.100.1', flows: 40_000 },
        { address: '198.51.100.2', flows: 800 },
      ],
    )
  })

  it('have records as they came', () => {
    assert.equal(statistics.samples.length, 20)
    for (const sample of statistics.samples) {
      const isBeside = sample.exporter === '198.51.100.2'
      assert.deepEqual(
        { ...sample, startMs: 0, endMs: 0, source: 0 },
        {
          startMs: 0,
          endMs: 0,
          source: 0,
          victim,
          sourcePort: 123,
          destinationPort: 33_000,
          protocol: 17,
          tcpFlags: 0,
          packets: isBeside ? 20 : 1,
          bytes: isBeside ? 9_360 : 468,
          samplingRate: isBeside ? 10 : 1,
          exporter: isBeside ? '198.51.100.2' : '198.51.100.1',
        },
      )
    }
    const [first] = statistics.samples
    assert.ok(first.startMs >= lab.phases('ended')[0].startMs && first.startMs <= first.endMs)
  })

  it('say how far they can be wrong', () => {
    const missed = { dstport: 0, srcport: 0, srcip: 0, proto: 0, flags: 0, length: 0, exporter: 0 }
    assert.deepEqual(statistics.flowsMissedMax, missed)
    assert.equal(statistics.sources.error, 0)
  })
})
