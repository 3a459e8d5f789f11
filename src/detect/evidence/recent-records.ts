// The records of the last moments, of all targets, as the collectors sent them: the lists of an attack begin with them. Keeping a slot costs nothing; the
// attacks that begin in one pass share one reading.
import { freeColumns, type RecordColumns, type SealedSlot } from '../../aggregate/sealed-slot.ts'
import { evidence } from '../lines/evidence.ts'
import type { AttackIndex } from './attack-index.ts'

export class RecentRecords {
  readonly #recordsMax: number
  #slots: { sealedMs: number; records: RecordColumns; number: number }[] = []
  /** Number of the latest slot, in the order of arrival. */
  latest = -1
  #records = 0
  /** Records dropped before their time because there were too many. */
  dropped = 0

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax
  }

  /** Keeps the records of a slot, which are its own from now on, and gives the slot's number. */
  keep({ sealedMs, records }: Pick<SealedSlot, 'sealedMs' | 'records'>): number {
    this.#slots.push({ sealedMs, records, number: ++this.latest })
    this.#records += records.rows
    // A slot of another time than its neighbours' (a clock was set) is dropped with them.
    while (this.#slots.length > 1 && Math.abs(sealedMs - this.#slots[0].sealedMs) > evidence.recentMs)
      this.#dropOldest()
    while (this.#records > this.#recordsMax && this.#slots.length > 1) this.dropped += this.#dropOldest()
    return this.latest
  }

  /** Adds all records to the lists of the attacks that they belong to. */
  addTo(attacked: Pick<AttackIndex, 'addRecords'>): void {
    for (const { sealedMs, records, number } of this.#slots) attacked.addRecords(records, sealedMs, number)
  }

  /** Sets the places of the exporters that they have to 1. */
  markExporters(used: Uint8Array): void {
    for (const { records } of this.#slots) {
      for (let row = 0; row < records.rows; row++) used[records.exporter[row]] = 1
    }
  }

  #dropOldest(): number {
    const oldest = this.#slots.shift()
    if (oldest === undefined) return 0
    freeColumns(oldest.records)
    this.#records -= oldest.records.rows
    return oldest.records.rows
  }
}
