import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { heldByNobody, heldRanges, holderWithin, togetherOf } from './held-ranges.ts'

const none = new Map<number, string>()
const at = (held: ReturnType<typeof heldRanges>, ...addresses: number[]) =>
  addresses.map((each) => holderWithin(held, [[each, each]]))

it('says who holds an address, all together where several do', () => {
  const ranges = [
    { first: 10, last: 19, holder: 'b' },
    { first: 12, last: 13, holder: 'a' },
    { first: 13, last: 13, holder: 'a' },
    { first: 20, last: 29, holder: 'b' },
  ]
  const held = heldRanges(ranges, none)
  assert.deepEqual(at(held, 9, 10, 12, 13, 14, 19, 20, 29, 30), ['', 'b', 'a b', 'a b', 'b', 'b', 'b', 'b', ''])
  assert.deepEqual([...held.starts], [10, 12, 14, 30])
})

it('takes single addresses where no range is', () => {
  const single = new Map([
    [5, 'a'],
    [6, 'a'],
    [12, 'a'],
    [20, 'c'],
    [2 ** 32 - 1, 'a'],
  ])
  const held = heldRanges([{ first: 10, last: 19, holder: 'b' }], single)
  assert.deepEqual(at(held, 4, 5, 6, 7, 12, 19, 20, 21), ['', 'a', 'a', '', 'b', 'b', 'c', ''])
  assert.deepEqual(at(held, 2 ** 32 - 2, 2 ** 32 - 1), ['', 'a'])
})

it('takes addresses up to the last', () => {
  const held = heldRanges([{ first: 0, last: 2 ** 32 - 1, holder: 'a' }], none)
  assert.deepEqual(at(held, 0, 2 ** 32 - 1), ['a', 'a'])
  assert.deepEqual(at(heldByNobody, 0), [''])
  assert.deepEqual(at(heldRanges([], none), 7), [''])
})

it('agrees with a plain search', () => {
  const last = 40
  const holder = fc.constantFrom('a', 'b', 'c')
  const range = fc.record({ first: fc.nat(last), more: fc.nat(8), holder })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 6 }), fc.array(fc.tuple(fc.nat(last), holder)), (given, singles) => {
      const ranges = given.map(({ first, more, holder }) => ({ first, last: first + more, holder }))
      const single = new Map(singles)
      const held = heldRanges(ranges, single)
      for (let address = 0; address < last + 10; address++) {
        const above = ranges.filter(({ first, last }) => first <= address && address <= last)
        const expected = above.length > 0 ? togetherOf(new Set(above.map(({ holder }) => holder))) : single.get(address)
        assert.deepEqual(at(held, address), [expected ?? ''])
      }
    }),
  )
})

it('says who holds any address of some ranges, each once', () => {
  const ranges = [
    { first: 10, last: 19, holder: 'b' },
    { first: 15, last: 15, holder: 'a' },
    { first: 30, last: 39, holder: 'c' },
  ]
  const held = heldRanges(ranges, new Map([[50, 'd']]))
  const within = (...parts: [number, number][]) => holderWithin(held, parts)
  assert.deepEqual(
    [within([0, 9]), within([0, 10]), within([0, 14]), within([14, 15]), within([20, 29])],
    ['', 'b', 'b', 'a b', ''],
  )
  assert.deepEqual([within([0, 2 ** 32 - 1]), within([10, 14], [45, 60])], ['a b c d', 'b d'])
  assert.equal(holderWithin(heldByNobody, [[0, 2 ** 32 - 1]]), '')
})
