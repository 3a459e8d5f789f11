import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createRandom } from '../../../test/helpers/random.ts'
import { portMark, sourceMark } from '../../aggregate/marks.ts'
import { vectors } from '../../vectors/vectors.ts'
import { type Normal, noNormal } from '../normal/baseline.ts'
import { createWindow, type Window } from '../rates/rates.ts'
import { judgeTotal, judgeVector, leastLine, type VectorTest } from './judge.ts'

const amount = (max: number) => fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max, noNaN: true }))

const window: fc.Arbitrary<Window> = fc
  .record({
    from: fc.constant(1_800_000_000),
    seconds: fc.constantFrom(1, 3, 10, 30, 60),
    sampling: fc.constantFrom(1, 1_000),
    bytes: amount(1e12),
    flows: amount(1e6),
    observed: fc.double({ min: 1, max: 1e6, noNaN: true }),
    sources: fc.integer(),
    ports: fc.integer(),
    forgedSeconds: fc.nat(60),
  })
  .map(({ seconds, sampling, ...rest }) => ({
    ...rest,
    to: rest.from + seconds,
    packets: rest.observed * sampling,
  }))

const baseline = fc.record({
  mean: amount(1_000),
  spread: amount(1_000),
  level: amount(1_000),
  packetBytes: amount(1_500),
})

const test: fc.Arbitrary<VectorTest> = fc.record({
  vector: fc.constantFrom(...vectors),
  baseline,
  learnt: fc.boolean(),
  sensitivity: fc.double({ min: 0.1, max: 10, noNaN: true }),
  wide: fc.boolean(),
  floorFactor: fc.constantFrom(1, 4),
  isConversation: fc.constantFrom(
    () => false,
    () => true,
  ),
  isUnopened: fc.constantFrom(
    () => false,
    () => true,
  ),
})

/** A test of the vector with this label at a target whose normal is learnt. */
function testOf(label: string, normal: Normal): VectorTest {
  const vector = vectors.find((each) => each.label === label)
  assert.ok(vector)
  const no = () => false
  const by = { learnt: true, sensitivity: 1, wide: false, floorFactor: 1, isConversation: no, isUnopened: no }
  return { vector, baseline: normal, ...by }
}

