// The first octets of a packet, as an sFlow agent samples them: the counterpart of src/decode/formats/packet-header.ts.

import { addressBytes, isIpv6, Writer } from '../../../src/encode/writer.ts'
import type { FullFlow } from './flow.ts'

export interface PacketShape {
  /** Tags before the IP header, outermost first: 0x8100 or 0x88a8. */
  vlanTags?: readonly number[]
  mplsLabels?: number
  /** IPv4 options, in words of four octets. */
  optionWords?: number
  /** Fragment offset in units of eight octets; the transport header is then left out. */
  fragmentOffset?: number
  /** IPv6 extension headers before the transport header: 0, 43, 44, 51 or 60. */
  extensions?: readonly number[]
  /** In place of a transport header: a tunnel, say. */
  payload?: Uint8Array
}

/** Ethernet, IP and transport header. */
export function encodePacket(flow: FullFlow, shape: PacketShape = {}): Uint8Array {
  const writer = new Writer().bytes([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2])
  for (const tag of shape.vlanTags ?? []) writer.u16(tag).u16(100)
  const labels = shape.mplsLabels ?? 0
  writer.u16(labels > 0 ? 0x8847 : isIpv6(flow.src) ? 0x86dd : 0x0800)
  for (let label = labels; label > 0; label--) writer.uint((16_000 + label) * 4096 + (label === 1 ? 256 : 0) + 64, 4)
  return writer.bytes(encodeIp(flow, shape)).done()
}

/** From the IP header on. */
export function encodeIp(flow: FullFlow, shape: PacketShape = {}): Uint8Array {
  const later = (shape.fragmentOffset ?? 0) > 0
  const transport = shape.payload ?? (later ? new Uint8Array(8).fill(0xee) : transportHeader(flow))
  return isIpv6(flow.src) ? encodeIpv6(flow, shape, transport) : encodeIpv4(flow, shape, transport)
}

function encodeIpv4(flow: FullFlow, shape: PacketShape, transport: Uint8Array): Uint8Array {
  const optionWords = shape.optionWords ?? 0
  const writer = new Writer()
    .u8(0x45 + optionWords)
    .u8(0)
    .u16(20 + optionWords * 4 + transport.length)
    .u16(1)
  writer
    .u16(shape.fragmentOffset ?? 0)
    .u8(64)
    .u8(flow.ipProto)
    .u16(0)
  writer.bytes(addressBytes(flow.src)).bytes(addressBytes(flow.dst))
  return writer
    .bytes(new Uint8Array(optionWords * 4).fill(1))
    .bytes(transport)
    .done()
}

function encodeIpv6(flow: FullFlow, shape: PacketShape, transport: Uint8Array): Uint8Array {
  const extensions = [...(shape.extensions ?? [])]
  if ((shape.fragmentOffset ?? 0) > 0 && !extensions.includes(44)) extensions.push(44)
  const writer = new Writer()
    .u32(0x60000000)
    .u16(0)
    .u8(extensions[0] ?? flow.ipProto)
    .u8(64)
  writer.bytes(addressBytes(flow.src)).bytes(addressBytes(flow.dst))
  extensions.forEach((kind, i) => {
    const at = writer.length
    writer.u8(extensions[i + 1] ?? flow.ipProto)
    if (kind === 44)
      writer
        .u8(0)
        .u16((shape.fragmentOffset ?? 0) << 3)
        .u32(7)
    // An authentication header counts words of four octets, less two; all others units of eight, less one.
    else writer.u8(kind === 51 ? 4 : 1).pad(kind === 51 ? 24 : 16, at)
  })
  return writer.bytes(transport).done()
}

function transportHeader({ ipProto, srcPort, dstPort, tcpFlags }: FullFlow): Uint8Array {
  const writer = new Writer()
  if (ipProto === 6) return writer.u16(srcPort).u16(dstPort).u32(1).u32(2).u8(0x50).u8(tcpFlags).u16(512).u32(0).done()
  if (ipProto === 1 || ipProto === 58) return writer.u16(dstPort).u16(0).u32(0).done()
  return writer.u16(srcPort).u16(dstPort).u16(8).u16(0).done()
}
