import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createCounterColumns, createRecordColumns } from './sealed-slot.ts'

it('the columns of a table share one buffer, fill it, and do not overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), (rows) => {
      for (const { rows: _, ...columns } of [createCounterColumns(rows), createRecordColumns(rows)]) {
        const arrays = Object.values(columns)
        const octets = new Uint8Array(columns.address.buffer)
        for (const array of arrays) {
          assert.equal(array.buffer, columns.address.buffer)
          assert.equal(array.length, rows)
          for (let at = array.byteOffset; at < array.byteOffset + array.byteLength; at++) octets[at]++
        }
        assert.ok(octets.every((count) => count === 1))
      }
    }),
  )
})
