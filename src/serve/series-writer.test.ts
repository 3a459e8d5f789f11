import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { type MinuteColumns, MinuteSeries } from '../history/minute-series.ts'
import { createLogger } from '../log.ts'
import type { MinutePoint, Store } from '../store/store.ts'
import { SeriesWriter } from './series-writer.ts'

/** A writer on a store of which only `appendSeries` is there, and what was written, by call. */
function writerTo(appendSeries: (points: MinutePoint[]) => void) {
  const store = { appendSeries: async (points: MinutePoint[]) => appendSeries(points) } satisfies Partial<Store>
  return new SeriesWriter({ store, clock: new ManualClock(), log: createLogger('silent') })
}

/** One point of each address, from 0 on. */
function pointsOf(count: number): MinuteColumns {
  const series = new MinuteSeries(count)
  for (let address = 0; address < count; address++) series.add(address, 60, 61, { packets: 1, bytes: 1, flows: 1 })
  const points = series.take(() => null)
  assert.ok(points !== null)
  return points
}

test('many points are written in order, in parts', async () => {
  const written: number[][] = []
  const writer = writerTo((points) => written.push(points.map(({ address }) => address)))
  writer.take(pointsOf(2_500))
  await writer.write()
  assert.deepEqual(
    written.map(({ length }) => length),
    [1_000, 1_000, 500],
  )
  assert.deepEqual(
    written.flat(),
    Array.from({ length: 2_500 }, (_, i) => i),
  )
})

test('points that could not be written wait, and are written once', async () => {
  let down = true
  const written: number[] = []
  const writer = writerTo((points) => {
    if (down && written.length > 0) throw new AppError('STORE_UNAVAILABLE', 'disk full')
    written.push(...points.map(({ address }) => address))
  })
  writer.take(pointsOf(1_500))
  await writer.write()
  assert.equal(written.length, 1_000)
  down = false
  await writer.write()
  assert.deepEqual(
    written,
    Array.from({ length: 1_500 }, (_, i) => i),
  )
})

test('points beyond the bound are turned away, and counted', async () => {
  const writer = writerTo(() => {
    throw new AppError('STORE_UNAVAILABLE', 'disk full')
  })
  writer.take(pointsOf(500_001))
  await writer.write()
  assert.equal(writer.counts.refused, 1)
})
