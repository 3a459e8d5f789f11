// sFlow v5 datagrams, the counterpart of src/decode/formats/sflow5.ts: one flow sample for each packet of a flow.

import { addressBytes, isIpv6, Writer } from '../../../src/encode/writer.ts'
import { chunks, type Flow, type FullFlow, fullFlow } from './flow.ts'
import { encodePacket, type PacketShape } from './packet.ts'

export interface Sflow5Options {
  nowMs: number
  bootMs?: number
  agent?: string
  subAgent?: number
  /** Number of the first datagram. */
  sequence?: number
  samplingRate?: number
  samplesMax?: number
  expanded?: boolean
  /** `raw`: the packet's header; `sampled`: the record of an agent that looked into it. */
  record?: 'raw' | 'sampled'
  shape?: PacketShape
}

export function encodeSflow5(flows: readonly Flow[], options: Sflow5Options): Uint8Array[] {
  const { nowMs, bootMs = nowMs - 3_600_000, agent = '192.0.2.1', subAgent = 0, sequence = 0 } = options
  const packets = flows.flatMap((flow) => {
    const full = fullFlow(flow, nowMs)
    const one = { ...full, packets: 1, bytes: Math.round(full.bytes / full.packets) }
    return new Array<FullFlow>(full.packets).fill(one)
  })
  return chunks(packets, options.samplesMax ?? 7).map((part, i) => {
    const writer = new Writer()
      .u32(5)
      .u32(isIpv6(agent) ? 2 : 1)
      .bytes(addressBytes(agent))
    writer
      .u32(subAgent)
      .u32(sequence + i)
      .u32(nowMs - bootMs)
      .u32(part.length)
    for (const packet of part) writeSample(writer, packet, options)
    return writer.done()
  })
}

function writeSample(writer: Writer, packet: FullFlow, options: Sflow5Options): void {
  const { samplingRate = 1, expanded = false, record = 'raw', shape } = options
  writer.u32(expanded ? 3 : 1).u32(0)
  const at = writer.length
  writer.u32(1)
  if (expanded) writer.u32(0).u32(3)
  else writer.u32(3)
  writer.u32(samplingRate).u32(samplingRate).u32(0)
  const { ingressInterface, egressInterface, sourceAs } = packet
  if (expanded) writer.u32(0).u32(ingressInterface).u32(0).u32(egressInterface)
  else writer.u32(ingressInterface).u32(egressInterface)
  const hasGateway = sourceAs !== 0
  writer.u32(hasGateway ? 2 : 1)
  if (hasGateway) writeGateway(writer, packet)
  if (record === 'raw') writeRawHeader(writer, packet, encodePacket(packet, shape))
  else writeSampledIp(writer, packet)
  writer.setU32(at - 4, writer.length - at)
}

function writeRawHeader(writer: Writer, { bytes }: FullFlow, header: Uint8Array): void {
  writer.u32(1).u32(16 + header.length + (-header.length & 3))
  const at = writer.length
  writer.u32(1).u32(bytes).u32(4).u32(header.length).bytes(header).pad(4, at)
}

/** Next hop, AS of the router, of the source and of its peer; no path to the destination, no communities, local preference. */
function writeGateway(writer: Writer, { sourceAs }: FullFlow): void {
  writer.u32(1003).u32(32).u32(1).bytes(addressBytes('192.0.2.254'))
  writer.u32(64_500).u32(sourceAs).u32(sourceAs).u32(0).u32(0).u32(100)
}

function writeSampledIp(writer: Writer, flow: FullFlow): void {
  const address = addressBytes(flow.src)
  writer.u32(address.length === 4 ? 3 : 4).u32(24 + 2 * address.length)
  writer.u32(flow.bytes).u32(flow.ipProto).bytes(address).bytes(addressBytes(flow.dst))
  writer.u32(flow.srcPort).u32(flow.dstPort).u32(flow.tcpFlags).u32(0)
}
