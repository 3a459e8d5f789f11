// What a collector sends to the detector once a second: counters and evidence in columns. Two of them merge by adding, so the same
// message serves between threads and between machines. An address, not an index, names the target: no table has to be shared.

/**
 * Counter differences: the value of (address, traffic class) at `second` rises by `packets`, `bytes`, `flows` a second from
 * `second` on. A record spread over [start, end] is two rows, one that adds at its start and one that takes away after its end,
 * so its cost does not depend on its duration. Rows are sorted by address, class, second; the differences of an (address, class)
 * sum to zero. `packets` and `bytes` are scaled by the sampling rate; `flows` are records, `observed` are packets as exported.
 */
export interface CounterColumns {
  rows: number
  /** IPv4 address of the target. */
  address: Uint32Array
  /** Traffic class: an index into the classes of `vectors/`. */
  trafficClass: Uint16Array
  /** Unix time, seconds. */
  second: Uint32Array
  packets: Float64Array
  bytes: Float64Array
  flows: Float64Array
  /** Packets before scaling: what the certainty of the other counters rests on. */
  observed: Float64Array
  /** Source addresses of the records that begin in `second`, each hashed to one of 32 bits. Merged by OR. */
  sources: Uint32Array
  /** Destination ports of these records, likewise. */
  ports: Uint32Array
}

/** Top items of targets whose traffic passed the floor in this slot; merged into the target's evidence by adding. */
export interface EvidenceColumns {
  rows: number
  address: Uint32Array
  /** Index into `dimensions`. */
  dimension: Uint8Array
  item: Uint32Array
  /** Records, not scaled. */
  flows: Float64Array
  packets: Float64Array
  bytes: Float64Array
  /** IP protocols seen with the item, as a bit set (see protocol-bits.ts). */
  protocols: Uint32Array
}

/** The statistic lists of the interface, in its words. */
export const dimensions = ['dstport', 'srcport', 'srcip', 'proto', 'flags'] as const
export type Dimension = (typeof dimensions)[number]

export interface SealedSlot {
  /** Unix time at which it was sealed, milliseconds. */
  sealedMs: number
  counters: CounterColumns
  evidence: EvidenceColumns
}

export function createCounterColumns(rows: number): CounterColumns {
  return {
    rows: 0,
    address: new Uint32Array(rows),
    trafficClass: new Uint16Array(rows),
    second: new Uint32Array(rows),
    packets: new Float64Array(rows),
    bytes: new Float64Array(rows),
    flows: new Float64Array(rows),
    observed: new Float64Array(rows),
    sources: new Uint32Array(rows),
    ports: new Uint32Array(rows),
  }
}

export function createEvidenceColumns(rows: number): EvidenceColumns {
  return {
    rows: 0,
    address: new Uint32Array(rows),
    dimension: new Uint8Array(rows),
    item: new Uint32Array(rows),
    flows: new Float64Array(rows),
    packets: new Float64Array(rows),
    bytes: new Float64Array(rows),
    protocols: new Uint32Array(rows),
  }
}

/** The same rows in columns that have room for `length`. */
export function resizedEvidence(from: EvidenceColumns, length: number): EvidenceColumns {
  const to = createEvidenceColumns(length)
  to.rows = from.rows
  to.address.set(from.address.subarray(0, from.rows))
  to.dimension.set(from.dimension.subarray(0, from.rows))
  to.item.set(from.item.subarray(0, from.rows))
  to.flows.set(from.flows.subarray(0, from.rows))
  to.packets.set(from.packets.subarray(0, from.rows))
  to.bytes.set(from.bytes.subarray(0, from.rows))
  to.protocols.set(from.protocols.subarray(0, from.rows))
  return to
}
