// The heaviest items of a stream in bounded memory: space-saving, with the evictions done in batches. Counts are exact until there are more
// distinct items than places; then the lighter half is dropped, and an item that comes later starts from zero, knowing how much of it may
// have been missed. What is reported is what was really counted, a lower bound; an item heavier than the cut is never lost.

const placesAtFirst = 16

/** Places that several lists share: a list that wants to grow takes from here, and drops light items when there are none. */
export interface Places {
  left: number
}

export class TopItems {
  readonly #places: Places
  readonly #placesMax: number
  #slots = new Int32Array(placesAtFirst * 2)
  #item = new Uint32Array(placesAtFirst)
  #flows = new Float64Array(placesAtFirst)
  /** Flows that may have been missed before the item got its place. */
  #missed = new Float64Array(placesAtFirst)
  #packets = new Float64Array(placesAtFirst)
  #bytes = new Float64Array(placesAtFirst)
  #protocols = new Uint32Array(placesAtFirst)
  #used = 0
  #cut = 0

  /** `placesMax`: a power of two. */
  constructor(placesMax: number, places: Places) {
    this.#placesMax = placesMax
    this.#places = places
  }

  /** How many items it holds now: the rows 0 to here of the accessors. */
  get size(): number {
    return this.#used
  }

  /** No item with more flows than this is missing. */
  get cut(): number {
    return this.#cut
  }

  item(row: number): number {
    return this.#item[row]
  }
  flows(row: number): number {
    return this.#flows[row]
  }
  packets(row: number): number {
    return this.#packets[row]
  }
  bytes(row: number): number {
    return this.#bytes[row]
  }
  protocols(row: number): number {
    return this.#protocols[row]
  }

  add(item: number, flows: number, packets: number, bytes: number, protocols: number): void {
    let at = this.#find(item)
    if (this.#slots[at] === 0) {
      if (this.#used === this.#item.length) {
        this.#makeRoom()
        at = this.#find(item)
      }
      this.#insert(at, item)
    }
    const row = this.#slots[at] - 1
    this.#flows[row] += flows
    this.#packets[row] += packets
    this.#bytes[row] += bytes
    this.#protocols[row] |= protocols
  }

  /** Adds all items of another list. */
  addAll(other: TopItems): void {
    for (let row = 0; row < other.#used; row++) {
      this.add(other.#item[row], other.#flows[row], other.#packets[row], other.#bytes[row], other.#protocols[row])
    }
    this.#cut += other.#cut
  }

  /** Rows of the heaviest items: by flows, then packets; equal ones by item. */
  heaviest(count: number): number[] {
    // Few of many: a row is compared with the lightest of those found so far, and seldom with more.
    const found: number[] = []
    for (let row = 0; row < this.#used; row++) {
      if (found.length === count && !this.#isHeavier(row, found[count - 1])) continue
      let at = found.length < count ? found.length : count - 1
      for (; at > 0 && this.#isHeavier(row, found[at - 1]); at--) found[at] = found[at - 1]
      found[at] = row
    }
    return found
  }

  clear(): void {
    this.#used = 0
    this.#cut = 0
    this.#slots.fill(0)
  }

  /** Empties the list and gives its places back. */
  release(): void {
    this.clear()
    if (this.#item.length === placesAtFirst) return
    this.#places.left += this.#item.length - placesAtFirst
    this.#resize(placesAtFirst)
  }

  #isHeavier(row: number, other: number): boolean {
    if (this.#flows[row] !== this.#flows[other]) return this.#flows[row] > this.#flows[other]
    if (this.#packets[row] !== this.#packets[other]) return this.#packets[row] > this.#packets[other]
    return this.#item[row] < this.#item[other]
  }

  /** Where the item is, or would be, among the slots. */
  #find(item: number): number {
    const slots = this.#slots
    const items = this.#item
    const mask = slots.length - 1
    let at = Math.imul(item, 0x9e3779b1) >>> Math.clz32(mask)
    while (slots[at] !== 0 && items[slots[at] - 1] !== item) at = (at + 1) & mask
    return at
  }

  #insert(at: number, item: number): void {
    const row = this.#used++
    this.#slots[at] = row + 1
    this.#item[row] = item
    this.#flows[row] = 0
    this.#missed[row] = this.#cut
    this.#packets[row] = 0
    this.#bytes[row] = 0
    this.#protocols[row] = 0
  }

  #makeRoom(): void {
    const length = this.#item.length
    if (length < this.#placesMax && this.#places.left >= length) {
      this.#places.left -= length
      this.#resize(length * 2)
    } else {
      this.#dropLighterHalf()
    }
  }

  #resize(length: number): void {
    this.#item = resized(this.#item, new Uint32Array(length))
    this.#flows = resized(this.#flows, new Float64Array(length))
    this.#missed = resized(this.#missed, new Float64Array(length))
    this.#packets = resized(this.#packets, new Float64Array(length))
    this.#bytes = resized(this.#bytes, new Float64Array(length))
    this.#protocols = resized(this.#protocols, new Uint32Array(length))
    this.#slots = new Int32Array(length * 2)
    this.#rehash()
  }

  #rehash(): void {
    this.#slots.fill(0)
    for (let row = 0; row < this.#used; row++) this.#slots[this.#find(this.#item[row])] = row + 1
  }

  /** An item is as heavy as it may be: its flows and those that may have been missed. */
  #dropLighterHalf(): void {
    const weights = new Float64Array(this.#used)
    for (let row = 0; row < this.#used; row++) weights[row] = this.#flows[row] + this.#missed[row]
    const sorted = weights.slice().sort()
    const middle = sorted[this.#used >> 1]
    // Of items exactly as heavy as the middle one, as many stay as keep the halves even.
    let spared = this.#used - (this.#used >> 1)
    for (const weight of sorted) if (weight > middle) spared--
    let kept = 0
    for (let row = 0; row < this.#used; row++) {
      const stays = weights[row] > middle || (weights[row] === middle && spared-- > 0)
      if (stays) this.#move(row, kept++)
    }
    this.#used = kept
    this.#cut = Math.max(this.#cut, middle)
    this.#rehash()
  }

  #move(row: number, to: number): void {
    this.#item[to] = this.#item[row]
    this.#flows[to] = this.#flows[row]
    this.#missed[to] = this.#missed[row]
    this.#packets[to] = this.#packets[row]
    this.#bytes[to] = this.#bytes[row]
    this.#protocols[to] = this.#protocols[row]
  }
}

function resized<A extends Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from.subarray(0, Math.min(from.length, to.length)))
  return to
}
