// sFlow v5 (sflow.org, "sFlow Version 5"): one row for each flow sample, from its packet header or its sampled IP record. Counter samples, and
// records and samples of other kinds, are skipped by their length. All is XDR: multiples of four octets.
import type { ColumnArrays } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { expectSequence } from '../sequence.ts'
import type { Stream } from '../stream.ts'
import { LinkCheck, readInterfaceCounters } from '../templates/link-check.ts'
import type { RowWriter } from '../templates/row-writer.ts'
import { ipInEthernet, ipInMpls, ipInPpp } from './link-layer.ts'
import { hasIpv4Header } from './packet-header.ts'
import type { Message } from './set-reader.ts'

/** With an agent that gives no address. */
export const sflow5HeaderLengthMin = 24

/** Address types: unknown, IPv4, IPv6. */
const agentLengths = [0, 4, 16]

function agentLength(view: DataView): number {
  return agentLengths[view.getUint32(4)] ?? 4
}

/** The sub-agent. */
export function sflow5Domain(view: DataView): number {
  const at = 8 + agentLength(view)
  return at + 4 <= view.byteLength ? view.getUint32(at) : 0
}

/** The agent's uptime, milliseconds. */
export function sflow5Time(view: DataView): number {
  const at = 16 + agentLength(view)
  return at + 4 <= view.byteLength ? view.getUint32(at) : Number.NaN
}

// Header: version, agent's address type and address, sub-agent, sequence of the datagram, uptime in ms, number of samples.
export function decodeSflow5(message: Message, rows: RowWriter): void {
  const { view, stream } = message
  let at = 12 + agentLength(view)
  const end = view.byteLength
  if (at + 12 > end) {
    stream.counters.truncated++
    return
  }
  expectSequence(stream, view.getUint32(at), 1)
  const samples = view.getUint32(at + 8)
  at += 12
  for (let i = 0; i < samples; i++) {
    // Sample: enterprise (20 bits) and format (12), length, body.
    if (at + 8 > end) {
      stream.counters.truncated++
      return
    }
    const format = view.getUint32(at)
    const length = view.getUint32(at + 4)
    at += 8
    if (length > end - at) stream.counters.truncated++
    readSample(message, rows, { format, at, end: Math.min(at + length, end) })
    at += padded(length)
  }
}

/** XDR pads opaque data to a multiple of four octets (RFC 4506 section 4.10). */
function padded(length: number): number {
  return length + (-length & 3)
}

const countBits = presentBit('packets') | presentBit('bytes')
const interfaceBits = presentBit('ingressInterface') | presentBit('egressInterface')
const gatewayBits = presentBit('sourceAs')
const ip4Bits = presentBit('srcAddr') | presentBit('dstAddr')
const ip6Bits = presentBit('src6') | presentBit('dst6')

interface Part {
  format: number
  at: number
  end: number
}

const flowSample = 1
const counterSample = 2
const expandedFlowSample = 3
const expandedCounterSample = 4

// Flow sample: sequence, source, rate, pool, drops, input, output, number of records: 32 octets.
// Expanded: source, input and output take two words each: 44 octets.
function readSample({ view, stream, context }: Message, rows: RowWriter, { format, at, end }: Part): void {
  const expanded = format === expandedFlowSample
  if (format !== flowSample && !expanded) {
    stream.counters.samplesSkipped++
    if (format === counterSample || format === expandedCounterSample) {
      stream.links ??= new LinkCheck()
      readInterfaceCounters(view, at + (format === counterSample ? 12 : 16), end, stream.links)
    }
    return
  }
  const recordsAt = at + (expanded ? 44 : 32)
  if (recordsAt > end) {
    stream.counters.truncated++
    return
  }
  const told = view.getUint32(at + (expanded ? 12 : 8))
  // The upper octet of a source in one word is its type.
  const source = expanded ? view.getUint32(at + 8) : view.getUint32(at + 4) & 0xff_ffff
  if (isPassed({ view, stream }, rows, { format, at: recordsAt, end })) {
    const rate = noteRate(stream, told, source)
    stream.links?.weighPackets(frameLength(view, recordsAt + 8) * rate, 1, context.receivedMs)
    return
  }
  const { columns } = rows.batch
  const row = rows.batch.rows
  if (!readRecords(view, { format, at: recordsAt, end }, view.getUint32(recordsAt - 4), rows)) {
    stream.counters.samplesSkipped++
    return
  }
  columns.samplingRate[row] = noteRate(stream, told, source)
  // Input and output come last before the number of records; expanded, each has its format in a word of its own.
  const inputAt = recordsAt - (expanded ? 20 : 12)
  columns.ingressInterface[row] = interfaceAt(view, inputAt, expanded)
  columns.egressInterface[row] = interfaceAt(view, inputAt + (expanded ? 8 : 4), expanded)
  columns.packets[row] = 1
  columns.present[row] |= countBits | interfaceBits
  columns.startMs[row] = columns.endMs[row] = context.receivedMs
  rows.commit(1, columns.ipVersion[row], stream, context)
}

/** The rate of a sample to count with. */
function noteRate({ sampling, links }: Stream, told: number, source: number): number {
  const rate = sampling.ofRecord(told)
  sampling.note('sample', rate)
  if (links !== null) links.source = source
  return sampling.override > 0 ? sampling.override : rate
}

