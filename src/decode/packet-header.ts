// Reads the headers of a sampled packet into a row: from Ethernet, or from IP, up to the ports. Stops wherever the captured part ends.
import type { ColumnArrays } from '../flow/batch.ts'
import { presentBit } from '../flow/columns.ts'
import { ICMP, ICMPV6, TCP, UDP } from '../net/protocols.ts'

/** 802.1Q, 802.1ad, and two older numbers of stacked VLANs. */
const vlanTypes = [0x8100, 0x88a8, 0x9100, 0x9200]
const mplsTypes = [0x8847, 0x8848]
const pppoeSession = 0x8864
const ipv4Type = 0x0800
const ipv6Type = 0x86dd
/** More tags, labels or extension headers than this are no traffic of ours. */
const headersMax = 16

const sctp = 132
const dccp = 33
const udpLite = 136
const withPorts = [TCP, UDP, sctp, dccp, udpLite]

const ip4Bits = bitsOf('ipVersion', 'srcAddr', 'dstAddr', 'ipProto')
const ip6Bits = bitsOf('ipVersion', 'src6', 'dst6', 'ipProto')
const portBits = bitsOf('srcPort', 'dstPort')
const flagBits = bitsOf('tcpFlags')
const byteBits = bitsOf('bytes')
const dstPortBits = bitsOf('dstPort')

function bitsOf(...names: Parameters<typeof presentBit>[0][]): number {
  return names.reduce((bits, name) => bits | presentBit(name), 0)
}

/** True when the frame holds an IP header; the row then has its fields and their `present` bits. */
export function readEthernet(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  return readEtherType(view, at + 12, end, to, row)
}

/** By the version in its first four bits. */
export function readIp(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  if (at >= end) return false
  const version = view.getUint8(at) >>> 4
  return version === 4 ? readIpv4(view, at, end, to, row) : version === 6 && readIpv6(view, at, end, to, row)
}

function readEtherType(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  for (let tags = 0; tags < headersMax && at + 2 <= end; tags++) {
    const type = view.getUint16(at)
    if (type === ipv4Type || type === ipv6Type) return readIp(view, at + 2, end, to, row)
    if (mplsTypes.includes(type)) return readMpls(view, at + 2, end, to, row)
    if (type === pppoeSession) return readPpp(view, at + 8, end, to, row)
    if (vlanTypes.includes(type)) at += 4
    // A length instead of a type: LLC and SNAP, whose type comes after six octets.
    else if (type <= 1500 && at + 8 <= end && view.getUint32(at + 2) === 0xaaaa0300 && view.getUint8(at + 6) === 0)
      at += 8
    else return false
  }
  return false
}

/**
 * Labels of four octets; the lowest bit of the third marks the last one (RFC 3032). What follows is IP, or else a pseudowire: the frames of some
 * other network, whose addresses mean nothing in this one.
 */
export function readMpls(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  for (let labels = 0; labels < headersMax && at + 4 <= end; labels++, at += 4) {
    if ((view.getUint8(at + 2) & 1) !== 0) return readIp(view, at + 4, end, to, row)
  }
  return false
}

/** RFC 1332: protocol 0x0021 is IPv4; RFC 5072: 0x0057 is IPv6. */
function readPpp(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  if (at + 2 > end) return false
  const protocol = view.getUint16(at)
  return (protocol === 0x0021 || protocol === 0x0057) && readIp(view, at + 2, end, to, row)
}

function readIpv4(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  const headerLength = (view.getUint8(at) & 15) * 4
  if (at + 20 > end || headerLength < 20) return false
  const protocol = view.getUint8(at + 9)
  to.ipVersion[row] = 4
  to.ipProto[row] = protocol
  to.srcAddr[row] = view.getUint32(at + 12)
  to.dstAddr[row] = view.getUint32(at + 16)
  to.present[row] |= ip4Bits
  setLength(view.getUint16(at + 2), to, row)
  if ((view.getUint16(at + 6) & 0x1fff) !== 0) to.fragment[row] = 1
  else readTransport(view, at + headerLength, end, to, row)
  return true
}

/** The packet's own length, where nobody told that of its frame. */
function setLength(bytes: number, to: ColumnArrays, row: number): void {
  if ((to.present[row] & byteBits) !== 0) return
  to.bytes[row] = bytes
  to.present[row] |= byteBits
}

function readIpv6(view: DataView, at: number, end: number, to: ColumnArrays, row: number): boolean {
  if (at + 40 > end) return false
  for (let octet = 0; octet < 16; octet++) {
    to.src6[row * 16 + octet] = view.getUint8(at + 8 + octet)
    to.dst6[row * 16 + octet] = view.getUint8(at + 24 + octet)
  }
  to.ipVersion[row] = 6
  to.present[row] |= ip6Bits
  setLength(view.getUint16(at + 4) + 40, to, row)
  readIpv6Payload(view, at, end, to, row)
  return true
}

const hopByHop = 0
const routing = 43
const fragmentHeader = 44
const authentication = 51
const destinationOptions = 60
const mobility = 135
const hip = 139
const shim6 = 140
const inEights = [hopByHop, routing, destinationOptions, mobility, hip, shim6]

/** Skips extension headers (RFC 8200 section 4). */
function readIpv6Payload(view: DataView, ipAt: number, end: number, to: ColumnArrays, row: number): void {
  let next = view.getUint8(ipAt + 6)
  let at = ipAt + 40
  for (let headers = 0; headers < headersMax; headers++) {
    to.ipProto[row] = next
    const skips = inEights.includes(next) || next === fragmentHeader || next === authentication
    if (!skips) {
      readTransport(view, at, end, to, row)
      return
    }
    if (at + 8 > end) return
    if (next === fragmentHeader && (view.getUint16(at + 2) & 0xfff8) !== 0) {
      to.ipProto[row] = view.getUint8(at)
      to.fragment[row] = 1
      return
    }
    const units = view.getUint8(at + 1)
    const length = next === fragmentHeader ? 8 : next === authentication ? (units + 2) * 4 : (units + 1) * 8
    next = view.getUint8(at)
    at += length
  }
}

/** ICMP type and code become the destination port, as in NetFlow v5. */
function readTransport(view: DataView, at: number, end: number, to: ColumnArrays, row: number): void {
  const protocol = to.ipProto[row]
  if ((protocol === ICMP || protocol === ICMPV6) && at + 2 <= end) {
    to.dstPort[row] = view.getUint16(at)
    to.present[row] |= dstPortBits
  } else if (withPorts.includes(protocol) && at + 4 <= end) {
    to.srcPort[row] = view.getUint16(at)
    to.dstPort[row] = view.getUint16(at + 2)
    to.present[row] |= portBits
    if (protocol === TCP && at + 14 <= end) {
      to.tcpFlags[row] = view.getUint8(at + 13)
      to.present[row] |= flagBits
    }
  }
}
