// THE table of attacks that can be simulated, with the packets of each. They belong to one row of the table of vectors, and have its whole signature.
import type { SimulationVectorName } from '../../contract/simulation-vectors.ts'
import { ICMP, TCP, UDP } from '../../net/protocols.ts'
import { SYN } from '../../net/tcp-flags.ts'

export interface SimulatedVector {
  protocol: number
  /** Null: a port that operating systems choose, at or above `hostPortMin`. */
  srcPort: number | null
  dstPort: number | null
  tcpFlags: number
  /** IP packet length, octets. */
  packetBytes: number
}

/** Lowest port of hosts: no service that amplifies has this port or a higher one. */
export const hostPortMin = 54_000

export const simulatedVectors: Readonly<Record<SimulationVectorName, SimulatedVector>> = {
  ntp: {
    protocol: UDP,
    srcPort: 123,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 468,
  },
  dns: {
    protocol: UDP,
    srcPort: 53,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 1_400,
  },
  syn: {
    protocol: TCP,
    srcPort: null,
    dstPort: 443,
    tcpFlags: SYN,
    packetBytes: 60,
  },
  udp: {
    protocol: UDP,
    srcPort: null,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 512,
  },
  icmp: {
    protocol: ICMP,
    srcPort: 0,
    // RFC 7012: 256 times the type, which is an echo request, plus the code.
    dstPort: 8 * 256,
    tcpFlags: 0,
    packetBytes: 84,
  },
}
