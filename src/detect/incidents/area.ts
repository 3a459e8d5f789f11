// An area: several /24s near each other that one attack hits alike. It exists while that attack goes on or may come back, and has the sums of these /24s
// only, whether or not they fill a prefix. Its normal is the sum of theirs.
import { type NetworkKey, networkOf } from '../../net/network.ts'
import { blockLength, networkAt, wholeLength } from '../rates/network-sums.ts'
import { RateRing } from '../rates/rates.ts'
import { noteChange, releaseRing } from '../rates/series.ts'
import { Target } from '../targets/target.ts'
import type { TargetMemory } from '../targets/target-origin.ts'

export class Area extends Target {
  constructor(memory: TargetMemory, address: number, second: number) {
    super({ memory, address: networkAt(address), length: wholeLength, priorOf: () => 0 }, second)
  }

  has(whole: Target): boolean {
    return this.wholes.includes(whole)
  }

  /** Adds a /24: what it got from that second on, and what it gets from now on. */
  join(whole: Target, fromSecond: number): void {
    this.wholes = [...this.wholes, whole].sort((a, b) => a.address - b.address)
    whole.areas = [...whole.areas, this]
    const { network, length } = commonPrefix(this.wholes)
    this.address = network
    this.length = length
    this.lastHeardSecond = Math.max(this.lastHeardSecond, whole.lastHeardSecond)
    for (const { trafficClass, ring, changedFrom, changedTo } of whole.series.values()) {
      if (ring === null || (!this.series.has(trafficClass) && !this.hasPlace)) continue
      const own = this.seriesOf(trafficClass, fromSecond)
      own.ring ??= new RateRing(this.memory.rates, ring.last)
      own.ring.add(ring, fromSecond)
      noteChange(own, changedFrom, changedTo)
    }
    this.sumUpNormal()
  }

  /** Sums up what is normal for its /24s. The area is learnt when most of them are. */
  sumUpNormal(): void {
    const learnt = this.wholes.filter((whole) => whole.learnt)
    this.learnt = learnt.length * 2 > this.wholes.length
    for (const { trafficClass, baseline } of this.series.values()) {
      baseline.sumUp(this.wholes.flatMap(({ series }) => series.get(trafficClass)?.baseline ?? []))
    }
  }

  /** Ends the area: its /24s stand for themselves again. */
  dissolve(): void {
    for (const whole of this.wholes) {
      whole.areas = whole.areas.filter((area) => area !== this)
      // They have seconds of the attack yet to learn.
      whole.attackedThrough = Math.max(whole.attackedThrough, this.attackedThrough)
    }
    for (const series of this.series.values()) releaseRing(series)
    this.forget()
  }
}

/** The longest prefix that holds all of them, of at least `blockLength`. */
export function commonPrefix(wholes: readonly Target[]): NetworkKey {
  const [first, last] = [wholes[0].address, wholes[wholes.length - 1].address]
  let length = wholeLength
  while (length > blockLength && networkOf(first, length) !== networkOf(last, length)) length--
  return { network: networkOf(first, length), length }
}
