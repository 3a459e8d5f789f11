// The last minutes of a traffic class of a target, second by second. Late records raise the past; seconds older than the ring are gone.
import { hasImpossibleSource } from '../../aggregate/marks.ts'
import { addSlot, coarsened, raiseSlots } from './page-slots.ts'
import { at, boundAt, emptyPage, type PagePool, pageSeconds, type RatePages } from './rate-pages.ts'

/** How far back a ring reaches: records may be `pastSeconds` (aggregate/folder.ts) old, and learning reads a span before that. */
export const ringSeconds = 384

/** Sums over a window of seconds. */
export interface Window {
  /** Unix time, seconds; `to` is not in it. */
  from: number
  to: number
  packets: number
  bytes: number
  flows: number
  observed: number
  /** Marks of sources and ports (see aggregate/marks.ts). */
  sources: number
  ports: number
  /** Seconds with a source that no packet can come from. */
  forgedSeconds: number
}

/** Limits of a second. */
interface Limits {
  packets: number
  bytes: number
  flows: number
}

/** Upper bounds of the amounts of a second, or of the pages that it is in; see `RateRing.boundsWithin`. */
export interface RateBounds extends Limits {
  /** Packets per sampled one. */
  sampling: number
  observed: number
  /** The flows of a page, all together. */
  pageFlows: number
}

export function createWindow(from: number, to: number): Window {
  return { from, to, packets: 0, bytes: 0, flows: 0, observed: 0, sources: 0, ports: 0, forgedSeconds: 0 }
}

/** See `RateRing.boundsWithin`. Fractions from the start, so that it keeps its hidden class. */
const latestBounds: RateBounds = { packets: 0.5, bytes: 0.5, flows: 0.5, sampling: 0.5, observed: 0.5, pageFlows: 0.5 }

/** Pages of a ring: one more than its reach fills, since that rarely begins at a page. */
const ringPages = Math.ceil(ringSeconds / pageSeconds) + 1

export class RateRing {
  readonly #memory: RatePages
  /** The page of each stretch of `pageSeconds`, the stretches taken modulo `ringPages`; negative: a coarse one. */
  readonly #pages: number[] = Array.from({ length: ringPages }, () => emptyPage)
  /** The last second that it holds, Unix time. */
  #last: number

  constructor(memory: RatePages, second: number) {
    this.#memory = memory
    this.#last = second
  }

  /** The first second that it holds. */
  get first(): number {
    return this.#last - ringSeconds + 1
  }

  get last(): number {
    return this.#last
  }

  /** Adds amounts a second to the seconds `from` to `to` (exclusive); what lies before the ring is left out. */
  raise(from: number, to: number, packets: number, bytes: number, flows: number, observed: number): void {
    if (to > this.#last + 1) this.#advance(to - 1)
    const sampling = observed > 0 ? packets / observed : 1
    for (let second = Math.max(from, this.first); second < to; second = pageEnd(second)) {
      const page = this.#neededPage(second)
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const start = pool.startOf(Math.abs(page))
      const sum = start + pool.sumOffset
      const bounds = start + pool.boundsOffset
      const first = second % pageSeconds
      const end = first + Math.min(to, pageEnd(second)) - second
      const seconds = end - first
      numbers[sum + at.packets] += packets * seconds
      numbers[sum + at.bytes] += bytes * seconds
      numbers[sum + at.flows] += flows * seconds
      numbers[sum + at.observed] += observed * seconds
      if (sampling > numbers[bounds + boundAt.sampling]) numbers[bounds + boundAt.sampling] = sampling
      if (pool === this.#memory.fine) {
        raiseSlots(numbers, start + pool.offsets[first], seconds, bounds, packets, bytes, flows, observed)
      } else {
        const { secondsPerSlot: n } = pool
        for (let i = first; i < end; i++) {
          raiseSlots(numbers, start + pool.offsets[i], 1, bounds, packets / n, bytes / n, flows / n, observed / n)
        }
      }
    }
  }

  /** Notes the marks of sources and ports in a second that was raised. */
  note(second: number, sources: number, ports: number): void {
    const page = this.#pageAt(second)
    if (page === emptyPage) return
    const pool = this.#poolOf(page)
    const bits = pool.bitsOf(Math.abs(page))
    const start = pool.startOf(Math.abs(page))
    const slot = start + pool.offsets[second % pageSeconds]
    if (hasImpossibleSource(sources) && !hasImpossibleSource(bits[slot + at.sources]))
      pool.numbersOf(Math.abs(page))[start + pool.boundsOffset + boundAt.forgedSeconds] += pool.secondsPerSlot
    for (const each of [slot, start + pool.sumOffset]) {
      bits[each + at.sources] |= sources
      bits[each + at.ports] |= ports
    }
  }

  packetsAt(second: number): number {
    return this.packetsIn(second, second + 1)
  }

  /** Packets in the seconds `from` to `to` (exclusive). */
  packetsIn(from: number, to: number): number {
    let sum = 0
    const last = Math.min(to, this.#last + 1)
    for (let second = Math.max(from, this.first); second < last; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const start = pool.startOf(Math.abs(page))
      const first = second % pageSeconds
      const end = first + Math.min(last, pageEnd(second)) - second
      for (let i = first; i < end; i++) sum += numbers[start + pool.offsets[i] + at.packets]
    }
    return sum
  }

  /** The most of a metric in one of the seconds `from` to `to` (exclusive), all within the ring. */
  most(metric: 'packets' | 'bytes' | 'flows', from: number, to: number): number {
    let most = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const start = pool.startOf(Math.abs(page))
      const first = second % pageSeconds
      const end = first + Math.min(to, pageEnd(second)) - second
      for (let i = first; i < end; i++) most = Math.max(most, numbers[start + pool.offsets[i] + at[metric]])
    }
    return most
  }

  /** An upper bound of a metric in each of the seconds `from` to `to` (exclusive), all within the ring. */
  mostWithin(metric: 'packets' | 'bytes' | 'flows' | 'sampling', from: number, to: number): number {
    let most = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const ofPage = pool.numbersOf(Math.abs(page))[pool.startOf(Math.abs(page)) + pool.boundsOffset + boundAt[metric]]
      if (ofPage > most) most = ofPage
    }
    return most
  }

