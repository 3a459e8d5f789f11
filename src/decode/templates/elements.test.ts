import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs } from '../../../test/helpers/decoded.ts'
import { encodeMessage, type Field, type Value } from '../../encode/messages.ts'
import { addressBytes } from '../../encode/writer.ts'
import type { FlowRecord } from '../../flow/record.ts'
import { chooseCopy } from './copy.ts'
import { type Element, elementKey, elements } from './elements.ts'
import { kindOf } from './scratch.ts'

/** Each column's test: a value to send, other fields that must go with it, and what the record then has. */
interface Sample {
  value: (width: number) => Value
  beside?: readonly [field: Field, value: Value][]
  seen: (record: FlowRecord) => unknown
  want: (width: number) => unknown
}

const ip4: readonly [Field, Value][] = [
  [{ id: 8, length: 4 }, addressBytes('198.51.100.7')],
  [{ id: 12, length: 4 }, addressBytes('203.0.113.9')],
]
const icmp: readonly [Field, Value][] = [[{ id: 4, length: 1 }, 1]]

/** The largest number of the width, less a bit in each octet, so that an octet more or less shows. */
const patterned = (width: number) => BigInt(`0x${'a5'.repeat(width)}`)
const low = (octets: number) => (width: number) => Number(BigInt.asUintN(octets * 8, patterned(width)))
const number = (name: keyof FlowRecord, octets: number): Sample => ({
  value: patterned,
  seen: (record) => record[name],
  want: low(octets),
})

const ntp = (BigInt(exportedMs / 1000) + 2_208_988_800n) << 32n
const timeOf =
  (name: 'startMs' | 'endMs') =>
  (element: Element): Sample => {
    const { encoding, basis } = element
    const sent =
      basis === 'uptime'
        ? 3_600_000 - 5_000
        : basis === 'beforeExport'
          ? 5_000_000
          : encoding === 'seconds'
            ? exportedMs / 1000
            : encoding === undefined
              ? exportedMs
              : ntp
    return {
      value: () => sent,
      seen: (record) => record[name],
      want: () => (basis === undefined ? exportedMs : exportedMs - 5_000),
    }
  }

const rate = (value: (width: number) => Value, beside: Sample['beside'], want: (width: number) => number): Sample => ({
  value,
  beside: beside ?? [],
  seen: (record) => record.samplingRate,
  want,
})
const float = (width: number) => {
  const bytes = new Uint8Array(width)
  const view = new DataView(bytes.buffer)
  if (width === 4) view.setFloat32(0, 0.25)
  else view.setFloat64(0, 0.25)
  return bytes
}

