import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, tcp, udpFrom } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { RateRing, ringSeconds } from '../rates/rates.ts'
import { CourseLog } from './course.ts'

const ntp = { recordsPerSecond: 2_000, row: udpFrom(123, 468) }
const visitors = { recordsPerSecond: 100, row: tcp(0x1b) }

describe('the course of an attack', () => {
  it('has every second from a minute before the attack to its end, in total and of its class', () => {
    const lab = new DetectionLab().run(100, visitors).run(10, visitors, ntp).run(300, visitors)
    const { course } = lab.details('ended')
    assert.equal(course.fromMs, startMs + 40_000)
    assert.equal(course.stepSeconds, 1)
    const seconds = (before: number, during: number) => Array.from({ length: 70 }, (_, i) => (i < 60 ? before : during))
    assert.deepEqual(course.total.packetsPerSecond, seconds(100, 2_100))
    assert.deepEqual(course.attack.packetsPerSecond, seconds(0, 2_000))
    assert.deepEqual(course.attack.bytesPerSecond, seconds(0, 2_000 * 468))
    assert.deepEqual(course.attack.flowsPerSecond, seconds(0, 2_000))
    assert.equal(course.normal, null)
  })

  it('is put right by records that come late', () => {
    const lab = new DetectionLab({ quietSeconds: 60 }).run(10).run(10, ntp).run(10)
    const late = { ...udpFrom(123, 468), startMs: startMs + 15_000, endMs: startMs + 15_000 }
    lab.run(1, { recordsPerSecond: 500, row: late }).run(100)
    const { course } = lab.details('ended')
    const at = (second: number) => course.attack.packetsPerSecond[startMs / 1000 + second - course.fromMs / 1000]
    assert.deepEqual([14, 15, 16].map(at), [2_000, 2_500, 2_000])
  })

  it('has what is normal, where it is learnt', () => {
    const settings = { learnSeconds: 60, quietSeconds: 60 }
    const lab = new DetectionLab(settings).run(700, visitors).run(10, visitors, ntp).run(100)
    const { normal } = lab.details('ended').course
    assert.ok(normal !== null && normal.total.low <= 100 && normal.total.high >= 100 && normal.total.high < 200)
    assert.deepEqual(normal.attack, { low: 0, high: 0 })
  })

  it('is told in no more than 512 steps, which lose nothing, however long the attack', () => {
    const ring = new RateRing(new RatePages(1_000), 1_000)
    const rings = { ofTotal: ring, ofClass: null }
    const course = new CourseLog(1_100, rings)
    for (let second = 1_000; second < 6_000; second++) {
      ring.raise(second, second + 1, second, 2 * second, 1, 1)
      course.follow(rings, second)
      if (second % 97 !== 0 || second <= 1_100) continue
      const { stepSeconds, total, fromMs } = course.describe(rings, second + 1)
      assert.equal(fromMs, 1_040_000)
      const rates = total.packetsPerSecond
      assert.ok(rates.length <= 512 && (stepSeconds === 1 || rates.length > 256))
      rates.forEach((rate, step) => {
        const first = 1_040 + step * stepSeconds
        const last = Math.min(first + stepSeconds - 1, second)
        assert.equal(rate, (first + last) / 2, `second ${first} of ${second}`)
      })
    }
  })

  it('reads no second that the rings do not hold, also when the clock has been set forward by a day', (test) => {
    const ring = new RateRing(new RatePages(1_000), 1_000)
    const rings = { ofTotal: ring, ofClass: null }
    const course = new CourseLog(1_100, rings)
    ring.raise(1_100, 1_110, 7, 70, 1, 1)
    const { mock } = test.mock.method(ring, 'sum')
    course.follow(rings, 1_110 + 86_400)
    assert.ok(mock.callCount() <= 384, `${mock.callCount()} seconds`)
    assert.deepEqual(course.describe(rings, 1_110).total.packetsPerSecond, [1], '70 packets in 70 seconds')
  })

  it('goes on when the attack comes back, also after longer than the rings reach', () => {
    const settings = { quietSeconds: 10, reopenSeconds: 900 }
    const lab = new DetectionLab(settings)
      .run(100, visitors)
      .run(20, visitors, ntp)
      .run(800, visitors)
      .run(20, visitors, ntp)
      .run(100)
    const { course } = lab.details('ended')
    assert.equal(lab.phases('reopened').length, 1)
    const last = lab.reports.findLast(({ details }) => details !== null)?.details?.course
    assert.equal(last?.fromMs, course.fromMs)
    assert.equal(last?.stepSeconds, 2)
    const packets = (rates: (number | null)[] = []) => rates.reduce((sum: number, rate) => sum + (rate ?? 0) * 2, 0)
    assert.equal(packets(last?.attack.packetsPerSecond), 40 * 2_000)
    assert.equal(packets(last?.total.packetsPerSecond), 900 * 100 + 40 * 2_000)
  })

  describe('after a restart', () => {
    const rates = (values: (number | null)[]) => ({
      packetsPerSecond: values,
      bytesPerSecond: values,
      flowsPerSecond: values,
    })
    const courseOf = (values: (number | null)[], stepSeconds = 1) => {
      const [total, attack] = [rates(values), rates(values)]
      return { fromMs: 1_000_000, stepSeconds, total, attack, normal: null }
    }
    /** Goes on at second 1,010 with a ring of ten packets a second from `heard` to 1,020, but for none in second 1,015. */
    const resumed = (was: ReturnType<typeof courseOf>, end: number, heard = 1_010) => {
      const ring = new RateRing(new RatePages(1_000), 1_000)
      const rings = { ofTotal: ring, ofClass: ring }
      const course = new CourseLog(1_000, { ofTotal: null, ofClass: null })
      course.resume(was, end, 1_010)
      ring.raise(heard, 1_015, 10, 10, 10, 1)
      ring.raise(1_016, 1_020, 10, 10, 10, 1)
      return { course, rings, packets: () => course.describe(rings, 1_020).attack.packetsPerSecond }
    }
    const tens = (count: number) => new Array<number>(count).fill(10)
    const nothing = (count: number) => new Array<null>(count).fill(null)

    it('has nothing of the time in which the service was down, and zeros of what is known to be nothing', () => {
      const { packets } = resumed(courseOf([7, 7, 0, 7]), 1_004)
      assert.deepEqual(packets(), [7, 7, 0, 7, ...nothing(6), ...tens(5), 0, ...tens(4)])
    })

    it('has what records tell of that time afterwards', () => {
      const { packets } = resumed(courseOf([7, 7, 0, 7]), 1_004, 1_007)
      assert.deepEqual(packets(), [7, 7, 0, 7, ...nothing(3), ...tens(8), 0, ...tens(4)])
    })

    it('has what records tell afterwards of the time before, once, whenever its seconds are settled', () => {
      const wanted = [7, 17, 10, 17, ...tens(11), 0, ...tens(4)]
      const { packets, course, rings } = resumed(courseOf([7, 7, 0, 7]), 1_004, 1_001)
      assert.deepEqual(packets(), wanted)
      course.follow(rings, 1_004 + ringSeconds - 40)
      // The ring forgets what came before second 1,004.
      rings.ofTotal.raise(1_003 + ringSeconds, 1_004 + ringSeconds, 10, 10, 10, 1)
      assert.deepEqual(packets(), wanted)

      const over = resumed(courseOf([7, 7, 0, 7]), 1_004, 1_001)
      over.course.followOver(over.rings, 1_020 + ringSeconds - 40, 1_020)
      assert.deepEqual(over.packets(), wanted)
      over.course.reopen()
      assert.deepEqual(over.packets(), wanted)
    })

    it('still has nothing of it after another one, and when its seconds are settled', () => {
      const { packets, course, rings } = resumed(courseOf([7, null, null, 7]), 1_004)
      const wanted = [7, null, null, 7, ...nothing(6), ...tens(5), 0, ...tens(4)]
      assert.deepEqual(packets(), wanted)
      course.follow(rings, 1_020 + ringSeconds - 40)
      assert.deepEqual(packets(), wanted)
    })

    it('averages a step over the seconds that are known of it', () => {
      const { packets } = resumed(courseOf([7, 7], 4), 1_006)
      // The second step has two seconds of 7 and two unknown ones, the third none but two of 10.
      assert.deepEqual(packets(), [7, 7, 10, 7.5, 10])
    })
  })

  it('begins with the traffic that is known', () => {
    const lab = new DetectionLab().run(5, { recordsPerSecond: 2_000, row: tcp(SYN) })
    const { fromMs, total } = lab.details('opened').course
    assert.ok(fromMs <= startMs)
    assert.ok(total.packetsPerSecond.every((rate) => Number.isFinite(rate)))
  })
})
