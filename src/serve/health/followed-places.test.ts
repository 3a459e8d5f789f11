import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { FollowedPlaces } from './followed-places.ts'

const minuteMs = 60_000

function create({ watched = 30_000, isOneParty = true } = {}) {
  const clock = new ManualClock(1_800_000_000_000)
  const log = createLogger('silent')
  const lines: object[] = []
  log.warn = (fields: object) => lines.push(fields)
  const now = { watched, refused: 0 }
  const places = new FollowedPlaces({
    ...{ targetsMax: 20_000, isOneParty, clock, log },
    watched: () => now.watched,
    refused: () => now.refused,
  })
  /** Passes, one a second, each with a refusal. */
  const refuse = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      clock.advance(1_000)
      now.refused++
      places.note()
    }
  }
  return { clock, lines, now, places, refuse }
}

it('is well while all that is watched has a place', () => {
  const { lines, places } = create({ watched: 20_000 })
  assert.deepEqual(places.check(), { ok: true, detail: '20000 of 20000 that can be followed are watched' })
  assert.equal(lines.length, 0)
})

it('warns while more is watched, and says it to the log once each time that it begins', () => {
  const { lines, now, places } = create()
  for (let i = 0; i < 3; i++) {
    const { ok, isWarning, detail } = places.check()
    assert.deepEqual([ok, isWarning], [true, true])
    assert.match(detail, /^30000 addresses are watched, .*20000 .*busiest/)
  }
  assert.deepEqual(lines, [{ watched: 30_000, targetsMax: 20_000 }])
  now.watched = 10
  assert.equal(places.check().isWarning, undefined)
  now.watched = 30_000
  places.check()
  assert.equal(lines.length, 2)
})

it('is not ready for ten minutes when addresses with traffic have gone without a place', () => {
  const { clock, places, refuse } = create()
  refuse(10)
  assert.equal(places.check().ok, true, 'they may still find one')
  refuse(1)
  assert.equal(places.check().ok, false)
  assert.match(places.check().detail, /may not be seen$/)
  clock.advance(10 * minuteMs - 1)
  places.note()
  assert.equal(places.check().ok, false)
  clock.advance(1)
  assert.equal(places.check().ok, true)
})

it('takes a sudden crowd that finds its places for no reason', () => {
  const { clock, places, refuse } = create()
  for (let i = 0; i < 5; i++) {
    refuse(8)
    clock.advance(minuteMs)
  }
  assert.equal(places.check().ok, true)
})

it('only warns where users are strangers to each other, since one alone could bring it about', () => {
  const { places, refuse } = create({ isOneParty: false })
  refuse(20)
  const { ok, isWarning, detail } = places.check()
  assert.deepEqual([ok, isWarning], [true, true])
  assert.match(detail, /may not be seen$/)
})
