import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, udpFrom, victim } from '../../../test/helpers/detection.ts'
import type { FlowRow } from '../../../test/helpers/flow-rows.ts'
import { createRecordColumns, type RecordColumns } from '../../aggregate/sealed-slot.ts'
import { Evidence } from './evidence.ts'
import { indexOfInterface } from './exporter-numbers.ts'
import { ListMemory } from './list-memory.ts'

const limits = {
  destinationPort: 1_024,
  sourcePort: 1_024,
  sourceAddress: 1_024,
  protocol: 256,
  flags: 256,
  length: 256,
  sourceAs: 256,
  exporter: 16,
  ingress: 16,
  egress: 16,
}

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

function evidenceOf(records: RecordColumns, places = new ListMemory(1 << 20)): Evidence {
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
    const places = new ListMemory(1_020)
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

describe('where an attack came in', () => {
  const row = (exporter: number, ingressInterface: number, sourceAs: number): Partial<FlowRow> => ({
    ...udpFrom(123, 468),
    ...{ exporter, ingressInterface, egressInterface: 9, sourceAs },
  })
  const lab = new DetectionLab().run(5)
  const attack = [row(1, 7, 64_496), row(1, 8, 4_200_000_001), row(2, 7, 0)].map((each, i) => ({
    recordsPerSecond: 300 * (3 - i),
    row: each,
  }))
  const unsaid = { recordsPerSecond: 100, row: { ...udpFrom(123, 468), exporter: 3 } }
  const { statistics } = lab
    .run(20, ...attack, unsaid)
    .run(300)
    .details('ended')

  it('is told by interface of each exporter, by the interface where it left, and by the system of the source', () => {
    assert.deepEqual(
      statistics.ingress.map(({ address, index, flows }) => [address, index, flows]),
      [
        ['198.51.100.1', 7, 18_000],
        ['198.51.100.1', 8, 12_000],
        ['198.51.100.2', 7, 6_000],
      ],
    )
    assert.deepEqual(
      statistics.egress.map(({ address, index, flows }) => [address, index, flows]),
      [
        ['198.51.100.1', 9, 30_000],
        ['198.51.100.2', 9, 6_000],
      ],
    )
    assert.deepEqual(
      statistics.sourceAs.map(({ item, packets }) => [item, packets]),
      [
        [64_496, 18_000],
        [4_200_000_001, 12_000],
      ],
    )
  })

  it('stays within its bound, and keeps the interface of the flood, whatever indices are made up', () => {
    const madeUp = numbers(100_000)
    const records = recordsFrom(madeUp)
    for (let at = 0; at < records.rows; at++) {
      records.exporter[at] = 3
      records.ingressInterface[at] = at % 4 === 0 ? 42 : madeUp[at]
    }
    const { ingress } = evidenceOf(records).lists
    assert.ok(ingress.size <= 16)
    assert.equal(indexOfInterface(ingress.item(ingress.heaviest(1)[0])), 42)
  })

  it('takes the number from no exporter whose interfaces are listed', () => {
    const records = recordsFrom([1])
    records.exporter[0] = 5
    records.egressInterface[0] = 2 ** 32 - 1
    const used = new Uint8Array(4_096)
    evidenceOf(records).markExporters(used)
    assert.deepEqual(
      [...used].flatMap((is, number) => (is === 1 ? number : [])),
      [5],
    )
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
    assert.deepEqual(new Set(Object.values(statistics.flowsMissedMax)), new Set([0]))
    assert.equal(statistics.sources.error, 0)
  })
})
