import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { address, batchOf, type FlowRow } from '../../test/helpers/flow-rows.ts'
import { ManualClock } from '../clock.ts'
import { compileWatchList } from '../targets/watch-list.ts'
import { Folder, type FolderOptions, pastSeconds } from './folder.ts'
import { dimensions, type SealedSlot } from './sealed-slot.ts'

const nowMs = 1_800_000_000_000
const victim = address('192.0.2.10')
const other = address('192.0.2.11')
const watched = new Uint32Array([victim, other])

function createFolder(options: Partial<FolderOptions> = {}) {
  const clock = new ManualClock(nowMs)
  const folder = new Folder({ clock, ...options })
  folder.setWatchList(compileWatchList(watched))
  return { folder, clock }
}

/** The amounts of each second that the differences of a slot sum up to. */
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

function itemsOf({ evidence }: SealedSlot, dimension: (typeof dimensions)[number]) {
  const items = new Map<number, { flows: number; packets: number; bytes: number }>()
  for (let row = 0; row < evidence.rows; row++) {
    if (dimensions[evidence.dimension[row]] !== dimension) continue
    const { item, flows, packets, bytes } = evidence
    items.set(item[row], { flows: flows[row], packets: packets[row], bytes: bytes[row] })
  }
  return items
}

const flow = fc.record({
  dstAddr: fc.constantFrom(victim, other),
  ipProto: fc.constantFrom(1, 6, 17, 47),
  srcPort: fc.constantFrom(53, 123, 40_000),
  packets: fc.integer({ min: 1, max: 1_000 }),
  bytes: fc.integer({ min: 40, max: 1_000_000 }),
  samplingRate: fc.constantFrom(0, 1, 100),
  startMs: fc.integer({ min: nowMs - 400_000, max: nowMs + 20_000 }),
  endMs: fc.integer({ min: nowMs - 400_000, max: nowMs + 20_000 }),
}) satisfies fc.Arbitrary<Partial<FlowRow>>

function near(actual: number, expected: number) {
  assert.ok(Math.abs(actual - expected) <= 1e-6 * Math.max(1, expected), `${actual} is not ${expected}`)
}

describe('folder', () => {
  it('spreads records over time without gain or loss, whatever their times', () => {
    fc.assert(
      fc.property(fc.array(flow, { minLength: 1, maxLength: 50 }), (flows) => {
        const { folder } = createFolder()
        folder.fold(batchOf(flows))
        const sums = amounts(folder.seal(nowMs + 1000))
        const scaled = (name: 'packets' | 'bytes') =>
          flows.reduce((sum, row) => sum + row[name] * Math.max(1, row.samplingRate), 0)
        near(sums.packets, scaled('packets'))
        near(sums.bytes, scaled('bytes'))
        near(sums.flows, flows.length)
        near(
          sums.observed,
          flows.reduce((sum, row) => sum + row.packets, 0),
        )
      }),
    )
  })

  it('gives in two folders what it gives in one', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 40 }), fc.array(flow, { maxLength: 40 }), (some, rest) => {
        const seal = (rows: Partial<FlowRow>[]) => {
          const { folder } = createFolder({ floorPacketsPerSecond: 0 })
          folder.fold(batchOf(rows))
          return folder.seal(nowMs + 1000)
        }
        const [one, two, both] = [seal(some), seal(rest), seal([...some, ...rest])]
        const merged = amounts(one)
        for (const [name, value] of Object.entries(amounts(two))) merged[name as keyof typeof merged] += value
        for (const [name, value] of Object.entries(amounts(both))) near(merged[name as keyof typeof merged], value)
        const flowsOf = ({ evidence }: SealedSlot) => evidence.flows.reduce((sum, flows) => sum + flows, 0)
        assert.equal(flowsOf(one) + flowsOf(two), flowsOf(both))
        assert.equal(flowsOf(both), (some.length + rest.length) * dimensions.length)
      }),
    )
  })

  it('spreads a record over each second of its duration', () => {
    const { folder } = createFolder()
    folder.fold(batchOf([{ dstAddr: victim, packets: 100, startMs: nowMs - 9_500, endMs: nowMs - 5_500 }]))
    const { counters } = folder.seal(nowMs + 1000)
    assert.equal(counters.rows, 2)
    assert.deepEqual([...counters.second], [nowMs / 1000 - 10, nowMs / 1000 - 5])
    assert.deepEqual([...counters.packets], [20, -20])
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
      assert.ok(slot.counters.second.every((second) => Math.abs(second - nowMs / 1000) <= 1_024))
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

  it('turns records away when its counters are full, and counts them', () => {
    const { folder } = createFolder({ counterRowsMax: 1_024 })
    const rows = Array.from({ length: 300 }, (_, i) => {
      const startMs = nowMs - i * 1_000
      return [6, 17, 1, 47].map((ipProto) => ({ dstAddr: victim, ipProto, startMs, endMs: startMs }))
    }).flat()
    folder.fold(batchOf(rows))
    assert.ok(folder.refused.counters > 0)
    const slot = folder.seal(nowMs + 1000)
    assert.ok(slot.counters.rows <= 1_024)
    near(amounts(slot).flows, rows.length - folder.refused.counters)
  })
})

