import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryCounts } from './delivery-counts.ts'

test('outcomes are counted by kind of channel, and what is no kind of this version as unknown', () => {
  const counts = new DeliveryCounts(['mail', 'webhook'])
  counts.add('mail', 'done')
  counts.add('mail', 'done')
  counts.add('pigeon', 'dead')
  counts.add('crow', 'dead')
  const found = counts.rows().filter(({ value }) => value > 0)
  assert.deepEqual(found, [
    { labels: { kind: 'mail', result: 'done' }, value: 2 },
    { labels: { kind: 'unknown', result: 'dead' }, value: 2 },
  ])
  assert.equal(counts.rows().length, 12)
})
