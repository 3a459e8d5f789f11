import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../../../src/contract/endpoints.ts'
import { allInOrder, moved } from './order.ts'

const [example] = endpoints.listRules.example.response.rules

test('what is moved comes to stand at the place, and the others keep their order', () => {
  const ids = ['a', 'b', 'c', 'd']
  assert.deepEqual(moved(ids, 0, 2), ['b', 'c', 'a', 'd'])
  assert.deepEqual(moved(ids, 3, 0), ['d', 'a', 'b', 'c'])
  assert.deepEqual(moved(ids, 1, 1), ids)
})

test('every rule has a place in an order of those of one reach', () => {
  const rules = ['a', 'x', 'b'].map((id) => ({ ...example, id }))
  assert.deepEqual(
    allInOrder(rules, ['b', 'gone', 'a']).map(({ id }) => id),
    ['b', 'a', 'x'],
  )
})
