import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fuzzMs } from '../../../test/fuzz/bytes.ts'
import { choosing, decodeAll, exportedMs } from '../../../test/helpers/decoded.ts'
import { fuzz } from '../../../test/helpers/fuzz.ts'
import { encodeMessage, type Field, type Record as Sent } from '../../encode/messages.ts'
import { parseIpv4 } from '../../net/ipv4.ts'
import { takingOf } from './choice.ts'
import { chooseCopy } from './copy.ts'
import { type Element, elements, ntopElements, reverseElements, reversePen } from './elements.ts'

interface AnyField extends Field {
  /** Random octets for each record. */
  octets: Uint8Array[]
}

const records = 3
const known: Element[] = [
  ...elements,
  ...elements.filter(({ pen }) => pen === undefined).map((element) => ({ ...element, pen: reversePen })),
  ...reverseElements,
  ...ntopElements.reverse,
  { id: 118, pen: ntopElements.pen, name: 'L7_PROTO', column: 'bytes' },
]
const widths = (element: Element) =>
  Array.from({ length: 17 }, (_, width) => width).filter((width) => chooseCopy(takingOf(element), width) !== null)

const fieldOf = (element: Element) =>
  fc
    .record({ length: fc.constantFrom(...widths(element), 3), bytes: fc.uint8Array({ minLength: 48, maxLength: 48 }) })
    .map(({ length, bytes }): AnyField => {
      const octets = Array.from({ length: records }, (_, i) => bytes.subarray(i * 16, i * 16 + length))
      return { id: element.id, length, octets, ...(element.pen !== undefined && { pen: element.pen }) }
    })
const ends = elements.filter(({ id, pen }) => pen === undefined && [8, 12, 2].includes(id))
const anyTemplate = fc
  .tuple(...ends.map(fieldOf), fc.array(fc.constantFrom(...known).chain(fieldOf), { maxLength: 12 }))
  .map((parts) => parts.flat())

/** The same records in a template whose records all have the same length, and in one whose lengths vary. */
function messages(fields: readonly AnyField[]) {
  const fixed = { id: 256, fields }
  // Data that means nothing, of another length in each record.
  const variable = { id: 257, fields: [...fields.slice(0, 1), { id: 82, length: 65_535 }, ...fields.slice(1)] }
  const values = (i: number) => fields.map(({ octets }) => octets[i])
  const row = (i: number): Sent => ({ template: fixed, values: values(i) })
  const variableRow = (i: number): Sent => {
    const [first, ...rest] = values(i)
    return { template: variable, values: [first, new Uint8Array(i * 150).fill(7), ...rest] }
  }
  const places = Array.from({ length: records }, (_, i) => i)
  const header = { version: 10, nowMs: exportedMs } as const
  return [
    encodeMessage(header, { templates: [fixed], records: places.map(row) }),
    encodeMessage(header, { templates: [variable], records: places.map(variableRow) }),
  ]
}

describe('records of fixed length and of lengths that vary', () => {
  for (const exportedTimes of [true, false]) {
    it(`are the same, ${exportedTimes ? 'as exported' : 'as counted'}, whatever their fields`, () => {
      const property = fc.property(anyTemplate, fc.constantFrom(1, 2, 5, 64), (fields, batchRows) => {
        const [fixed, variable] = messages(fields).map((message) =>
          decodeAll([message, message], { exportedTimes, batchRows }),
        )
        const told = ({ records: rows }: typeof fixed) => rows.map((record) => JSON.stringify(record)).sort()
        assert.deepEqual(told(variable), told(fixed))
        assert.equal(fixed.decoder.counters.failures + variable.decoder.counters.failures, 0)
        const [one, other] = [fixed, variable].map(({ decoder }) => decoder.streams.list[0]?.counters)
        assert.equal(other?.records, one?.records)
        assert.equal(other?.records6, one?.records6)
        assert.equal(other?.reverseRecords, one?.reverseRecords)
        assert.equal(other?.totalsContinued, one?.totalsContinued)
      })
      fuzz(property, fuzzMs() / 3)
    })
  }
})

describe('records for destinations that are wanted', () => {
  it('are the same as among all others, which are counted', () => {
    const isWanted = (address: number) => address % 2 === 0
    const property = fc.property(anyTemplate, fc.constantFrom(1, 2, 5, 64), (fields, batchRows) => {
      // Totals depend on what came before; they are left out.
      const counted = fields.filter(({ id, pen }) => pen !== undefined || ![85, 86, 171, 172].includes(id))
      const [message] = messages(counted)
      const sent = Array.from({ length: 5 }, () => message)
      const all = decodeAll(sent, { batchRows })
      const picked = decodeAll(sent, { batchRows, choose: choosing(isWanted) })
      const told = ({ records: rows }: typeof all) =>
        rows.filter(({ dst }) => isWanted(parseIpv4(dst ?? '') ?? 0)).map((record) => JSON.stringify(record))
      assert.deepEqual(told(picked), told(all))
      assert.ok(picked.records.length <= all.records.length)
      const [one, other] = [all, picked].map(({ decoder }) => decoder.streams.list[0]?.counters)
      assert.equal(other?.records, one?.records)
      assert.equal(other?.records6, one?.records6)
    })
    fuzz(property, fuzzMs() / 3)
  })

  it('are looked for without reading the others, but in the first of many datagrams', () => {
    const template = { id: 256, fields: [8, 12, 1, 2].map((id) => ({ id, length: 4 })) }
    const rows = [1, 2, 3].map((end) => ({
      template,
      values: [Uint8Array.of(10, 0, 0, 1), Uint8Array.of(10, 0, 0, end), 100, 1],
    }))
    const message = encodeMessage({ version: 10, nowMs: exportedMs }, { templates: [template], records: rows })
    const into = decodeAll([], { choose: choosing((address) => address === 0x0a000002) })
    for (let i = 0; i < 65; i++) decodeAll([message], { into, receivedMs: exportedMs + i })
    const { records: decoded, decoder } = into
    assert.equal(decoder.streams.list[0]?.counters.records, 65 * 3)
    assert.equal(decoded.filter(({ dst }) => dst === '10.0.0.2').length, 65)
    assert.equal(decoded.length, 65 + 3 * 2)
  })
})
