import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateTone, stateWord } from './delivery-words.ts'
import { deliverySearch } from './search.ts'

test('what the address says of messages is taken where it is known', () => {
  assert.deepEqual(deliverySearch({ state: 'dead', channel: 'a1', event: 'e1', other: 'x' }), {
    ...{ state: 'dead', channel: 'a1' },
    event: 'e1',
  })
  assert.deepEqual(deliverySearch({ state: 'lost', channel: '', event: 3 }), {})
})

test('a state that only a newer service has is shown by its name', () => {
  const find = (key: string) => (key === 'delivery.state.dead' ? 'Given up' : null)
  assert.deepEqual([stateWord('dead', { find }), stateTone('dead')], ['Given up', 'bad'])
  assert.deepEqual([stateWord('toString', { find }), stateTone('toString')], ['toString', 'plain'])
})
