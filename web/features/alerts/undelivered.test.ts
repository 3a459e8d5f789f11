import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undelivered } from './undelivered.ts'

const nowMs = Date.parse('2017-03-08T10:30:00+00:00')
const since = '2017-03-07T10:30:01+00:00'
const channel = (name: string, state: 'ok' | 'failing' | 'disabled', failingSince: string | null = null) => ({
  ...{ id: name, name, state, failingSince },
})
const dead = (at: string) => ({ state: 'dead' as const, at })

test('channels that fail are told, those that somebody turned off are not', () => {
  const channels = [
    channel('a', 'ok'),
    channel('b', 'failing'),
    channel('c', 'disabled'),
    channel('d', 'disabled', since),
  ]
  const found = undelivered(channels, [], nowMs)
  assert.deepEqual(
    found?.failing.map(({ name }) => name),
    ['b', 'd'],
  )
  assert.equal(found?.givenUpAt, null)
  assert.equal(undelivered([channel('a', 'ok'), channel('c', 'disabled')], [], nowMs), null)
})

test('what was given up is told for a day', () => {
  const lately = dead('2017-03-07T10:30:01+00:00')
  assert.equal(undelivered([], [dead('2017-03-07T10:30:00+00:00')], nowMs), null)
  assert.equal(undelivered([], [lately], nowMs)?.givenUpAt, lately.at)
  assert.equal(undelivered([], [{ ...lately, state: 'done' }], nowMs), null)
})