describe('the judge', () => {
  it('never raises an alarm of a rate below the least line, nor one with numbers that are none', () => {
    let alarms = 0
    fc.assert(
      fc.property(window, test, (given, by) => {
        const alarm = judgeVector(given, by)
        if (alarm === null) return
        alarms++
        assert.ok(alarm.rate > leastLine(by))
        assert.ok([alarm.rate, alarm.line, alarm.deviation, alarm.why.value].every(Number.isFinite))
      }),
      { numRuns: 2_000 },
    )
    assert.ok(alarms > 50, `${alarms} alarms`)
  })

  it('gives finite numbers when a limit on all traffic is passed', () => {
    const sources = { packets: 'absolute', bytes: 'absolute', flows: 'absolute' }
    const limits = { packets: 100, bytes: 1_000, flows: 10, sensitivity: 1, sources }
    fc.assert(
      fc.property(window, baseline, fc.boolean(), (given, normal, learnt) => {
        const alarm = judgeTotal(given, normal, learnt, limits)
        if (alarm !== null) assert.ok([alarm.rate, alarm.line, alarm.deviation, alarm.why.value].every(Number.isFinite))
      }),
    )
  })

  it('does not take the noise of sampling for traffic above a limit', () => {
    const sources = { packets: 'absolute', bytes: 'absolute', flows: 'absolute' }
    const limits = { packets: 20_000, bytes: 1e9, flows: 1e4, sensitivity: 1, sources }
    const judged = (observed: number, sampling: number) => {
      const window = { ...createWindow(1_800_000_000, 1_800_000_010), observed, packets: observed * sampling }
      return judgeTotal(window, noNormal, false, limits) !== null
    }
    // 200,000 packets are the limit, of which 50 are seen on average at 1:4000, give or take 7.
    assert.deepEqual([judged(70, 4_000), judged(92, 4_000), judged(93, 4_000)], [false, false, true])
    assert.deepEqual([judged(202_000, 1), judged(198_000, 1)], [true, false])
  })

  it('takes a few sampled packets for evidence where traffic at the line would hardly show them', () => {
    const judged = (label: string, observed: number, sources: number, { samplingRate = 1_000, wide = false } = {}) => {
      const window = { ...createWindow(1_800_000_000, 1_800_000_003), observed, flows: observed }
      window.packets = observed * samplingRate
      window.bytes = window.packets * 468
      for (let i = 0; i < observed; i++) window.sources |= sourceMark(0x0b00_0000 + 97 * (i % sources))
      return judgeVector(window, { ...testOf(label, noNormal), wide }) !== null
    }
    const [ntp, syn] = ['udp@attack@amp_flood_target-NTP', 'tcp@attack@syn_flood_target']
    assert.deepEqual([judged(ntp, 4, 4), judged(ntp, 5, 5)], [false, true])
    // The floor of two peers is higher: 6 packets are 2,000 a second, twice as many, which may be chance.
    assert.deepEqual([judged(ntp, 6, 2), judged(ntp, 12, 2)], [false, true])
    // At 1:100 six packets are twice the floor of 100 a second, and twelve four times.
    assert.deepEqual(
      [judged(ntp, 6, 6, { samplingRate: 100 }), judged(ntp, 12, 12, { samplingRate: 100 })],
      [false, true],
    )
    assert.deepEqual([judged(syn, 11, 11), judged(syn, 12, 12)], [false, true])
    // Peers of a new tunnel, and an attack on many addresses, of which some must be seen each.
    assert.deepEqual(
      [judged('ip@attack@proto_flood_target-ESP', 6, 6), judged(ntp, 11, 11, { wide: true })],
      [false, false],
    )
  })

  it('does not take sampled packets from anywhere to ports all over for growth of the usual', () => {
    const isGrowth = (
      label: string,
      observed: number,
      sources: number,
      ports: number,
      { level = 170, wide = false } = {},
    ) => {
      const usual = { level, mean: level, spread: 20, packetBytes: 150 }
      const window = { ...createWindow(1_800_000_000, 1_800_000_010), observed, flows: observed }
      window.packets = observed * 1_000
      window.bytes = window.packets * 140
      const random = createRandom(1)
      const from = Array.from({ length: sources }, () => 0x0b00_0000 + random(0x5000_0000))
      const to = Array.from({ length: ports }, () => 1_024 + random(60_000))
      for (let i = 0; i < observed; i++) {
        window.sources |= sourceMark(from[i % sources])
        window.ports |= portMark(1_024 + random(60_000), to[i % ports])
      }
      return judgeVector(window, { ...testOf(label, usual), wide })?.moreOfTheSame
    }
    const udp = 'udp@attack@simple_flood_target'
    assert.equal(isGrowth(udp, 40, 40, 40), false)
    assert.equal(isGrowth(udp, 40, 40, 1), true, 'players of a game')
    assert.equal(isGrowth(udp, 40, 20, 40), true, 'callers, of whom each is sampled again')
    assert.equal(isGrowth(udp, 300, 300, 300, { level: 1_400 }), true, 'more than the marks can tell apart')
    assert.equal(isGrowth('udp@attack@amp_flood_target-QUIC', 40, 40, 40), true, 'answers of web servers')
    assert.equal(isGrowth(udp, 40, 40, 40, { wide: true }), true, 'a network')
  })

  it('needs less time for ordinary traffic that no link has room for', () => {
    const usual = { level: 300, mean: 250, spread: 20, packetBytes: 60 }
    const isFound = (seconds: number, packetsPerSecond: number, sources = 100) => {
      const packets = seconds * packetsPerSecond
      const window = {
        ...createWindow(1_800_000_000, 1_800_000_000 + seconds),
        packets,
        observed: packets,
        flows: packets / 3,
      }
      window.bytes = packets * 40
      for (let i = 0; i < sources; i++) window.sources |= sourceMark(0x0b00_0000 + 97 * i)
      return judgeVector(window, testOf('tcp@attack@ack_flood_target', usual)) !== null
    }
    // Twenty times normal, and four times the floor of 1,500, are plain; twice that is overwhelming.
    assert.deepEqual([isFound(10, 6_100), isFound(3, 6_100)], [true, false])
    assert.deepEqual([isFound(3, 12_100), isFound(1, 12_100)], [true, false])
    assert.equal(isFound(3, 12_100, 3), false, 'a transfer from few')
  })
})
