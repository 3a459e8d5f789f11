import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Absences } from './absences.ts'

describe('seconds that nobody has watched', () => {
  it('are those that an absence touches, each once', () => {
    const absences = new Absences()
    absences.note({ fromMs: 100_900, toMs: 110_100 })
    absences.note({ fromMs: 105_000, toMs: 115_000 })
    absences.note({ fromMs: 200_000, toMs: 205_000 })
    assert.equal(absences.within(0, 1_000), 16 + 6)
    assert.equal(absences.within(112, 202), 4 + 2)
    assert.equal(absences.within(116, 200), 0)
    assert.equal(absences.watchedMs(100_000, 120_000), 4_000)
  })

  it('are forgotten when the clock is set back before them', () => {
    const absences = new Absences()
    absences.note({ fromMs: 100_000, toMs: 110_000 })
    absences.note({ fromMs: 200_000, toMs: 205_000 })
    absences.startOver(150)
    assert.equal(absences.within(0, 1_000), 11)
  })

  it('are bounded: the latest absences count', () => {
    const absences = new Absences()
    for (let i = 0; i < 100; i++) absences.note({ fromMs: i * 10_000, toMs: i * 10_000 + 500 })
    assert.equal(absences.within(0, 10_000), 64)
    assert.equal(absences.within(990, 991), 1)
  })
})
