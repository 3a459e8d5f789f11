import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { address, batchOf, type FlowRow } from '../../test/helpers/flow-rows.ts'
import { ManualClock } from '../clock.ts'
import { presentBit } from '../flow/columns.ts'
import { vectors } from '../vectors/vectors.ts'
import { compileExclusions } from './exclusions.ts'
import { Folder, type FolderOptions, futureSeconds, pastSeconds } from './folder.ts'
import type { SealedSlot } from './sealed-slot.ts'
import { compileWatchList } from './watch-list.ts'

const nowMs = 1_800_000_000_000
const victim = address('192.0.2.10')
const other = address('192.0.2.11')
const watched = new Uint32Array([victim, other])

function createFolder(options: Partial<FolderOptions> = {}) {
  const clock = new ManualClock(nowMs)
  const folder = new Folder({ clock, exporterAt: (stream) => `exporter ${stream}`, ...options })
  folder.setWatchList(compileWatchList(watched))
  return { folder, clock }
}

/** The amounts of each second: the sums of the slot's differences. */
function amounts({ counters }: SealedSlot) {
  const sums = { packets: 0, bytes: 0, flows: 0, observed: 0 }
  for (const name of ['packets', 'bytes', 'flows', 'observed'] as const) {
    let rate = 0
    for (let row = 0; row + 1 < counters.rows; row++) {
      const isNext =
        counters.address[row] === counters.address[row + 1] &&
        counters.trafficClass[row] === counters.trafficClass[row + 1]
      rate = isNext ? rate + counters[name][row] : 0
      if (isNext) sums[name] += rate * (counters.second[row + 1] - counters.second[row])
    }
  }
  return sums
}

const flow = fc.record({
  dstAddr: fc.constantFrom(victim, other),
  // No two records belong to the same flow.
  srcAddr: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  ipProto: fc.constantFrom(1, 6, 17, 47),
  srcPort: fc.constantFrom(53, 123, 40_000),
  packets: fc.integer({ min: 1, max: 1_000 }),
  bytes: fc.integer({ min: 40, max: 1_000_000 }),
  samplingRate: fc.constantFrom(0, 1, 100),
  startMs: fc.integer({ min: nowMs - 400_000, max: nowMs + 20_000 }),
  endMs: fc.integer({ min: nowMs - 400_000, max: nowMs + futureSeconds * 1_000 }),
}) satisfies fc.Arbitrary<Partial<FlowRow>>

function near(actual: number, expected: number) {
  assert.ok(Math.abs(actual - expected) <= 1e-6 * Math.max(1, expected), `${actual} is not ${expected}`)
}