  /**
   * Upper bounds of all metrics in each of the seconds `from` to `to` (exclusive), all within the ring; of `observed`, of their sum. Valid until the next call,
   * of any ring: this is asked of most addresses in every second.
   */
  boundsWithin(from: number, to: number): RateBounds {
    const bounds = latestBounds
    bounds.packets = bounds.bytes = bounds.flows = bounds.sampling = bounds.observed = bounds.pageFlows = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const sum = pool.startOf(Math.abs(page)) + pool.sumOffset
      const most = pool.startOf(Math.abs(page)) + pool.boundsOffset
      bounds.packets = Math.max(bounds.packets, numbers[most + boundAt.packets])
      bounds.bytes = Math.max(bounds.bytes, numbers[most + boundAt.bytes])
      bounds.flows = Math.max(bounds.flows, numbers[most + boundAt.flows])
      bounds.sampling = Math.max(bounds.sampling, numbers[most + boundAt.sampling])
      bounds.observed += numbers[sum + at.observed]
      bounds.pageFlows = Math.max(bounds.pageFlows, numbers[sum + at.flows])
    }
    return bounds
  }

  /** An upper bound of the packets observed in the seconds `from` to `to` (exclusive), all within the ring. */
  observedWithin(from: number, to: number): number {
    let sum = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      sum += pool.numbersOf(Math.abs(page))[pool.startOf(Math.abs(page)) + pool.sumOffset + at.observed]
    }
    return sum
  }

  /** Whether the seconds `from` to `to` (exclusive), all within the ring, are within the limits; false when one may exceed them. */
  isWithin({ packets, bytes, flows }: Limits, from: number, to: number): boolean {
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const bounds = pool.startOf(Math.abs(page)) + pool.boundsOffset
      if (numbers[bounds + boundAt.packets] > packets) return false
      if (numbers[bounds + boundAt.bytes] > bytes || numbers[bounds + boundAt.flows] > flows) return false
    }
    return true
  }

  /**
   * Running sums: place i has the packets of the seconds `from` to `from + i` (exclusive), up to `to`, all within the ring. They are written to `sums`, which may
   * be longer.
   */
  packetSums(from: number, to: number, sums = new Float64Array(Math.max(0, to - from) + 1)): Float64Array {
    let place = 0
    sums[0] = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      const first = second % pageSeconds
      const end = first + Math.min(to, pageEnd(second)) - second
      if (page === emptyPage) {
        sums.fill(sums[place], place + 1, place + 1 + end - first)
        place += end - first
        continue
      }
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const start = pool.startOf(Math.abs(page))
      for (let i = first; i < end; i++, place++) {
        sums[place + 1] = sums[place] + numbers[start + pool.offsets[i] + at.packets]
      }
    }
    return sums
  }

  sum(from: number, to: number): Window {
    const window = createWindow(from, to)
    const last = Math.min(to, this.#last + 1)
    for (let second = Math.max(from, this.first); second < last; second = pageEnd(second)) {
      const page = this.#pages[pageOf(second) % ringPages]
      if (page === emptyPage) continue
      const pool = this.#poolOf(page)
      const numbers = pool.numbersOf(Math.abs(page))
      const bits = pool.bitsOf(Math.abs(page))
      const start = pool.startOf(Math.abs(page))
      const first = second % pageSeconds
      // Nothing comes after the last second of the ring.
      if (first === 0 && (last >= pageEnd(second) || last > this.#last)) {
        addSlot(window, numbers, bits, start + pool.sumOffset, 1)
        window.forgedSeconds += numbers[start + pool.boundsOffset + boundAt.forgedSeconds]
        continue
      }
      const { offsets, secondsPerSlot } = pool
      const end = first + Math.min(last, pageEnd(second)) - second
      for (let i = first; i < end; ) {
        const slot = start + offsets[i]
        const next = Math.min(end, i - (i % secondsPerSlot) + secondsPerSlot)
        addSlot(window, numbers, bits, slot, next - i)
        if (hasImpossibleSource(bits[slot + at.sources])) window.forgedSeconds += next - i
        i = next
      }
    }
    return window
  }

  /** Adds another ring from a second on. */
  add(other: RateRing, from: number): void {
    for (let second = Math.max(from, other.first); second <= other.last; second++) {
      if (other.#pageAt(second) === emptyPage) {
        second = pageEnd(second) - 1
        continue
      }
      const { packets, bytes, flows, observed, sources, ports } = other.sum(second, second + 1)
      if (flows === 0 && packets === 0) continue
      this.raise(second, second + 1, packets, bytes, flows, observed)
      this.note(second, sources, ports)
    }
  }

  /** Sets the marks of the seconds `from` to `to` (exclusive), not before `earliest`, with a source that no packet can come from. Place 0 is `from`. */
  markForged(from: number, to: number, earliest: number, marks: Uint8Array): void {
    for (let second = Math.max(from, earliest, this.first); second < Math.min(to, this.#last + 1); second++) {
      if (this.sum(second, second + 1).forgedSeconds > 0) marks[second - from] = 1
    }
  }

  /** Keeps earlier seconds less exactly, in less memory. */
  coarsen(before: number): void {
    const last = Math.min(pageOf(before), pageOf(this.#last) + 1)
    for (let stretch = pageOf(this.#last) - ringPages + 1; stretch < last; stretch++) {
      const place = stretch % ringPages
      if (this.#pages[place] > emptyPage) this.#pages[place] = coarsened(this.#memory, this.#pages[place])
    }
  }

  /** A ring of the same rates, with memory of its own. */
  copy(): RateRing {
    const made = new RateRing(this.#memory, this.#last)
    for (let place = 0; place < ringPages; place++) {
      const page = this.#pages[place]
      if (page === emptyPage) continue
      const copied = this.#poolOf(page).copy(Math.abs(page))
      made.#pages[place] = page > emptyPage ? copied : -copied
    }
    return made
  }

  /** Gives its memory back; it must not be used any more. */
  release(): void {
    for (let place = 0; place < ringPages; place++) this.#empty(place)
  }

  #poolOf(page: number): PagePool {
    return page > emptyPage ? this.#memory.fine : this.#memory.coarse
  }

  #pageAt(second: number): number {
    return second <= this.#last && second >= this.first ? this.#pages[pageOf(second) % ringPages] : emptyPage
  }

  /** Takes the page of a second; `emptyPage` when there are no more. */
  #neededPage(second: number): number {
    const place = pageOf(second) % ringPages
    if (this.#pages[place] === emptyPage) this.#pages[place] = this.#memory.fine.take()
    return this.#pages[place]
  }

  #advance(to: number): void {
    const last = pageOf(to)
    for (let stretch = Math.max(pageOf(this.#last) + 1, last - ringPages + 1); stretch <= last; stretch++) {
      this.#empty(stretch % ringPages)
    }
    this.#last = to
  }

  #empty(place: number): void {
    const page = this.#pages[place]
    if (page !== emptyPage) this.#poolOf(page).give(Math.abs(page))
    this.#pages[place] = emptyPage
  }
}

/** The first second of the next stretch. */
function pageEnd(second: number): number {
  return second - (second % pageSeconds) + pageSeconds
}

/** The number of the stretch of `pageSeconds` that a second is in. */
function pageOf(second: number): number {
  return Math.floor(second / pageSeconds)
}
