// THE table of attacks that can be simulated: the packets of each, which belong to one row of the table of vectors, and have all of its signature.
import { ICMP, TCP, UDP } from '../net/protocols.ts'
import { SYN } from '../net/tcp-flags.ts'

export interface SimulatedVector {
  /** As the event is labelled. */
  label: string
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

export const simulatedVectors = {
  ntp: {
    label: 'udp@attack@amp_flood_target-NTP',
    protocol: UDP,
    srcPort: 123,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 468,
  },
  dns: {
    label: 'udp@attack@amp_flood_target-DNS',
    protocol: UDP,
    srcPort: 53,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 1_400,
  },
  syn: {
    label: 'tcp@attack@syn_flood_target',
    protocol: TCP,
    srcPort: null,
    dstPort: 443,
    tcpFlags: SYN,
    packetBytes: 60,
  },
  udp: {
    label: 'udp@attack@simple_flood_target',
    protocol: UDP,
    srcPort: null,
    dstPort: null,
    tcpFlags: 0,
    packetBytes: 512,
  },
  icmp: {
    label: 'icmp@attack@simple_flood_target',
    protocol: ICMP,
    srcPort: 0,
    // RFC 7012: 256 times the type, here an echo request, and the code.
    dstPort: 8 * 256,
    tcpFlags: 0,
    packetBytes: 84,
  },
} as const satisfies Record<string, SimulatedVector>

export type SimulatedVectorName = keyof typeof simulatedVectors
