// Exporters by number: every slot has its own places for them, evidence needs one number for an address, whichever collector heard of it.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'

/** Far more than a network has: others come from made-up addresses. */
const exportersMax = 4_096
/** To find out which are in use is a reading of all recent records. */
const reclaimEveryMs = 30_000

/**
 * An interface of an exporter as one number: its index (32 bits) and the exporter's number in the lowest bits, so that those who hash 32 bits of it
 * tell both apart.
 */
export function interfaceNumber(exporter: number, index: number): number {
  return index * exportersMax + exporter
}

export function exporterOfInterface(number: number): number {
  return number % exportersMax
}

export function indexOfInterface(number: number): number {
  return Math.floor(number / exportersMax)
}

export class ExporterNumbers {
  readonly #markUsed: (used: Uint8Array) => void
  readonly #addresses = ['']
  readonly #numbers = new Map<string, number>([['', 0]])
  /** Given back. */
  #free: number[] = []
  #reclaimedMs = Number.NEGATIVE_INFINITY
  /** Addresses, of slots, that found no number. */
  refused = 0

  /** `markUsed`: sets to 1 the places of the numbers that records or lists still have. */
  constructor(markUsed: (used: Uint8Array) => void) {
    this.#markUsed = markUsed
  }

  /** Puts numbers in the place of the slot's own. */
  apply({ records, exporters, sealedMs }: Pick<SealedSlot, 'records' | 'exporters' | 'sealedMs'>): void {
    const isDue = Math.abs(sealedMs - this.#reclaimedMs) >= reclaimEveryMs
    if (this.#isFull && isDue && exporters.some((address) => !this.#numbers.has(address))) {
      this.#reclaim()
      this.#reclaimedMs = sealedMs
    }
    const numbers = Uint16Array.from(exporters, (address) => this.numberOf(address))
    for (let row = 0; row < records.rows; row++) records.exporter[row] = numbers[records.exporter[row]]
  }

  /** Empty for those that have no number of their own. */
  addressOf(number: number): string {
    return this.#addresses[number]
  }

  /** 0 when there are too many. */
  numberOf(address: string): number {
    const found = this.#numbers.get(address)
    if (found !== undefined) return found
    if (this.#isFull) {
      this.refused++
      return 0
    }
    const number = this.#free.pop() ?? this.#addresses.length
    this.#numbers.set(address, number)
    this.#addresses[number] = address
    return number
  }

  get #isFull(): boolean {
    return this.#free.length === 0 && this.#addresses.length === exportersMax
  }

  /** Numbers that nothing has any more are for others. */
  #reclaim(): void {
    const used = new Uint8Array(exportersMax)
    this.#markUsed(used)
    for (const [address, number] of this.#numbers) {
      if (number === 0 || used[number] === 1) continue
      this.#numbers.delete(address)
      this.#free.push(number)
    }
  }
}
