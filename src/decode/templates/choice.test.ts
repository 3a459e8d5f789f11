import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DecodeOptions, decodeAll, exportedMs, noOrigin } from '../../../test/helpers/decoded.ts'
import { encodeMessage, type Field, type Value } from '../../encode/messages.ts'
import { addressBytes } from '../../encode/writer.ts'
import type { FlowRecord } from '../../flow/record.ts'
import { elementKey, reversePen } from './elements.ts'
import { compileTemplate } from './template.ts'

type Sent = readonly [field: Field, value: Value]

const ends: Sent[] = [
  [{ id: 8, length: 4 }, addressBytes('198.51.100.7')],
  [{ id: 12, length: 4 }, addressBytes('203.0.113.9')],
  [{ id: 7, length: 2 }, 40_000],
  [{ id: 11, length: 2 }, 443],
  [{ id: 4, length: 1 }, 6],
]
const plain = (id: number, value: number, length = 4): Sent => [{ id, length }, value]
const back = (id: number, value: number, length = 4): Sent => [{ id, length, pen: reversePen }, value]

/** The same records by templates of fixed and of variable length. */
function decode(records: readonly (readonly Sent[])[], options: DecodeOptions & { version?: 9 | 10 } = {}) {
  const { version = 10, ...rest } = options
  const both = [false, true].map((variable) => {
    const text: Sent[] = variable ? [[{ id: 82, length: 65_535 }, new TextEncoder().encode('eth0')]] : []
    const sent = records.map((record) => [...text, ...ends, ...record])
    const template = { id: 256, fields: sent[0].map(([field]) => field) }
    const message = {
      templates: [template],
      records: sent.map((each) => ({ template, values: each.map(([, value]) => value) })),
    }
    return decodeAll([encodeMessage({ version, nowMs: exportedMs }, message)], { exportedTimes: true, ...rest })
  })
  assert.equal(both[0].decoder.counters.failures + both[1].decoder.counters.failures, 0)
  assert.deepEqual(sorted(both[1].records), sorted(both[0].records))
  return both[0]
}

const sorted = (records: FlowRecord[]) => records.map((record) => JSON.stringify(record)).sort()
const countersOf = ({ decoder }: ReturnType<typeof decode>) => decoder.streams.list[0]?.counters

const there = { src: '198.51.100.7', dst: '203.0.113.9', srcPort: 40_000, dstPort: 443, ipProto: 6 }
const here = { src: '203.0.113.9', dst: '198.51.100.7', srcPort: 443, dstPort: 40_000, ipProto: 6 }
const rest = { protocol: 'ipfix', tcpFlags: null, startMs: null, endMs: null, samplingRate: null, ...noOrigin }

