import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BackOff } from './back-off.ts'

const options = { free: 2, firstMs: 1_000, mostMs: 8_000 }

test('after some failures each wait is twice as long as the one before, up to a bound', () => {
  const backOff = new BackOff(options)
  assert.deepEqual([backOff.take('a', 0), backOff.take('a', 0), backOff.take('a', 0)], [0, 0, 0])
  let nowMs = 0
  for (const wait of [1_000, 2_000, 4_000, 8_000, 8_000]) {
    assert.equal(backOff.take('a', nowMs), wait)
    assert.equal(backOff.take('a', nowMs + wait - 1), 1)
    nowMs += wait
    assert.equal(backOff.take('a', nowMs), 0)
  }
  assert.equal(backOff.take('b', nowMs), 0)
})

test('what is forgiven does not count; all is forgotten after a time, and when the clock is set back', () => {
  const backOff = new BackOff(options)
  for (let i = 0; i < 20; i++) {
    assert.equal(backOff.take('a', 0), 0)
    backOff.forgive('a', { entirely: false })
  }
  for (let i = 0; i < 3; i++) backOff.take('a', 0)
  assert.equal(backOff.take('a', 0), 1_000)
  assert.equal(backOff.take('a', 1_000 + 4 * options.mostMs + 1), 0)
  assert.equal(backOff.take('a', 1_000 + 4 * options.mostMs + 1), 0)
  const late = 1e12
  for (let i = 0; i < 3; i++) backOff.take('c', late)
  assert.equal(backOff.take('c', 0), 0)
  for (let i = 0; i < 3; i++) backOff.take('d', 0)
  backOff.forgive('d', { entirely: true })
  assert.deepEqual([backOff.take('d', 0), backOff.take('d', 0)], [0, 0])
})

test('a wait can be asked for, and what is forgiven shortens none', () => {
  const backOff = new BackOff(options)
  for (let i = 0; i < 3; i++) backOff.take('a', 0)
  assert.deepEqual([backOff.waitOf('a', 0), backOff.waitOf('a', 400), backOff.waitOf('b', 0)], [1_000, 600, 0])
  backOff.forgive('a', { entirely: false })
  assert.equal(backOff.waitOf('a', 0), 0, 'the attempt that was forgiven has no wait')
  for (const [nowMs, wait] of [
    [0, 1_000],
    [1_000, 2_000],
    [3_000, 4_000],
  ]) {
    backOff.take('a', nowMs)
    assert.equal(backOff.waitOf('a', nowMs), wait, 'waits grow, also when every other attempt is forgiven')
    backOff.take('a', nowMs + wait)
    backOff.forgive('a', { entirely: false })
  }
})

test('the table is bounded, and counts what it forgot: what nobody waits for first', () => {
  const backOff = new BackOff({ ...options, keysMax: 3 })
  for (let i = 0; i < 3; i++) backOff.take('a', 0)
  for (const key of ['b', 'c', 'd']) backOff.take(key, 0)
  assert.equal(backOff.evicted, 1)
  assert.equal(backOff.waitOf('a', 0), 1_000)
})

test('a flood of made-up keys makes nobody’s failures forgotten, whoever makes them', () => {
  const backOff = new BackOff({ ...options, keysMax: 100 })
  // A stranger who waits, and one who has failed and need not wait yet.
  for (let i = 0; i < 3; i++) backOff.take('victim', i, '198.51.100.0/24')
  for (let i = 0; i < 2; i++) backOff.take('other', i, '203.0.113.0/24')
  for (let i = 0; i < 1_000; i++) backOff.take(`made-up-${i}`, 10, '198.51.100.0/24')
  assert.deepEqual([backOff.waitOf('victim', 10) > 0, backOff.evicted], [true, 902])
  assert.equal(backOff.take('other', 10, '203.0.113.0/24'), 0)
  assert.ok(backOff.waitOf('other', 10) > 0, 'its third failure')
  assert.equal(backOff.crowding().holder, '198.51.100.0/24')
  // The same from many blocks.
  for (let i = 0; i < 1_000; i++) backOff.take(`more-${i}`, 20, `block ${i}`)
  assert.ok(backOff.waitOf('victim', 20) > 0)
  assert.ok(backOff.waitOf('other', 20) > 0)
  assert.equal(backOff.take('honest', 20, '192.0.2.0/24'), 0)
})
