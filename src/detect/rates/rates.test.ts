import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sourceMark } from '../../aggregate/marks.ts'
import { pageSeconds, RatePages } from './rate-pages.ts'
import { createWindow, RateRing, ringSeconds } from './rates.ts'

const start = 1_800_000_000

describe('a ring', () => {
  it('has what was raised within its reach, and nothing else', () => {
    const raises = fc.array(
      fc.record({ from: fc.nat(2_000), seconds: fc.integer({ min: 1, max: 400 }), packets: fc.nat(1_000) }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(raises, (given) => {
        const ring = new RateRing(new RatePages(64), start)
        const expected = new Map<number, number>()
        let last = start
        for (const { from, seconds, packets } of given) {
          last = Math.max(last, start + from + seconds - 1)
          for (const second of expected.keys()) if (second <= last - ringSeconds) expected.delete(second)
          for (let second = start + from; second < start + from + seconds; second++) {
            if (second > last - ringSeconds) expected.set(second, (expected.get(second) ?? 0) + packets)
          }
          ring.raise(start + from, start + from + seconds, packets, packets * 100, 1, packets)
        }
        for (let second = start - 10; second < start + 2_500; second++) {
          assert.equal(ring.packetsAt(second), expected.get(second) ?? 0)
        }
        const sum = [...expected.values()].reduce((total, packets) => total + packets, 0)
        assert.equal(ring.sum(start, start + 2_500).packets, sum)
        assert.equal(ring.sum(start, start + 2_500).bytes, sum * 100)
        assert.ok(ring.mostWithin('packets', ring.first, ring.last + 1) >= Math.max(0, ...expected.values()))
        const sums = ring.packetSums(ring.first, ring.last + 1)
        assert.equal(sums.at(-1), sum)
        const used = new Float64Array(sums.length + 9).fill(7)
        assert.deepEqual(ring.packetSums(ring.first, ring.last + 1, used).subarray(0, sums.length), sums)
      }),
      { numRuns: 50 },
    )
  })

  it('has in a window what its seconds have together, whole pages or not', () => {
    const impossible = sourceMark(0x7f00_0001)
    const given = fc.record({
      raises: fc.array(
        fc.record({
          from: fc.nat(383),
          seconds: fc.integer({ min: 1, max: 80 }),
          packets: fc.nat(1_000),
          marks: fc.constantFrom(1, 2, impossible),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      window: fc.tuple(fc.nat(420), fc.nat(420)),
    })
    fc.assert(
      fc.property(given, ({ raises, window }) => {
        const ring = new RateRing(new RatePages(64), start + 383)
        for (const { from, seconds, packets, marks } of raises) {
          ring.raise(start + from, start + from + seconds, packets, 2 * packets, 1, packets)
          ring.note(start + from, marks, marks)
        }
        const [from, to] = window.map((second) => start + second).sort((a, b) => a - b)
        const expected = createWindow(from, to)
        for (let second = from; second < to; second++) {
          const own = ring.sum(second, second + 1)
          for (const each of ['packets', 'bytes', 'flows', 'observed', 'forgedSeconds'] as const)
            expected[each] += own[each]
          for (const each of ['sources', 'ports'] as const) expected[each] = (expected[each] | own[each]) >>> 0
        }
        const found = ring.sum(from, to)
        assert.deepEqual({ ...found, sources: found.sources >>> 0, ports: found.ports >>> 0 }, expected)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps what is long past in steps, which add up to the same', () => {
    const raises = fc.array(
      fc.record({ from: fc.nat(300), seconds: fc.integer({ min: 1, max: 80 }), packets: fc.nat(1_000) }),
      { minLength: 1, maxLength: 20 },
    )
    fc.assert(
      fc.property(raises, (given) => {
        const pages = new RatePages(64)
        const [ring, exact] = [new RateRing(pages, start + 383), new RateRing(pages, start + 383)]
        const raiseBoth = ({ from, seconds, packets }: (typeof given)[0]) => {
          for (const each of [ring, exact]) {
            each.raise(start + from, start + from + seconds, packets, packets, 1, packets)
            each.note(start + from, 1, 1)
          }
        }
        const [late, ...rest] = given
        rest.forEach(raiseBoth)
        ring.coarsen(start + 240)
        // Also what comes late.
        raiseBoth(late)
        const isNear = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, b), `${a} ${b}`)
        for (let second = start; second < start + 240; second += pageSeconds) {
          const [found, expected] = [ring, exact].map((each) => each.sum(second, second + pageSeconds))
          for (const metric of ['packets', 'bytes', 'flows', 'observed'] as const)
            isNear(found[metric], expected[metric])
          assert.deepEqual([found.sources, found.ports], [expected.sources, expected.ports])
        }
        for (let second = start + 240; second < start + 384; second++) {
          assert.equal(ring.packetsAt(second), exact.packetsAt(second))
        }
        assert.ok(ring.mostWithin('packets', start, start + 384) >= ring.most('packets', start, start + 384))
        ring.release()
        exact.release()
        assert.deepEqual([pages.fine.taken, pages.coarse.taken], [0, 0])
      }),
      { numRuns: 50 },
    )
  })

  it('takes memory for the time in which there was traffic, and gives it back', () => {
    const pages = new RatePages(64)
    const ring = new RateRing(pages, start)
    for (let i = 0; i < 100; i++) ring.raise(start + i * ringSeconds, start + i * ringSeconds + 1, 1, 1, 1, 1)
    assert.equal(pages.fine.taken, 2)
    ring.release()
    assert.equal(pages.fine.taken, 0)
    const next = new RateRing(pages, start)
    next.raise(start, start + pageSeconds, 0, 0, 1, 0)
    assert.equal(next.sum(start, start + pageSeconds).packets, 0)
  })

  it('has nothing of what there was no memory for, which is counted', () => {
    const pages = new RatePages(1)
    const [first, second] = [new RateRing(pages, start), new RateRing(pages, start)]
    first.raise(start, start + 1, 5, 5, 1, 5)
    second.raise(start, start + 1, 7, 7, 1, 7)
    second.note(start, 1, 1)
    assert.deepEqual([first.packetsAt(start), second.packetsAt(start)], [5, 0])
    assert.equal(new RateRing(pages, start).sum(start, start + 1).sources, 0)
    assert.equal(pages.refused, 1)
  })
})
