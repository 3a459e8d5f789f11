import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settleWholeRead } from './whole-reads.ts'

const startMs = 1_800_000_000_000

/** Which of the datagrams that come at these times are read whole, from 0. */
function readWhole(times: readonly number[]): number[] {
  const stream = { isReadWhole: false, readWholeMs: 0, counters: { datagrams: 0 } }
  return times.flatMap((receivedMs, i) => {
    stream.counters.datagrams++
    settleWholeRead(stream, receivedMs)
    return stream.isReadWhole ? [i] : []
  })
}

describe('datagrams that are read whole', () => {
  it('are the first and each 32nd after it, of an exporter that is not busy', () => {
    assert.deepEqual(readWhole(Array.from({ length: 100 }, (_, i) => startMs + i)), [0, 32, 64, 96])
  })

  it('are a hundred a second at most, however many come', () => {
    const second = Array.from({ length: 64_000 }, (_, i) => startMs + Math.floor(i / 64))
    const read = readWhole(second)
    assert.ok(read.length > 90 && read.length <= 100, `${read.length}`)
    assert.deepEqual(readWhole(Array.from({ length: 1_000 }, () => startMs)), [0])
  })

  it('go on when the clock is set back', () => {
    const times = Array.from({ length: 64 }, (_, i) => startMs - (i < 32 ? 0 : 3_600_000))
    assert.deepEqual(readWhole(times), [0, 32])
  })
})
