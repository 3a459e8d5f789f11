// Exporters by number: every slot has its own places for them, evidence needs one number for an address, whichever collector heard of it.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'

/** Far more than a network has: others come from made-up addresses. */
const exportersMax = 4_096

export class ExporterNumbers {
  readonly #addresses = ['']
  readonly #numbers = new Map<string, number>([['', 0]])
  /** Addresses, of slots, that found no number. */
  refused = 0

  /** Puts numbers in the place of the slot's own. */
  apply({ records, exporters }: SealedSlot): void {
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
    if (this.#addresses.length === exportersMax) {
      this.refused++
      return 0
    }
    this.#numbers.set(address, this.#addresses.length)
    return this.#addresses.push(address) - 1
  }
}
