// Finds the UDP datagram in a captured frame, through the link types and the IP headers that captures of exports have.
import { UDP } from '../../net/protocols.ts'
import type { Frame } from './format.ts'

/** Place of the datagram in a frame. The object is reused from frame to frame. */
export interface UdpPlace {
  ipVersion: 4 | 6
  /** Offset of the source address. */
  addressAt: number
  port: number
  toPort: number
  payloadAt: number
  payloadLength: number
}

/** Link types: https://www.tcpdump.org/linktypes.html */
const linkTypes: Record<number, (view: DataView, frame: Frame) => number> = {
  0: nullIpAt,
  1: ethernetIpAt,
  12: rawIpAt,
  14: rawIpAt,
  101: rawIpAt,
  108: nullIpAt,
  113: (view, frame) => etherTypeIpAt(view, frame.at + 14, frame.at + frame.length),
  228: rawIpAt,
  229: rawIpAt,
  276: linuxCooked2IpAt,
}

/** Returns false when the frame has no whole UDP header, or is a fragment. A payload that the snapshot length cut is given as far as it goes. */
export function findUdp(view: DataView, frame: Frame, place: UdpPlace): boolean {
  const end = frame.at + frame.length
  const ipAt = linkTypes[frame.linkType]?.(view, frame) ?? -1
  if (ipAt < 0 || ipAt >= end) return false
  const version = view.getUint8(ipAt) >>> 4
  const udpAt = version === 4 ? ipv4PayloadAt(view, ipAt, end) : version === 6 ? ipv6PayloadAt(view, ipAt, end) : -1
  if (udpAt < 0 || udpAt + 8 > end) return false
  const length = view.getUint16(udpAt + 4)
  if (length < 8) return false
  place.ipVersion = version === 4 ? 4 : 6
  place.addressAt = version === 4 ? ipAt + 12 : ipAt + 8
  place.port = view.getUint16(udpAt)
  place.toPort = view.getUint16(udpAt + 2)
  place.payloadAt = udpAt + 8
  place.payloadLength = Math.min(length - 8, end - udpAt - 8)
  return true
}

function rawIpAt(_view: DataView, frame: Frame): number {
  return frame.at
}

/** Skips four octets of address family in the byte order of the capturing machine: the IP version tells the same. */
function nullIpAt(_view: DataView, frame: Frame): number {
  return frame.at + 4
}

function ethernetIpAt(view: DataView, frame: Frame): number {
  return etherTypeIpAt(view, frame.at + 12, frame.at + frame.length)
}

/** Linux cooked v2: the protocol, then 18 octets more. */
function linuxCooked2IpAt(view: DataView, frame: Frame): number {
  if (frame.length < 20) return -1
  const type = view.getUint16(frame.at)
  return type === 0x0800 || type === 0x86dd ? frame.at + 20 : -1
}

/** Skips VLAN tags (802.1Q, 802.1ad, the older 0x9100). */
function etherTypeIpAt(view: DataView, typeAt: number, end: number): number {
  for (let at = typeAt; at + 2 <= end; at += 4) {
    const type = view.getUint16(at)
    if (type === 0x0800 || type === 0x86dd) return at + 2
    if (type !== 0x8100 && type !== 0x88a8 && type !== 0x9100) return -1
  }
  return -1
}

function ipv4PayloadAt(view: DataView, at: number, end: number): number {
  if (at + 20 > end || view.getUint8(at + 9) !== UDP) return -1
  // More fragments, or an offset.
  if ((view.getUint16(at + 6) & 0x3fff) !== 0) return -1
  const headerLength = (view.getUint8(at) & 15) * 4
  return headerLength < 20 ? -1 : at + headerLength
}

/** Extension headers that are skipped: hop-by-hop, routing and destination options. Their lengths are in units of 8 octets. */
const ipv6Options = [0, 43, 60]

function ipv6PayloadAt(view: DataView, at: number, end: number): number {
  if (at + 40 > end) return -1
  let next = view.getUint8(at + 6)
  let headerAt = at + 40
  while (ipv6Options.includes(next)) {
    if (headerAt + 8 > end) return -1
    next = view.getUint8(headerAt)
    headerAt += (view.getUint8(headerAt + 1) + 1) * 8
  }
  return next === UDP ? headerAt : -1
}