describe('folder', () => {
  it('counts what a flow is reported to have sent since the last report, though it is dated from its beginning', () => {
    const { folder, clock } = createFolder()
    const row = { dstAddr: victim, ipProto: 17, srcPort: 123, packets: 600, bytes: 60_000, startMs: nowMs - 60_000 }
    folder.fold(batchOf([{ ...row, endMs: nowMs }]))
    folder.seal(nowMs + 1_000)
    for (let minute = 1; minute <= 15; minute++) {
      const endMs = nowMs + minute * 60_000
      clock.advance(60_000)
      folder.fold(batchOf([{ ...row, endMs }]))
      const slot = folder.seal(endMs + 1_000)
      near(amounts(slot).packets, 600)
      assert.deepEqual([slot.records.second[0], slot.records.lasted[0]], [endMs / 1_000 - 59, 59])
    }
  })

  it('spreads records over time without gain or loss, but for what lies before its reach', () => {
    const seconds = (fromMs: number, toMs: number) => Math.floor(toMs / 1_000) - Math.floor(fromMs / 1_000) + 1
    const earliestMs = nowMs - pastSeconds * 1_000
    /** Share of a record that counts. */
    const part = ({ startMs, endMs }: { startMs: number; endMs: number }) => {
      if (startMs >= earliestMs || endMs < earliestMs) return 1
      return seconds(earliestMs, endMs) / seconds(startMs, endMs)
    }
    fc.assert(
      fc.property(fc.array(flow, { minLength: 1, maxLength: 50 }), (flows) => {
        const { folder } = createFolder()
        folder.fold(batchOf(flows))
        const slot = folder.seal(nowMs + 1000)
        const sums = amounts(slot)
        const scaled = (name: 'packets' | 'bytes') =>
          flows.reduce((total, row) => total + Math.ceil(row[name] * part(row)) * Math.max(1, row.samplingRate), 0)
        const listed = (name: 'packets' | 'bytes') =>
          slot.records[name].subarray(0, slot.records.rows).reduce((total, each) => total + each, 0)
        for (const name of ['packets', 'bytes'] as const) {
          near(sums[name], scaled(name))
          near(listed(name), sums[name])
        }
        near(
          sums.observed,
          flows.reduce((total, row) => total + Math.ceil(row.packets * part(row)), 0),
        )
        near(sums.flows, flows.length)
      }),
    )
  })

  it('counts a record that began before its reach at the rate that it had, up to an hour', () => {
    const rateOf = (lasted: number) => {
      const { folder } = createFolder()
      const startMs = nowMs - (lasted - 1) * 1_000
      folder.fold(batchOf([{ dstAddr: victim, packets: 100 * lasted, startMs, endMs: nowMs }]))
      return Math.round(folder.seal(nowMs + 1_000).counters.packets[0])
    }
    assert.deepEqual([60, 331, 1_800, 3_601].map(rateOf), [100, 100, 100, 100])
    assert.equal(rateOf(36_010), 1_000, 'the start of its session, or not: nobody knows')
  })

  it('counts a record that ended before its reach at its bound, for as long as it lasted', () => {
    const { folder } = createFolder()
    folder.fold(batchOf([{ dstAddr: victim, packets: 100, startMs: nowMs - 409_000, endMs: nowMs - 400_000 }]))
    const { counters } = folder.seal(nowMs + 1_000)
    assert.deepEqual(
      [...counters.second.subarray(0, counters.rows)],
      [nowMs / 1_000 - pastSeconds, nowMs / 1_000 - pastSeconds + 10],
    )
    assert.deepEqual([...counters.packets.subarray(0, counters.rows)], [10, -10])
  })

  it('gives in two folders what it gives in one', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 40 }), fc.array(flow, { maxLength: 40 }), (some, rest) => {
        const seal = (rows: Partial<FlowRow>[]) => {
          const { folder } = createFolder()
          folder.fold(batchOf(rows))
          return folder.seal(nowMs + 1000)
        }
        const [one, two, both] = [seal(some), seal(rest), seal([...some, ...rest])]
        const merged = amounts(one)
        for (const [name, value] of Object.entries(amounts(two))) merged[name as keyof typeof merged] += value
        for (const [name, value] of Object.entries(amounts(both))) near(merged[name as keyof typeof merged], value)
        assert.equal(one.records.rows + two.records.rows, both.records.rows)
      }),
    )
  })

  it('spreads a record over each second of its duration', () => {
    const { folder } = createFolder()
    folder.fold(batchOf([{ dstAddr: victim, packets: 100, startMs: nowMs - 9_500, endMs: nowMs - 5_500 }]))
    const { counters } = folder.seal(nowMs + 1000)
    assert.equal(counters.rows, 2)
    assert.deepEqual([...counters.second.subarray(0, counters.rows)], [nowMs / 1000 - 10, nowMs / 1000 - 5])
    assert.deepEqual([...counters.packets.subarray(0, counters.rows)], [20, -20])
  })

  it('goes by flags, or the protocol, where records have no ports, and by fragments where their ports are 0', () => {
    const labelOf = (ipProto: number, sentBits: number) => {
      const { folder } = createFolder()
      const batch = batchOf([{ dstAddr: victim, ipProto, tcpFlags: 2, srcPort: 0, dstPort: 0 }])
      batch.columns.present.fill(presentBit('tcpFlags') | sentBits)
      folder.fold(batch)
      return vectors[folder.seal(nowMs + 1_000).counters.trafficClass[0] - 1].label
    }
    const ports = presentBit('srcPort') | presentBit('dstPort')
    assert.equal(labelOf(6, 0), 'tcp@attack@syn_flood_target')
    assert.equal(labelOf(17, 0), 'udp@attack@simple_flood_target')
    assert.equal(labelOf(6, ports), 'tcp@attack@frag_flood_target')
    assert.equal(labelOf(17, ports), 'udp@attack@frag_flood_target')
  })

  it('bounds times that lie, and counts them', () => {
    const { folder } = createFolder()
    folder.fold(
      batchOf([
        { dstAddr: victim, startMs: 0, endMs: nowMs },
        { dstAddr: victim, startMs: nowMs, endMs: nowMs + 3_600_000 },
        { dstAddr: victim, startMs: nowMs, endMs: nowMs - 10_000 },
        { dstAddr: victim, startMs: Number.NaN, endMs: Number.NaN },
        { dstAddr: victim, startMs: nowMs - 1_000, endMs: nowMs },
      ]),
    )
    const { counters } = folder.seal(nowMs + 1000)
    assert.equal(folder.counted.timeClipped, 4)
    for (let row = 0; row < counters.rows; row++) {
      assert.ok(counters.second[row] >= nowMs / 1000 - pastSeconds)
      assert.ok(counters.second[row] <= nowMs / 1000 + 6)
    }
  })

  it('counts every record though the clock is set while a slot is open', () => {
    for (const stepMs of [-86_400_000, -300_000, 300_000, 86_400_000]) {
      const { folder, clock } = createFolder()
      folder.fold(batchOf([{ dstAddr: victim, startMs: nowMs, endMs: nowMs }]))
      clock.advance(stepMs)
      folder.fold(batchOf([{ dstAddr: victim, startMs: nowMs + stepMs, endMs: nowMs + stepMs }]))
      const slot = folder.seal(clock.now())
      near(amounts(slot).packets, 2)
      assert.ok(
        slot.counters.second
          .subarray(0, slot.counters.rows)
          .every((second) => Math.abs(second - nowMs / 1000) <= 1_024),
      )
    }
  })

  it('passes over what is not watched, and IPv6', () => {
    const { folder } = createFolder()
    folder.fold(
      batchOf([{ dstAddr: victim + 100 }, { dstAddr: victim, ipVersion: 6 }, { dstAddr: victim, ipVersion: 0 }]),
    )
    assert.equal(folder.counted.folded, 0)
    assert.equal(folder.seal(nowMs + 1000).counters.rows, 0)
  })

  it('leaves out what is excluded, in counters and lists, and counts it', () => {
    const { folder } = createFolder()
    const ports = ['udp/53']
    folder.setExclusions(
      compileExclusions([
        { first: 0, ports: [], sources: [] },
        { first: other, ports, sources: ['10.0.0.0/8'] },
      ]),
    )
    const question = { ipProto: 17, dstPort: 53 }
    const elsewhere = { srcAddr: address('192.0.2.200') }
    folder.fold(
      batchOf([
        { dstAddr: victim, ...question },
        { dstAddr: other, ...question, ...elsewhere },
        { dstAddr: other },
        { dstAddr: other, ...elsewhere },
      ]),
    )
    assert.deepEqual([folder.counted.folded, folder.counted.excluded], [4, 2])
    const { counters, records } = folder.seal(nowMs + 1000)
    assert.deepEqual([...records.address.subarray(0, records.rows)], [victim, other])
    assert.deepEqual([...new Set(counters.address.subarray(0, counters.rows))], [victim, other])
    folder.setExclusions(null)
    folder.fold(batchOf([{ dstAddr: other }]))
    assert.equal(folder.counted.excluded, 2)
  })

  it('lets nothing that is excluded take a place of a flow that goes on', () => {
    const replacedAfter = (sources: string[]) => {
      const { folder } = createFolder()
      folder.setExclusions(compileExclusions([{ first: 0, ports: [], sources }]))
      const lasting = { dstAddr: victim, startMs: nowMs - 60_000, endMs: nowMs }
      folder.fold(batchOf(Array.from({ length: 2_000 }, (_, i) => ({ ...lasting, srcAddr: other + i }))))
      return folder.samples().find(({ name }) => name === 'floodgauge_fold_long_flows_replaced_total')?.value
    }
    assert.ok(Number(replacedAfter(['10.0.0.0/8'])) > 0)
    assert.equal(replacedAfter(['192.0.0.0/8']), 0)
  })

  it('turns records away when its counters are full, and counts them', () => {
    const { folder } = createFolder({ counterRowsMax: 512 })
    const rows = Array.from({ length: 300 }, (_, i) => {
      const startMs = nowMs - i * 1_000
      return [6, 17, 1, 47].map((ipProto) => ({ dstAddr: victim, ipProto, startMs, endMs: startMs }))
    }).flat()
    folder.fold(batchOf(rows))
    assert.equal(folder.refused.counters, rows.length - 512)
    const slot = folder.seal(nowMs + 1000)
    assert.ok(slot.counters.rows <= 1_024)
    near(amounts(slot).flows, 512)
    folder.fold(batchOf(rows.slice(0, 512)))
    near(amounts(folder.seal(nowMs + 2000)).flows, 512)
  })
})

