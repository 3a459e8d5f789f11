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
  assert.deepEqual(
    counts.dead().map(({ labels, value }) => [labels.kind, value]),
    [
      ['mail', 0],
      ['webhook', 0],
      ['unknown', 2],
    ],
  )
})

test('what waits has a number for each kind, and what sent nothing one for each reason', () => {
  const counts = new DeliveryCounts(['mail', 'webhook'])
  assert.deepEqual(
    counts.waiting({ webhook: 3, pigeon: 1, crow: 1 }).map(({ labels, value }) => [labels.kind, value]),
    [
      ['mail', 0],
      ['webhook', 3],
      ['unknown', 2],
    ],
  )
  counts.unsent.target++
  assert.deepEqual(
    counts.refused().map(({ labels, value }) => [labels.reason, value]),
    [
      ['target', 1],
      ['settings', 0],
      ['rights', 0],
      ['secrets', 0],
    ],
  )
})
