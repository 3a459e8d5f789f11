// Finds flows that are reported again and again while they last. Most exporters date each record from where the one before it ended; some (Open vSwitch
// in NetFlow v5, session tables of firewalls) date every one from the beginning of the flow. The packets of such a record came since the record before.
import { offsetsOf } from '../offsets.ts'

/**
 * Length, in seconds, up to which records are taken as they are dated: shorter active timeouts are rare, and the error is small. A record that ends less
 * than this after the one before may hold the same packets, on their way out: put into the moment between, they would look like a burst.
 */
export const longSeconds = 10
/** Flows that are remembered: a power of two. */
const placesDefault = 1 << 16
/** Difference of two beginnings, in seconds, that still counts as the same: exporters that count by their uptime are off by one. */
const jitterSeconds = 1

/** Numbers of a place, side by side, so that a record costs one fetch from far memory: key, first and last second. */
const at = offsetsOf({ key: 0, start: 1, end: 2 })
const width = 4

/** A table of fixed size: when a flow takes the place of another, the next record of that one is taken as it is dated. */
export class ContinuedFlows {
  readonly #rows: Uint32Array
  readonly #mask: number
  /** What `fetch` read last. Nobody needs it, but a loop without a result would be left out when it is compiled. */
  readonly #fetched = new Uint32Array(1)
  /** Flows whose place was taken. */
  replaced = 0

  constructor(places = placesDefault) {
    this.#rows = new Uint32Array(places * width)
    this.#mask = places - 1
  }

  /** Brings what is known of the first `count` flows out of far memory. The loop is so short that the processor waits for many of them at a time. */
  fetch(keys: Uint32Array, count: number): void {
    const rows = this.#rows
    const mask = this.#mask
    let fetched = 0
    for (let i = 0; i < count; i++) fetched ^= rows[(keys[i] & mask) * width]
    this.#fetched[0] = fetched
  }

  /** The first second that a record dated from `first` to `last` counts for, in Unix time. `key`: see `flowKey`. */
  since(key: number, first: number, last: number): number {
    const rows = this.#rows
    const row = (key & this.#mask) * width
    const known = rows[row + at.key]
    const start = rows[row + at.start]
    const end = rows[row + at.end]
    if (known !== key && known !== 0) this.replaced++
    rows[row + at.key] = key
    rows[row + at.start] = first
    const isSame = known === key && Math.abs(start - first) <= jitterSeconds && end >= first
    // A record that comes late ends earlier than the one before.
    rows[row + at.end] = isSame && end > last ? end : last
    return isSame && last - end >= longSeconds ? end + 1 : first
  }
}

/** A hash of a flow and of where it was seen: two different flows have the same key once in four billion. */
export function flowKey(
  stream: number,
  ingressInterface: number,
  srcAddr: number,
  dstAddr: number,
  srcPort: number,
  dstPort: number,
  protocol: number,
): number {
  let key = mixed(mixed(stream, ingressInterface), protocol)
  key = mixed(key, srcAddr)
  key = mixed(key, dstAddr)
  key = mixed(key, (srcPort << 16) | dstPort)
  return key >>> 0
}

/** A step of MurmurHash3 (32 bits), with its constants. */
function mixed(key: number, value: number): number {
  const scrambled = Math.imul(value, 0xcc9e2d51)
  const rotated = key ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
  return (Math.imul((rotated << 13) | (rotated >>> 19), 5) + 0xe6546b64) | 0
}
