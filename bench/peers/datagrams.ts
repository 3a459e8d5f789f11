// What the collectors are compared on: datagrams of about 1,400 octets as routers send them, of many destinations of which a share is
// watched. Everything is encoded before; only what must look new is written again into a datagram that is sent.

import { encodeMessage, type TemplateSpec } from '../../src/encode/messages.ts'
import { addressBytes, Writer } from '../../src/encode/writer.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { type FullFlow, fullFlow } from '../../test/helpers/encode/flow.ts'
import { encodeNetflow5 } from '../../test/helpers/encode/netflow5.ts'
import { encodePacket } from '../../test/helpers/encode/packet.ts'
import { createRandom } from '../../test/helpers/random.ts'

export const protocols = ['NetFlow v5', 'NetFlow v9', 'IPFIX', 'sFlow v5'] as const
export type Protocol = (typeof protocols)[number]

/** Forty /24 networks for tests between devices (RFC 2544): 10,240 addresses. */
export const watchedNetworks: readonly string[] = Array.from({ length: 40 }, (_, i) => `198.18.${i}.0/24`)
export const watchedAddresses = watchedNetworks.length * 256

export interface Export {
  flowsPerDatagram: number
  /** What has to be there before the rest is understood; null for protocols without templates. */
  templates: Uint8Array | null
  datagrams: Uint8Array[]
  /** Makes a datagram look new: `at` counts datagrams, templates included, and `flows` the records before it. */
  stamp: (datagram: Uint8Array, counted: { at: number; flows: number }) => void
}

const flowsMade = 30_000
const samplingRate = 1
const options = {
  id: 258,
  scopes: 1,
  fields: [
    { id: 1, length: 4 },
    { id: 34, length: 4 },
  ],
}

/** The fields of a router's record, in pairs of element and octets; the times last. */
const routerFields = [8, 4, 12, 4, 15, 4, 10, 4, 14, 4, 16, 4, 17, 4, 7, 2, 11, 2, 6, 1, 4, 1, 5, 1, 9, 1, 13, 1]
const netflow9Fields = [...routerFields, 2, 4, 1, 4, 22, 4, 21, 4]
const ipfixFields = [...routerFields, 2, 8, 1, 8, 152, 8, 153, 8]

