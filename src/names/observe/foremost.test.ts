import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { Foremost } from './foremost.ts'

it('the foremost are those that come first when all are sorted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(99), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (numbers, max) => {
      const foremost = new Foremost<number>(max, (a, b) => a - b)
      for (const each of numbers) foremost.add(each)
      assert.deepEqual(foremost.list(), numbers.toSorted((a, b) => a - b).slice(0, max))
    }),
  )
})
