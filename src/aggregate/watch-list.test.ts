import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { samplesOf } from '../metrics.ts'
import { mergeRanges } from '../net/ranges.ts'
import { compileWatchList, isWatched } from './watch-list.ts'
import { targetMetrics } from './watch-metrics.ts'

describe('watch list', () => {
  it('watches nothing when empty', () => {
    const list = compileWatchList(new Uint32Array())
    assert.equal(isWatched(list, 0), false)
    assert.equal(isWatched(list, 0xffffffff), false)
    assert.equal(list.addresses, 0)
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
        assert.equal(list.addresses, naive.size)
        for (const address of naive) assert.equal(isWatched(list, address), true)
        for (const [first, last] of ranges) others.push(first - 1, last + 1, first ^ 256, last ^ 256)
        for (const address of others) {
          if (address < 0 || address > 0xffffffff || naive.has(address >>> 0)) continue
          assert.equal(isWatched(list, address >>> 0), false)
        }
        assert.equal(list.refused, 0)
      }),
      { numRuns: 20 },
    )
  })

  it('refuses, and counts, what lies beyond its pages', () => {
    const networks = Array.from({ length: 2 ** 20 + 5 }, (_, i) => [i * 512, i * 512 + 1])
    const list = compileWatchList(Uint32Array.from(networks.flat()))
    assert.equal(list.refused, 10)
    assert.equal(list.addresses, 2 ** 21)
    assert.equal(isWatched(list, (2 ** 20 - 1) * 512 + 1), true)
    assert.equal(isWatched(list, 2 ** 20 * 512), false)
    const values = samplesOf(targetMetrics, list).map(({ name, value }) => [name, value])
    assert.deepEqual(values, [
      ['floodgauge_watched_addresses', 2 ** 21],
      ['floodgauge_watched_addresses_refused', 10],
    ])
  })

  it('has addresses in every /16, up to the last', () => {
    const list = compileWatchList(Uint32Array.from({ length: 2 ** 17 }, (_, i) => (i >>> 1) * 65_536 + 7))
    assert.equal(list.addresses + list.refused, 65_536)
    assert.equal(isWatched(list, 65_534 * 65_536 + 7), true)
    assert.equal(isWatched(list, 65_534 * 65_536 + 8), false)
  })
})
