import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TargetOrder } from './target-order.ts'

describe('order of targets', () => {
  it('is that of a sort by address and class, which keeps equal rows as they came', () => {
    const order = new TargetOrder()
    const address = fc.oneof(fc.nat(0xffff_ffff), fc.constantFrom(0, 7, 0xc612_0000, 0xc612_0001, 0xffff_ffff))
    fc.assert(
      fc.property(fc.array(fc.tuple(address, fc.constantFrom(0, 1, 2_047)), { maxLength: 200 }), (rows) => {
        const expected = rows
          .map((_, row) => row)
          .sort((a, b) => rows[a][0] - rows[b][0] || rows[a][1] - rows[b][1] || a - b)
        const addresses = Uint32Array.from(rows, ([first]) => first)
        const classes = Uint16Array.from(rows, ([, second]) => second)
        assert.deepEqual([...order.sort(addresses, classes, rows.length).subarray(0, rows.length)], expected)
      }),
    )
  })
})
