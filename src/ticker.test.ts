import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Ticker } from './ticker.ts'

test('a ticker calls once a period until it is stopped, and takes a new period', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const tick = mock.fn()
  const ticker = new Ticker(tick)
  assert.equal(ticker.isRunning, false)
  ticker.start(10)
  assert.equal(ticker.isRunning, true)
  t.mock.timers.tick(9)
  assert.equal(tick.mock.callCount(), 0)
  t.mock.timers.tick(21)
  assert.equal(tick.mock.callCount(), 3)
  ticker.start(50)
  t.mock.timers.tick(49)
  assert.equal(tick.mock.callCount(), 3)
  t.mock.timers.tick(1)
  assert.equal(tick.mock.callCount(), 4)
  ticker.stop()
  ticker.stop()
  t.mock.timers.tick(1_000)
  assert.equal(tick.mock.callCount(), 4)
  assert.equal(ticker.isRunning, false)
})
