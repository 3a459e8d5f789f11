// The memory of all rings together: pages of some seconds in common columns, which grow to a bound. A ring has pages only for the time in
// which there was traffic, so an address that is seldom heard of costs little, and no traffic whatever can take more than the bound.

/** Seconds of a page, a power of two. */
export const pageSeconds = 32

/** Stands in a ring where there was no traffic: always zero, never written. */
export const emptyPage = 0

const pagesAtFirst = 1 << 8

export class RatePages {
  packets = new Float32Array(pagesAtFirst * pageSeconds)
  bytes = new Float32Array(pagesAtFirst * pageSeconds)
  flows = new Float32Array(pagesAtFirst * pageSeconds)
  observed = new Float32Array(pagesAtFirst * pageSeconds)
  sources = new Uint32Array(pagesAtFirst * pageSeconds)
  ports = new Uint32Array(pagesAtFirst * pageSeconds)
  /** Amounts that found no page. */
  refused = 0
  readonly #pagesMax: number
  readonly #free: number[] = []
  /** Pages from here on were never taken. */
  #unused = emptyPage + 1

  constructor(pagesMax: number) {
    this.#pagesMax = pagesMax
  }

  /** Pages in use. */
  get taken(): number {
    return this.#unused - 1 - this.#free.length
  }

  /** A page of zeros; `emptyPage`: there is none left. */
  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.taken >= this.#pagesMax) {
      this.refused++
      return emptyPage
    }
    if (this.#unused * pageSeconds === this.packets.length) this.#grow()
    return this.#unused++
  }

  give(page: number): void {
    const from = page * pageSeconds
    const to = from + pageSeconds
    this.packets.fill(0, from, to)
    this.bytes.fill(0, from, to)
    this.flows.fill(0, from, to)
    this.observed.fill(0, from, to)
    this.sources.fill(0, from, to)
    this.ports.fill(0, from, to)
    this.#free.push(page)
  }

  #grow(): void {
    const pages = Math.min((this.packets.length / pageSeconds) * 2, this.#pagesMax + 1)
    const length = Math.max(pages, this.#unused + 1) * pageSeconds
    this.packets = grown(this.packets, new Float32Array(length))
    this.bytes = grown(this.bytes, new Float32Array(length))
    this.flows = grown(this.flows, new Float32Array(length))
    this.observed = grown(this.observed, new Float32Array(length))
    this.sources = grown(this.sources, new Uint32Array(length))
    this.ports = grown(this.ports, new Uint32Array(length))
  }
}

function grown<A extends Float32Array | Uint32Array>(from: A, to: A): A {
  to.set(from)
  return to
}
