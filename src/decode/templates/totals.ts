// Counters that run from the beginning of a flow (octetTotalCount and its like) come again in each record of a long flow: the amounts of earlier records are
// subtracted. The memory of flows is a bounded table, in which a flow may push another out: its next record then counts
// in full.
import type { Batch } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { mix } from './mix.ts'

/** Which counters of a template are totals. */
export interface Totals {
  bytes: boolean
  packets: boolean
  /** How far the start of one and the same flow may differ from record to record: times that count from a header's whole seconds do. */
  jitterMs: number
}

const startBit = presentBit('startMs')

export class FlowTotals {
  /** By a hash of stream and flow; another hash tells flows of one place apart. */
  readonly #check: Uint32Array
  readonly #startMs: Float64Array
  readonly #endMs: Float64Array
  readonly #bytes: Float64Array
  readonly #packets: Float64Array
  readonly #mask: number

  /** `flowsMax` is a power of two. */
  constructor(flowsMax: number) {
    this.#mask = flowsMax - 1
    this.#check = new Uint32Array(flowsMax)
    this.#startMs = new Float64Array(flowsMax)
    this.#endMs = new Float64Array(flowsMax)
    this.#bytes = new Float64Array(flowsMax)
    this.#packets = new Float64Array(flowsMax)
  }

  /**
   * Leaves in the rows what was counted since the flow's last record, from that record's end on. Flows without a start look like those that follow them
   * between the same ends, and stay as they are. Gives the number of rows that continued a flow.
   */
  settle(batch: Batch, row: number, count: number, stream: number, totals: Totals): number {
    const { ipVersion, startMs, endMs, bytes, packets, present } = batch.columns
    let continued = 0
    for (let i = row; i < row + count; i++) {
      if (ipVersion[i] !== 4 || (present[i] & startBit) === 0) continue
      const hash = this.#hash(batch, i, stream, 0x9e3779b1)
      const check = this.#hash(batch, i, stream, 0x85ebca6b)
      const at = hash & this.#mask
      const [start, end, allBytes, allPackets] = [startMs[i], endMs[i], bytes[i], packets[i]]
      const known = this.#check[at] === check && Math.abs(this.#startMs[at] - start) <= totals.jitterMs
      if (known && allBytes >= this.#bytes[at] && allPackets >= this.#packets[at]) {
        if (totals.bytes) bytes[i] -= this.#bytes[at]
        if (totals.packets) packets[i] -= this.#packets[at]
        startMs[i] = Math.max(start, Math.min(this.#endMs[at], end))
        continued++
      }
      this.#check[at] = check
      this.#startMs[at] = start
      this.#endMs[at] = end
      this.#bytes[at] = totals.bytes ? allBytes : 0
      this.#packets[at] = totals.packets ? allPackets : 0
    }
    return continued
  }

  #hash({ columns }: Batch, row: number, stream: number, seed: number): number {
    const { srcAddr, dstAddr, srcPort, dstPort, ipProto } = columns
    let hash = mix(seed ^ stream, srcAddr[row])
    hash = mix(hash, dstAddr[row])
    hash = mix(hash, (srcPort[row] << 16) | dstPort[row])
    return mix(hash, ipProto[row]) >>> 0
  }
}
