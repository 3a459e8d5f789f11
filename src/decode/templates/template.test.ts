import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { fullFlow } from '../../../test/helpers/encode/flow.ts'
import { encodePacket } from '../../../test/helpers/encode/packet.ts'
import { recordOf, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage, type MessageHeader, type MessageParts } from '../../encode/messages.ts'
import { addressBytes } from '../../encode/writer.ts'
import type { StreamCounters } from '../counters.ts'
import { Decoder } from '../decoder.ts'

const ipfix = (parts: MessageParts, header: Partial<MessageHeader> = {}) =>
  encodeMessage({ version: 10, nowMs: exportedMs, ...header }, parts)
const countersOf = ({ decoder }: { decoder: Decoder }) => decoder.streams.list[0]?.counters ?? ({} as StreamCounters)

describe('fields', () => {
  const one = (parts: MessageParts, header: Partial<MessageHeader> = {}) => {
    const { records } = decodeAll([ipfix(parts, header)], { exportedTimes: true })
    assert.equal(records.length, 1)
    return records[0]
  }
  const single = (fields: Parameters<typeof templateOf>[1][], ...values: Parameters<typeof recordOf>[1][]) => {
    const template = templateOf(256, ...fields)
    return one({ templates: [template], records: [recordOf(template, ...values)] })
  }

  it('of variable length, short and long, known and not', () => {
    const text = new Uint8Array(300).fill(7)
    const record = single(
      [
        [82, 65_535],
        [1, 65_535],
        [83, 65_535],
        [2, 4],
      ],
      text,
      1234,
      new Uint8Array(0),
      5,
    )
    assert.deepEqual([record.bytes, record.packets], [1234, 5])
  })

  it('of variable length, in a datagram as long as can be', () => {
    const template = templateOf(256, [82, 65_535], [1, 4])
    const text = new Uint8Array(200)
    const records = Array.from({ length: 312 }, (_, i) => recordOf(template, text, i))
    const datagram = ipfix({ templates: [template], records })
    assert.ok(datagram.length > 65_000 && datagram.length < 65_508)
    assert.deepEqual(
      decodeAll([datagram]).records.map(({ bytes }) => bytes),
      records.map((_, i) => i),
    )
  })

  it('of an enterprise are not taken for those of IANA; reverse ones (RFC 5103) do not overwrite', () => {
    const record = single([[1, 4], { id: 1, pen: 29_305, length: 4 }, { id: 2, pen: 9, length: 4 }], 100, 7, 8)
    assert.deepEqual([record.bytes, record.packets], [100, null])
  })

  it('that come twice: the last one counts', () => {
    assert.equal(
      single(
        [
          [4, 1],
          [4, 1],
        ],
        17,
        6,
      ).ipProto,
      6,
    )
  })

  it('for the same column: the better one counts, wherever it stands', () => {
    assert.equal(
      single(
        [
          [85, 8],
          [1, 8],
          [23, 8],
        ],
        5_000,
        100,
        9,
      ).bytes,
      100,
    )
    assert.equal(
      single(
        [
          [231, 8],
          [23, 8],
        ],
        100,
        9,
      ).bytes,
      100,
    )
    assert.equal(
      single(
        [
          [24, 4],
          [86, 4],
        ],
        9,
        3,
      ).packets,
      3,
    )
  })

  it('of illegal length are skipped', () => {
    const record = single(
      [
        [1, 9],
        [4, 16],
        [2, 4],
      ],
      new Uint8Array(9),
      new Uint8Array(16),
      3,
    )
    assert.deepEqual([record.bytes, record.ipProto, record.packets], [null, null, 3])
  })

  it('that were not sent are null, and times are those of receipt', () => {
    const template = templateOf(256)
    const seen: number[] = []
    const decoder = new Decoder({ sink: ({ columns }) => seen.push(columns.startMs[0], columns.endMs[0]) })
    const message = viewOf(ipfix({ templates: [template], records: [recordOf(template)] }))
    decoder.decode(message, { address: '192.0.2.1', port: 1, receivedMs: exportedMs + 7 })
    decoder.flush()
    assert.deepEqual(seen, [exportedMs + 7, exportedMs + 7])
    const record = single([])
    assert.deepEqual(
      { ...record, dst: null, protocol: null },
      Object.fromEntries(Object.keys(record).map((key) => [key, null])),
    )
  })

  it('of both IP versions: the one with addresses counts', () => {
    const fields: [number, number][] = [
      [28, 16],
      [8, 4],
      [27, 16],
    ]
    const template = templateOf(256, ...fields)
    const zero4 = addressBytes('0.0.0.0')
    const zero6 = addressBytes('::')
    const six = { template, values: [zero4, addressBytes('2001:db8::1'), zero4, zero6] }
    const four = recordOf(template, zero6, addressBytes('198.51.100.1'), zero6)
    const { records } = decodeAll([ipfix({ templates: [template], records: [six, four] })])
    assert.deepEqual(
      records.map(({ src, dst }) => [src, dst]),
      [
        ['::', '2001:db8::1'],
        ['198.51.100.1', '203.0.113.1'],
      ],
    )
  })

  it('of both IP versions, of which the exporter names one', () => {
    const addresses: [number, number][] = [
      [28, 16],
      [60, 1],
    ]
    const named = templateOf(256, ...addresses)
    const unnamed = templateOf(257, addresses[0])
    const six = addressBytes('2001:db8::1')
    const decoded = decodeAll([ipfix({ templates: [named], records: [recordOf(named, six, 6)] })])
    decodeAll([ipfix({ templates: [unnamed], records: [recordOf(unnamed, six)] })], { into: decoded })
    assert.deepEqual(
      decoded.records.map(({ dst }) => dst),
      ['2001:db8::1', '203.0.113.1'],
    )
  })

  it('that hold lists (RFC 6313) are skipped by their length', () => {
    // basicList, subTemplateList and subTemplateMultiList; they hold elements that are known.
    const list = Uint8Array.of(3, 0, 1, 0, 4, 0xff, 0xff, 0xff, 0xff)
    for (const id of [291, 292, 293]) {
      const record = single(
        [
          [1, 4],
          [id, 65_535],
          [2, 4],
          [id, 65_535],
          [4, 1],
        ],
        100,
        list,
        5,
        new Uint8Array(400).fill(1),
        17,
      )
      assert.deepEqual([record.bytes, record.packets, record.ipProto], [100, 5, 17])
    }
  })

  it('without octets, and padding within a record and after the last', () => {
    const record = single(
      [
        [0, 0],
        [1, 4],
        [210, 7],
        [2, 0],
        [4, 1],
      ],
      new Uint8Array(0),
      100,
      new Uint8Array(7),
      new Uint8Array(0),
      6,
    )
    assert.deepEqual([record.bytes, record.packets, record.ipProto], [100, null, 6])
  })

  it('of what was done with a packet do not matter: what was dropped was sent', () => {
    const dropped = 0x80
    assert.equal(
      single(
        [
          [1, 4],
          [89, 1],
        ],
        100,
        dropped,
      ).bytes,
      100,
    )
    assert.equal(
      single(
        [
          [1, 4],
          [133, 4],
          [2, 4],
        ],
        100,
        3,
        5,
      ).packets,
      5,
    )
    assert.equal(single([[133, 8]], 3).packets, 3)
  })

  it('of ICMP: type and code in elements of their own go before the port', () => {
    const icmp = (fields: [number, number][], ...values: number[]) =>
      single([[4, 1], [11, 2], ...fields], 1, ...values).dstPort
    assert.equal(icmp([], 0x0303), 0x0303)
    assert.equal(icmp([[32, 2]], 0, 0x0b00), 0x0b00)
    assert.equal(icmp([[32, 2]], 0x0303, 0), 0x0303)
    // An echo's identifier in the port, as firewalls have it.
    assert.equal(
      icmp(
        [
          [176, 1],
          [177, 1],
        ],
        17_549,
        0,
        0,
      ),
      0,
    )
    assert.equal(
      icmp(
        [
          [176, 1],
          [177, 1],
        ],
        17_549,
        3,
        1,
      ),
      0x0301,
    )
    assert.equal(
      single(
        [
          [4, 1],
          [11, 2],
          [176, 1],
          [177, 1],
        ],
        6,
        80,
        3,
        1,
      ).dstPort,
      80,
    )
  })

  it('that hold the beginning of a packet (PSAMP) make a record of it, or none when it is no IP', () => {
    const template = {
      id: 256,
      fields: [
        { id: 4, length: 1 },
        { id: 315, length: 65_535 },
      ],
    }
    const packet = encodePacket(fullFlow({ src: '198.51.100.1', dst: '203.0.113.1', dstPort: 53 }, exportedMs))
    const arp = packet.slice()
    arp.set([0x08, 0x06], 12)
    const framed = (frame: Uint8Array) => ({ template, values: [6, frame] })
    const records = [framed(packet), framed(arp)]
    const decoded = decodeAll([ipfix({ templates: [template], records })])
    assert.deepEqual(
      decoded.records.map(({ dst, dstPort, ipProto, bytes, packets }) => [dst, dstPort, ipProto, bytes, packets]),
      [['203.0.113.1', 53, 17, 28, 1]],
    )
    assert.equal(countersOf(decoded).samplesSkipped, 1)
    // Nothing is left of it in the row that the next record takes.
    const protocols: number[] = []
    const decoder = new Decoder({ sink: ({ rows, columns }) => protocols.push(...columns.ipProto.subarray(0, rows)) })
    const plain = templateOf(257)
    const message = ipfix({ templates: [template, plain], records: [framed(arp), recordOf(plain)] })
    decoder.decode(viewOf(message), { address: 'a', port: 1, receivedMs: exportedMs })
    decoder.flush()
    assert.deepEqual(protocols, [0])
  })

  it('tell of fragments', () => {
    const fragments: number[] = []
    const decoder = new Decoder({ sink: ({ rows, columns }) => fragments.push(...columns.fragment.subarray(0, rows)) })
    const template = templateOf(256, [88, 2], [197, 1])
    const records = [
      [0, 0],
      [185, 0],
      [0, 0x20],
      [0, 0x40],
    ].map((values) => recordOf(template, ...values))
    decoder.decode(viewOf(ipfix({ templates: [template], records })), { address: 'a', port: 1, receivedMs: exportedMs })
    decoder.flush()
    assert.deepEqual(fragments, [0, 1, 1, 0])
  })

  it('of a record without a destination leave nothing in the row of the next one', () => {
    const counted: number[] = []
    const decoder = new Decoder({ sink: ({ rows, columns }) => counted.push(...columns.bytes.subarray(0, rows)) })
    const fields = [
      { id: 82, length: 65_535 },
      { id: 1, length: 4 },
    ]
    const template = { id: 256, fields }
    const plain = templateOf(257, [2, 4])
    const records = [{ template, values: [new Uint8Array(3), 9_000] }, recordOf(plain, 1)]
    const message = ipfix({ templates: [template, plain], records })
    decoder.decode(viewOf(message), { address: 'a', port: 1, receivedMs: exportedMs })
    decoder.flush()
    // One packet has no octets that anybody reported.
    assert.deepEqual(counted, [0])
  })

  it('of a record without a destination give none, and it is counted', () => {
    const template = {
      id: 256,
      fields: [
        { id: 8, length: 4 },
        { id: 1, length: 4 },
      ],
    }
    const decoded = decodeAll([ipfix({ templates: [template], records: [{ template, values: [1, 2] }] })])
    assert.equal(decoded.records.length, 0)
    assert.equal(countersOf(decoded).recordsWithoutAddress, 1)
  })
})
