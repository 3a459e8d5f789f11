import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DurationHistogram } from './durations.ts'

function histogramOf(durationsMs: Iterable<number>): DurationHistogram {
  const histogram = new DurationHistogram()
  for (const ms of durationsMs) histogram.add(ms)
  return histogram
}

/** Durations of flows as an exporter with this timeout reports them: long flows are cut into pieces. */
function exported(durationsMs: readonly number[], timeoutMs: number): number[] {
  return durationsMs.flatMap((ms) => [
    ...new Array<number>(Math.floor(ms / timeoutMs)).fill(timeoutMs + 300),
    ms % timeoutMs,
  ])
}

/** Most flows are short and a few are very long, as on real networks. */
const flows = Array.from({ length: 5_000 }, (_, i) => 1_000 / (((i * 7919) % 5_000) / 5_000 + 0.00002))

describe('the durations of records', () => {
  for (const seconds of [10, 15, 60, 120, 300, 1_800]) {
    it(`show an active timeout of ${seconds} s`, () => {
      assert.equal(histogramOf(exported(flows, seconds * 1000)).cutSeconds(), seconds)
    })
  }

  it('show none when no flow is cut', () => {
    assert.equal(histogramOf(flows).cutSeconds(), null)
    assert.equal(histogramOf(new Array(1_000).fill(20)).cutSeconds(), null)
  })

  it('prove nothing when they are few', () => {
    const few = histogramOf(new Array(49).fill(60_000))
    assert.deepEqual([few.cutSeconds(), few.quantileSeconds(0.5), few.medianTimeoutSeconds()], [null, null, null])
  })

  it('have a longest one that one freak does not move', () => {
    const histogram = histogramOf([...new Array(5_000).fill(30_000), 80_000_000])
    assert.equal(histogram.quantileSeconds(0.999), 30)
  })

  it('give quantiles within a bin of the true ones, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e8, noNaN: true }), { minLength: 50 }), (durations) => {
        const sorted = durations.toSorted((a, b) => a - b)
        const found = histogramOf(durations).quantileSeconds(0.5) ?? Number.NaN
        const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil(sorted.length / 2)]]
        assert.ok(found * 1000 <= Math.max(high * 1.2, 1000), `${found} s is above the median ${high} ms`)
        assert.ok(found * 1000 >= (low < 1000 ? 0 : low / 1.2), `${found} s is below the median ${low} ms`)
      }),
      { numRuns: 50 },
    )
  })
})