/** Whether the first record is the header of a packet to an address that nobody watches: it is counted, and the rest need not be read. */
function isPassed({ view, stream }: Pick<Message, 'view' | 'stream'>, rows: RowWriter, { at, end }: Part): boolean {
  if (at + 24 > end || view.getUint32(at) !== rawHeader) return false
  const headerEnd = rawHeaderEnd(view, at + 8, Math.min(at + 8 + view.getUint32(at + 4), end))
  const ipAt = ipOfRawHeader(view, at + 8, headerEnd)
  return hasIpv4Header(view, ipAt, headerEnd) && rows.passes(view, ipAt + 16, stream)
}

const internal = 0x3fff_ffff

/** Index of an interface; 0: unknown, the agent itself, several, or none because the packet was dropped. */
function interfaceAt(view: DataView, at: number, expanded: boolean): number {
  const word = view.getUint32(at)
  const format = expanded ? word : word >>> 30
  const index = expanded ? view.getUint32(at + 4) : word & internal
  return format === 0 && index !== internal ? index : 0
}

const rawHeader = 1
const sampledIpv4 = 3
const sampledIpv6 = 4
const extendedGateway = 1003

/** Reads the records of a sample; true when one has an IP packet. A raw header is better than a sampled IP record. */
function readRecords(view: DataView, { at, end }: Part, count: number, rows: RowWriter): boolean {
  let ipAt = -1
  let ipFormat = 0
  let hasHeader = false
  for (let i = 0; i < count && at + 8 <= end; i++) {
    const format = view.getUint32(at)
    const length = view.getUint32(at + 4)
    at += 8
    const recordEnd = Math.min(at + length, end)
    if (format === rawHeader && !hasHeader) hasHeader = readRawHeader(view, at, recordEnd, rows)
    if (format === extendedGateway) readGateway(view, at, recordEnd, rows)
    if (format === sampledIpv4 && at + 32 <= recordEnd) [ipAt, ipFormat] = [at, format]
    if (format === sampledIpv6 && at + 56 <= recordEnd) [ipAt, ipFormat] = [at, format]
    at += padded(length)
  }
  if (hasHeader) return true
  if (ipAt < 0) {
    clearGateway(rows)
    return false
  }
  readSampledIp(view, ipAt, ipFormat === sampledIpv4 ? 4 : 6, rows.batch.columns, rows.batch.rows)
  return true
}

const itself = (_: DataView, at: number) => at

/** Where the IP header is, by the protocol of the frame. */
const links: Readonly<Record<number, (view: DataView, at: number, end: number) => number>> = {
  1: ipInEthernet,
  7: ipInPpp,
  11: itself,
  12: itself,
  13: ipInMpls,
  // Packet over SONET: PPP in HDLC-like framing.
  14: ipInPpp,
}

// Raw packet header: protocol, length of the frame, octets stripped, length of the header, header.
function readRawHeader(view: DataView, at: number, end: number, rows: RowWriter): boolean {
  if (at + 16 > end) return false
  const headerEnd = rawHeaderEnd(view, at, end)
  const row = rows.batch.rows
  if (!rows.packets.read(view, ipOfRawHeader(view, at, headerEnd), headerEnd, row)) return false
  rows.batch.columns.bytes[row] = frameLength(view, at)
  return true
}

function frameLength(view: DataView, at: number): number {
  return view.getUint32(at + 4)
}

function rawHeaderEnd(view: DataView, at: number, end: number): number {
  return Math.min(at + 16 + view.getUint32(at + 12), end)
}

/** Where its IP header begins; -1: there is none. */
function ipOfRawHeader(view: DataView, at: number, headerEnd: number): number {
  const link = links[view.getUint32(at)]
  return link === undefined ? -1 : link(view, at + 16, headerEnd)
}

// Extended gateway: type of the next hop's address (1: IPv4, 2: IPv6) and the address, AS of the router, AS of the source, and more.
function readGateway(view: DataView, at: number, end: number, { batch: { columns, rows: row } }: RowWriter): void {
  const asAt = at + 4 + (at + 4 <= end ? (agentLengths[view.getUint32(at)] ?? 0) : 0)
  if (asAt + 8 > end) return
  columns.sourceAs[row] = view.getUint32(asAt + 4)
  columns.present[row] |= gatewayBits
}

/** The row is not used: the next one may have no such record. */
function clearGateway({ batch: { columns, rows: row } }: RowWriter): void {
  columns.sourceAs[row] = columns.present[row] = 0
}

// Sampled IPv4 or IPv6: length of the packet, protocol, source, destination, source port, destination port, TCP flags, type of service.
function readSampledIp(view: DataView, at: number, version: 4 | 6, to: ColumnArrays, row: number): void {
  const addressLength = version === 4 ? 4 : 16
  const portsAt = at + 8 + 2 * addressLength
  to.ipVersion[row] = version
  to.bytes[row] = view.getUint32(at)
  to.ipProto[row] = view.getUint32(at + 4)
  to.srcPort[row] = view.getUint32(portsAt)
  to.dstPort[row] = view.getUint32(portsAt + 4)
  to.tcpFlags[row] = view.getUint32(portsAt + 8) & 255
  to.present[row] |= sampledBits
  if (version === 4) {
    to.srcAddr[row] = view.getUint32(at + 8)
    to.dstAddr[row] = view.getUint32(at + 12)
    to.present[row] |= ip4Bits
    return
  }
  for (let octet = 0; octet < 16; octet++) {
    to.src6[row * 16 + octet] = view.getUint8(at + 8 + octet)
    to.dst6[row * 16 + octet] = view.getUint8(at + 24 + octet)
  }
  to.present[row] |= ip6Bits
}

const sampledBits =
  presentBit('ipVersion') |
  presentBit('ipProto') |
  presentBit('srcPort') |
  presentBit('dstPort') |
  presentBit('tcpFlags')
