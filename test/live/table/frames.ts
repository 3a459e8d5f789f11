// Ethernet frames as an attacker sends them: whole packets with payload, so that exporters count their true length.
import { Writer } from '../../../src/encode/writer.ts'
import { parseIpv4 } from '../../../src/net/ipv4.ts'

export interface Packet {
  src: string
  dst: string
  protocol: number
  /** From the transport header on; of a later fragment whatever comes there. */
  payload: Uint8Array
  /** Set for a fragment: `offset` is in units of eight octets, `more` says that another fragment follows. */
  fragment?: { id: number; offset: number; more: boolean }
}

/** Hardware addresses, `02:00:00:00:00:01`. */
export interface Cable {
  from: string
  to: string
}

const ipv4Type = 0x0800
const timeToLive = 64
const moreFragments = 0x2000

export function encodeFrame({ src, dst, protocol, payload, fragment }: Packet, { from, to }: Cable): Uint8Array {
  const flags = (fragment?.offset ?? 0) | (fragment?.more ? moreFragments : 0)
  const header = new Writer()
    .u16(0x4500)
    .u16(20 + payload.length)
    .u16(fragment?.id ?? 0)
    .u16(flags)
    .u8(timeToLive)
    .u8(protocol)
    .u16(0)
    .u32(parseIpv4(src) ?? 0)
    .u32(parseIpv4(dst) ?? 0)
  header.setU16(10, checksum(header.done()))
  return new Writer().bytes(hardware(to)).bytes(hardware(from)).u16(ipv4Type).bytes(header.done()).bytes(payload).done()
}

/** Without checksum: the victim does not answer it. */
export function tcp(srcPort: number, dstPort: number, flags: number, length = 0): Uint8Array {
  const header = new Writer().u16(srcPort).u16(dstPort).u32(1).u32(2).u8(0x50).u8(flags).u16(512).u32(0)
  return header.bytes(new Uint8Array(length)).done()
}

export function udp(srcPort: number, dstPort: number, length: number): Uint8Array {
  return new Writer()
    .u16(srcPort)
    .u16(dstPort)
    .u16(8 + length)
    .u16(0)
    .bytes(new Uint8Array(length))
    .done()
}

/** An echo request without checksum. */
export function echo(length: number): Uint8Array {
  return new Writer().u16(0x0800).u16(0).u32(1).bytes(new Uint8Array(length)).done()
}

/** IPv4 in GRE (RFC 2784). */
export function gre(length: number): Uint8Array {
  return new Writer().u16(0).u16(ipv4Type).bytes(new Uint8Array(length)).done()
}

/** A classic capture (microseconds, Ethernet); all frames have the same time, as whoever replays it has a rate of its own. */
export function encodeFrames(frames: readonly Uint8Array[]): Uint8Array {
  const writer = new Writer().u32(0xa1b2c3d4).u16(2).u16(4).u32(0).u32(0).u32(262_144).u32(1)
  for (const frame of frames) writer.u32(0).u32(0).u32(frame.length).u32(frame.length).bytes(frame)
  return writer.done()
}

function hardware(text: string): number[] {
  return text.split(':').map((octet) => Number.parseInt(octet, 16))
}

/** RFC 1071. */
function checksum(bytes: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < bytes.length; i += 2) sum += bytes[i] * 256 + bytes[i + 1]
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}
