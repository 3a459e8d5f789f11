import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lateMs, silentMs, Watchdog } from './watchdog.ts'

const startMs = Date.UTC(2017, 2, 8, 10)

function watched() {
  let nowMs = startMs
  const dog = new Watchdog(() => nowMs)
  /** What it says after a number of milliseconds more. */
  const after = (ms: number) => {
    nowMs += ms
    return dog.connection
  }
  return { dog, after, now: () => nowMs }
}

describe('the watchdog of the stream', () => {
  test('says live for as long as heartbeats come, and that data is old after two were missed', () => {
    const { dog, after, now } = watched()
    assert.equal(dog.connection, 'off')
    dog.starting()
    assert.equal(after(500), 'connecting')
    dog.heard()
    for (let beat = 0; beat < 10; beat++) {
      assert.equal(after(15_000), 'live')
      dog.heard()
    }
    const heardMs = now()
    assert.equal(after(30_000), 'live')
    assert.equal(after(silentMs - 30_000), 'live')
    assert.equal(after(1), 'stale')
    assert.equal(dog.lastDataMs, heardMs)
    assert.ok(dog.isSilent)
  })

  test('another stream in place of a silent one is no news until it is heard', () => {
    const { dog, after } = watched()
    dog.starting()
    dog.heard()
    after(silentMs + 1)
    dog.starting()
    assert.equal(after(0), 'stale')
    assert.ok(!dog.isSilent)
    assert.equal(after(lateMs + 1), 'stale')
    assert.ok(!dog.isSilent)
    after(silentMs)
    assert.ok(dog.isSilent)
    dog.heard()
    assert.equal(after(0), 'live')
    assert.ok(!dog.isSilent)
  })

  test('a stream that breaks is no news for a moment, then what is shown is of when it was last heard', () => {
    const { dog, after, now } = watched()
    dog.starting()
    dog.heard()
    after(1_000)
    dog.answered()
    const answeredMs = now()
    after(1_000)
    dog.broken()
    assert.equal(after(lateMs), 'connecting')
    dog.broken()
    assert.equal(after(1), 'stale')
    assert.equal(dog.lastDataMs, answeredMs)
  })

  test('while the service answers requests, a stream that does not come is a smaller matter', () => {
    const { dog, after } = watched()
    dog.starting()
    dog.heard()
    dog.broken()
    after(lateMs + 1)
    dog.answered()
    assert.equal(after(10_000), 'polling')
    assert.equal(after(silentMs), 'stale')
    dog.answered()
    assert.equal(after(0), 'polling')
    dog.heard()
    assert.equal(after(0), 'live')
  })

  test('a stream that never came, and a service that never answered, leave nothing that could be old', () => {
    const { dog, after } = watched()
    dog.starting()
    assert.equal(after(lateMs + 1), 'stale')
    assert.equal(dog.lastDataMs, null)
    dog.stopped()
    assert.equal(dog.connection, 'off')
  })

  test('a computer that slept has old data when it wakes', () => {
    const { dog, after } = watched()
    dog.starting()
    dog.heard()
    assert.equal(after(3_600_000), 'stale')
  })
})
