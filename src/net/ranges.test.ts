import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mergeRanges, subtractRanges } from './ranges.ts'

describe('mergeRanges', () => {
  it('joins what overlaps or touches', () => {
    const ranges: [number, number][] = [
      [10, 20],
      [21, 22],
      [5, 5],
      [15, 18],
      [0xffffffff, 0xffffffff],
      [30, 40],
    ]
    assert.deepEqual([...mergeRanges(ranges)], [5, 5, 10, 22, 30, 40, 0xffffffff, 0xffffffff])
  })

  it('is the union: sorted, disjoint and not adjacent', () => {
    const range = fc.tuple(fc.nat(100), fc.nat(20)).map(([first, size]): [number, number] => [first, first + size])
    fc.assert(
      fc.property(fc.array(range), (ranges) => {
        const merged = mergeRanges(ranges)
        const inside = (a: number) => ranges.some(([first, last]) => first <= a && a <= last)
        for (let i = 2; i < merged.length; i += 2) assert.ok(merged[i] > merged[i - 1] + 1)
        for (let a = 0; a <= 121; a++) {
          let found = false
          for (let i = 0; i < merged.length; i += 2) found ||= merged[i] <= a && a <= merged[i + 1]
          assert.equal(found, inside(a))
        }
      }),
    )
  })
})

it('what is left of ranges agrees with a plain set', () => {
  const points = fc.array(fc.tuple(fc.nat(40), fc.nat(6)), { maxLength: 8 })
  const ranges = (given: [number, number][]) => mergeRanges(given.map(([first, more]) => [first, first + more]))
  const members = (given: Uint32Array) =>
    Array.from({ length: given.length / 2 }, (_, i) =>
      Array.from({ length: given[2 * i + 1] - given[2 * i] + 1 }, (_, j) => given[2 * i] + j),
    ).flat()
  fc.assert(
    fc.property(points, points, (a, b) => {
      const without = new Set(members(ranges(b)))
      const wanted = members(ranges(a)).filter((each) => !without.has(each))
      assert.deepEqual(members(subtractRanges(ranges(a), ranges(b))), wanted)
    }),
  )
  const all = Uint32Array.of(0, 0xffff_ffff)
  assert.deepEqual([...subtractRanges(all, Uint32Array.of(0xffff_ffff, 0xffff_ffff))], [0, 0xffff_fffe])
  assert.deepEqual([...subtractRanges(all, all)], [])
})
