import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DecodeOptions, decodeAll, exportedMs } from '../../../test/helpers/decoded.ts'
import { encodeMessage, type Field } from '../../encode/messages.ts'
import { addressBytes } from '../../encode/writer.ts'
import { createBatch } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { reversePen } from './elements.ts'
import { FlowTotals } from './totals.ts'

interface Seen {
  srcPort?: number
  startMs?: number
  endMs: number
  bytes: number
  packets: number
  back?: number
}

const fields: Field[] = [
  { id: 8, length: 4 },
  { id: 12, length: 4 },
  { id: 7, length: 2 },
  { id: 152, length: 8 },
  { id: 153, length: 8 },
  { id: 85, length: 8 },
  { id: 86, length: 8 },
  { id: 85, length: 8, pen: reversePen },
]
const template = { id: 256, fields }

/** One message a record, from one exporter. */
function decode(seen: readonly Seen[], options: DecodeOptions = {}) {
  const messages = seen.map(({ srcPort = 1, startMs = exportedMs - 60_000, endMs, bytes, packets, back = 0 }) => {
    const ends = [addressBytes('198.51.100.1'), addressBytes('203.0.113.1')]
    const values = [...ends, srcPort, startMs, endMs, bytes, packets, back]
    return encodeMessage({ version: 10, nowMs: exportedMs }, { templates: [template], records: [{ template, values }] })
  })
  return decodeAll(messages, options)
}

const at = (seconds: number) => exportedMs - 60_000 + seconds * 1000

describe('totals of a flow', () => {
  it('count once, from the end of the last record on', () => {
    const { records, decoder } = decode([
      { endMs: at(10), bytes: 1_000, packets: 10 },
      { endMs: at(20), bytes: 1_500, packets: 12 },
      { endMs: at(30), bytes: 1_500, packets: 12 },
      { endMs: at(40), bytes: 9_500, packets: 52 },
    ])
    assert.deepEqual(
      records.map(({ startMs, endMs, bytes, packets }) => [startMs, endMs, bytes, packets]),
      [
        [at(0), at(10), 1_000, 10],
        [at(10), at(20), 500, 2],
        [at(20), at(30), 0, 0],
        [at(30), at(40), 8_000, 40],
      ],
    )
    assert.equal(decoder.streams.list[0]?.counters.totalsContinued, 3)
  })

  it('of another flow, or of another exporter, count in full', () => {
    const first = { endMs: at(10), bytes: 1_000, packets: 10 }
    const others = [
      { ...first, srcPort: 2 },
      { ...first, startMs: at(1) },
      { ...first, bytes: 900 },
      { ...first, bytes: 2_000, packets: 9, startMs: at(2) },
    ]
    for (const other of others) {
      const { records } = decode([first, other])
      assert.deepEqual([records[1].bytes, records[1].packets], [other.bytes, other.packets])
    }
    const decoded = decode([first])
    decode([first], { port: 9, into: decoded })
    assert.deepEqual(
      decoded.records.map(({ bytes }) => bytes),
      [1_000, 1_000],
    )
  })

  it('of the way back are its own', () => {
    const { records } = decode([
      { endMs: at(10), bytes: 1_000, packets: 10, back: 70 },
      { endMs: at(20), bytes: 1_500, packets: 12, back: 90 },
    ])
    assert.deepEqual(
      records.map(({ bytes }) => bytes),
      [1_000, 70, 500, 20],
    )
  })

  it('are left as they are for those who want what was exported', () => {
    const { records } = decode(
      [
        { endMs: at(10), bytes: 1_000, packets: 10 },
        { endMs: at(20), bytes: 1_500, packets: 12 },
      ],
      { exportedTimes: true },
    )
    assert.deepEqual(
      records.map(({ bytes, packets }) => [bytes, packets]),
      [
        [1_000, 10],
        [1_500, 12],
      ],
    )
  })

  it('beside deltas do not matter: the deltas count', () => {
    const both = { id: 257, fields: [...fields.slice(0, 5), { id: 1, length: 8 }, { id: 85, length: 8 }] }
    const values = [1, addressBytes('203.0.113.1'), 1, at(0), at(10), 100, 5_000]
    const message = encodeMessage(
      { version: 10, nowMs: exportedMs },
      { templates: [both], records: [{ template: both, values }] },
    )
    assert.deepEqual(
      decodeAll([message, message]).records.map(({ bytes }) => bytes),
      [100, 100],
    )
  })

  it('whose times count from whole seconds are told by a start that is about the same', () => {
    const byUptime: Field[] = [
      ...fields.slice(0, 3),
      { id: 22, length: 4 },
      { id: 21, length: 4 },
      { id: 85, length: 8 },
    ]
    const uptime = { id: 258, fields: byUptime }
    const bootMs = exportedMs - 3_600_000
    // The header has the uptime in ms, and the time in seconds: what follows for the start jumps about.
    const sent = [0, 400, 900].map((ms, i) => {
      const nowMs = exportedMs + i * 10_000 + ms
      const values = [1, addressBytes('203.0.113.1'), 1, 3_590_000, nowMs - bootMs, 1_000 * (i + 1)]
      return {
        nowMs,
        message: encodeMessage(
          { version: 9, nowMs, bootMs },
          { templates: [uptime], records: [{ template: uptime, values }] },
        ),
      }
    })
    const decoded = decodeAll([])
    for (const { nowMs, message } of sent) decodeAll([message], { receivedMs: nowMs, into: decoded })
    assert.deepEqual(
      decoded.records.map(({ bytes }) => bytes),
      [1_000, 1_000, 1_000],
    )
  })
})

describe('the memory of flows', () => {
  it('never counts more than the exporter told, nor less than each flow had in the end', () => {
    const update = fc.record({ flow: fc.nat(40), bytes: fc.nat(1_000), packets: fc.nat(3) })
    const property = fc.property(
      fc.array(update, { maxLength: 200 }),
      fc.constantFrom(1, 16, 16_384),
      (updates, flowsMax) => {
        const totals = new FlowTotals(flowsMax)
        const batch = createBatch(1)
        const { columns } = batch
        const now = new Map<number, number>()
        const counted = new Map<number, number>()
        let told = 0
        for (const { flow, bytes, packets } of updates) {
          const total = (now.get(flow) ?? 0) + bytes
          now.set(flow, total)
          told += total
          columns.ipVersion[0] = 4
          columns.srcAddr[0] = flow
          columns.present[0] = presentBit('startMs')
          columns.startMs[0] = 1
          columns.endMs[0] = 2
          columns.bytes[0] = total
          columns.packets[0] = packets
          totals.settle(batch, 0, 1, 0, { bytes: true, packets: false, jitterMs: 0 })
          counted.set(flow, (counted.get(flow) ?? 0) + columns.bytes[0])
          assert.equal(columns.packets[0], packets)
        }
        const sum = [...counted.values()].reduce((all, each) => all + each, 0)
        assert.ok(sum <= told)
        for (const [flow, total] of now) {
          assert.ok((counted.get(flow) ?? 0) >= total)
          if (flowsMax === 16_384) assert.equal(counted.get(flow), total)
        }
      },
    )
    fc.assert(property, { numRuns: 100 })
  })
})
