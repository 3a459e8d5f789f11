import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../clock.ts'
import type { SavedStream, StreamChange } from '../../decode/saved-streams.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { StreamStates } from './stream-states.ts'

type Kept = Pick<Store, 'saveStreamStates' | 'loadStreamStates' | 'pruneStreamStates'>

const hourMs = 3_600_000
/** A template of one field: octets (1) in 4 octets. */
const template = { id: 256, options: false, octets: Uint8Array.of(1, 0, 0, 1, 0, 1, 0, 4) }
const change = (domain: number, more: Partial<SavedStream> = {}): SavedStream => ({
  ...{ protocol: 'ipfix', address: '192.0.2.1', port: 1, domain, seenMs: 100 * hourMs },
  ...{
    bootMs: 0,
    exportMs: 0,
    uptimeMs: 0,
    isProven: false,
    sampling: [],
    templates: [template],
    ...more,
  },
})

function states(store: Partial<Kept>, keepHours = 24) {
  const saved: StreamChange[] = []
  const pruned: { seenBeforeMs: number; octetsMax: number }[] = []
  const kept: Kept = {
    loadStreamStates: async () => ({ streams: [], unreadable: 0 }),
    saveStreamStates: async (changes) => void saved.push(...changes),
    pruneStreamStates: async (limits) => pruned.push(limits),
    ...store,
  }
  const clock = new ManualClock(100 * hourMs)
  return {
    saved,
    pruned,
    clock,
    states: new StreamStates({ store: kept, clock, log: createLogger('silent'), keepHours }),
  }
}

test('what was active lately is restored; what is damaged is counted', async () => {
  const broken = { ...template, octets: Uint8Array.of(1) }
  const streams = [change(1), change(2, { seenMs: 75 * hourMs }), change(3, { templates: [template, broken] })]
  const given = states({ loadStreamStates: async () => ({ streams, unreadable: 2 }) })
  const restored = await given.states.load()
  assert.deepEqual(
    restored.map(({ domain, templates }) => [domain, templates.length]),
    [
      [1, 1],
      [3, 1],
    ],
  )
  const { restored: templates, unusable } = given.states.counts
  assert.deepEqual([templates, unusable], [2, 3])
})

test('a store that can not be read holds nothing up', async () => {
  const given = states({ loadStreamStates: () => Promise.reject(new Error('no disk')) })
  assert.deepEqual(await given.states.load(), [])
})

test('changes are written in order, also those that come while the store is busy or fails', async () => {
  let failing = true
  const written: number[] = []
  const given = states({
    saveStreamStates: async (changes) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (failing) throw new Error('no disk')
      written.push(...changes.map(({ domain }) => domain))
    },
  })
  given.states.take([change(1)])
  given.states.take([change(2)])
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(written, [])
  failing = false
  given.states.take([change(3)])
  await given.states.stop()
  assert.deepEqual(written, [1, 2, 3])
  assert.equal(given.states.counts.saved, 3)
})

test('what waits for a store that fails is bounded, and what is lost is counted', async () => {
  const given = states({ saveStreamStates: () => Promise.reject(new Error('no disk')) })
  const octets = new Uint8Array(2_000)
  const many = Array.from({ length: 5_000 }, (_, domain) => change(domain, { templates: [{ ...template, octets }] }))
  given.states.take(many)
  assert.equal(given.states.counts.refused, 0)
  given.states.take(many)
  // There are 16 MiB, and each takes its octets and 400 more.
  assert.equal(given.states.counts.refused, 10_000 - Math.floor(2 ** 24 / 2_400))
  await given.states.stop()
})

test('what is old is deleted once an hour, and when much has come', async () => {
  const given = states({})
  const take = async (changes: StreamChange[]) => {
    given.states.take(changes)
    await given.states.stop()
  }
  await take([change(1)])
  await take([change(2)])
  assert.deepEqual(
    given.pruned.map(({ seenBeforeMs }) => seenBeforeMs),
    [76 * hourMs],
  )
  given.clock.set(101 * hourMs)
  await take([change(3)])
  assert.equal(given.pruned.length, 2)
  await take(Array.from({ length: 3_000 }, (_, domain) => change(domain)))
  assert.equal(given.pruned[0].octetsMax, 8 << 20)
  assert.equal(given.pruned.length, 3)
})

test('nothing is kept when it is not to be', async () => {
  const given = states({}, 0)
  given.states.take([change(1)])
  await given.states.stop()
  assert.deepEqual(given.saved, [])
  assert.deepEqual(await given.states.load(), [])
})
