// What a slot says of a standstill of whoever reads the sockets: no more than what was not seen.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { viewOf } from '../../test/helpers/decoded.ts'
import { encodeNetflow5 } from '../../test/helpers/encode/netflow5.ts'
import { ManualClock } from '../clock.ts'
import { Ingest } from './ingest.ts'

const startMs = 1_800_000_000_000
const flows = [{ src: '192.0.2.1', dst: '192.0.2.2', bytes: 100 }]

/** An exporter was heard for a few seconds. */
function lab() {
  const clock = new ManualClock(startMs)
  const ingest = new Ingest({ clock })
  const receive = (sentMs: number, port = 1) => {
    const from = { address: '198.51.100.1', port, receivedMs: clock.now() }
    for (const datagram of encodeNetflow5(flows, { nowMs: sentMs })) ingest.receive(viewOf(datagram), from)
  }
  /** Reads what was sent at some times, and whatever else waits. */
  const read = (sent: readonly number[], other = () => {}) => {
    const isOfAnotherTime = ingest.turn(clock)
    for (const sentMs of sent) receive(sentMs)
    other()
    ingest.read(clock.now(), { isEmpty: true })
    return isOfAnotherTime
  }
  for (let second = 0; second < 5; second++) {
    read([clock.now()])
    clock.advance(1_000)
  }
  read([])
  ingest.seal(clock.now())
  return { clock, ingest, receive, read, fromMs: clock.now() }
}

describe('the slot after a standstill', () => {
  it('says nothing of one of a few seconds whose datagrams waited and could be dated, however often', () => {
    const { clock, ingest, read } = lab()
    for (let time = 0; time < 5; time++) {
      const fromMs = clock.now()
      clock.advance(3_000)
      assert.equal(read([fromMs + 1_000, fromMs + 2_000]), true)
      assert.equal(ingest.seal(clock.now()).away, undefined)
      clock.advance(1_000)
      read([clock.now()])
    }
    assert.equal(ingest.counters.datagramsLeftOut, 0)
    assert.equal(ingest.counters.datagramsDated, 10)
  })

  it('says when it was if it was longer, or datagrams of it were left out', () => {
    for (const [seconds, leftOut] of [
      [5, 0],
      [3, 1],
    ]) {
      const { clock, ingest, receive, read, fromMs } = lab()
      clock.advance(seconds * 1_000)
      read([fromMs + 1_000], () => {
        for (let i = 0; i < leftOut; i++) receive(fromMs + 1_000, 2)
      })
      assert.equal(ingest.counters.datagramsLeftOut, leftOut)
      assert.deepEqual(ingest.seal(clock.now()).away, { fromMs, toMs: clock.now() })
      clock.advance(1_000)
      read([clock.now()])
      assert.equal(ingest.seal(clock.now()).away, undefined)
    }
  })

  it('says that the clock was set', () => {
    const { clock, ingest, read } = lab()
    clock.step(-60_000)
    read([])
    assert.deepEqual(ingest.seal(clock.now()).away, { fromMs: clock.now(), toMs: clock.now() })
  })
})
