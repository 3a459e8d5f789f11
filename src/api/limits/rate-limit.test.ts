import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rateLimitHeaders, WindowLimiter } from './rate-limit.ts'

describe('WindowLimiter', () => {
  it('allows as many as the limit in a window that begins with the first', () => {
    const limiter = new WindowLimiter({ limit: 2 })
    assert.deepEqual(limiter.take('a', 1_000), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
    assert.deepEqual(limiter.take('a', 31_001), { allowed: true, limit: 2, remaining: 0, resetSeconds: 30 })
    assert.deepEqual(limiter.take('a', 60_999), { allowed: false, limit: 2, remaining: 0, resetSeconds: 1 })
    assert.deepEqual(limiter.take('a', 61_000), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
    assert.equal(limiter.counters.refused, 1)
  })

  it('keeps keys apart, and looking does not count', () => {
    const limiter = new WindowLimiter({ limit: 1 })
    assert.ok(limiter.peek('a', 0).allowed)
    assert.ok(limiter.take('a', 0).allowed)
    assert.ok(!limiter.peek('a', 0).allowed)
    assert.ok(limiter.take('b', 0).allowed)
    assert.equal(limiter.counters.refused, 0)
  })

  it('is off at 0', () => {
    const limiter = new WindowLimiter({ limit: 0 })
    for (let i = 0; i < 1_000; i++) assert.ok(limiter.take('a', 0).allowed)
    assert.ok(!limiter.isOn)
  })

  it('begins again when the clock was set back', () => {
    const limiter = new WindowLimiter({ limit: 1 })
    limiter.take('a', 1_000_000)
    assert.ok(limiter.take('a', 0).allowed)
  })

  it('forgets the oldest windows when the table is full, and counts those that were not over', () => {
    const limiter = new WindowLimiter({ limit: 1, keysMax: 2 })
    limiter.take('a', 0)
    limiter.take('b', 1)
    limiter.take('c', 2)
    assert.equal(limiter.counters.evicted, 1)
    assert.ok(limiter.take('a', 3).allowed)
    assert.ok(!limiter.take('c', 4).allowed)
    limiter.take('d', 70_000)
    assert.equal(limiter.counters.evicted, 2)
  })

  it('never lets through more than the limit in a window, whatever the order of calls', () => {
    const call = fc.record({ key: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat(30_000) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(call, { maxLength: 100 }), (limit, calls) => {
        const limiter = new WindowLimiter({ limit })
        const passed: { key: string; atMs: number }[] = []
        let nowMs = 0
        for (const { key, afterMs } of calls) {
          nowMs += afterMs
          if (limiter.take(key, nowMs).allowed) passed.push({ key, atMs: nowMs })
        }
        // Two windows can meet, so that any 60 seconds hold at most the quota of two.
        for (const { key, atMs } of passed) {
          const near = passed.filter((other) => other.key === key && other.atMs >= atMs && other.atMs < atMs + 60_000)
          assert.ok(near.length <= 2 * limit)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('rateLimitHeaders', () => {
  it('are lists of structured items', () => {
    const quota = { allowed: true, limit: 600, remaining: 598, resetSeconds: 42 }
    assert.deepEqual(rateLimitHeaders(quota, 60), {
      'ratelimit-policy': '"token";q=600;w=60',
      ratelimit: '"token";r=598;t=42',
    })
  })
})
