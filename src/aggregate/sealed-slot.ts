// What a collector sends to the detector once a second: counters and evidence in columns. Two of them merge by adding, so the same
// message serves between threads and between machines. An address, not an index, names the target: no table has to be shared.

/**
 * Counter differences: the value of (address, kind of traffic) at `second` rises by `packets`, `bytes`, `flows` a second from
 * `second` on. A record spread over [start, end] is two rows, one that adds at its start and one that takes away after its end,
 * so its cost does not depend on its duration. Counters are scaled by the sampling rate.
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
}

/** Top items of targets whose traffic passed the floor in this slot; merged into the target's evidence by adding. */
export interface EvidenceColumns {
  rows: number
  address: Uint32Array
  /** Index into `dimensions`. */
  dimension: Uint8Array
  item: Uint32Array
  flows: Float64Array
  packets: Float64Array
  bytes: Float64Array
  /** IP protocols seen for the item: indexes into a small table, as a bit set of `protocolBits`. */
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