function makeFlows(watchedPercent: number, nowMs: number): FullFlow[] {
  const random = createRandom(1)
  return Array.from({ length: flowsMade }, () => {
    const isWatched = random(100) < watchedPercent
    const dst = isWatched ? 0xc612_0000 + random(watchedAddresses) : 0x8000_0000 + random(0x4000_0000)
    const isTcp = random(4) > 0
    const packets = 1 + random(9)
    const endMs = nowMs - random(1_000)
    const flow = {
      src: formatIpv4(0x0b00_0000 + random(0x7300_0000)),
      dst: formatIpv4(dst),
      srcPort: 1_024 + random(64_000),
      dstPort: isTcp ? 443 : 33_000 + random(1_000),
      ipProto: isTcp ? 6 : 17,
      tcpFlags: isTcp ? 27 : 0,
      packets,
      bytes: packets * (60 + random(1_300)),
      startMs: endMs - random(random(2) === 0 ? 1_000 : 20_000),
      endMs,
    }
    return fullFlow(flow, nowMs)
  })
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.floor(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

function netflow5(flows: readonly FullFlow[], nowMs: number): Export {
  const flowsPerDatagram = 29
  const datagrams = encodeNetflow5(flows, { nowMs, samplingRate, samplingMode: 1, recordsMax: flowsPerDatagram })
  return {
    flowsPerDatagram,
    templates: null,
    datagrams: datagrams.slice(0, Math.floor(flows.length / flowsPerDatagram)),
    stamp(datagram, counted) {
      const view = viewOf(datagram)
      const now = Date.now()
      // Times of records are relative to the header's.
      view.setUint32(8, Math.floor(now / 1000))
      view.setUint32(12, (now % 1000) * 1e6)
      view.setUint32(16, counted.flows % 2 ** 32)
    },
  }
}

function templateOf(fields: readonly number[]): TemplateSpec {
  return { id: 256, fields: slices(fields, 2).map(([id, length]) => ({ id, length })) }
}

function messages(version: 9 | 10, flows: readonly FullFlow[], nowMs: number): Export {
  const bootMs = nowMs - 3_600_000
  const template = templateOf(version === 9 ? netflow9Fields : ipfixFields)
  const header = { version, nowMs, bootMs, domain: 1 }
  const octets = template.fields.reduce((sum, { length }) => sum + length, 0)
  const flowsPerDatagram = Math.floor(1_400 / octets)
  const zeroMs = version === 9 ? bootMs : 0
  const record = ({ startMs, endMs, ...flow }: FullFlow) => {
    const nextHop = addressBytes('192.0.2.254')
    const addresses = [addressBytes(flow.src), addressBytes(flow.dst), nextHop]
    const transport = [flow.srcPort, flow.dstPort, flow.tcpFlags, flow.ipProto]
    const values = [...addresses, 1, 2, 64_500, 64_501, ...transport, 0, 24, 24, flow.packets, flow.bytes]
    return { template, values: [...values, startMs - zeroMs, endMs - zeroMs] }
  }
  const scope = version === 9 ? options : { ...options, fields: [{ id: 144, length: 4 }, options.fields[1]] }
  return {
    flowsPerDatagram,
    templates: encodeMessage(header, {
      templates: [template, scope],
      records: [{ template: scope, values: [0, samplingRate] }],
    }),
    datagrams: slices(flows, flowsPerDatagram).map((part) => encodeMessage(header, { records: part.map(record) })),
    stamp: version === 9 ? stampNetflow9 : stampIpfix(flowsPerDatagram, octets),
  }
}

function stampNetflow9(datagram: Uint8Array, { at }: { at: number }): void {
  const view = viewOf(datagram)
  view.setUint32(8, Math.floor(Date.now() / 1000))
  view.setUint32(12, at % 2 ** 32)
}

/** Its records have times of their own: they move on with the clock. */
function stampIpfix(flowsPerDatagram: number, octets: number): Export['stamp'] {
  const headerOctets = 20
  return (datagram, counted) => {
    const view = viewOf(datagram)
    const nowMs = Date.now()
    view.setUint32(4, Math.floor(nowMs / 1000))
    view.setUint32(8, counted.flows % 2 ** 32)
    if (view.getUint16(16) !== 256) return
    for (let record = 0; record < flowsPerDatagram; record++) {
      const endsAt = headerOctets + (record + 1) * octets
      const endMs = nowMs - ((record * 37) % 1_000)
      writeMs(view, endsAt - 16, endMs - ((record * 997) % 20_000))
      writeMs(view, endsAt - 8, endMs)
    }
  }
}

function writeMs(view: DataView, at: number, ms: number): void {
  view.setUint32(at, Math.floor(ms / 2 ** 32))
  view.setUint32(at + 4, ms >>> 0)
}

/** Samples of the first 128 octets of packets, seven a datagram, and their sequence numbers. */
function sflow5(flows: readonly FullFlow[]): Export {
  const flowsPerDatagram = 7
  const rate = 1_000
  const datagrams = slices(flows, flowsPerDatagram).map((part) => {
    const writer = new Writer().u32(5).u32(1).bytes(addressBytes('192.0.2.1')).u32(0).u32(0).u32(3_600_000)
    writer.u32(part.length)
    for (const flow of part) {
      writer
        .u32(1)
        .u32(sampleOctets - 8)
        .u32(0)
        .u32(3)
        .u32(rate)
        .u32(0)
        .u32(0)
        .u32(3)
        .u32(4)
        .u32(1)
      const packetOctets = Math.max(128, Math.round(flow.bytes / flow.packets))
      writer
        .u32(1)
        .u32(16 + 128)
        .u32(1)
        .u32(packetOctets)
        .u32(4)
        .u32(128)
      const header = encodePacket(flow)
      // The IP header's own length: of the whole packet, less the Ethernet header and checksum.
      header.set([(packetOctets - 18) >> 8, (packetOctets - 18) & 255], 16)
      writer.bytes(header).bytes(new Uint8Array(128 - header.length).fill(0x61))
    }
    return writer.done()
  })
  let samples = 0
  return {
    flowsPerDatagram,
    templates: null,
    datagrams,
    stamp(datagram, { at }) {
      const view = viewOf(datagram)
      view.setUint32(16, at % 2 ** 32)
      view.setUint32(20, Date.now() % 2 ** 32)
      for (let sample = 28; sample < datagram.length; sample += sampleOctets) {
        view.setUint32(sample + 8, ++samples % 2 ** 32)
        view.setUint32(sample + 20, (samples * rate) % 2 ** 32)
      }
    },
  }
}
/** A flow sample with one raw header of 128 octets. */
const sampleOctets = 8 + 32 + 8 + 16 + 128

export function makeExport(protocol: Protocol, watchedPercent: number): Export {
  const nowMs = Date.now()
  const flows = makeFlows(watchedPercent, nowMs)
  if (protocol === 'NetFlow v5') return netflow5(flows, nowMs)
  if (protocol === 'sFlow v5') return sflow5(flows)
  return messages(protocol === 'IPFIX' ? 10 : 9, flows, nowMs)
}
