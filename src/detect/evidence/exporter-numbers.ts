// Numbers of exporters: each slot has numbers of its own, and evidence needs one number for an address, whichever collector it sends to.
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { evidence } from '../lines/evidence.ts'

const { exporters: exportersMax, reclaimEveryMs } = evidence

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
  /** Numbers that were given back. */
  #free: number[] = []
  #reclaimedMs = Number.NEGATIVE_INFINITY
  /** Addresses without a number, counted in each slot. */
  refused = 0

  /** `markUsed` sets the places of the numbers that records or lists still have to 1. */
  constructor(markUsed: (used: Uint8Array) => void) {
    this.#markUsed = markUsed
  }

  /** Replaces the numbers of a slot by those of this table. */
  apply({ records, exporters, sealedMs }: Pick<SealedSlot, 'records' | 'exporters' | 'sealedMs'>): void {
    const isDue = Math.abs(sealedMs - this.#reclaimedMs) >= reclaimEveryMs
    if (this.#isFull && isDue && exporters.some((address) => !this.#numbers.has(address))) {
      this.#reclaim()
      this.#reclaimedMs = sealedMs
    }
    const numbers = Uint16Array.from(exporters, (address) => this.numberOf(address))
    for (let row = 0; row < records.rows; row++) records.exporter[row] = numbers[records.exporter[row]]
  }

  /** Address of a number; empty for exporters without a number of their own. */
  addressOf(number: number): string {
    return this.#addresses[number]
  }

  /** Number of an address; 0 when there are too many. */
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

  /** Takes back numbers that nothing uses any more. */
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