describe('a record of two directions (RFC 5103)', () => {
  it('gives a row for each, with the ends turned round and counters of its own', () => {
    const decoded = decode([[plain(1, 100), plain(2, 1), plain(6, 2, 1), back(1, 9_000), back(2, 7), back(6, 0x12, 1)]])
    assert.deepEqual(decoded.records, [
      { ...rest, ...there, bytes: 100, packets: 1, tcpFlags: 2 },
      { ...rest, ...here, bytes: 9_000, packets: 7, tcpFlags: 0x12 },
    ])
    assert.deepEqual([countersOf(decoded)?.records, countersOf(decoded)?.reverseRecords], [1, 1])
  })

  it('gives no second row when nothing came back, or when none is wanted', () => {
    const one = [plain(1, 100), plain(2, 1), back(1, 0), back(2, 0)]
    const two = [plain(1, 200), plain(2, 2), back(1, 50), back(2, 1)]
    assert.deepEqual(
      decode([one, two, one]).records.map(({ bytes }) => bytes),
      [100, 200, 100, 50],
    )
    assert.deepEqual(
      decode([one, two, one], { wayBack: false }).records.map(({ bytes }) => bytes),
      [100, 200, 100],
    )
  })

  it('has flags and types of the way back only when it tells them', () => {
    const { records } = decode([[plain(2, 1), plain(6, 2, 1), plain(32, 0x0800, 2), back(2, 7)]])
    assert.deepEqual(records[1], { ...rest, ...here, bytes: null, packets: 7 })
  })

  it('came in where the flow left, from the system that it went to', () => {
    const interfaces = [plain(10, 11), plain(14, 22)]
    const systems = [plain(16, 64_496), plain(17, 64_497), plain(129, 64_498), plain(128, 64_499)]
    const { records } = decode([[plain(2, 1), back(2, 7), ...interfaces, ...systems]])
    assert.deepEqual(
      records.map(({ ingressInterface, egressInterface, sourceAs }) => {
        return [ingressInterface, egressInterface, sourceAs]
      }),
      [
        [11, 22, 64_496],
        [22, 11, 64_497],
      ],
    )
  })

  it('has the times of the flow, or its own', () => {
    const times = [plain(152, exportedMs - 9_000, 8), plain(153, exportedMs, 8)]
    const [, shared] = decode([[plain(2, 1), ...times, back(2, 7)]]).records
    assert.deepEqual([shared.startMs, shared.endMs], [exportedMs - 9_000, exportedMs])
    const [, own] = decode([[plain(2, 1), ...times, back(2, 7), back(152, exportedMs - 5_000, 8)]]).records
    assert.deepEqual([own.startMs, own.endMs], [exportedMs - 5_000, exportedMs])
    const delay: Sent = [{ id: 21, length: 4, pen: 6871 }, 700]
    const [forth, late] = decode([[plain(2, 1), ...times, back(2, 7), delay]]).records
    assert.deepEqual([forth.startMs, late.startMs, late.endMs], [exportedMs - 9_000, exportedMs - 8_300, exportedMs])
  })

  it('may count totals (YAF)', () => {
    const flags: Sent[] = [
      [{ id: 14, length: 1, pen: 6871 }, 2],
      [{ id: 15, length: 1, pen: 6871 }, 0x10],
      [{ id: 14 + 0x4000, length: 1, pen: 6871 }, 0x12],
      [{ id: 15 + 0x4000, length: 1, pen: 6871 }, 0x18],
    ]
    const { records } = decode([[plain(85, 100), plain(86, 1), back(85, 9_000), back(86, 7), ...flags]])
    assert.deepEqual(
      records.map(({ bytes, packets, tcpFlags }) => [bytes, packets, tcpFlags]),
      [
        [100, 1, 0x12],
        [9_000, 7, 0x1a],
      ],
    )
  })

  it('fills batches to the last row', () => {
    const record = [plain(1, 100), plain(2, 1), back(1, 50), back(2, 1)]
    for (const batchRows of [1, 2, 3, 5]) {
      const { records } = decode(new Array<Sent[]>(7).fill(record), { batchRows })
      assert.equal(records.filter(({ bytes }) => bytes === 100).length, 7)
      assert.equal(records.filter(({ bytes, dst }) => bytes === 50 && dst === here.dst).length, 7)
    }
  })

  it('of IPv6', () => {
    const fields: Field[] = [
      { id: 27, length: 16 },
      { id: 28, length: 16 },
      { id: 2, length: 4 },
      { id: 2, length: 4, pen: reversePen },
    ]
    const template = { id: 256, fields }
    const values = [addressBytes('2001:db8::1'), addressBytes('2001:db8::2'), 1, 2]
    const decoded = decodeAll([
      encodeMessage({ version: 10, nowMs: exportedMs }, { templates: [template], records: [{ template, values }] }),
    ])
    assert.deepEqual(
      decoded.records.map(({ dst, packets }) => [dst, packets]),
      [
        ['2001:db8::2', 1],
        ['2001:db8::1', 2],
      ],
    )
    assert.equal(countersOf(decoded)?.records6, 1)
  })

  it('counts as one in sequence numbers', () => {
    const template = {
      id: 256,
      fields: [
        { id: 8, length: 4 },
        { id: 12, length: 4 },
        { id: 2, length: 4 },
        { id: 2, length: 4, pen: reversePen },
      ],
    }
    const record = { template, values: [1, 2, 3, 4] }
    const message = (sequence: number) =>
      encodeMessage({ version: 10, nowMs: exportedMs, sequence }, { templates: [template], records: [record, record] })
    const decoded = decodeAll([message(10), message(12), message(14)])
    assert.equal(decoded.records.length, 12)
    assert.equal(countersOf(decoded)?.sequenceGaps, 0)
  })
})

