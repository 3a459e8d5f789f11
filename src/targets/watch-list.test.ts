import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mergeRanges } from '../net/prefix.ts'
import { watchListSamples } from './metrics.ts'
import { compileWatchList, targetAt } from './watch-list.ts'

describe('watch list', () => {
  it('watches nothing when empty', () => {
    const list = compileWatchList(new Uint32Array())
    assert.equal(targetAt(list, 0), 0)
    assert.equal(targetAt(list, 0xffffffff), 0)
    assert.equal(list.addresses.length, 1)
  })

  it('agrees with a naive set, at both ends of the address space and between', () => {
    const near = fc.constantFrom(0, 0x01010100, 0xfffffe00)
    const range = fc.tuple(near, fc.nat(511), fc.nat(300)).map(([base, at, size]): [number, number] => {
      return [base + at, Math.min(base + at + size, 0xffffffff)]
    })
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), fc.array(fc.nat(0xffffffff)), (ranges, others) => {
        const naive = new Set<number>()
        for (const [first, last] of ranges) for (let a = first; a <= last; a++) naive.add(a)
        const list = compileWatchList(mergeRanges(ranges))
        const sorted = [...naive].toSorted((a, b) => a - b)
        assert.deepEqual([...list.addresses.subarray(1)], sorted)
        sorted.forEach((address, i) => {
          assert.equal(targetAt(list, address), i + 1)
        })
        for (const [first, last] of ranges) others.push(first - 1, last + 1, first ^ 256, last ^ 256)
        for (const address of others) {
          if (address < 0 || address > 0xffffffff || naive.has(address >>> 0)) continue
          assert.equal(targetAt(list, address >>> 0), 0)
        }
        assert.equal(list.refused, 0)
      }),
      { numRuns: 20 },
    )
  })

  it('refuses, and counts, what lies beyond its pages', () => {
    const networks = Array.from({ length: 65_540 }, (_, i): [number, number] => [i * 512, i * 512 + 1])
    const list = compileWatchList(mergeRanges(networks))
    assert.equal(list.refused, 10)
    assert.equal(list.addresses.length - 1, 65_535 * 2)
    assert.equal(targetAt(list, 65_534 * 512 + 1), 65_535 * 2)
    assert.equal(targetAt(list, 65_535 * 512), 0)
    const values = watchListSamples(list).map(({ name, value }) => [name, value])
    assert.deepEqual(values, [
      ['floodgauge_watched_addresses', 65_535 * 2],
      ['floodgauge_watched_addresses_refused', 10],
    ])
  })
})
