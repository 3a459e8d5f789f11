// The last minutes of one (address, traffic class), second by second. Late records raise the past; what is older than the ring is gone.

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
  /** Bit sets of hashed source addresses and destination ports (see sealed-slot.ts). */
  sources: number
  ports: number
}

export class RateRing {
  readonly #packets = new Float32Array(ringSeconds)
  readonly #bytes = new Float32Array(ringSeconds)
  readonly #flows = new Float32Array(ringSeconds)
  readonly #observed = new Float32Array(ringSeconds)
  readonly #sources = new Uint32Array(ringSeconds)
  readonly #ports = new Uint32Array(ringSeconds)
  /** The last second that it holds, Unix time. */
  #last: number

  constructor(second: number) {
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
    for (let second = Math.max(from, this.first); second < to; second++) {
      const at = second % ringSeconds
      this.#packets[at] += packets
      this.#bytes[at] += bytes
      this.#flows[at] += flows
      this.#observed[at] += observed
    }
  }

  note(second: number, sources: number, ports: number): void {
    if (second > this.#last) this.#advance(second)
    if (second < this.first) return
    this.#sources[second % ringSeconds] |= sources
    this.#ports[second % ringSeconds] |= ports
  }

  packetsAt(second: number): number {
    return this.#holds(second) ? this.#packets[second % ringSeconds] : 0
  }

  /** Packets in the seconds `from` to `to` (exclusive). */
  packetsIn(from: number, to: number): number {
    let sum = 0
    for (let second = Math.max(from, this.first); second < Math.min(to, this.#last + 1); second++) {
      sum += this.#packets[second % ringSeconds]
    }
    return sum
  }

  /** At place i the packets of the seconds from `from` to `from + i` (exclusive); all of them within the ring. */
  packetSums(from: number, to: number): Float64Array {
    const sums = new Float64Array(Math.max(0, to - from) + 1)
    for (let i = 1, at = from % ringSeconds; i < sums.length; i++, at = at + 1 === ringSeconds ? 0 : at + 1) {
      sums[i] = sums[i - 1] + this.#packets[at]
    }
    return sums
  }

  sum(from: number, to: number): Window {
    const window: Window = { from, to, packets: 0, bytes: 0, flows: 0, observed: 0, sources: 0, ports: 0 }
    for (let second = Math.max(from, this.first); second < Math.min(to, this.#last + 1); second++) {
      const at = second % ringSeconds
      window.packets += this.#packets[at]
      window.bytes += this.#bytes[at]
      window.flows += this.#flows[at]
      window.observed += this.#observed[at]
      window.sources |= this.#sources[at]
      window.ports |= this.#ports[at]
    }
    return window
  }

  #holds(second: number): boolean {
    return second <= this.#last && second >= this.first
  }

  #advance(to: number): void {
    for (let second = Math.max(this.#last + 1, to - ringSeconds + 1); second <= to; second++) {
      const at = second % ringSeconds
      this.#packets[at] = 0
      this.#bytes[at] = 0
      this.#flows[at] = 0
      this.#observed[at] = 0
      this.#sources[at] = 0
      this.#ports[at] = 0
    }
    this.#last = to
  }
}

/** How many different things a bit set of 32 hashed ones stands for (linear counting); above some 100 it can't tell. */
export function distinct(bits: number): number {
  let unset = 32
  for (let rest = bits >>> 0; rest !== 0; rest &= rest - 1) unset--
  return unset === 0 ? Number.POSITIVE_INFINITY : 32 * Math.log(32 / unset)
}
