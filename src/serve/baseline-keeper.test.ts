import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import type { SavedBaselines, Store } from '../store/store.ts'
import { BaselineKeeper } from './baseline-keeper.ts'

type Kept = Pick<Store, 'saveBaselines' | 'loadBaselines' | 'pruneBaselines'>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const baselines = (network: number, savedMs = 1): SavedBaselines => ({
  network,
  heardMs: savedMs,
  savedMs,
  octets: Uint8Array.of(1),
})

function keeper(store: Partial<Kept>, { isStarted } = { isStarted: true }) {
  const saved: SavedBaselines[] = []
  const pruned: { heardBeforeMs: number; networksMax: number }[] = []
  const kept: Kept = {
    loadBaselines: async () => ({ baselines: [], unreadable: 0 }),
    saveBaselines: async (given) => void saved.push(...given),
    pruneBaselines: async (limits) => pruned.push(limits),
    ...store,
  }
  const clock = new ManualClock(100 * dayMs)
  const options = { store: kept, clock, log: createLogger('silent'), networksMax: 500 }
  const made = new BaselineKeeper(options)
  if (isStarted) made.start()
  return { saved, pruned, clock, keeper: made }
}

test('what had traffic in the last eight days is asked for; what is damaged is counted', async () => {
  const asked: number[] = []
  const given = keeper({
    loadBaselines: async ({ heardSinceMs }) => {
      asked.push(heardSinceMs)
      return { baselines: [baselines(256)], unreadable: 2 }
    },
  })
  assert.deepEqual(await given.keeper.load(), [baselines(256)])
  assert.deepEqual(asked, [92 * dayMs])
  assert.equal(given.keeper.counts.damaged, 2)
})

test('a store that can not be read holds nothing up', async () => {
  const given = keeper({ loadBaselines: () => Promise.reject(new Error('no disk')) })
  assert.deepEqual(await given.keeper.load(), [])
})

test('what comes before the start is not kept: a start that fails has learnt nothing', async () => {
  const given = keeper({}, { isStarted: false })
  given.keeper.take([baselines(256)])
  await given.keeper.stop()
  assert.deepEqual(given.saved, [])
  given.keeper.start()
  given.keeper.take([baselines(256)])
  await given.keeper.stop()
  assert.deepEqual(given.saved, [baselines(256)])
})

test('of what comes while the store fails the latest of each network is written later', async () => {
  let failing = true
  const written: SavedBaselines[] = []
  const given = keeper({
    saveBaselines: async (some) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (failing) throw new Error('no disk')
      written.push(...some)
    },
  })
  given.keeper.take([baselines(256, 1), baselines(512, 1)])
  given.keeper.take([baselines(256, 2)])
  await given.keeper.stop()
  assert.deepEqual(written, [])
  failing = false
  given.keeper.take([baselines(256, 3)])
  await given.keeper.stop()
  assert.deepEqual(
    written.map(({ network, savedMs }) => [network, savedMs]),
    [
      [256, 3],
      [512, 1],
    ],
  )
  assert.equal(given.keeper.counts.saved, 2)
})

test('what comes for a network while it is written is written after it', async () => {
  const written: number[] = []
  const given = keeper({
    saveBaselines: async (some) => {
      await new Promise((resolve) => setImmediate(resolve))
      written.push(...some.map(({ savedMs }) => savedMs))
    },
  })
  given.keeper.take([baselines(256, 1)])
  given.keeper.take([baselines(256, 2)])
  await given.keeper.stop()
  assert.deepEqual(written, [1, 2])
})

test('what waits for a store that fails is bounded, and what is lost is counted', async () => {
  const given = keeper({ saveBaselines: () => Promise.reject(new Error('no disk')) })
  given.keeper.take(Array.from({ length: 600 }, (_, i) => baselines(i * 256)))
  given.keeper.take([baselines(0, 2)])
  assert.equal(given.keeper.counts.overflowed, 100)
  await given.keeper.stop()
})

test('what is old is deleted once an hour', async () => {
  const given = keeper({})
  for (const atMs of [0, hourMs / 2, hourMs]) {
    given.clock.set(100 * dayMs + atMs)
    given.keeper.take([baselines(256)])
    await given.keeper.stop()
  }
  assert.deepEqual(
    given.pruned,
    [0, hourMs].map((atMs) => ({ heardBeforeMs: 92 * dayMs + atMs, networksMax: 500 })),
  )
})