describe('evidence of the folder', () => {
  const burst = (count: number, row: Partial<FlowRow> = {}) =>
    batchOf(
      Array.from({ length: count }, (_, i) => ({
        dstAddr: victim,
        srcAddr: i + 1,
        startMs: nowMs,
        endMs: nowMs,
        ...row,
      })),
    )

  it('is sealed with what came before, once the rate passes the floor', () => {
    const { folder, clock } = createFolder({ floorPacketsPerSecond: 50 })
    folder.fold(burst(10))
    assert.equal(folder.seal(nowMs + 1000).evidence.rows, 0)
    clock.set(nowMs + 1000)
    folder.fold(burst(60))
    const items = itemsOf(folder.seal(nowMs + 2000), 'dstport')
    assert.deepEqual(items.get(443), { flows: 70, packets: 70, bytes: 7_000 })
  })

  it('stays sealed for an epoch after the rate fell, and is then forgotten', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50, epochMs: 10_000 })
    folder.fold(burst(60))
    folder.seal(nowMs + 1000)
    folder.fold(burst(3))
    assert.equal(itemsOf(folder.seal(nowMs + 5_000), 'srcip').size, 3)
    folder.fold(burst(3))
    assert.equal(folder.seal(nowMs + 20_000).evidence.rows, 0)
    folder.fold(burst(60))
    assert.equal(itemsOf(folder.seal(nowMs + 21_000), 'dstport').get(443)?.flows, 60)
  })

  it('is forgotten after an epoch though the clock was set back', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50, epochMs: 10_000 })
    folder.fold(burst(60))
    folder.seal(nowMs + 1000)
    for (const ms of [-86_400_000, -86_389_000, -86_378_000]) folder.seal(nowMs + ms)
    folder.fold(burst(3))
    assert.equal(folder.seal(nowMs - 86_377_000).evidence.rows, 0)
  })

  it('is sealed for one target of a network that gets enough in all, always the same', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50 })
    folder.setWatchList(compileWatchList(new Uint32Array([victim, victim + 99])))
    const sealed = new Set<number>()
    for (let second = 1; second <= 5; second++) {
      const rows = Array.from({ length: 100 }, (_, i) => ({ dstAddr: victim + i, packets: 2 + ((i + second) % 2) }))
      folder.fold(batchOf(rows))
      for (const address of folder.seal(nowMs + second * 1000).evidence.address) sealed.add(address)
    }
    assert.equal(sealed.size, 1)
  })

  it('scales packets and bytes by the sampling rate, and counts records', () => {
    const { folder } = createFolder()
    folder.fold(burst(2, { samplingRate: 1_000, packets: 3, bytes: 300 }))
    assert.deepEqual(itemsOf(folder.seal(nowMs + 1000), 'proto').get(6), { flows: 2, packets: 6_000, bytes: 600_000 })
  })

  it('stays bounded in a flood of random sources, and keeps what is heavy', () => {
    const limits = { dstport: 1_024, srcport: 1_024, srcip: 1_024, proto: 256, flags: 256 }
    const { folder } = createFolder({ limits })
    for (let i = 0; i < 50; i++) {
      folder.fold(
        batchOf(
          Array.from({ length: 400 }, (_, j) => ({
            dstAddr: victim,
            srcAddr: j % 4 === 0 ? 7 : 1_000 + i * 400 + j,
            srcPort: j,
          })),
        ),
      )
    }
    const slot = folder.seal(nowMs + 1000)
    assert.ok(slot.evidence.rows <= 3 * 1_024 + 2)
    assert.equal(itemsOf(slot, 'srcip').get(7)?.flows, 5_000)
  })

  it('is made of all records of a second, though the log has room for fewer', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50, logRecordsMax: 256 })
    for (let i = 0; i < 20; i++) folder.fold(burst(100))
    const { evidence } = folder.seal(nowMs + 1000)
    const proto = evidence.flows.filter((_, row) => dimensions[evidence.dimension[row]] === 'proto')
    assert.equal(
      proto.reduce((sum, flows) => sum + flows, 0),
      2_000,
    )
  })

  it('forgets the oldest records of a target below the floor when the log is full, and counts them', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50, logRecordsMax: 64 })
    for (let second = 1; second <= 10; second++) {
      folder.fold(burst(20))
      folder.seal(nowMs + second * 1000)
    }
    assert.ok(folder.refused.evidence > 0)
    folder.fold(burst(60))
    const flows = itemsOf(folder.seal(nowMs + 11_000), 'dstport').get(443)?.flows ?? 0
    assert.ok(flows >= 60 && flows <= 80, `${flows}`)
  })

  it('leaves targets out of a slot that is full, and counts their records', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 0, sealedItemsMax: 6 })
    folder.fold(batchOf([{ dstAddr: victim }, { dstAddr: other }, { dstAddr: other }]))
    const { evidence, counters } = folder.seal(nowMs + 1000)
    assert.deepEqual(new Set(evidence.address), new Set([victim]))
    assert.deepEqual(new Set(counters.address), new Set([victim, other]))
    assert.equal(folder.refused.evidence, 2)
  })

  it('is of the target alone, however its records lie among those of others', () => {
    const flows = fc.array(fc.record({ dstAddr: fc.constantFrom(victim, other), srcPort: fc.nat(5) }), {
      maxLength: 300,
    })
    fc.assert(
      fc.property(flows, fc.constantFrom(32, 256, 1_024), (rows, logRecordsMax) => {
        const { folder } = createFolder({ floorPacketsPerSecond: 0, logRecordsMax })
        for (let at = 0; at < rows.length; at += 40) folder.fold(batchOf(rows.slice(at, at + 40)))
        const { evidence } = folder.seal(nowMs + 1000)
        for (const address of [victim, other]) {
          for (let port = 0; port <= 5; port++) {
            let flows = 0
            for (let row = 0; row < evidence.rows; row++) {
              const isItem = evidence.address[row] === address && evidence.item[row] === port
              if (isItem && dimensions[evidence.dimension[row]] === 'srcport') flows += evidence.flows[row]
            }
            assert.equal(flows, rows.filter((row) => row.dstAddr === address && row.srcPort === port).length)
          }
        }
      }),
    )
  })

  it('survives a new watch list', () => {
    const { folder } = createFolder({ floorPacketsPerSecond: 50 })
    folder.fold(burst(30))
    folder.setWatchList(compileWatchList(new Uint32Array([victim - 5, victim])))
    folder.fold(burst(30))
    assert.equal(itemsOf(folder.seal(nowMs + 1000), 'dstport').get(443)?.flows, 60)
  })
})
