import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contains, formatPrefix, lastAddress, mergeRanges, networkOf, parsePrefix, subtractRanges } from './prefix.ts'

const address = fc.nat(0xffffffff)
const length = fc.integer({ min: 0, max: 32 })

describe('prefix', () => {
  it('clears host bits', () => {
    assert.deepEqual(parsePrefix('1.1.1.1/24'), { network: 0x01010100, length: 24 })
    assert.deepEqual(parsePrefix('255.255.255.255/0'), { network: 0, length: 0 })
    assert.deepEqual(parsePrefix('255.255.255.255/32'), { network: 0xffffffff, length: 32 })
  })

  it('refuses what is no strict prefix', () => {
    for (const text of [
      '',
      '/',
      '1.1.1.1',
      '1.1.1.1/',
      '/24',
      '1.1.1.1/33',
      '1.1.1.1/024',
      '1.1.1/24',
      '01.1.1.1/24',
      '1.1.1.1/24 ',
    ]) {
      assert.equal(parsePrefix(text), null, text)
    }
  })

  it('survives a round trip through text', () => {
    fc.assert(
      fc.property(address, length, (a, l) => {
        const prefix = { network: networkOf(a, l), length: l }
        assert.deepEqual(parsePrefix(formatPrefix(prefix)), prefix)
      }),
    )
  })

  it('contains exactly its range', () => {
    fc.assert(
      fc.property(address, length, address, (a, l, other) => {
        const prefix = { network: networkOf(a, l), length: l }
        assert.ok(contains(prefix, a))
        assert.equal(contains(prefix, other), prefix.network <= other && other <= lastAddress(prefix))
      }),
    )
  })
})

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
