// Logs the records of watched targets in one slot, in the order of their arrival: the detector makes an attack's lists from them. A record costs one write.
import { createRecordColumns, type RecordColumns, resizedRecords } from './sealed-slot.ts'

const recordsAtFirst = 1 << 10

export class RecordLog {
  readonly #recordsMax: number
  #columns = createRecordColumns(recordsAtFirst)
  /** Records refused because the log was full. */
  refused = 0

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax
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
    if (this.#columns.rows === this.#columns.address.length && !this.#grow()) {
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

  /** The records since the last seal. */
  seal(): RecordColumns {
    const sealed = resizedRecords(this.#columns, this.#columns.rows)
    this.#columns.rows = 0
    return sealed
  }

  /** Returns false when the log has reached its bound. */
  #grow(): boolean {
    const length = Math.min(this.#columns.rows * 2, this.#recordsMax)
    if (length === this.#columns.rows) return false
    this.#columns = resizedRecords(this.#columns, length)
    return true
  }
}
