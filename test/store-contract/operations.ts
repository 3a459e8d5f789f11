// The contract's part on traffic, bindings, forgetting, writing from several sides, and reopening.
import assert from 'node:assert/strict'
import type { SavedBinding, Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import { pointsOf } from '../helpers/store.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 1_000, allowed: null })).id
}

const amounts = { bytes: 1.5, packets: 2, flows: 3 }
const point = (address: number, minute: number) => ({ address, minute, ...amounts, busiest: amounts })
const binding = (name: string, address: number, confirmedMs: number): SavedBinding => ({
  name,
  address,
  chain: ['cdn.example'],
  fromMs: 1,
  confirmedMs,
  ttlSeconds: 60,
})
const everything = { fromMs: null, toMs: null, after: null, limit: 10_000 }

export const operationCases: StoreCase[] = [
  {
    name: 'minutes of a target are read in order, from the first, up to the last; parts of a minute add up',
    async run({ open }) {
      const store = await open()
      await store.appendSeries([point(1, 120), point(1, 60), point(2, 60), point(0xffff_ffff, 60)])
      await store.appendSeries([point(1, 60), point(1, 180)])
      const added = { address: 1, minute: 60, bytes: 3, packets: 4, flows: 6, busiest: amounts }
      assert.deepEqual(await pointsOf(store, 1, 60, 180), [added, point(1, 120)])
      assert.deepEqual(await pointsOf(store, 1, 61, 181), [point(1, 120), point(1, 180)])
      assert.deepEqual(await pointsOf(store, 0xffff_ffff, 0, 1_000), [point(0xffff_ffff, 60)])
      assert.deepEqual(await pointsOf(store, 3, 0, 1_000), [])
      await store.appendSeries([])
    },
  },
  {
    name: 'each address with traffic since a time is given the latest minute of it',
    async run({ open }) {
      const store = await open()
      await store.appendSeries([point(1, 120), point(1, 60), point(2, 60), { ...point(3, 120), flows: 0 }])
      assert.deepEqual(
        await store.lastTraffic('ann', [1, 2, 3, 4], 60),
        new Map([
          [1, 120],
          [2, 60],
        ]),
      )
      assert.deepEqual(await store.lastTraffic('ann', [1, 2], 61), new Map([[1, 120]]))
      assert.deepEqual(await store.lastTraffic('ann', [], 0), new Map())
    },
  },
  {
    name: 'the latest confirmation of a binding stays',
    async run({ open }) {
      const store = await open()
      const [old, other] = [binding('a.example', 1, 100), binding('a.example', 2, 100)]
      const confirmed = { ...binding('a.example', 1, 200), chain: [] }
      await store.saveBindings([old, other])
      await store.saveBindings([confirmed])
      await store.saveBindings([old])
      assert.deepEqual(await store.loadBindings(), [confirmed, other])
    },
  },
  {
    name: 'what is older than the retention is forgotten, and nothing else',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      clock.set(0)
      await store.addSites(ann, ['a.b'], 1)
      await addEvents(store, [
        eventOf(ann, 1, { createdMs: 1_000 }),
        eventOf(ann, 2, { createdMs: 2_000 }),
        eventOf(bob, 3, { createdMs: 1_000 }),
      ])
      await store.appendSeries([point(1, 60), point(1, 120), point(2, 60)])
      await store.saveBindings([binding('a.b', 1, 4_999), binding('a.b', 2, 5_000)])
      assert.equal(await store.prune({ eventsMs: 2_000, seriesMs: 120_000, bindingsMs: 5_000 }), 5)
      assert.equal(await store.eventById(ann, eventOf(ann, 1).id), null)
      assert.deepEqual(
        (await store.eventsBetween(ann, everything)).map(({ id }) => id),
        [eventOf(ann, 2).id],
      )
      assert.deepEqual(await store.eventsBetween(bob, everything), [])
      assert.deepEqual(await pointsOf(store, 1, 0, 1_000), [point(1, 120)])
      assert.deepEqual(await pointsOf(store, 2, 0, 1_000), [])
      assert.deepEqual(await store.loadBindings(), [binding('a.b', 2, 5_000)])
      assert.equal((await store.listSites(ann)).length, 1)
      assert.equal(await store.prune({ eventsMs: 2_000, seriesMs: 120_000, bindingsMs: 5_000 }), 0)
    },
  },
  {
    name: 'much is forgotten in many steps, between which others work',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      const numbers = Array.from({ length: 2_500 }, (_, number) => number)
      await addEvents(
        store,
        numbers.map((number) => eventOf(ann, number, { statistics: eventOf(ann, 0).statistics })),
      )
      await store.appendSeries(numbers.map((number) => point(number < 1_500 ? 1 : number, number * 60)))
      await store.saveBindings(
        numbers.map((number) => binding(`${number}.example`, number, number < 2_400 ? 1 : 5_000)),
      )
      let running = true
      const pruning = store.prune({ eventsMs: 5_000, seriesMs: 2_400 * 60_000, bindingsMs: 5_000 }).finally(() => {
        running = false
      })
      let between = 0
      while (running) {
        await store.sitesVersion()
        await new Promise((resolve) => setImmediate(resolve))
        between++
      }
      assert.equal(await pruning, 2_500 + 2_400 + 2_400)
      assert.ok(between > 5, `others worked ${between} times`)
      assert.equal((await store.loadBindings()).length, 100)
      assert.equal((await pointsOf(store, 1, 0, 200_000)).length, 0)
      assert.equal((await pointsOf(store, 2_400, 0, 200_000)).length, 1)
    },
  },
  {
    name: 'a signal ends the deletion after the transaction that goes on; the next one deletes the rest',
    async run({ open }) {
      const store = await open()
      const bindings = Array.from({ length: 2_000 }, (_, number) => binding(`${number}.example`, number, 1))
      await store.saveBindings(bindings)
      const stop = new AbortController()
      const before = { eventsMs: 0, seriesMs: 0, bindingsMs: 5_000 }
      const pruning = store.prune(before, stop.signal)
      await new Promise((resolve) => setImmediate(resolve))
      stop.abort()
      const deleted = await pruning
      assert.ok(deleted < bindings.length, `all ${deleted} were deleted`)
      assert.equal(await store.prune(before), bindings.length - deleted)
    },
  },
  {
    name: 'several write at once, and nothing is lost',
    async run({ open }) {
      const stores = [await open(), await open(), await open()]
      const ann = await userOf(stores[0], 'ann')
      const rounds = Array.from({ length: 20 }, (_, round) => round)
      await Promise.all(
        stores.map(async (store, writer) => {
          for (const round of rounds) {
            assert.deepEqual(await store.addSites(ann, [`${writer}-${round}.example`], round), ['added'])
            assert.equal((await addEvents(store, [eventOf(ann, writer * 100 + round)])).length, 1)
          }
        }),
      )
      for (const store of stores) {
        assert.equal((await store.listSites(ann)).length, 60)
        assert.equal((await store.eventsBetween(ann, everything)).length, 60)
        assert.equal(await store.sitesVersion(), 60)
      }
    },
  },
  {
    name: 'everything is there when the store is opened again',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addSites(ann, ['a.b'], 1)
      await store.setEnabled(ann, ['a.b'], false)
      const [event] = await addEvents(store, [eventOf(ann, 1)])
      await store.appendSeries([point(1, 60)])
      await store.saveBindings([binding('a.b', 1, 5)])
      const sites = await store.listSites(ann)
      await store.close()
      const again = await open()
      assert.equal((await again.userByEmail('ann@example.com'))?.id, ann)
      assert.deepEqual(await again.listSites(ann), sites)
      assert.deepEqual(await again.eventById(ann, event.id), event)
      assert.deepEqual(await pointsOf(again, 1, 0, 100), [point(1, 60)])
      assert.deepEqual(await again.loadBindings(), [binding('a.b', 1, 5)])
    },
  },
  {
    name: 'a healthy store can be written, has a size, and is not available once closed; closing twice is fine',
    async run({ open }) {
      const store = await open()
      await store.checkWritable()
      assert.ok((await store.sizeBytes()) > 0)
      await store.close()
      await store.close()
      await assert.rejects(store.checkWritable(), { code: 'STORE_UNAVAILABLE' })
      await assert.rejects(store.listUsers(), { code: 'STORE_UNAVAILABLE' })
    },
  },
]
