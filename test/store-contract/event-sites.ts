// The contract's part on the sites that events touch: every site of the owner, whichever of them the event is named after.
import assert from 'node:assert/strict'
import type { EventSummary, EventWindow, Store } from '../../src/store/store.ts'
import { addEvents, eventOf, unstamped, updateOf } from '../helpers/events.ts'
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
      const [both, alone, ended] = await addEvents(store, [
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
      const most = async (userId: string, fromMs = 0) => (await store.mostAttacked(userId, fromMs)).sites
      assert.deepEqual(await most(ann), [
        { site: wildcard, events: 2 },
        { site: address, events: 2 },
        { site: name, events: 1 },
      ])
      assert.deepEqual(await most(ann, 2_000), [
        { site: wildcard, events: 1 },
        { site: address, events: 1 },
      ])
      assert.deepEqual(await most(bob), [{ site: name, events: 1 }])
    },
  },
  {
    name: 'the sites that an attack has touched stay, and others come to them while it goes on, of each owner alone',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const incident = 'shared'
      const [hers, his] = await addEvents(store, [
        eventOf(ann, 1, { incident, site: name, sites: [name] }),
        eventOf(bob, 2, { incident, site: name }),
      ])
      await store.record({
        updates: [updateOf(hers)],
        ofOwners: [{ incident, userId: ann, sites: [wildcard, address] }],
      })
      await store.record({ ofOwners: [{ incident, userId: ann, sites: [address] }] })
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
    name: 'the network of an event holds what the attack hits of the sites that are touched by the same update',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const event = eventOf(ann, 1, { site: '192.0.2.2', address: 0xc000_0202 })
      await addEvents(store, [event])
      const victims = [0xc000_0202, 0xc000_0307].map((each) => {
        return { address: each, packetsPerSecond: 8, bytesPerSecond: 9 }
      })
      const { incident } = event
      const ended = updateOf({ ...event, victims, endMs: 9_000, phase: 'over' })
      await store.record({ updates: [ended], ofOwners: [{ incident, userId: ann, sites: ['192.0.3.0/24'] }] })
      const [{ network }] = await store.eventsBetween(ann, everything)
      assert.deepEqual(network, { prefix: '192.0.2.0/23', addresses: 2 })
    },
  },
  {
    name: 'the events of a site that was deleted are found, and go with the retention',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addSites(ann, [address, name], 0)
      clock.set(0)
      await addEvents(store, [eventOf(ann, 1, { createdMs: 1_000, site: address, sites: [address, name] })])
      await store.deleteSites(ann, [address, name])
      const found = () => store.eventsBetween(ann, { ...everything, filter: { site: name } })
      assert.deepEqual(idsOf(await found()), [1])
      await store.prune({ eventsMs: 2_000, seriesMs: 0, bindingsMs: 0 })
      assert.deepEqual(await found(), [])
      assert.deepEqual((await store.eventsOfSites(ann, [name]))[0], { open: 0, last: null })
    },
  },
]