describe('records of a slot', () => {
  it('are those of watched targets, whole and in order, with scaled amounts', () => {
    const { folder } = createFolder()
    const nowhere = { ingressInterface: 0, egressInterface: 0, sourceAs: 0 }
    const somewhere = { ingressInterface: 2 ** 32 - 1, egressInterface: 7, sourceAs: 4_200_000_001 }
    const given = [
      { dstAddr: victim, srcAddr: 1, srcPort: 65_535, dstPort: 53, ipProto: 17, tcpFlags: undefined, packets: 3 },
      { dstAddr: victim + 100 },
      {
        dstAddr: other,
        srcAddr: 0xffff_ffff,
        ipProto: 255,
        tcpFlags: 0xff,
        bytes: 2 ** 40,
        samplingRate: 1_000,
        ...somewhere,
      },
    ].map((row) => ({ startMs: nowMs - 7_000, endMs: nowMs - 2_000, exporter: row.dstAddr === other ? 9 : 5, ...row }))
    folder.fold(batchOf(given))
    const slot = folder.seal(nowMs + 1000)
    const { rows, ...columns } = slot.records
    assert.equal(rows, 2)
    assert.deepEqual(slot.exporters, ['', 'exporter 5', 'exporter 9'])
    const first = { address: victim, srcAddr: 1, srcPort: 65_535, dstPort: 53, ipProto: 17, tcpFlags: 0 }
    const second = { address: other, srcAddr: 0xffff_ffff, srcPort: 40_000, dstPort: 443, ipProto: 255, tcpFlags: 0xff }
    const times = { second: nowMs / 1000 - 7, lasted: 5 }
    for (const [row, expected] of [
      { ...first, ...times, ...nowhere, packets: 3, bytes: 100, samplingRate: 1, exporter: 1 },
      { ...second, ...times, ...somewhere, packets: 1_000, bytes: 2 ** 40 * 1_000, samplingRate: 1_000, exporter: 2 },
    ].entries()) {
      assert.deepEqual(Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of[row]])), expected)
    }
    assert.equal(folder.seal(nowMs + 2000).records.rows, 0)
  })

  it('leave out records that repeat what others reported, as the counters do', () => {
    const { folder } = createFolder()
    folder.fold(batchOf([{ dstAddr: victim }, { dstAddr: victim, direction: 1 }, { dstAddr: victim, direction: 2 }]))
    const slot = folder.seal(nowMs + 1000)
    assert.equal(slot.records.rows, 2)
    near(amounts(slot).flows, 2)
  })

  it('are as many as there is room for; the others are counted, and miss in no counter', () => {
    const { folder } = createFolder({ recordsMax: 3_000 })
    for (let i = 0; i < 10; i++) folder.fold(batchOf(Array.from({ length: 400 }, () => ({ dstAddr: victim }))))
    assert.equal(folder.refused.records, 1_000)
    const slot = folder.seal(nowMs + 1000)
    assert.equal(slot.records.rows, 3_000)
    near(amounts(slot).flows, 4_000)
    folder.fold(batchOf([{ dstAddr: victim }]))
    assert.equal(folder.seal(nowMs + 2000).records.rows, 1)
  })
})
