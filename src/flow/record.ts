// A row of a batch as a plain object: for people, files and tests, never on the hot path.
import { formatIpv4 } from '../net/ipv4.ts'
import { formatIpv6 } from '../net/ipv6.ts'
import type { Batch } from './batch.ts'
import { type ColumnName, directions, type ExportProtocol, exportProtocols, presentBit } from './columns.ts'

/** A flow record with its counters as exported, not scaled. Null: the exporter did not send the field. */
export interface FlowRecord {
  protocol: ExportProtocol
  /** Addresses as text. */
  src: string | null
  dst: string | null
  srcPort: number | null
  dstPort: number | null
  ipProto: number | null
  tcpFlags: number | null
  bytes: number | null
  packets: number | null
  startMs: number | null
  endMs: number | null
  samplingRate: number | null
  ingressInterface: number | null
  egressInterface: number | null
  sourceAs: number | null
  /** 0: counted as the packets came in, 1: as they left. */
  direction: number | null
}

type NumberColumn = Exclude<keyof FlowRecord, 'protocol' | 'src' | 'dst' | 'samplingRate' | 'direction'>

export function recordAt({ columns }: Batch, row: number): FlowRecord {
  const present = columns.present[row]
  const sent = (name: ColumnName) => (present & presentBit(name)) !== 0
  const value = (name: NumberColumn) => (sent(name) ? columns[name][row] : null)
  const address = (ip4: 'srcAddr' | 'dstAddr', ip6: 'src6' | 'dst6') => {
    if (columns.ipVersion[row] !== 6) return sent(ip4) ? formatIpv4(columns[ip4][row]) : null
    return sent(ip6) ? formatIpv6(viewOf(columns[ip6]), row * 16) : null
  }
  return {
    protocol: exportProtocols[columns.exportProtocol[row]],
    src: address('srcAddr', 'src6'),
    dst: address('dstAddr', 'dst6'),
    srcPort: value('srcPort'),
    dstPort: value('dstPort'),
    ipProto: value('ipProto'),
    tcpFlags: value('tcpFlags'),
    bytes: value('bytes'),
    packets: value('packets'),
    startMs: value('startMs'),
    endMs: value('endMs'),
    samplingRate: columns.samplingRate[row] || null,
    ingressInterface: value('ingressInterface'),
    egressInterface: value('egressInterface'),
    sourceAs: value('sourceAs'),
    direction: sent('direction') ? Math.min(columns.direction[row], directions.egress) : null,
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
