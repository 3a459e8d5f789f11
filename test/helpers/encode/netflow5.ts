// NetFlow v5 datagrams, the counterpart of src/decode/formats/netflow5.ts.

import { addressBytes, Writer } from '../../../src/encode/writer.ts'
import { chunks, type Flow, fullFlow } from './flow.ts'

export interface Netflow5Options {
  /** The header's time. */
  nowMs: number
  /** When the exporter started: its uptime counts from there. */
  bootMs?: number
  /** Number of the first record. */
  sequence?: number
  /** 0 to 16383. */
  samplingRate?: number
  /** 2: random. */
  samplingMode?: number
  engineType?: number
  engineId?: number
  recordsMax?: number
}

export function encodeNetflow5(flows: readonly Flow[], options: Netflow5Options): Uint8Array[] {
  let { sequence = 0 } = options
  return chunks(flows, options.recordsMax ?? 30).map((part) => {
    const datagram = encodeDatagram(part, { ...options, sequence })
    sequence += part.length
    return datagram
  })
}

function encodeDatagram(flows: readonly Flow[], options: Netflow5Options): Uint8Array {
  const { nowMs, bootMs = nowMs - 3_600_000, sequence = 0, samplingRate = 0, samplingMode = 0 } = options
  const seconds = Math.floor(nowMs / 1000)
  const writer = new Writer()
  writer
    .u16(5)
    .u16(flows.length)
    .u32(nowMs - bootMs)
  writer
    .u32(seconds)
    .u32(Math.round((nowMs - seconds * 1000) * 1e6))
    .u32(sequence)
  writer
    .u8(options.engineType ?? 0)
    .u8(options.engineId ?? 0)
    .u16((samplingMode << 14) | samplingRate)
  for (const flow of flows) {
    const full = fullFlow(flow, nowMs)
    const { src, dst, srcPort, dstPort, ipProto, tcpFlags, bytes, packets, startMs, endMs } = full
    writer.bytes(addressBytes(src)).bytes(addressBytes(dst)).u32(0)
    writer.u16(full.ingressInterface).u16(full.egressInterface).u32(packets).u32(bytes)
    writer
      .u32(startMs - bootMs)
      .u32(endMs - bootMs)
      .u16(srcPort)
      .u16(dstPort)
    writer.u8(0).u8(tcpFlags).u8(ipProto).u8(0).u16(full.sourceAs).u16(0).u8(0).u8(0).u16(0)
  }
  return writer.done()
}
