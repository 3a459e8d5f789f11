// The memory of slots. A collector lends it to the detector with a slot, and has it back when the slot has been taken: no slot is copied, and none has its
// memory cleared by the system first. It is shared, not handed over, as V8 counts what is handed over as a reason to look for garbage in the whole heap.

/** Less memory is not worth telling apart. Octets. */
const octetsMin = 1 << 14
/** A buffer more than this many times as large as is needed is left from a flood, and is let go. */
const roomMax = 8
/** Buffers that wait to be lent: one for the counters and one for the records of each slot that may be on its way. */
const freeMax = 10

export class SlotMemory {
  /** What waits to be lent, the smallest first. */
  readonly #free: SharedArrayBuffer[] = []

  /** Number of buffers that wait to be lent. */
  get free(): number {
    return this.#free.length
  }

  /** Lends at least as many octets; they hold what they held. */
  lend(octets: number): SharedArrayBuffer {
    const needed = Math.max(octets, octetsMin)
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= needed)
    const found = at < 0 ? undefined : this.#free.splice(at, 1)[0]
    if (found !== undefined && found.byteLength <= needed * roomMax) return found
    return new SharedArrayBuffer(2 ** Math.ceil(Math.log2(needed)))
  }

  /** Nobody uses these buffers any more. */
  takeBack(buffers: readonly SharedArrayBuffer[]): void {
    this.#free.push(...buffers)
    this.#free.sort((a, b) => a.byteLength - b.byteLength)
    this.#free.splice(0, this.#free.length - freeMax)
  }
}
