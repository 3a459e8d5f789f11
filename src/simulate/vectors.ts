// THE table of attacks that can be simulated: the packets of each, which belong to one row of the table of vectors, and have all of its signature.
import type { SimulationVectorName } from '../contract/simulation-vectors.ts'
import { ICMP, TCP, UDP } from '../net/protocols.ts'
import { SYN } from '../net/tcp-flags.ts'

export interface SimulatedVector {
  protocol: number
  /** Null: of systems of hosts, at or above `hostPortMin`. */
  srcPort: number | null
  dstPort: number | null
  tcpFlags: number
  /** IP packet length, octets. */
  packetBytes: number
}

/** No service that amplifies answers from there on. */
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
    // RFC 7012: 256 times the type, here an echo request, and the code.
    dstPort: 8 * 256,
    tcpFlags: 0,
    packetBytes: 84,
  },
}
