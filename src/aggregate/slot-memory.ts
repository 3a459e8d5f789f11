// The memory of slots. A collector lends it to the detector with a slot, and has it back when the slot has been taken: no slot is copied, and none has its
// memory cleared by the system first. It is shared, not handed over, as V8 counts what is handed over as a reason to look for garbage in the whole heap.

/** Less memory is not worth telling apart. Octets. */
const octetsMin = 1 << 14
/** A buffer more than this many times as large as was needed lately is left from a flood, and is let go. */
const roomMax = 8
/** What is left of the largest need from one loan to the next: half of it after seventy. */
const remembered = 0.99
/** Buffers that wait to be lent: one for the counters and one for the records of each slot that may be on its way. */
const freeMax = 10

export class SlotMemory {
  /** What waits to be lent, the smallest first. */
  readonly #free: SharedArrayBuffer[] = []

  /** Octets that were needed lately, at most. */
  #lately = 0

  /** The buffers that wait to be lent. */
  get free(): readonly SharedArrayBuffer[] {
    return this.#free
  }

  /** Lends at least as many octets; they hold what they held. */
  lend(octets: number): SharedArrayBuffer {
    const needed = Math.max(octets, octetsMin)
    this.#lately = Math.max(needed, this.#lately * remembered)
    while ((this.#free.at(-1)?.byteLength ?? 0) > this.#lately * roomMax) this.#free.pop()
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= needed)
    return at < 0 ? new SharedArrayBuffer(2 ** Math.ceil(Math.log2(needed))) : this.#free.splice(at, 1)[0]
  }

  /** Nobody uses these buffers any more. */
  takeBack(buffers: readonly SharedArrayBuffer[]): void {
    this.#free.push(...buffers)
    this.#free.sort((a, b) => a.byteLength - b.byteLength)
    this.#free.splice(0, this.#free.length - freeMax)
  }
}
