// An area: several /24s near each other that one attack hits alike. It exists while that attack goes on or may come back, and has the sums of these /24s,
// and of no others, whether or not they fill a prefix. What is normal for it is what is normal for each of them, added up.
import { networkOf, type Prefix } from '../net/prefix.ts'
import { blockLength, networkAt, wholeLength } from './networks.ts'
import { RateRing } from './rates.ts'
import { noteChange, releaseRing } from './series.ts'
import { Target, type TargetMemory } from './target.ts'

export class Area extends Target {
  constructor(memory: TargetMemory, address: number, second: number) {
    super({ memory, address: networkAt(address), length: wholeLength, priorOf: () => 0 }, second)
  }

  has(whole: Target): boolean {
    return this.wholes.includes(whole)
  }

  /** Takes in what a /24 got from that second on, and gets from now on. */
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

  /** What is normal for its /24s may have changed: it is learnt of the sums when it is of most of what they have. */
  sumUpNormal(): void {
    const learnt = this.wholes.filter((whole) => whole.learnt)
    this.learnt = learnt.length * 2 > this.wholes.length
    for (const { trafficClass, baseline } of this.series.values()) {
      baseline.sumUp(this.wholes.flatMap(({ series }) => series.get(trafficClass)?.baseline ?? []))
    }
  }

  /** Nothing goes on there any more: its /24s are by themselves again. */
  dissolve(): void {
    for (const whole of this.wholes) {
      whole.areas = whole.areas.filter((area) => area !== this)
      // Of seconds that they have yet to learn.
      whole.attackedThrough = Math.max(whole.attackedThrough, this.attackedThrough)
    }
    for (const series of this.series.values()) releaseRing(series)
    this.forget()
  }
}

/** The longest prefix that holds all of them, of at least `blockLength`. */
export function commonPrefix(wholes: readonly Target[]): Prefix {
  const [first, last] = [wholes[0].address, wholes[wholes.length - 1].address]
  let length = wholeLength
  while (length > blockLength && networkOf(first, length) !== networkOf(last, length)) length--
  return { network: networkOf(first, length), length }
}
