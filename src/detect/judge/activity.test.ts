import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RatePages } from '../rates/rate-pages.ts'
import { RateRing } from '../rates/rates.ts'
import { beginOf, lastActive } from './activity.ts'

const start = 1_800_000_000

/** Packets as observed, second by second, each standing for `sampling`. */
function ringOf(observed: readonly number[], sampling: number): RateRing {
  const ring = new RateRing(new RatePages(64), start)
  observed.forEach((packets, i) => {
    if (packets > 0)
      ring.raise(start + i, start + i + 1, packets * sampling, packets * sampling * 500, packets, packets)
  })
  return ring
}

const repeated = (pattern: readonly number[], seconds: number) =>
  Array.from({ length: seconds }, (_, i) => pattern[i % pattern.length])

describe('the beginning', () => {
  it('of an attack that is hardly above its line is where it came, as is that of a strong one', () => {
    for (const rate of [1_600, 900, 100_000]) {
      const ring = ringOf([...repeated([0], 10), ...repeated([rate], 20)], 1)
      assert.equal(beginOf(ring, start + 25, start, 800) - start, 10, `${rate} packets/s`)
    }
  })

  it('is not that of what is usual before a strong attack', () => {
    const ring = ringOf([...repeated([700], 10), ...repeated([100_000], 20)], 1)
    assert.equal(beginOf(ring, start + 25, start, 800) - start, 10)
  })

  it('is not in the ordinary traffic that a long window begins with', () => {
    const ring = ringOf([...repeated([300], 30), ...repeated([100_000], 3)], 1)
    assert.equal(beginOf(ring, start + 3, start, 800) - start, 30)
  })

  it('is not before the earliest second', () => {
    const ring = ringOf([...repeated([0], 10), ...repeated([1_600], 20)], 1)
    assert.equal(beginOf(ring, start + 25, start + 14, 800) - start, 14)
  })
})

describe('the last active second', () => {
  it('is that up to which the average of three is high enough', () => {
    const ring = ringOf([...repeated([500], 20), ...repeated([10], 20)], 1)
    assert.equal(lastActive(ring, start, start + 40, 400) - start, 19)
  })

  it('is not made by the few packets that coarse sampling shows of less', () => {
    // 700 packets a second on average, of which pairs are seen by chance.
    const usual = repeated([0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1], 60)
    const ring = ringOf([...repeated([4], 20), ...usual], 2_000)
    const active = lastActive(ring, start, start + 80, 1_300) - start
    assert.ok(active >= 19 && active < 40, `${active}`)
  })
})
