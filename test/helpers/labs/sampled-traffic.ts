// Traffic as reported by an exporter that samples packets at random: which packets it sees is left to chance, the same in every run with the same
// seed.
import { formatKey } from '../../../src/net/address.ts'
import { TCP, UDP } from '../../../src/net/protocols.ts'
import { ACK, FIN, PSH, SYN } from '../../../src/net/tcp-flags.ts'
import type { Flow } from '../exporter.ts'
import { poisson, type Random } from '../random.ts'

export interface Kind {
  packet: Pick<Flow, 'srcPort' | 'dstPort' | 'ipProto'> & { bytes: number }
  /** One of these has each packet. */
  tcpFlags: readonly number[]
  /** How many hosts send. */
  sources: number
  /** Packets of a flow: the exporter makes one record of those that it sees. */
  packetsPerFlow: number
}

/** Sources made up at random, but none that no packet can come from. */
const everywhere = 0x0500_0000

export const synFlood: Kind = {
  packet: { dstPort: 443, ipProto: TCP, bytes: 60 },
  tcpFlags: [SYN],
  sources: everywhere,
  packetsPerFlow: 1,
}
export const dnsAmplification: Kind = {
  packet: { srcPort: 53, dstPort: 33_000, ipProto: UDP, bytes: 1_400 },
  tcpFlags: [0],
  sources: 2_000,
  packetsPerFlow: 1,
}
/** What visitors send: a connection is ten packets. */
export const web: Kind = {
  packet: { dstPort: 443, ipProto: TCP, bytes: 300 },
  tcpFlags: [SYN, ACK, ACK, ACK, ACK, ACK, ACK, ACK | PSH, ACK | PSH, ACK | FIN],
  sources: 300,
  packetsPerFlow: 10,
}
export const backup: Kind = {
  packet: { dstPort: 22, ipProto: TCP, bytes: 1_400 },
  tcpFlags: [ACK, ACK | PSH],
  sources: 1,
  packetsPerFlow: Number.POSITIVE_INFINITY,
}

export interface Rate {
  packetsPerSecond: number
  /** 1 of how many packets is seen. */
  samplingRate: number
}

/** Records of the second before `nowMs`. */
export function sampledFlows(kind: Kind, { packetsPerSecond, samplingRate }: Rate, at: At, random: Random): Flow[] {
  const { bytes, ...packet } = kind.packet
  const flowsPerSecond = Math.ceil(packetsPerSecond / kind.packetsPerFlow)
  const flows: (Flow & { packets: number })[] = []
  const byNumber = new Map<number, Flow & { packets: number }>()
  for (let seen = poisson(random, packetsPerSecond / samplingRate); seen > 0; seen--) {
    const tcpFlags = kind.tcpFlags[random(kind.tcpFlags.length)]
    const number = kind.packetsPerFlow === 1 ? seen : random(flowsPerSecond)
    const known = byNumber.get(number)
    if (known !== undefined) {
      known.packets++
      known.bytes = known.packets * bytes
      known.tcpFlags = (known.tcpFlags ?? 0) | tcpFlags
      continue
    }
    const atMs = at.nowMs - 1_000 + random(1_000)
    const src = formatKey(0x0b00_0000 + random(kind.sources) * 19)
    const times = { startMs: atMs, endMs: atMs }
    const flow = { src, dst: at.dst, srcPort: 1_024 + random(60_000), ...packet, tcpFlags, packets: 1, bytes, ...times }
    byNumber.set(number, flow)
    flows.push(flow)
  }
  return flows
}

export interface At {
  dst: string
  nowMs: number
}
