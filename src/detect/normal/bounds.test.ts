import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { addressLength } from '../../net/network.ts'
import { TCP, UDP } from '../../net/protocols.ts'
import { SYN } from '../../net/tcp-flags.ts'
import { classOf, compileVectors } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { Target } from '../targets/target.ts'
import { createBaselineRows, type Teaches } from './baseline.ts'
import { learnBounded } from './bounds.ts'
import { createSeasonRows } from './season.ts'

const start = 1_800_000_000
const step = 30
const hours = 3_600
const days = 24 * hours
const classes = compileVectors(vectors)
const ntp = classOf(classes, UDP, 123, 33_000, 0, 0)
const dns = classOf(classes, UDP, 53, 33_000, 0, 0)
const udp = classOf(classes, UDP, 40_000, 9_000, 0, 0)
const syn = classOf(classes, TCP, 40_000, 443, SYN, 0)
const visits = classOf(classes, TCP, 40_000, 443, 0x1b, 0)

type Traffic = readonly [trafficClass: number, rate: number]

/** An address that gets the same for half a minute at a time, and learns it. */
class Host {
  readonly target: Target
  second = start

  constructor() {
    const memory = { rates: new RatePages(64), baselines: createBaselineRows(), seasons: createSeasonRows() }
    this.target = new Target({ memory, address: 0xc000_020a, length: addressLength, priorOf: () => 0 }, start)
  }

  /** `trafficAt`: of the seconds since this began, packets a second. */
  run(seconds: number, trafficAt: (second: number) => readonly Traffic[]): this {
    for (let since = 0; since < seconds; since += step, this.second += step) {
      const traffic = trafficAt(since)
      for (const [trafficClass, rate] of traffic) {
        this.target.raise(trafficClass, rowsOf(rate, this.second), { from: 0, to: 2 })
      }
      const all = traffic.reduce((sum, [, rate]) => sum + rate, 0)
      this.target.raiseTotal(rowsOf(all, this.second), { from: 0, to: 2 })
      this.target.learn(this.second, this.second + step, false)
      this.target.settle(this.second + step, 900)
    }
    return this
  }

  levelOf(trafficClass: number): number {
    return this.target.series.get(trafficClass)?.baseline.level ?? 0
  }
}

function rowsOf(rate: number, second: number) {
  const columns = createCounterColumns(2)
  columns.rows = 2
  columns.second.set([second, second + step])
  for (const [i, sign] of [1, -1].entries()) {
    columns.packets[i] = columns.observed[i] = sign * rate
    columns.bytes[i] = sign * rate * 100
    columns.flows[i] = sign * rate
  }
  return columns
}

const week = (usual: readonly Traffic[]) => new Host().run(8 * days, () => usual)
const within = (value: number, [min, max]: [number, number]) => assert.ok(value >= min && value <= max, `${value}`)

/** What is normal at last where an attacker always sends nine tenths of the lowest line. */
function poisoned(host: Host, trafficClass: number, floor: number, seconds: number): number {
  host.run(seconds, () => [[trafficClass, 0.9 * Math.max(floor, 4 * host.levelOf(trafficClass))]])
  return host.levelOf(trafficClass)
}

describe('who stays below the lines', () => {
  it('raises what hosts hardly have to a quarter of its floor or three times its own, and little more in weeks', () => {
    within(poisoned(week([[ntp, 1]]), ntp, 100, 6 * hours), [20, 26])
    within(poisoned(week([[syn, 50]]), syn, 150, 6 * hours), [120, 155])
    within(poisoned(week([[ntp, 1]]), ntp, 100, 28 * days), [80, 100])
  })

  it('raises ordinary traffic to ten times its own', () => {
    within(poisoned(week([[udp, 300]]), udp, 750, 6 * hours), [2_000, 3_200])
    within(poisoned(week([]), dns, 400, 6 * hours), [300, 410])
  })

  it('raises nothing by an hour that is busy every day: the share of a class is bounded, too', () => {
    const host = week([
      [udp, 300],
      [ntp, 1],
    ])
    host.run(3 * days + hours / 2, (second) => [
      [udp, second % days < hours ? 2_900 : 0],
      [ntp, 25],
    ])
    within(host.levelOf(ntp), [20, 30])
  })

  it('raises everything in the first week of an address', () => {
    within(
      poisoned(
        new Host().run(6 * days, () => [[ntp, 1]]),
        ntp,
        100,
        6 * hours,
      ),
      [1_000, Number.MAX_VALUE],
    )
  })
})

describe('growth', () => {
  it('of a site that doubles every week is followed', () => {
    const host = week([[visits, 200]])
    const rateAt = (second: number) => 200 * 2 ** (second / (7 * days))
    host.run(35 * days, (second) => [[visits, rateAt(second)]])
    within(host.levelOf(visits) / rateAt(35 * days), [0.9, 1])
  })

  it('of what opens connections is followed when the connections are there', () => {
    const host = week([[visits, 200]]).run(6 * hours, () => [
      [visits, 1_800],
      [syn, 300],
    ])
    within(host.levelOf(syn), [250, 300])
    const alone = week([[visits, 200]]).run(6 * hours, () => [
      [visits, 200],
      [syn, 300],
    ])
    within(alone.levelOf(syn), [100, 200 / 1.5])
  })

  it('that has an event without a label becomes normal, and is what later growth is measured by', () => {
    const recentOf = (trafficClass: number, ...taught: [rate: number, teaches: Teaches][]) => {
      const series = [...week([[trafficClass, 100]]).target.series.values()].find(
        (each) => each.trafficClass === trafficClass,
      )
      assert.ok(series)
      for (const [rate, teaches] of taught) {
        const circumstances = { isNew: false, all: new Map(), from: start, to: start + step }
        for (let i = 0; i < 1_000; i++) learnBounded(series, { rate, noise: 5, teaches }, circumstances)
      }
      return series.baseline.recent
    }
    within(recentOf(udp, [20_000, 'clipped']), [700, 1_000])
    within(recentOf(udp, [20_000, 'whole']), [19_000, 20_000])
    within(recentOf(udp, [20_000, 'whole'], [100_000, 'clipped']), [90_000, 100_000])
    within(recentOf(syn, [20_000, 'whole']), [290, 310])
  })
})
