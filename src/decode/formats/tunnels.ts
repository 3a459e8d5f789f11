// Finds the IP header of the packet that travels inside another. Each kind of tunnel is one function in one of two tables, by IP protocol and by
// UDP port; it gives the place of the inner IP header, or -1 when there is none before `end`. Nothing at or beyond `end` is read.
import { UDP } from '../../net/protocols.ts'
import { ipInEthernet, ipInMpls, ipv4Type, ipv6Type, mplsTypes } from './link-layer.ts'

type Opener = (view: DataView, at: number, end: number) => number

const transparentEthernet = 0x6558

/** The content of a tunnel by its Ethernet type. */
function payload(type: number, view: DataView, at: number, end: number): number {
  if (type === ipv4Type || type === ipv6Type) return at
  if (type === transparentEthernet) return ipInEthernet(view, at, end)
  return mplsTypes.includes(type) ? ipInMpls(view, at, end) : -1
}

// GRE (RFC 2784, RFC 2890): flags and version (2), protocol (2), then 4 octets each for checksum, key and sequence number, if flagged.
// RFC 1701's routing field (0x4000) has no length that could be trusted, and version 1 is that of PPTP.
const gre: Opener = (view, at, end) => {
  if (at + 4 > end) return -1
  const flags = view.getUint16(at)
  if ((flags & 0x4007) !== 0) return -1
  const options = ((flags >>> 15) & 1) + ((flags >>> 13) & 1) + ((flags >>> 12) & 1)
  return payload(view.getUint16(at + 2), view, at + 4 + 4 * options, end)
}

/** RFC 3378: a version of 4 bits, and 12 zeros. */
const etherIp: Opener = (view, at, end) => (at + 2 <= end ? ipInEthernet(view, at + 2, end) : -1)

// VXLAN (RFC 7348): flags (1, 0x08: the network's number is valid), 3 reserved, number (3), reserved.
const vxlan: Opener = (view, at, end) =>
  at + 8 <= end && (view.getUint8(at) & 0x08) !== 0 ? ipInEthernet(view, at + 8, end) : -1

// VXLAN-GPE (draft-ietf-nvo3-vxlan-gpe): as VXLAN, with the next protocol in the fourth octet if flagged (0x04).
const vxlanGpe: Opener = (view, at, end) => {
  if (at + 8 > end) return -1
  const next = (view.getUint8(at) & 0x04) !== 0 ? view.getUint8(at + 3) : 3
  if (next === 1 || next === 2) return at + 8
  return next === 3 ? ipInEthernet(view, at + 8, end) : -1
}

// Geneve (RFC 8926): version (2 bits) and length of options in words (6), flags (1), protocol (2), number (3), reserved, options.
const geneve: Opener = (view, at, end) => {
  if (at + 8 > end || view.getUint8(at) >>> 6 !== 0) return -1
  return payload(view.getUint16(at + 2), view, at + 8 + 4 * (view.getUint8(at) & 0x3f), end)
}

const userPacket = 255
const extensionsMax = 8

// GTP-U (3GPP TS 29.281 section 5.1): version (3 bits, 1), type of protocol (1), reserved, flags (3), message type (1), length (2), tunnel (4).
// If any of the flags is set: sequence number (2), N-PDU (1), next extension (1). Extension: length in words (1), content, next extension (1).
const gtpU: Opener = (view, at, end) => {
  if (at + 8 > end) return -1
  const flags = view.getUint8(at)
  if (flags >>> 4 !== 3 || view.getUint8(at + 1) !== userPacket) return -1
  at += 8
  if ((flags & 7) === 0) return at
  at += 4
  for (let extensions = 0; extensions < extensionsMax && at < end; extensions++) {
    if ((flags & 4) === 0 || view.getUint8(at - 1) === 0) return at
    const words = view.getUint8(at)
    if (words === 0 || at + 4 * words > end) return -1
    at += 4 * words
  }
  return -1
}

const byPort: Readonly<Record<number, Opener>> = {
  2152: gtpU,
  4789: vxlan,
  4790: vxlanGpe,
  6081: geneve,
  // VXLAN before it had a port of its own, and in Linux still when none is given.
  8472: vxlan,
}

const udp: Opener = (view, at, end) =>
  at + 8 <= end ? (byPort[view.getUint16(at + 2)]?.(view, at + 8, end) ?? -1) : -1

const byProtocol: Readonly<Record<number, Opener>> = {
  // IPv4 in IP (RFC 2003), IPv6 in IP (RFC 2473, RFC 4213).
  4: (_, at) => at,
  41: (_, at) => at,
  [UDP]: udp,
  47: gre,
  97: etherIp,
  // MPLS in IP (RFC 4023).
  137: ipInMpls,
}

/** The IP header of the packet inside the payload of one of this protocol that begins at `at`. */
export function innerIp(protocol: number, view: DataView, at: number, end: number): number {
  return byProtocol[protocol]?.(view, at, end) ?? -1
}
