// The heaviest items of a stream in bounded memory: space-saving, with the evictions done in batches. Counts are exact until there are more
// distinct items than places; then the lighter half is dropped, and an item that comes later starts from zero, knowing how much of it may
// have been missed. What is reported is what was really counted, a lower bound; an item heavier than the cut is never lost.
import { offsetsOf } from '../../offsets.ts'
import type { Holder, ListMemory } from './list-memory.ts'
import { ranked } from './ranked.ts'

/** Places of a new list: few, as most lists stay short. */
const placesAtFirst = 4

/** The numbers of an item lie side by side, in one array of doubles, so that counting a record touches one place in memory. */
const at = offsetsOf({ item: 0, flows: 1, missed: 2, packets: 3, bytes: 4, protocols: 5 })
const width = 6

/** Heavier items count as this heavy; no list comes near it. Flows are whole numbers. */
const weightMax = 2 ** 32 - 1

export class TopItems implements Holder {
  readonly #places: ListMemory
  readonly #placesMax: number
  readonly #beforeDrop: () => void
  /** Row of an item, plus 1, by the hash of the item; 0: free. Twice as many as rows. */
  #slots = new Int32Array(placesAtFirst * 2)
  #rows = new Float64Array(placesAtFirst * width)
  #used = 0
  #cut = 0
  /** Row of the item that was added last: in a flood most lists get the same one again. */
  #last = 0

  /** `placesMax` is a power of two; `beforeDrop` is called while the list still has the items that it is about to drop. */
  constructor(placesMax: number, places: ListMemory, beforeDrop: () => void = () => {}) {
    this.#placesMax = placesMax
    this.#places = places
    this.#beforeDrop = beforeDrop
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
    return this.#rows[row * width + at.item]
  }
  flows(row: number): number {
    return this.#rows[row * width + at.flows]
  }
  packets(row: number): number {
    return this.#rows[row * width + at.packets]
  }
  bytes(row: number): number {
    return this.#rows[row * width + at.bytes]
  }
  protocols(row: number): number {
    return this.#rows[row * width + at.protocols]
  }

  add(item: number, flows: number, packets: number, bytes: number, protocols: number): void {
    if (this.#last >= this.#used || this.#rows[this.#last * width] !== item) this.#last = this.#rowFor(item)
    const rows = this.#rows
    const row = this.#last * width
    rows[row + at.flows] += flows
    rows[row + at.packets] += packets
    rows[row + at.bytes] += bytes
    rows[row + at.protocols] = (rows[row + at.protocols] | protocols) >>> 0
  }

  /** Notes that items with as many flows, or fewer, may be missing. */
  lost(flows: number): void {
    this.#cut = Math.max(this.#cut, flows)
  }

  /** Rows of the heaviest items: by flows, then packets; equal ones by item. */
  heaviest(count: number): number[] {
    // A row is compared with the lightest of those found so far, and seldom with more.
    const found: number[] = []
    const rows = this.#rows
    let leastFlows = 0
    for (let row = 0; row < this.#used; row++) {
      if (rows[row * width + at.flows] < leastFlows) continue
      if (found.length === count && !this.#isHeavier(row, found[count - 1])) continue
      let place = found.length < count ? found.length : count - 1
      for (; place > 0 && this.#isHeavier(row, found[place - 1]); place--) found[place] = found[place - 1]
      found[place] = row
      if (found.length === count) leastFlows = this.flows(found[count - 1])
    }
    return found
  }

  /** Empties the list and gives its places back. */
  release(): void {
    this.#used = 0
    this.#cut = 0
    this.#places.give(this, this.capacity - placesAtFirst)
    this.#resize(placesAtFirst)
  }

  get capacity(): number {
    return this.#slots.length / 2
  }

  /** Gives up half of its places, and drops items without a place. */
  halve(): void {
    const half = this.capacity / 2
    if (this.#used > half) this.#dropLighterHalf()
    this.#resize(half)
  }

  #isHeavier(row: number, other: number): boolean {
    const rows = this.#rows
    const a = row * width
    const b = other * width
    if (rows[a + at.flows] !== rows[b + at.flows]) return rows[a + at.flows] > rows[b + at.flows]
    if (rows[a + at.packets] !== rows[b + at.packets]) return rows[a + at.packets] > rows[b + at.packets]
    return rows[a + at.item] < rows[b + at.item]
  }

  /** Slot of the item, or the free one that it would have. */
  #find(item: number): number {
    const slots = this.#slots
    const rows = this.#rows
    const mask = slots.length - 1
    let slot = Math.imul(item, 0x9e3779b1) >>> Math.clz32(mask)
    while (slots[slot] !== 0 && rows[(slots[slot] - 1) * width] !== item) slot = (slot + 1) & mask
    return slot
  }

  /** Row of the item, a new one where it had none. */
  #rowFor(item: number): number {
    let slot = this.#find(item)
    if (this.#slots[slot] === 0) {
      if (this.#used === this.capacity) {
        this.#makeRoom()
        slot = this.#find(item)
      }
      this.#insert(slot, item)
    }
    return this.#slots[slot] - 1
  }

  #insert(slot: number, item: number): void {
    const rows = this.#rows
    const row = this.#used++
    this.#slots[slot] = row + 1
    rows.fill(0, row * width, row * width + width)
    rows[row * width + at.item] = item
    rows[row * width + at.missed] = this.#cut
  }

  #makeRoom(): void {
    if (this.capacity < this.#placesMax && this.#places.has(this.capacity)) {
      this.#places.take(this, this.capacity)
      this.#resize(this.capacity * 2)
    } else {
      this.#dropLighterHalf()
    }
  }

  #resize(capacity: number): void {
    const rows = new Float64Array(capacity * width)
    rows.set(this.#rows.subarray(0, this.#used * width))
    this.#rows = rows
    this.#slots = new Int32Array(capacity * 2)
    this.#rehash()
  }

  #rehash(): void {
    this.#slots.fill(0)
    for (let row = 0; row < this.#used; row++) this.#slots[this.#find(this.item(row))] = row + 1
  }

  /** Drops the lighter half. The weight of an item is its flows and those that may have been missed. */
  #dropLighterHalf(): void {
    this.#beforeDrop()
    const weights = new Uint32Array(this.#used)
    for (let row = 0; row < this.#used; row++) {
      weights[row] = Math.min(this.flows(row) + this.#rows[row * width + at.missed], weightMax)
    }
    const middle = ranked(weights, this.#used >> 1)
    // As many items exactly as heavy as the middle one stay as keep the halves even.
    let spared = this.#used - (this.#used >> 1)
    for (const weight of weights) if (weight > middle) spared--
    let kept = 0
    for (let row = 0; row < this.#used; row++) {
      const stays = weights[row] > middle || (weights[row] === middle && spared-- > 0)
      if (stays) this.#rows.copyWithin(kept++ * width, row * width, (row + 1) * width)
    }
    this.#places.dropped += this.#used - kept
    this.#used = kept
    this.#cut = Math.max(this.#cut, middle)
    this.#rehash()
  }
}
