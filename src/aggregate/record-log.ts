// Logs the records of watched targets in one slot, in the order of their arrival: the detector makes an attack's lists from them. A record costs one write.
import { copyRecords, lendRecordColumns, lentMemory, type RecordColumns } from './sealed-slot.ts'
import type { SlotMemory } from './slot-memory.ts'

const recordsAtFirst = 1 << 10

export class RecordLog {
  readonly #recordsMax: number
  readonly #memory: SlotMemory
  #columns: RecordColumns
  /** Records that there is room for. */
  #room: number
  /** Records refused because the log was full. */
  refused = 0

  constructor(recordsMax: number, memory: SlotMemory) {
    this.#recordsMax = recordsMax
    this.#memory = memory
    this.#columns = lendRecordColumns(memory, recordsAtFirst)
    this.#room = Math.min(this.#columns.address.length, recordsMax)
  }

  get rows(): number {
    return this.#columns.rows
  }

  /** Adds a record; its packets and bytes are scaled by the sampling rate. */
  add(
    address: number,
    srcAddr: number,
    srcPort: number,
    dstPort: number,
    ipProto: number,
    tcpFlags: number,
    packets: number,
    bytes: number,
    samplingRate: number,
    second: number,
    lasted: number,
    exporter: number,
    ingressInterface: number,
    egressInterface: number,
    sourceAs: number,
  ): void {
    if (this.#columns.rows === this.#room && !this.#grow()) {
      this.refused++
      return
    }
    const columns = this.#columns
    const row = columns.rows++
    columns.address[row] = address
    columns.srcAddr[row] = srcAddr
    columns.srcPort[row] = srcPort
    columns.dstPort[row] = dstPort
    columns.ipProto[row] = ipProto
    columns.tcpFlags[row] = tcpFlags
    columns.packets[row] = packets
    columns.bytes[row] = bytes
    columns.samplingRate[row] = samplingRate
    columns.second[row] = second
    columns.lasted[row] = lasted
    columns.exporter[row] = exporter
    columns.ingressInterface[row] = ingressInterface
    columns.egressInterface[row] = egressInterface
    columns.sourceAs[row] = sourceAs
  }

  /** The records since the last seal, in memory that is lent. */
  seal(): RecordColumns {
    const sealed = this.#columns
    // The next slot has about as many.
    this.#use(lendRecordColumns(this.#memory, Math.max(sealed.rows, recordsAtFirst)))
    return sealed
  }

  #use(columns: RecordColumns): void {
    this.#columns = columns
    this.#room = Math.min(columns.address.length, this.#recordsMax)
  }

  /** Returns false when the log has reached its bound. */
  #grow(): boolean {
    const full = this.#columns
    if (full.rows >= this.#recordsMax) return false
    this.#use(copyRecords(full, lendRecordColumns(this.#memory, full.rows * 2)))
    this.#memory.takeBack(lentMemory(full))
    return true
  }
}
