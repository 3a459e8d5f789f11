// The contract's part on the sites that events touch: every site of the owner, whichever of them the event is named after.
import assert from 'node:assert/strict'
import type { EventSummary, EventWindow, Store } from '../../src/store/store.ts'
import { eventOf, unstamped, updateOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
}

const everything = { fromMs: null, toMs: null, after: null, limit: 1_000 }
const idsOf = (events: EventSummary[]) => events.map(({ id }) => Number.parseInt(id, 16))
const [address, name, wildcard] = ['192.0.2.22', 'shop.example.net', '*.example.net']

export const eventSiteCases: StoreCase[] = [
  {
    name: 'an event is an event of every site that it touches, in the list, in counts and in short, and of no other user’s',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      clock.set(0)
      const [both, alone, ended] = await store.appendEvents([
        eventOf(ann, 1, { createdMs: 1_000, site: address, sites: [address, wildcard, name] }),
        eventOf(ann, 2, { createdMs: 2_000, site: address }),
        eventOf(ann, 3, { createdMs: 3_000, site: wildcard, sites: [wildcard], endMs: 9_000 }),
        eventOf(bob, 4, { createdMs: 4_000, site: name }),
      ])
      const find = async (userId: string, site: string, given: Partial<EventWindow> = {}) =>
        idsOf(await store.eventsBetween(userId, { ...everything, ...given, filter: { ...given.filter, site } }))
      assert.deepEqual(await find(ann, address), [1, 2])
      assert.deepEqual(await find(ann, name), [1])
      assert.deepEqual(await find(ann, wildcard), [1, 3])
      assert.deepEqual(await find(ann, wildcard, { isDescending: true }), [3, 1])
      assert.deepEqual(await find(ann, wildcard, { isDescending: true, after: ended, limit: 1 }), [1])
      assert.deepEqual(await find(ann, wildcard, { after: both, limit: 1 }), [3])
      assert.deepEqual(await find(ann, wildcard, { fromMs: 1_001, toMs: 3_000 }), [])
      assert.deepEqual(await find(ann, wildcard, { filter: { isOpen: true } }), [1])
      assert.deepEqual(await find(bob, wildcard), [])
      assert.deepEqual(await find(bob, name), [4])
      assert.equal(await store.countEvents(ann, { fromMs: null, toMs: null, filter: { site: wildcard } }), 2)
      assert.equal(await store.countEvents(ann, { fromMs: 1_001, toMs: null, filter: { site: address } }), 1)
      const told = await store.eventsOfSites(ann, [name, wildcard, address, 'b.example'])
      assert.deepEqual(
        told.map(({ open: attacks, last }) => [attacks, last?.id ?? null]),
        [
          [1, both.id],
          [1, ended.id],
          [2, alone.id],
          [0, null],
        ],
      )
      assert.deepEqual((await store.eventsOfSites(bob, [wildcard]))[0], { open: 0, last: null })
      assert.deepEqual((await store.mostAttacked(ann, 0)).sites[0], { site: address, events: 2 })
    },
  },
  {
    name: 'the sites that an attack has touched stay, and others come to them while it goes on, of each owner alone',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const incident = 'shared'
      const [hers, his] = await store.appendEvents([
        eventOf(ann, 1, { incident, site: name, sites: [name] }),
        eventOf(bob, 2, { incident, site: name }),
      ])
      await store.updateEvents([updateOf(hers)], [{ incident, userId: ann, sites: [wildcard, address] }])
      await store.updateEvents([], [{ incident, userId: ann, sites: [address] }])
      const touched = [name, wildcard, address]
      assert.deepEqual(unstamped(await store.eventById(ann, hers.id)), unstamped({ ...hers, sites: touched }))
      assert.deepEqual(unstamped(await store.eventById(bob, his.id)), unstamped(his))
      assert.deepEqual(
        (await store.eventsSeenAfter(0)).map(({ sites }) => sites),
        [touched, [name]],
      )
    },
  },
  {
    name: 'the events of a site that was deleted are found, and go with the retention',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addSites(ann, [address, name], 0)
      clock.set(0)
      await store.appendEvents([eventOf(ann, 1, { createdMs: 1_000, site: address, sites: [address, name] })])
      await store.deleteSites(ann, [address, name])
      const found = () => store.eventsBetween(ann, { ...everything, filter: { site: name } })
      assert.deepEqual(idsOf(await found()), [1])
      await store.prune({ eventsMs: 2_000, seriesMs: 0, bindingsMs: 0 })
      assert.deepEqual(await found(), [])
      assert.deepEqual((await store.eventsOfSites(ann, [name]))[0], { open: 0, last: null })
    },
  },
  {
    name: 'an event that is dated anew is found by its sites at its new date',
    async run({ open }) {
      const moments = [10_000, 10_900, 11_500, 12_500, 12_600]
      let read = 0
      const slow = { now: () => moments[Math.min(read++, moments.length - 1)] }
      const store = await open({ now: () => 0 })
      const ann = await userOf(store, 'ann')
      const slowStore = await open(slow)
      const [event] = await slowStore.appendEvents([eventOf(ann, 1, { site: address, sites: [address, name] })])
      assert.ok(event.createdMs > 11_000)
      const window = { ...everything, fromMs: event.createdMs, filter: { site: name } }
      assert.deepEqual(
        (await store.eventsBetween(ann, window)).map(({ createdMs }) => createdMs),
        [event.createdMs],
      )
      assert.deepEqual((await store.eventById(ann, event.id))?.sites, [address, name])
    },
  },
]
