import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSeasonRows, Season } from './season.ts'

const hour = 3_600
const day = 24 * hour
const week = 7 * day
/** A Thursday at midnight. */
const start = 3_000 * week

/** Teaches the rate of each half minute from `from` to `to`. */
function teach(season: Season, from: number, to: number, rateOf: (second: number) => number): Season {
  for (let second = from; second < to; second += 30) season.learn(second, rateOf(second))
  return season
}

const atNoon = (rate: number) => (second: number) => (Math.floor((second % day) / hour) === 12 ? rate : 10)
/** Codes are in steps of 8 %. */
const near = (value: number, expected: number) => assert.ok(Math.abs(value / expected - 1) < 0.08, `${value}`)

describe('a season', () => {
  it('knows nothing of an hour before it is over, and on the days after what it was', () => {
    const season = teach(new Season(createSeasonRows()), start, start + 13 * hour, atNoon(1_000))
    assert.equal(season.levelAt(start + 12 * hour), 0)
    season.learn(start + 13 * hour, 10)
    near(season.levelAt(start + 12 * hour), 1_000)
    near(season.levelAt(start + day + 12 * hour + 1_800), 1_000)
    assert.equal(season.levelAt(start + day + 18 * hour), 0)
    assert.equal(season.hours, 13)
  })

  it('has the hours beside it', () => {
    const season = teach(new Season(createSeasonRows()), start, start + day, atNoon(1_000))
    near(season.levelAt(start + day + 11 * hour), 1_000)
    near(season.levelAt(start + day + 13 * hour), 1_000)
    near(season.levelAt(start + day + 14 * hour), 10)
  })

  it('has its own weekdays once they were', () => {
    const onMonday = (second: number) => (Math.floor(second / day) % 7 === 4 ? 1_000 : 10)
    const season = teach(new Season(createSeasonRows()), start, start + week, onMonday)
    near(season.levelAt(start + week + 4 * day + 12 * hour), 1_000)
    near(season.levelAt(start + week + 3 * day + 12 * hour), 10)
    assert.equal(season.hours, 167)
  })

  it('is not made by a burst, nor by one week', () => {
    const burst = (second: number) => (second % hour < 300 ? 50_000 : 100)
    const season = teach(new Season(createSeasonRows()), start, start + hour + 30, burst)
    assert.ok(season.levelAt(start) < 200, `${season.levelAt(start)}`)
    const crowded = teach(new Season(createSeasonRows()), start, start + week, () => 100)
    teach(crowded, start + week, start + week + hour + 30, () => 10_000)
    near(crowded.levelAt(start + 2 * week), 1_000)
  })

  it('goes on from what was saved', () => {
    const first = teach(new Season(createSeasonRows()), start, start + day + 1_800, atNoon(1_000))
    const second = new Season(createSeasonRows())
    second.restore(first.save())
    for (const season of [first, second]) teach(season, start + day + 1_800, start + 2 * day, atNoon(500))
    assert.deepEqual(second.save(), first.save())
    near(second.levelAt(start + 2 * day + 12 * hour), 707)
  })
})
