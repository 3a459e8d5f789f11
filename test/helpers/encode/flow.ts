// A flow as tests, benches and the demo write it down. Counters are what the exporter counted: not scaled by its sampling rate.

export interface Flow {
  /** IPv4 or IPv6; both ends of the same version. */
  src: string
  dst: string
  srcPort?: number
  dstPort?: number
  ipProto?: number
  tcpFlags?: number
  bytes?: number
  packets?: number
  /** Unix milliseconds; the moment of export when left out. */
  startMs?: number
  endMs?: number
  /** SNMP indices; 0: not known. */
  ingressInterface?: number
  egressInterface?: number
  sourceAs?: number
  /** 0: as the packets came in, 1: as they left. */
  direction?: number
}

export type FullFlow = Required<Flow>

export function fullFlow(flow: Flow, nowMs: number): FullFlow {
  return {
    srcPort: 0,
    dstPort: 0,
    ipProto: 17,
    tcpFlags: 0,
    bytes: 0,
    packets: 1,
    startMs: nowMs,
    endMs: nowMs,
    ingressInterface: 0,
    egressInterface: 0,
    sourceAs: 0,
    direction: 0,
    ...flow,
  }
}

/** Slices of at most `size`; one empty slice of nothing. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const slices: T[][] = []
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size))
  return slices
}
