import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import type { SavedObservation, Store } from '../store/store.ts'
import { ObservationKeeper } from './observation-keeper.ts'

type Kept = Pick<Store, 'saveObservations' | 'loadObservations' | 'pruneObservations'>

const dayMs = 86_400_000
const observation = (name: string): SavedObservation => ({
  ...{
    name,
    address: 1,
    chain: [],
    firstMs: 1,
    fromMs: 1,
    confirmedMs: 2,
    ttlSeconds: 60,
    count: 2,
    source: 'dnstap',
    sensor: 's',
  },
})

function keeper(store: Partial<Kept> = {}) {
  const saved: SavedObservation[] = []
  const loaded: SavedObservation[] = []
  const asked: unknown[] = []
  const clock = new ManualClock(1_000 * dayMs)
  const made = new ObservationKeeper({
    store: {
      loadObservations: async (since) => {
        asked.push(since)
        return [observation('saved.example')]
      },
      saveObservations: async (given) => void saved.push(...given),
      pruneObservations: async (limits) => asked.push(limits),
      ...store,
    },
    names: {
      loadObserved: (given) => void loaded.push(...given),
      saveObserved: (sinceMs) => [observation(`since-${sinceMs / dayMs}.example`)],
    },
    clock,
    log: createLogger('silent'),
    days: 400,
    staleSeconds: 86_400,
  })
  return { saved, loaded, asked, clock, keeper: made }
}

test('what was confirmed lately is read at the start; what was told since is written at the end, and what is old deleted', async () => {
  const given = keeper()
  await given.keeper.start()
  assert.deepEqual(given.loaded, [observation('saved.example')])
  given.clock.advance(dayMs)
  await given.keeper.stop()
  assert.deepEqual(given.saved, [observation('since-1000.example')])
  assert.deepEqual(given.asked, [
    { confirmedSinceMs: 999 * dayMs, max: 200_000 },
    { confirmedBeforeMs: 601 * dayMs, max: 1_000_000 },
  ])
  assert.deepEqual(given.keeper.counts, { saved: 1, deleted: 2 })
})

test('every five minutes what was told is written; what could not be written is written the next time', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  let broken = true
  const written: SavedObservation[] = []
  const given = keeper({
    saveObservations: async (observations) => {
      if (broken) throw new Error('no disk')
      written.push(...observations)
    },
  })
  await given.keeper.start()
  given.clock.advance(dayMs)
  t.mock.timers.tick(300_000)
  await settled()
  broken = false
  t.mock.timers.tick(300_000)
  await settled()
  given.clock.advance(dayMs)
  t.mock.timers.tick(300_000)
  await settled()
  assert.deepEqual(
    written.map(({ name }) => name),
    ['since-1000.example', 'since-1001.example'],
  )
})

test('a store that can not be read holds nothing up; one that was never read is not written', async () => {
  const given = keeper({ loadObservations: () => Promise.reject(new Error('no disk')) })
  await given.keeper.stop()
  assert.deepEqual(given.saved, [])
  await given.keeper.start()
  assert.deepEqual(given.loaded, [])
  await given.keeper.stop()
  assert.equal(given.saved.length, 1)
})
