import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SentTime } from './sent-time.ts'

const startMs = 1_800_000_000_000
const hourMs = 3_600_000

/** A stream that was heard in each of some seconds; `ahead`: its clock less ours. */
function heard({ ahead = 0, seconds = 130 } = {}) {
  const sentTime = new SentTime()
  for (let second = -seconds; second < 0; second++) {
    const receivedMs = startMs + second * 1_000
    assert.equal(sentTime.of({ receivedMs, away: null }, receivedMs + ahead), receivedMs)
  }
  return sentTime
}

/** Received when the reading goes on: nobody has read since the start. */
const afterAway = (receivedMs: number) => ({ receivedMs, away: { fromMs: startMs, toMs: receivedMs } })

describe('when a datagram was sent', () => {
  it('is when it was received, whatever its clock shows, unless it may have waited', () => {
    for (const ahead of [0, -hourMs, hourMs, -startMs]) heard({ ahead })
  })

  it('follows from the clock of its exporter when it has waited', () => {
    for (const ahead of [0, -hourMs, -startMs + 12_345]) {
      const sentTime = heard({ ahead })
      const receivedMs = startMs + 75_000
      for (const sentMs of [startMs, startMs, startMs + 30_000, receivedMs])
        assert.equal(sentTime.of(afterAway(receivedMs), sentMs + ahead), sentMs)
      // Afterwards nothing waits.
      assert.equal(
        sentTime.of({ receivedMs: receivedMs + 1_000, away: null }, startMs + 76_000 + ahead),
        startMs + 76_000,
      )
    }
  })

  it('is not known when nothing came before, when it was sent before what was read last, or ahead of now', () => {
    const away = afterAway(startMs + 75_000)
    assert.equal(new SentTime().of(away, startMs), null)
    assert.equal(heard().of(away, startMs - 2_001), null)
    assert.equal(heard().of(away, startMs + 77_001), null)
    assert.equal(heard().of(away, Number.NaN), null)
    const forgotten = heard()
    forgotten.forget()
    assert.equal(forgotten.of(away, startMs), null)
  })

  it('is known of a clock that was first heard between two standstills', () => {
    const sentTime = new SentTime()
    const away = { fromMs: startMs, toMs: startMs + 5_000 }
    const at = (receivedMs: number, theirMs: number, since = away) => sentTime.of({ receivedMs, away: since }, theirMs)
    assert.equal(at(startMs + 6_999, startMs + 3_000 - hourMs), null)
    for (const receivedMs of [startMs + 7_000, startMs + 9_000])
      assert.equal(at(receivedMs, receivedMs - hourMs), receivedMs)
    const again = { fromMs: startMs, toMs: startMs + 15_000 }
    assert.equal(at(startMs + 15_000, startMs + 11_000 - hourMs, again), startMs + 11_000)
  })

  it('is when it was received of a clock that was set between two standstills', () => {
    const sentTime = heard()
    const away = { fromMs: startMs, toMs: startMs + 5_000 }
    for (const receivedMs of [startMs + 7_000, startMs + 8_000])
      assert.equal(sentTime.of({ receivedMs, away }, receivedMs + hourMs), receivedMs)
  })

  it('does not matter when it is too long ago to be counted', () => {
    const away = afterAway(startMs + 600_000)
    assert.equal(heard().of(away, startMs + 359_000), null)
    assert.equal(heard().of(away, startMs + 361_000), startMs + 361_000)
  })

  it('is its own in a burst after a silence, which ends', () => {
    const sentTime = heard()
    const receivedMs = startMs + 60_000
    const at = (ms: number, theirMs: number) => sentTime.of({ receivedMs: ms, away: null }, theirMs)
    for (let sentMs = startMs; sentMs < receivedMs - 5_000; sentMs += 1_000)
      assert.equal(at(receivedMs, sentMs), sentMs)
    assert.equal(at(receivedMs + 1_000, receivedMs + 1_000), receivedMs + 1_000)
  })

  it('is when it was received once a clock that is behind stays behind', () => {
    const sentTime = heard()
    const late: number[] = []
    for (let second = 60; second < 90; second++) {
      const receivedMs = startMs + second * 1_000
      if (sentTime.of({ receivedMs, away: null }, receivedMs - 30_000) !== receivedMs) late.push(second)
    }
    assert.deepEqual(late, [60, 61, 62, 63, 64, 65, 66, 67, 68, 69])
  })

  it('is when it was received if the clock is set back while datagrams come', () => {
    const sentTime = heard()
    assert.equal(sentTime.of({ receivedMs: startMs, away: null }, startMs - hourMs), startMs)
    assert.equal(sentTime.of({ receivedMs: startMs + 1_000, away: null }, startMs + 1_000 - hourMs), startMs + 1_000)
  })

  it('is when it was received where the clock does not run', () => {
    const sentTime = new SentTime()
    for (let minute = 0; minute < 30; minute++) {
      const receivedMs = startMs + minute * 60_000
      assert.equal(sentTime.of({ receivedMs, away: null }, 0), receivedMs)
    }
  })

  it('is its own after a silence, though the first that was held back is of the second of the last', () => {
    const sentTime = heard()
    const receivedMs = startMs + 60_000
    const at = (theirMs: number) => sentTime.of({ receivedMs, away: null }, theirMs)
    assert.equal(at(startMs - 1_000), receivedMs)
    for (const sentMs of [startMs, startMs, startMs + 1_000, startMs + 1_000]) assert.equal(at(sentMs), sentMs)
  })
})
