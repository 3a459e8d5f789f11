import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../clock.ts'
import { Presence } from './presence.ts'

const startMs = 1_800_000_000_000

function lab() {
  const clock = new ManualClock(startMs)
  const presence = new Presence()
  const turn = () => presence.turn(clock)
  const read = (isEmpty = true) => presence.read(clock.now(), isEmpty)
  turn()
  return { clock, presence, turn, read }
}

describe('whoever reads the sockets', () => {
  it('is there when a reading is late by no more than a busy machine makes it', () => {
    const { clock, presence, turn, read } = lab()
    for (const ms of [24, 250, 2_000]) {
      clock.advance(ms)
      assert.equal(turn(), 'in time')
      assert.deepEqual([presence.away, read()], [null, null])
    }
    assert.deepEqual(presence.counted, { times: 0, milliseconds: 0, leaps: 0 })
  })

  it('was away from the reading before to the end of what waited', () => {
    const { clock, presence, turn, read } = lab()
    clock.advance(75_000)
    assert.equal(turn(), 'late')
    assert.equal(presence.away?.fromMs, startMs)
    assert.equal(read(false), null)
    clock.advance(24)
    assert.equal(turn(), 'in time')
    assert.equal(presence.away?.fromMs, startMs)
    assert.deepEqual(read(), { fromMs: startMs, toMs: startMs + 75_024 })
    assert.deepEqual([presence.away, read()], [null, null])
    assert.deepEqual(presence.counted, { times: 1, milliseconds: 75_024, leaps: 0 })
  })

  it('has caught up after ten seconds, however much there is to be read', () => {
    const { clock, presence, turn, read } = lab()
    clock.advance(5_000)
    turn()
    for (let second = 0; second < 9; second++) {
      clock.advance(1_000)
      turn()
      assert.equal(read(false), null)
    }
    clock.advance(1_000)
    turn()
    assert.notEqual(read(false), null)
    assert.equal(presence.away, null)
  })

  it('has caught up though it stands still time and again, once what waited since the last time is read', () => {
    const { clock, turn, read } = lab()
    const standStill = (ms: number) => {
      clock.advance(ms)
      assert.equal(turn(), 'late')
      assert.equal(read(false), null)
    }
    const goOn = () => {
      clock.advance(1_000)
      assert.equal(turn(), 'in time')
      return read(false)
    }
    standStill(3_000)
    for (let second = 0; second < 6; second++) assert.equal(goOn(), null)
    standStill(5_000)
    assert.equal(goOn(), null)
    assert.deepEqual(goOn(), { fromMs: startMs, toMs: startMs + 16_000 })
  })

  it('takes a steady clock that jumps for no leap, and a machine that slept for one that is late', () => {
    const { clock, presence, turn } = lab()
    for (const ms of [3_600_000, -3_600_000]) {
      clock.jump(ms)
      clock.advance(1_000)
      assert.equal(turn(), 'in time')
    }
    clock.sleep(5_000)
    assert.equal(turn(), 'late')
    assert.equal(presence.counted.leaps, 0)
  })

  it('knows a clock that was set from one that went on', () => {
    const { clock, presence, turn, read } = lab()
    clock.step(3_600_000)
    assert.equal(turn(), 'leapt')
    assert.deepEqual(read(), { fromMs: startMs, toMs: startMs + 3_600_000 })
    clock.advance(24)
    clock.step(-3_600_000)
    assert.equal(turn(), 'leapt')
    assert.equal(presence.away?.fromMs, startMs + 24)
    assert.equal(read(), null)
    clock.step(400)
    assert.equal(turn(), 'in time')
    assert.equal(presence.counted.leaps, 2)
  })
})
