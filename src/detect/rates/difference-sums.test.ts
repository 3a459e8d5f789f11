import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { total } from '../../vectors/compile.ts'
import { ClassSums } from './difference-sums.ts'

const start = 1_800_000_000

describe('sums of differences', () => {
  it('are those of each class and of all, by second, and nothing stays for the next time', () => {
    const sums = new ClassSums()
    const row = fc.record({
      trafficClass: fc.integer({ min: 1, max: 3 }),
      second: fc.nat(1_000),
      packets: fc.integer({ min: -100, max: 100 }),
      sources: fc.nat(0xffff_ffff),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 50 }), (rows) => {
        const counters = createCounterColumns(rows.length)
        const expected = new Map<number, Map<number, { packets: number; sources: number }>>()
        rows.forEach(({ trafficClass, second, packets, sources }, i) => {
          counters.trafficClass[i] = trafficClass
          counters.second[i] = start + second
          counters.packets[i] = packets
          counters.sources[i] = sources
          for (const each of [trafficClass, total]) {
            const seconds = expected.get(each) ?? new Map()
            const before = seconds.get(start + second) ?? { packets: 0, sources: 0 }
            const merged = { packets: before.packets + packets, sources: (before.sources | sources) >>> 0 }
            expected.set(each, seconds.set(start + second, merged))
          }
        })
        sums.add(counters, { from: 0, to: rows.length })
        const found: typeof expected = new Map()
        sums.take((trafficClass, taken, { from, to }) => {
          const seconds = Array.from(taken.second.subarray(from, to), (second, i) => {
            return [second, { packets: taken.packets[from + i], sources: taken.sources[from + i] }] as const
          })
          assert.deepEqual(
            seconds,
            seconds.toSorted(([a], [b]) => a - b),
          )
          if (seconds.length > 0) found.set(trafficClass, new Map(seconds))
        })
        assert.deepEqual(found, expected)
        sums.take((_, __, { from, to }) => assert.equal(from, to))
      }),
    )
  })
})
