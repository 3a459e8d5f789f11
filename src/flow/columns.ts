// THE list of columns that a flow record has between the decoders and the counters. To add one, add a row. What only decoders need of a record (such as
// elements that tell its sampling rate) has columns in decode/templates/scratch.ts.

/** `u32`: unsigned 32-bit. `f64`: counters and times, exact to 2^53. `ip6`: 16 octets a row, network order. */
export type ColumnKind = 'u32' | 'f64' | 'ip6'

export const columns = {
  /** Index of the exporter's stream (address, port, observation domain) in the exporter table. */
  exporter: 'u32',
  /** Protocol of the export: an index into `exportProtocols`. */
  exportProtocol: 'u32',
  /** 4 or 6; 0 when the record has no address. IPv6 rows have their addresses in `src6` and `dst6`. */
  ipVersion: 'u32',
  srcAddr: 'u32',
  dstAddr: 'u32',
  src6: 'ip6',
  dst6: 'ip6',
  srcPort: 'u32',
  dstPort: 'u32',
  ipProto: 'u32',
  /** Low eight bits; in NetFlow the OR over all packets of the flow. */
  tcpFlags: 'u32',
  /** 1 when the record is (or its packets are) a fragment after the first, or the exporter says it saw fragments. */
  fragment: 'u32',
  /** As exported, not scaled by the sampling rate. */
  bytes: 'f64',
  /** As exported, not scaled by the sampling rate. */
  packets: 'f64',
  /** Unix time of the first and last packet, milliseconds; the time of receipt when the exporter sent none. */
  startMs: 'f64',
  endMs: 'f64',
  /** 1 of how many packets was sampled; 0 when unknown (counted as 1). */
  samplingRate: 'f64',
  /** SNMP index of the interface that the packets came in by; 0: unknown. */
  ingressInterface: 'u32',
  /** SNMP index of the interface that they left by; 0: unknown, or they did not leave. */
  egressInterface: 'u32',
  /** Autonomous system of the source by the exporter's routing table, or the neighbouring one where the table has no more; 0: unknown. */
  sourceAs: 'u32',
  /** Where the packets were counted: see `directions`. */
  direction: 'u32',
  /** Bit set of the columns (see `presentBit`) whose value the exporter really sent. */
  present: 'u32',
} as const satisfies Record<string, ColumnKind>

export type ColumnName = keyof typeof columns

/**
 * Values of the column `direction` (element 61). `ingress`: as they came in, or unknown. `egress`: as they left. `again`: as they left,
 * after the exporter had counted them as they came in; such rows are not to be counted.
 */
export const directions = { ingress: 0, egress: 1, again: 2 } as const

export const columnNames = Object.keys(columns) as ColumnName[]

export const exportProtocols = ['netflow5', 'netflow9', 'ipfix', 'sflow5'] as const
export type ExportProtocol = (typeof exportProtocols)[number]

const bits = new Map(columnNames.map((name, place) => [name, 1 << place]))

/** The bit that stands for a column in `present`. */
export function presentBit(column: ColumnName): number {
  return bits.get(column) ?? 0
}

export const packetsBit = presentBit('packets')
