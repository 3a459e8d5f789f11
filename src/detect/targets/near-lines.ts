// The seconds of a target with traffic that is near a line, noted when it comes, while its pages are at hand. Away from them a judgement finds nothing: most
// addresses need none at all.
import { pageSeconds } from '../rates/rate-pages.ts'
import type { RateBounds, RateRing } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'

/** Tells traffic that no judgement finds anything in. */
export interface FarBelow {
  /** Whether it is so with all traffic that has these bounds, at any address. */
  holds: (bounds: RateBounds) => boolean
  /** How far from a changed second the traffic lies that is judged with it, at most. */
  reachSeconds: number
}

export class NearLines {
  /** Unix time, seconds; `#to` is not among them. Seconds between two stretches count as well. */
  #from = 0
  #to = 0

  /** Takes in what changed, and returns whether it is within reach of traffic near a line: what was far below stays so until it changes. */
  note({ ring, changedFrom, changedTo }: Series, farBelow: FarBelow): boolean {
    if (ring === null) return false
    if (changedFrom >= this.#from && changedTo <= this.#to) return true
    const [from, to] = [Math.max(changedFrom, ring.first), Math.min(changedTo, ring.last + 1)]
    if (from < to && !farBelow.holds(ring.boundsWithin(from, to))) this.#add(from, to)
    const { reachSeconds } = farBelow
    return changedFrom - reachSeconds < this.#to && changedTo + reachSeconds > this.#from
  }

  /** All traffic may be near a line: one is lower than it was. */
  noteAll(ring: RateRing | null): void {
    if (ring !== null) this.#add(ring.first, ring.last + 1)
  }

  /** Bounds are those of whole pages. */
  #add(from: number, to: number): void {
    const isFirst = this.#to === 0
    this.#from = isFirst ? from - pageSeconds : Math.min(this.#from, from - pageSeconds)
    this.#to = Math.max(this.#to, to + pageSeconds)
  }
}
