// The records of the last moments, of all targets, as the collectors sent them: when an attack is judged, its lists begin with what had already
// come. To keep a slot costs nothing; only an attack that begins has them read, and all that begin in one pass share the reading.
import type { RecordColumns, SealedSlot } from '../aggregate/sealed-slot.ts'
import type { AttackedIndex } from './attacked-index.ts'

/** An attack is judged within so long of its first records, or it has lists from then on only. */
export const keepMs = 30_000

export class RecentRecords {
  readonly #recordsMax: number
  #slots: { sealedMs: number; records: RecordColumns; number: number }[] = []
  /** The number of the latest slot; they are numbered as they come. */
  latest = -1
  #records = 0
  /** Records dropped before their time, since there were too many. */
  dropped = 0

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax
  }

  /** Answers the slot's number. */
  keep({ sealedMs, records }: Pick<SealedSlot, 'sealedMs' | 'records'>): number {
    this.#slots.push({ sealedMs, records, number: ++this.latest })
    this.#records += records.rows
    // A slot of another time than its neighbours' (a clock was set) goes with them.
    while (this.#slots.length > 1 && Math.abs(sealedMs - this.#slots[0].sealedMs) > keepMs) this.#dropOldest()
    while (this.#records > this.#recordsMax && this.#slots.length > 1) this.dropped += this.#dropOldest()
    return this.latest
  }

  /** Adds to the lists of these attacks what came for them. */
  addTo(attacked: Pick<AttackedIndex, 'addRecords'>): void {
    for (const { sealedMs, records, number } of this.#slots) attacked.addRecords(records, sealedMs, number)
  }

  /** Sets the places of the exporters that they have to 1. */
  markExporters(used: Uint8Array): void {
    for (const { records } of this.#slots) {
      for (let row = 0; row < records.rows; row++) used[records.exporter[row]] = 1
    }
  }

  #dropOldest(): number {
    const rows = this.#slots.shift()?.records.rows ?? 0
    this.#records -= rows
    return rows
  }
}
