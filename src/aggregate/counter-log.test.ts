import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CounterLog } from './counter-log.ts'
import { SlotMemory } from './slot-memory.ts'

const base = 1_800_000_000

interface Counted {
  address: number
  trafficClass: number
  first: number
  seconds: number
  packets: number
  source: number
}

const counted = fc.record({
  address: fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff),
  trafficClass: fc.constantFrom(0, 1, 31, 1_023),
  first: fc.nat(20),
  seconds: fc.integer({ min: 1, max: 30 }),
  packets: fc.integer({ min: 1, max: 1_000 }),
  source: fc.nat(0xffff_ffff),
})

/** The rows of the log in order, `address class second packets` each; those whose packets sum to nothing too. */
function naive(records: readonly Counted[]): string[] {
  const sums = new Map<string, { keys: number[]; packets: number; flows: number }>()
  const add = (keys: number[], packets: number, flows: number) => {
    const sum = sums.get(keys.join()) ?? { keys, packets: 0, flows: 0 }
    sums.set(keys.join(), { keys, packets: sum.packets + packets, flows: sum.flows + flows })
  }
  for (const { address, trafficClass, first, seconds, packets } of records) {
    add([address, trafficClass, base + first], packets / seconds, 1 / seconds)
    add([address, trafficClass, base + first + seconds], -packets / seconds, -1 / seconds)
  }
  const inOrder = [...sums.values()].sort(
    (a, b) => a.keys[0] - b.keys[0] || a.keys[1] - b.keys[1] || a.keys[2] - b.keys[2],
  )
  return inOrder.map(({ keys, packets, flows }) => [...keys, packets.toFixed(6), flows.toFixed(6)].join(' '))
}

function add(log: CounterLog, { address, trafficClass, first, seconds, packets, source }: Counted): void {
  const last = base + first + seconds - 1
  log.add(address, trafficClass, base + first, last, packets, packets * 100, packets, 2 ** (source % 32), 2)
}

function rowsOf(log: CounterLog): string[] {
  const sums = log.summed()
  return Array.from(sums.address.subarray(0, sums.rows), (address, row) => {
    const keys = [address, sums.trafficClass[row], sums.second[row]]
    assert.ok(Math.abs(sums.bytes[row] - sums.packets[row] * 100) < 1e-3)
    assert.ok(Math.abs(sums.observed[row] - sums.packets[row]) < 1e-3)
    return [...keys, sums.packets[row].toFixed(6), sums.flows[row].toFixed(6)]
      .join(' ')
      .replaceAll('-0.000000', '0.000000')
  })
}

describe('counter log', () => {
  it('sums up by address, class and second, in their order, whether it was full before or not', () => {
    fc.assert(
      fc.property(fc.array(counted, { maxLength: 300 }), (records) => {
        const log = new CounterLog(1 << 12, new SlotMemory())
        log.begin(base)
        for (const record of records) add(log, record)
        const expected = naive(records).map((text) => text.replaceAll('-0.000000', '0.000000'))
        assert.deepEqual(rowsOf(log), expected)
        // The log has no room for all of these, so it must have summed up on the way.
        const small = new CounterLog(2_000, new SlotMemory())
        small.begin(base)
        const times = Math.ceil(10_000 / Math.max(1, records.length))
        for (let time = 0; time < times; time++) for (const record of records) add(small, record)
        assert.equal(small.refused, 0)
        const many = records.map((record) => ({ ...record, packets: record.packets * times }))
        const keysAndPackets = (text: string) => text.split(' ').slice(0, 4).map(Number)
        const [got, wanted] = [rowsOf(small), naive(many)].map((texts) => texts.map(keysAndPackets))
        assert.equal(got.length, wanted.length)
        for (const [i, row] of got.entries()) {
          assert.deepEqual(row.slice(0, 3), wanted[i].slice(0, 3))
          assert.ok(Math.abs(row[3] - wanted[i][3]) < 1e-3, `${row} is not ${wanted[i]}`)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('keeps the marks of the second in which records begin', () => {
    const log = new CounterLog(16, new SlotMemory())
    log.begin(base)
    const record = { address: 9, trafficClass: 1, first: 3, seconds: 2, packets: 1 }
    for (let source = 0; source < 200; source++) add(log, { ...record, source })
    const { sources, ports, second, rows } = log.summed()
    assert.deepEqual([...second.subarray(0, rows)], [base + 3, base + 5])
    assert.equal(sources[0], 0xffff_ffff)
    assert.equal(Math.log2(ports[0]) % 1, 0)
    assert.deepEqual([sources[1], ports[1]], [0, 0])
  })

  it('is empty when it begins again', () => {
    const log = new CounterLog(16, new SlotMemory())
    log.begin(base)
    const record = { address: 9, trafficClass: 1, first: 3, seconds: 2, packets: 1, source: 0 }
    for (let source = 0; source < 10; source++) add(log, { ...record, source })
    log.begin(base + 1)
    assert.deepEqual(rowsOf(log), [])
    add(log, record)
    assert.equal(Math.log2(log.summed().sources[0]) % 1, 0)
  })

  it('grows to its bound, and sums up there', () => {
    const log = new CounterLog(10_000, new SlotMemory())
    log.begin(base)
    const record = { trafficClass: 1, first: 3, seconds: 2, packets: 1, source: 0 }
    // There are 3,000 addresses with two sums each, and twice as many records as the log can hold.
    for (let i = 0; i < 20_000; i++) add(log, { ...record, address: i % 3_000 })
    assert.equal(log.refused, 0)
    const sums = log.summed()
    assert.equal(sums.rows, 6_000)
    assert.deepEqual([...sums.flows.subarray(0, 2)], [3.5, -3.5])
    assert.equal(Math.log2(sums.sources[0]) % 1, 0)
    for (let i = 0; i < 20_000; i++) add(log, { ...record, address: 10_000 + i })
    assert.ok(log.refused > 0)
    assert.equal(log.summed().rows, 6_000 + 2 * (20_000 - log.refused))
  })
})