const samples: Record<Element['column'], (element: Element) => Sample | null> = {
  bytes: () => number('bytes', 8),
  packets: () => number('packets', 8),
  srcAddr: () => ({ value: () => addressBytes('192.0.2.200'), seen: ({ src }) => src, want: () => '192.0.2.200' }),
  dstAddr: () => ({ value: () => addressBytes('192.0.2.200'), seen: ({ dst }) => dst, want: () => '192.0.2.200' }),
  src6: () => ({
    value: () => addressBytes('2001:db8::7'),
    beside: version6,
    seen: ({ src }) => src,
    want: () => '2001:db8::7',
  }),
  dst6: () => ({
    value: () => addressBytes('2001:db8::7'),
    beside: version6,
    seen: ({ dst }) => dst,
    want: () => '2001:db8::7',
  }),
  versionField: () => ({
    value: () => 6,
    beside: [[{ id: 28, length: 16 }, addressBytes('2001:db8::9')]],
    seen: ({ dst }) => dst,
    want: () => '2001:db8::9',
  }),
  ipProto: () => number('ipProto', 1),
  srcPort: () => number('srcPort', 2),
  dstPort: () => number('dstPort', 2),
  tcpFlags: () => number('tcpFlags', 1),
  firstFlags: () => number('tcpFlags', 1),
  laterFlags: () => ({
    ...number('tcpFlags', 1),
    beside: [[{ id: 14, pen: 6871, length: 1 }, 2]],
    want: () => 0xa5 | 2,
  }),
  icmpTypeCode: () => ({ value: () => 0xb, beside: icmp, seen: portOf, want: () => 0xb }),
  icmpType: () => ({ value: () => 3, beside: icmp, seen: portOf, want: () => 0x300 }),
  icmpCode: ({ id }) => ({
    value: () => 4,
    beside: [...icmp, [{ id: id - 1, length: 1 }, 3]],
    seen: portOf,
    want: () => 0x304,
  }),
  reverseDelayMs: () => null,
  firewallEvent: () => null,
  fragmentOffset: () => null,
  fragmentFlags: () => null,
  startMs: timeOf('startMs'),
  endMs: timeOf('endMs'),
  bootMs: () => ({
    value: () => exportedMs - 10_000,
    beside: [[{ id: 21, length: 4 }, 4_000]],
    seen: ({ endMs }) => endMs,
    want: () => exportedMs - 6_000,
  }),
  durationMs: ({ encoding }) => ({
    value: () => (encoding === 'micros' ? 2_000_000 : 2_000),
    beside: [[{ id: 153, length: 8 }, exportedMs]],
    seen: ({ startMs }) => startMs,
    want: () => exportedMs - 2_000,
  }),
  samplingInterval: () =>
    rate(
      (width) => (width === 1 ? 200 : 1000),
      [],
      (width) => (width === 1 ? 200 : 1000),
    ),
  packetsTaken: () =>
    rate(
      () => 1,
      [[{ id: 306, length: 4 }, 9]],
      () => 10,
    ),
  packetsSkipped: () =>
    rate(
      () => 9,
      [[{ id: 305, length: 4 }, 1]],
      () => 10,
    ),
  samplingSize: () =>
    rate(
      () => 2,
      [[{ id: 310, length: 4 }, 512]],
      () => 256,
    ),
  samplingPopulation: () =>
    rate(
      () => 200,
      [[{ id: 309, length: 4 }, 2]],
      () => 100,
    ),
  samplingProbability: () => rate(float, [], () => 4),
  samplerId: () => null,
  selectionSequence: () => null,
  ingressInterface: () => number('ingressInterface', 4),
  egressInterface: () => number('egressInterface', 4),
  sourceAs: () => number('sourceAs', 4),
  direction: () => ({ value: () => 1, seen: ({ direction }) => direction, want: () => 1 }),
  scopeTemplate: () => null,
  exporter: () => null,
  exportProtocol: () => null,
  ipVersion: () => null,
  fragment: () => null,
  samplingRate: () => null,
  present: () => null,
}

const version6: readonly [Field, Value][] = [[{ id: 60, length: 1 }, 6]]
const portOf = ({ dstPort }: FlowRecord) => dstPort

/** Widths at which the element may come. */
function legalWidths({ column, octets, encoding }: Element): number[] {
  const taking = { kind: kindOf(column), ...(octets && { octets }), ...(encoding && { encoding }) }
  return Array.from({ length: 17 }, (_, width) => width).filter((width) => chooseCopy(taking, width) !== null)
}

describe('every information element, at every legal width', () => {
  for (const element of elements) {
    const sample = samples[element.column](element)
    if (sample === null) continue
    it(`${element.name}`, () => {
      for (const width of legalWidths(element)) {
        const value = sample.value(width)
        if (typeof value === 'number' && value >= 2 ** (8 * width)) continue
        const field: Field = { id: element.id, length: width, ...(element.pen && { pen: element.pen }) }
        // Version 9 has an uptime for elements that count from it, version 10 has enterprise numbers.
        const version = element.basis === 'uptime' ? 9 : 10
        const beside = [...ip4, ...(sample.beside ?? [])]
        const fields = [...beside, [field, value] as const]
        const template = { id: 256, fields: fields.map(([each]) => each) }
        const records = [{ template, values: fields.map(([, value]) => value) }]
        const decoded = decodeAll([encodeMessage({ version, nowMs: exportedMs }, { templates: [template], records })], {
          exportedTimes: true,
        })
        assert.equal(decoded.records.length, 1)
        assert.deepEqual(sample.seen(decoded.records[0]), sample.want(width), `${width} octets`)
      }
    })
  }
})

describe('the registry', () => {
  it('has each element once', () => {
    const keys = elements.map(({ pen = 0, id }) => elementKey(pen, id))
    assert.equal(new Set(keys).size, keys.length)
  })

  it('has a width for each', () => {
    for (const element of elements) assert.ok(legalWidths(element).length > 0, element.name)
  })
})