describe("a firewall's connection (NSEL)", () => {
  it('gives a row for the initiator and one for the responder', () => {
    const { records } = decode([[plain(231, 100), plain(232, 9_000), plain(298, 1), plain(299, 7)]], { version: 9 })
    assert.deepEqual(
      records.map(({ dst, bytes, packets }) => [dst, bytes, packets]),
      [
        [there.dst, 100, 1],
        [here.dst, 9_000, 7],
      ],
    )
  })

  it('gives the initiator alone when the flow has counters of its own', () => {
    assert.equal(decode([[plain(2, 1), plain(232, 9_000)]]).records.length, 1)
    const { records } = decode([[plain(1, 60), plain(2, 1), plain(231, 100), plain(232, 9_000), plain(299, 7)]])
    assert.deepEqual(
      records.map(({ dst, bytes, packets }) => [dst, bytes, packets]),
      [[there.dst, 60, 1]],
    )
  })
})

describe("ntop's egress counters", () => {
  const counters = [plain(1, 100), plain(2, 1), plain(23, 9_000), plain(24, 7)]

  it('are the way back', () => {
    const inIpfix: Sent = [{ id: 118, pen: 35_632, length: 2 }, 7]
    for (const [mark, version] of [
      [inIpfix, 10],
      [plain(57_590, 7, 2), 9],
    ] as const) {
      assert.deepEqual(
        decode([[...counters, mark]], { version }).records.map(({ dst, bytes }) => [dst, bytes]),
        [
          [there.dst, 100],
          [here.dst, 9_000],
        ],
      )
    }
  })

  it('of others are the same packets once more', () => {
    assert.equal(decode([counters]).records.length, 1)
  })
})

describe('elements', () => {
  const unknownOf = (...fields: [pen: number, id: number, length: number][]) =>
    compileTemplate({
      keys: fields.map(([pen, id]) => elementKey(pen, id)),
      lengths: fields.map(([, , length]) => length),
      options: false,
    }).unknownElements

  it('that nobody here knows are listed, each once', () => {
    const unknown = [
      [9, 12_235],
      [0, 8_196],
      [637, 91],
    ] as const
    const fields = unknown.map(([pen, id]): [number, number, number] => [pen, id, 4])
    assert.deepEqual(
      unknownOf([0, 12, 4], ...fields, ...fields),
      unknown.map(([pen, id]) => elementKey(pen, id)),
    )
  })

  it('that are known, and left out on purpose, are not', () => {
    assert.deepEqual(
      unknownOf(
        [0, 225, 4],
        [0, 226, 4],
        [0, 89, 1],
        [0, 233, 1],
        [0, 291, 65_535],
        [0, 40_001, 4],
        [reversePen, 184, 4],
        [6871, 15 + 0x4000, 1],
      ),
      [],
    )
  })

  it('of a length that is not theirs are', () => {
    assert.deepEqual(unknownOf([0, 1, 9], [0, 2, 0], [0, 8, 4]), [elementKey(0, 1)])
  })
})

describe('addresses and ports after translation', () => {
  it('are not the destination', () => {
    const translated = [plain(225, 0x0a000001), plain(226, 0x0a000002), plain(227, 1, 2), plain(228, 8_443, 2)]
    const { records } = decode([[plain(2, 1), ...translated]])
    assert.deepEqual([records[0].dst, records[0].dstPort], [there.dst, there.dstPort])
  })
})
