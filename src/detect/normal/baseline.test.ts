import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Baseline, bandOf, createBaselineRows, deviationOf, type Teaches } from './baseline.ts'

const noise = 5

/** `count` values of one rate. */
function teach(baseline: Baseline, rate: number, count: number, teaches: Teaches = 'clipped'): Baseline {
  for (let i = 0; i < count; i++) baseline.learn(rate, noise, teaches)
  return baseline
}

const learnt = () => teach(new Baseline(createBaselineRows(), 0), 100, 240)
const within = (value: number, [min, max]: [number, number]) => assert.ok(value >= min && value <= max, `${value}`)

describe('a baseline', () => {
  it('is the average, whatever a few values say', () => {
    const baseline = learnt()
    assert.equal(baseline.mean, 100)
    teach(baseline, 100_000, 4)
    within(baseline.mean, [100, 105])
    within(baseline.recent, [100, 105])
  })

  it('follows what stays, in hours', () => {
    within(teach(learnt(), 200, 960).mean, [190, 200])
  })

  it('learns nothing higher from an attack, and all of what no vector explains', () => {
    const attacked = teach(learnt(), 100_000, 960, 'nothing')
    within(attacked.mean, [99.9, 100.1])
    within(attacked.usual, [99.9, 100.1])
    within(teach(learnt(), 10_000, 240, 'whole').mean, [5_000, 10_000])
  })

  it('of a class first seen late begins with a history of zeros', () => {
    within(teach(new Baseline(createBaselineRows(), 120), 1_000, 10).mean, [0, 20])
    within(teach(new Baseline(createBaselineRows(), 0), 1_000, 10).mean, [1_000, 1_000])
  })

  it('remembers half a peak for a week', () => {
    const baseline = teach(teach(learnt(), 8_000, 240, 'whole'), 100, 2_880)
    within(baseline.mean, [99, 105])
    within(baseline.recent, [3_000, 4_000])
    within(teach(baseline, 100, 7 * 2_880).recent, [1_500, 2_000])
  })

  it('gives its row to the next, empty', () => {
    const rows = createBaselineRows()
    teach(new Baseline(rows, 0), 100, 20).release()
    const next = new Baseline(rows, 3)
    assert.deepEqual(
      [next.mean, next.spread, next.recent, next.usual, next.packetBytes, next.level],
      [0, 0, 0, 0, 0, 0],
    )
    assert.equal(rows.values.length, createBaselineRows().values.length)
  })
})

describe('what is normal', () => {
  it('has a band', () => {
    const normal = { level: 150, mean: 100, spread: 10, packetBytes: 0 }
    assert.deepEqual(bandOf(normal, 1), { low: 70, high: 150 })
    assert.deepEqual(bandOf({ ...normal, spread: 40 }, 1), { low: 0, high: 220 })
    assert.deepEqual(bandOf(normal, 1_000), { low: 70_000, high: 150_000 })
  })

  it('is at least a packet a second, and what can be seen at all', () => {
    assert.equal(deviationOf(3_000, 100, 20), 30)
    assert.equal(deviationOf(3_000, 0, 20), 150)
    assert.equal(deviationOf(3_000, 0, 0.01), 3_000)
    assert.equal(deviationOf(1e9, 0, 0), 100_000)
  })
})
