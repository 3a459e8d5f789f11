// The memory of all rings: pages of some seconds, in blocks that are taken as they are needed, up to a bound. A ring has pages only for the time with traffic:
// an address with little traffic costs little, and no traffic can take more than the bound.
import { offsetsOf } from '../../offsets.ts'

/** Seconds of a page. */
export const pageSeconds = 30

/** Stands in a ring for a page without traffic. */
export const emptyPage = 0

/** The numbers of a slot lie side by side; those of the last two are bit sets. */
export const at = offsetsOf({ packets: 0, bytes: 1, flows: 2, observed: 3, sources: 4, ports: 5 })
export const slotWidth = 6
/**
 * The numbers after the slots of a page and its sum, a slot of all seconds: the most packets, bytes and flows of any slot, the coarsest sampling (packets
 * per sampled one), the seconds with a source that no packet can come from.
 */
export const boundAt = offsetsOf({ packets: 0, bytes: 1, flows: 2, sampling: 3, forgedSeconds: 4 })
const boundsWidth = 5

const blockBits = 10
const pagesPerBlock = 1 << blockBits

/** Pages of one resolution. */
export class PagePool {
  readonly secondsPerSlot: number
  /** Place of the slot of each second of a page. */
  readonly offsets: readonly number[]
  /** Place of the sum of the slots. */
  readonly sumOffset: number
  /** Place of the bounds of the slots. */
  readonly boundsOffset: number
  readonly #width: number
  readonly #pagesMax: number
  readonly #numbers: Float32Array[] = []
  /** The same memory, as bit sets. */
  readonly #bits: Uint32Array[] = []
  readonly #free: number[] = []
  /** Pages from here on were never taken. */
  #unused = emptyPage + 1
  /** Amounts without a page. */
  refused = 0

  constructor(secondsPerSlot: number, pagesMax: number) {
    this.secondsPerSlot = secondsPerSlot
    this.offsets = Array.from({ length: pageSeconds }, (_, i) => Math.floor(i / secondsPerSlot) * slotWidth)
    this.sumOffset = (pageSeconds / secondsPerSlot) * slotWidth
    this.boundsOffset = this.sumOffset + slotWidth
    this.#width = this.boundsOffset + boundsWidth
    this.#pagesMax = pagesMax
  }

  /** Pages in use. */
  get taken(): number {
    return this.#unused - 1 - this.#free.length
  }

  /** The block that a page lies in. */
  numbersOf(page: number): Float32Array {
    return this.#numbers[page >> blockBits]
  }

  /** The same block. */
  bitsOf(page: number): Uint32Array {
    return this.#bits[page >> blockBits]
  }

  /** Where a page begins in its block. */
  startOf(page: number): number {
    return (page & (pagesPerBlock - 1)) * this.#width
  }

  /** Takes a page of zeros; `emptyPage` when there are no more. */
  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.taken >= this.#pagesMax) {
      this.refused++
      return emptyPage
    }
    const page = this.#unused++
    if (page >> blockBits >= this.#numbers.length) this.#grow()
    return page
  }

  /** Takes a page with the numbers of another; `emptyPage` when there are no more. */
  copy(page: number): number {
    const made = this.take()
    if (made === emptyPage) return emptyPage
    const start = this.startOf(page)
    this.numbersOf(made).set(this.numbersOf(page).subarray(start, start + this.#width), this.startOf(made))
    return made
  }

  give(page: number): void {
    const start = this.startOf(page)
    this.numbersOf(page).fill(0, start, start + this.#width)
    this.#free.push(page)
  }

  #grow(): void {
    const numbers = new Float32Array(pagesPerBlock * this.#width)
    this.#numbers.push(numbers)
    this.#bits.push(new Uint32Array(numbers.buffer))
  }
}

/** Resolution of old seconds, seconds. */
const coarseSeconds = 10
/** Coarse pages for each fine one: most pages of a ring are coarse. */
const coarsePerFine = 2

export class RatePages {
  readonly fine: PagePool
  /** Slots hold the mean of their seconds. */
  readonly coarse: PagePool

  /** `pagesMax` is the number of fine pages. */
  constructor(pagesMax: number) {
    this.fine = new PagePool(1, pagesMax)
    this.coarse = new PagePool(coarseSeconds, pagesMax * coarsePerFine)
  }

  /** Amounts without a page. */
  get refused(): number {
    return this.fine.refused
  }
}
