import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../../test/helpers/random.ts'
import { DistinctCount } from './distinct-count.ts'

function estimateOf(values: Iterable<number>): number {
  const count = new DistinctCount()
  for (const value of values) count.add(value)
  return count.estimate()
}

function* neighbours(from: number, count: number): Generator<number> {
  for (let i = 0; i < count; i++) yield (from + i) >>> 0
}

describe('distinct count', () => {
  it('is zero without sources, and exact enough with few', () => {
    assert.equal(estimateOf([]), 0)
    assert.ok(Math.abs(estimateOf([7]) - 1) < 0.01)
    assert.ok(Math.abs(estimateOf([7, 8, 7, 8, 0xffff_ffff]) - 3) < 0.01)
  })

  it('is within its error, for whole networks as for sources from everywhere', () => {
    const squares: number[] = []
    for (const count of [100, 1_000, 5_000, 20_000, 100_000]) {
      for (let seed = 1; seed <= 8; seed++) {
        const random = createRandom(seed)
        const everywhere = new Set<number>()
        while (everywhere.size < count) everywhere.add(random(2 ** 32))
        for (const values of [everywhere, neighbours(random(2 ** 32), count)]) {
          const off = estimateOf(values) / count - 1
          squares.push(off * off)
          assert.ok(Math.abs(off) < 4 * DistinctCount.error, `${count} is off by ${off}`)
        }
      }
    }
    const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square) / squares.length)
    assert.ok(deviation < 1.2 * DistinctCount.error, `${deviation}`)
  })

  it('tells millions', () => {
    const count = 4_000_000
    assert.ok(Math.abs(estimateOf(neighbours(0, count)) / count - 1) < 4 * DistinctCount.error)
  })
})
