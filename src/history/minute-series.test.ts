import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BusiestOf, MinuteSeries, pointsOf } from './minute-series.ts'

const minute = 1_800_000_000
const busiest = { packets: 0, bytes: 0, flows: 0 }

const taken = (series: MinuteSeries, busiestOf: BusiestOf = () => null) => {
  const columns = series.take(busiestOf)
  return columns === null ? [] : pointsOf(columns)
}

test('amounts a second are added up by address and minute until they are taken', () => {
  const series = new MinuteSeries()
  series.add(0xffff_ffff, minute + 50, minute + 80, { packets: 2, bytes: 100, flows: 1 })
  series.add(0xffff_ffff, minute, minute + 1, { packets: 1, bytes: 10, flows: 1 })
  series.add(1, minute + 60, minute + 61, { packets: 5, bytes: 50, flows: 1 })
  assert.deepEqual(taken(series), [
    { address: 0xffff_ffff, minute, packets: 21, bytes: 1_010, flows: 11, busiest },
    { address: 0xffff_ffff, minute: minute + 60, packets: 40, bytes: 2_000, flows: 20, busiest },
    { address: 1, minute: minute + 60, packets: 5, bytes: 50, flows: 1, busiest },
  ])
  assert.deepEqual(taken(series), [])
  series.add(1, minute, minute + 1, { packets: 5, bytes: 50, flows: 1 })
  assert.deepEqual(taken(series), [{ address: 1, minute, packets: 5, bytes: 50, flows: 1, busiest }])
})

test('the busiest second of a point is asked for when it is taken, and may be unknown', () => {
  const series = new MinuteSeries()
  for (const address of [1, 2]) series.add(address, minute, minute + 1, { packets: 5, bytes: 50, flows: 1 })
  series.add(1, minute + 60, minute + 61, { packets: 9, bytes: 90, flows: 1 })
  const known = { packets: 7, bytes: 70, flows: 2 }
  const busiestOf = (address: number, of: number) => (address === 1 && of === minute ? known : null)
  assert.deepEqual(
    taken(series, busiestOf).map((point) => point.busiest),
    [known, busiest, busiest],
  )
})

test('there is room for many, up to the bound; the rest is counted', () => {
  const series = new MinuteSeries(5_000)
  for (let address = 0; address < 5_010; address++) {
    series.add(address, minute, minute + 1, { packets: address, bytes: 1, flows: 1 })
  }
  const points = taken(series)
  assert.equal(points.length, 5_000)
  assert.ok(points.every(({ address, packets }) => address === packets))
  assert.equal(series.refused, 10)
})
