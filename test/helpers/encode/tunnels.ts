// Tunnels around packets: the counterpart of src/decode/formats/tunnels.ts. Each gives the payload of the outer packet, and the protocol that it has there.
import { Writer } from '../../../src/encode/writer.ts'

export interface Tunnel {
  ipProto: number
  payload: Uint8Array
}

const etherTypes = { ip4: 0x0800, ip6: 0x86dd, ethernet: 0x6558, mpls: 0x8847 }
export type Inner = keyof typeof etherTypes

export function ipInIp(inner: Uint8Array): Tunnel {
  return { ipProto: inner[0] >>> 4 === 4 ? 4 : 41, payload: inner }
}

export interface GreOptions {
  checksum?: boolean
  key?: boolean
  sequence?: boolean
  routing?: boolean
  version?: number
}

export function gre(inner: Uint8Array, kind: Inner, options: GreOptions = {}): Tunnel {
  const { checksum = false, key = false, sequence = false, routing = false, version = 0 } = options
  const flags = (checksum ? 0x8000 : 0) | (routing ? 0x4000 : 0) | (key ? 0x2000 : 0) | (sequence ? 0x1000 : 0)
  const writer = new Writer().u16(flags | version).u16(etherTypes[kind])
  for (const there of [checksum || routing, key, sequence]) if (there) writer.u32(0xffff_ffff)
  return { ipProto: 47, payload: writer.bytes(inner).done() }
}

export function etherIp(frame: Uint8Array): Tunnel {
  return { ipProto: 97, payload: new Writer().u16(0x3000).bytes(frame).done() }
}

/** Behind a UDP header to that port. */
function inUdp(dstPort: number, payload: Uint8Array): Tunnel {
  const writer = new Writer()
    .u16(49_152)
    .u16(dstPort)
    .u16(8 + payload.length)
    .u16(0)
  return { ipProto: 17, payload: writer.bytes(payload).done() }
}

export function vxlan(frame: Uint8Array, { port = 4789, flags = 0x08 } = {}): Tunnel {
  return inUdp(
    port,
    new Writer()
      .u32(flags * 2 ** 24)
      .u32(77 * 256)
      .bytes(frame)
      .done(),
  )
}

/** `next`: 1 IPv4, 2 IPv6, 3 Ethernet. */
export function vxlanGpe(inner: Uint8Array, next: number): Tunnel {
  return inUdp(
    4790,
    new Writer()
      .u32(0x0c00_0000 + next)
      .u32(77 * 256)
      .bytes(inner)
      .done(),
  )
}

export function geneve(inner: Uint8Array, kind: Inner, optionWords = 0): Tunnel {
  const writer = new Writer()
    .u8(optionWords)
    .u8(0)
    .u16(etherTypes[kind])
    .u32(77 * 256)
  return inUdp(
    6081,
    writer
      .bytes(new Uint8Array(optionWords * 4).fill(0xff))
      .bytes(inner)
      .done(),
  )
}

/** `extensions`: lengths in words of four octets. */
export function gtpU(
  inner: Uint8Array,
  extensions: readonly number[] = [],
  { sequence = false, type = 255 } = {},
): Tunnel {
  const flags = 0x30 | (extensions.length > 0 ? 4 : 0) | (sequence ? 2 : 0)
  const writer = new Writer().u8(flags).u8(type).u16(inner.length).u32(9)
  if ((flags & 7) !== 0)
    writer
      .u16(1)
      .u8(0)
      .u8(extensions.length > 0 ? 0x85 : 0)
  extensions.forEach((words, i) => {
    const at = writer.length
    writer.u8(words)
    while (writer.length < at + words * 4 - 1) writer.u8(0xff)
    writer.u8(i + 1 < extensions.length ? 0x85 : 0)
  })
  return inUdp(2152, writer.bytes(inner).done())
}
