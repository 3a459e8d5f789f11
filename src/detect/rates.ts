// The last minutes of one (address, traffic class), second by second. Late records raise the past; what is older than the ring is gone.
import { hasImpossibleSource } from '../aggregate/marks.ts'
import { emptyPage, pageSeconds, type RatePages } from './rate-pages.ts'

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
  /** Seconds in which there was a source that no packet can come from. */
  forgedSeconds: number
}

export function createWindow(from: number, to: number): Window {
  return { from, to, packets: 0, bytes: 0, flows: 0, observed: 0, sources: 0, ports: 0, forgedSeconds: 0 }
}

/** One more than the reach fills, since it rarely begins where a page does. */
const ringPages = ringSeconds / pageSeconds + 1

export class RateRing {
  readonly #memory: RatePages
  /** The page of each stretch of `pageSeconds`, the stretches taken modulo `ringPages`. */
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
    const memory = this.#memory
    let second = Math.max(from, this.first)
    while (second < to) {
      const end = Math.min(to, pageEnd(second))
      if (!this.#hasPage(second)) {
        second = end
        continue
      }
      for (let at = this.#at(second); second < end; second++, at++) {
        memory.packets[at] += packets
        memory.bytes[at] += bytes
        memory.flows[at] += flows
        memory.observed[at] += observed
      }
    }
  }

  /** Notes who sent, and where to, in a second that was raised. */
  note(second: number, sources: number, ports: number): void {
    const at = this.#at(second)
    if (!this.#holds(second) || at < pageSeconds) return
    this.#memory.sources[at] |= sources
    this.#memory.ports[at] |= ports
  }

  packetsAt(second: number): number {
    return this.#holds(second) ? this.#memory.packets[this.#at(second)] : 0
  }

  /** Packets in the seconds `from` to `to` (exclusive). */
  packetsIn(from: number, to: number): number {
    const { packets } = this.#memory
    let sum = 0
    for (let second = Math.max(from, this.first); second < Math.min(to, this.#last + 1); second++) {
      sum += packets[this.#at(second)]
    }
    return sum
  }

  /** The most that one of the seconds `from` to `to` (exclusive) has; all of them within the ring. */
  most(metric: 'packets' | 'bytes' | 'flows', from: number, to: number): number {
    const amounts = this.#memory[metric]
    let most = 0
    for (let second = from; second < to; second = pageEnd(second)) {
      // Where there was no traffic there is no page: mostly so.
      const first = this.#at(second)
      if (first < pageSeconds) continue
      const end = first + Math.min(to, pageEnd(second)) - second
      for (let at = first; at < end; at++) if (amounts[at] > most) most = amounts[at]
    }
    return most
  }

  /** At place i the packets of the seconds from `from` to `from + i` (exclusive); all of them within the ring. */
  packetSums(from: number, to: number): Float64Array {
    const { packets } = this.#memory
    const sums = new Float64Array(Math.max(0, to - from) + 1)
    for (let i = 1; i < sums.length; i++) sums[i] = sums[i - 1] + packets[this.#at(from + i - 1)]
    return sums
  }

  sum(from: number, to: number): Window {
    const { packets, bytes, flows, observed, sources, ports } = this.#memory
    const window = createWindow(from, to)
    for (let second = Math.max(from, this.first); second < Math.min(to, this.#last + 1); second++) {
      const at = this.#at(second)
      window.packets += packets[at]
      window.bytes += bytes[at]
      window.flows += flows[at]
      window.observed += observed[at]
      window.sources |= sources[at]
      window.ports |= ports[at]
      if (hasImpossibleSource(sources[at])) window.forgedSeconds++
    }
    return window
  }

  /** Gives its memory back; it is not to be used any more. */
  release(): void {
    for (let at = 0; at < ringPages; at++) this.#empty(at)
  }

  #holds(second: number): boolean {
    return second <= this.#last && second >= this.first
  }

  #at(second: number): number {
    return this.#pages[pageOf(second) % ringPages] * pageSeconds + (second % pageSeconds)
  }

  /** Takes the page that the second needs; false when there is none left. */
  #hasPage(second: number): boolean {
    const at = pageOf(second) % ringPages
    if (this.#pages[at] === emptyPage) this.#pages[at] = this.#memory.take()
    return this.#pages[at] !== emptyPage
  }

  #advance(to: number): void {
    const last = pageOf(to)
    for (let page = Math.max(pageOf(this.#last) + 1, last - ringPages + 1); page <= last; page++) {
      this.#empty(page % ringPages)
    }
    this.#last = to
  }

  #empty(at: number): void {
    if (this.#pages[at] !== emptyPage) this.#memory.give(this.#pages[at])
    this.#pages[at] = emptyPage
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
