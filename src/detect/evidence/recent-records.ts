// The records of the last moments, of all targets, as the collectors sent them: the lists of an attack begin with them. The attacks that begin in one pass
// share one reading.
import {
  copyRecords,
  lendRecordColumns,
  lentMemory,
  type RecordColumns,
  type SealedSlot,
} from '../../aggregate/sealed-slot.ts'
import { SlotMemory } from '../../aggregate/slot-memory.ts'
import { evidence } from '../lines/evidence.ts'
import type { AttackIndex } from './attack-index.ts'

export class RecentRecords {
  readonly #recordsMax: number
  readonly #memory = new SlotMemory()
  #slots: { sealedMs: number; records: RecordColumns; number: number }[] = []
  /** Number of the latest slot, in the order of arrival. */
  latest = -1
  #records = 0
  /** Records dropped before their time because there were too many. */
  dropped = 0

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax
  }

  /** Keeps a copy of a slot's records, and gives the slot's number. */
  keep({ sealedMs, records }: Pick<SealedSlot, 'sealedMs' | 'records'>): number {
    // A slot of another time than its neighbours' (a clock was set) is dropped with them.
    while (this.#slots.length > 0 && Math.abs(sealedMs - this.#slots[0].sealedMs) > evidence.recentMs)
      this.#dropOldest()
    this.#records += records.rows
    while (this.#records > this.#recordsMax && this.#slots.length > 0) this.dropped += this.#dropOldest()
    const kept = copyRecords(records, lendRecordColumns(this.#memory, records.rows))
    this.#slots.push({ sealedMs, records: kept, number: ++this.latest })
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
    this.#memory.takeBack(lentMemory(oldest.records))
    this.#records -= oldest.records.rows
    return oldest.records.rows
  }
}
