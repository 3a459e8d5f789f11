import assert from 'node:assert/strict'
import { it } from 'node:test'
import { heldByNobody, heldRanges, holderAt } from './held-ranges.ts'

const none = new Map<number, string>()
const at = (held: ReturnType<typeof heldRanges>, ...addresses: number[]) =>
  addresses.map((each) => holderAt(held, each))

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
