// Reads the headers of a sampled packet into a row, from IP up to the ports: of the packet on the wire, or of the one that it carries through a
// tunnel. Stops wherever the captured part ends.
import type { ColumnArrays } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { ICMP, ICMPV6, TCP, UDP } from '../../net/protocols.ts'
import { innerIp } from './tunnels.ts'

/** Most extension headers that are skipped. */
const headersMax = 16
/** Most tunnels within tunnels that are opened. */
const tunnelsMax = 4

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
const headerBits = ip4Bits | ip6Bits | portBits | flagBits

function bitsOf(...names: Parameters<typeof presentBit>[0][]): number {
  return names.reduce((bits, name) => bits | presentBit(name), 0)
}

/** Which packet is the flow's: the one on the wire, or the one that travels inside it. */
export type TunnelSide = 'outer' | 'inner'

export class PacketReader {
  readonly #to: ColumnArrays
  readonly #inner: boolean

  /** Rows are those of these columns. */
  constructor(columns: ColumnArrays, side: TunnelSide) {
    this.#to = columns
    this.#inner = side === 'inner'
  }

  /**
   * Reads the packet whose IP header begins at `at` (-1: there is none); nothing at or beyond `end` is read. True when there is a whole IP header: the
   * row then has its fields and their `present` bits.
   */
  read(view: DataView, at: number, end: number, row: number): boolean {
    if (!hasIpHeader(view, at, end)) return false
    const transportAt = this.#headers(view, at, end, row)
    if (this.#inner && transportAt > 0) this.#open(view, transportAt, end, row)
    return true
  }

  /** Goes on to the packet inside, as long as there is one. */
  #open(view: DataView, transportAt: number, end: number, row: number): void {
    for (let tunnels = 0; tunnels < tunnelsMax && transportAt > 0; tunnels++) {
      const at = innerIp(this.#to.ipProto[row], view, transportAt, end)
      if (!hasIpHeader(view, at, end)) return
      this.#forget(row)
      transportAt = this.#headers(view, at, end, row)
    }
  }

  /** What the outer packet had and the inner one may not. Its length stays: that is what the wire carried. */
  #forget(row: number): void {
    const to = this.#to
    to.srcPort[row] = to.dstPort[row] = to.tcpFlags[row] = to.fragment[row] = 0
    to.present[row] &= ~headerBits
  }

  /** Where the transport header begins; -1 when it is not in this packet. */
  #headers(view: DataView, at: number, end: number, row: number): number {
    return view.getUint8(at) >>> 4 === 4 ? this.#ipv4(view, at, end, row) : this.#ipv6(view, at, end, row)
  }

  #ipv4(view: DataView, at: number, end: number, row: number): number {
    const to = this.#to
    to.ipVersion[row] = 4
    to.ipProto[row] = view.getUint8(at + 9)
    to.srcAddr[row] = view.getUint32(at + 12)
    to.dstAddr[row] = view.getUint32(at + 16)
    to.present[row] |= ip4Bits
    this.#length(view.getUint16(at + 2), row)
    if ((view.getUint16(at + 6) & 0x1fff) !== 0) {
      to.fragment[row] = 1
      return -1
    }
    return this.#transport(view, at + (view.getUint8(at) & 15) * 4, end, row)
  }

  #ipv6(view: DataView, at: number, end: number, row: number): number {
    const to = this.#to
    for (let octet = 0; octet < 16; octet++) {
      to.src6[row * 16 + octet] = view.getUint8(at + 8 + octet)
      to.dst6[row * 16 + octet] = view.getUint8(at + 24 + octet)
    }
    to.ipVersion[row] = 6
    to.present[row] |= ip6Bits
    this.#length(view.getUint16(at + 4) + 40, row)
    return this.#extensions(view, at, end, row)
  }

  /** The packet's own length, where that of its frame is not known. */
  #length(bytes: number, row: number): void {
    const to = this.#to
    if ((to.present[row] & byteBits) !== 0) return
    to.bytes[row] = bytes
    to.present[row] |= byteBits
  }

  /** Skips extension headers (RFC 8200 section 4). */
  #extensions(view: DataView, ipAt: number, end: number, row: number): number {
    const to = this.#to
    let next = view.getUint8(ipAt + 6)
    let at = ipAt + 40
    for (let headers = 0; headers < headersMax; headers++) {
      to.ipProto[row] = next
      if (!skipped.includes(next)) return this.#transport(view, at, end, row)
      if (at + 8 > end) return -1
      if (next === fragmentHeader && (view.getUint16(at + 2) & 0xfff8) !== 0) {
        to.ipProto[row] = view.getUint8(at)
        to.fragment[row] = 1
        return -1
      }
      const units = view.getUint8(at + 1)
      const length = next === fragmentHeader ? 8 : next === authentication ? (units + 2) * 4 : (units + 1) * 8
      next = view.getUint8(at)
      at += length
    }
    return -1
  }

  /** ICMP type and code become the destination port, as in NetFlow v5. */
  #transport(view: DataView, at: number, end: number, row: number): number {
    const to = this.#to
    const protocol = to.ipProto[row]
    if (withPorts.includes(protocol)) {
      if (at + 4 > end) return -1
      to.srcPort[row] = view.getUint16(at)
      to.dstPort[row] = view.getUint16(at + 2)
      to.present[row] |= portBits
      if (protocol === TCP && at + 14 <= end) {
        to.tcpFlags[row] = view.getUint8(at + 13)
        to.present[row] |= flagBits
      }
    } else if ((protocol === ICMP || protocol === ICMPV6) && at + 2 <= end) {
      to.dstPort[row] = view.getUint16(at)
      to.present[row] |= dstPortBits
    }
    return at
  }
}

export function hasIpv4Header(view: DataView, at: number, end: number): boolean {
  return hasIpHeader(view, at, end) && view.getUint8(at) >>> 4 === 4
}

/** A fixed header, whole, of IPv4 or IPv6. */
function hasIpHeader(view: DataView, at: number, end: number): boolean {
  if (at < 0 || at + 20 > end) return false
  const first = view.getUint8(at)
  return first >>> 4 === 4 ? (first & 15) >= 5 : first >>> 4 === 6 && at + 40 <= end
}

const fragmentHeader = 44
const authentication = 51
/** Hop-by-hop options, routing, fragment, authentication, destination options, mobility, HIP, Shim6. */
const skipped = [0, 43, fragmentHeader, authentication, 60, 135, 139, 140]
