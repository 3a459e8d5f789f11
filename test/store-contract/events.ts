// The contract's part on events: dates, windows, order, pages, ownership.
import assert from 'node:assert/strict'
import { type EventNumbers, ofEachNumber } from '../../src/contract/events/numbers.ts'
import { noStatistics } from '../../src/detect/incidents/incident-report.ts'
import type { EventDetail, EventFilter, EventKey, EventSummary, Store } from '../../src/store/store.ts'
import { addEvents, courseOf, eventOf, restated, unstamped, updateOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
}

const everything = { fromMs: null, toMs: null, after: null, limit: 1_000 }
const idsOf = (events: EventSummary[]) => events.map(({ id }) => Number.parseInt(id, 16))

function summaryOf({
  episode,
  ofEpisode,
  sites,
  why,
  vectors,
  victims,
  networks,
  followed,
  statistics,
  course,
  dns,
  ...summary
}: EventDetail): EventSummary {
  return summary
}

/** The ids of all events, read by pages. */
async function readPages(store: Store, userId: string, limit: number): Promise<number[]> {
  const read: EventSummary[] = []
  for (let after: EventKey | null = null; ; ) {
    const page: EventSummary[] = await store.eventsBetween(userId, { fromMs: null, toMs: null, after, limit })
    read.push(...page)
    if (page.length < limit) return idsOf(read)
    after = page[page.length - 1]
  }
}

export const eventCases: StoreCase[] = [
  {
    name: 'an event comes back as it was given, in the list and in detail',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const unknown = { label: null, domain: '', endMs: 7, address: 0xffff_ffff }
      const [first, second] = await addEvents(store, [eventOf(ann, 1), eventOf(ann, 2, unknown)])
      assert.deepEqual(await store.eventsBetween(ann, everything), [summaryOf(first), summaryOf(second)])
      assert.deepEqual(await store.eventById(ann, first.id), first)
      assert.deepEqual(await store.eventById(ann, second.id), second)
      assert.deepEqual(unstamped({ ...second, createdMs: 0 }), eventOf(ann, 2, unknown))
    },
  },
  {
    name: 'the courses of several events are read at once, of the user alone',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const bob = await userOf(store, 'bob')
      const [first, , bare] = await addEvents(store, [
        eventOf(ann, 1),
        eventOf(ann, 2),
        eventOf(ann, 3, { course: null }),
      ])
      const [other] = await addEvents(store, [eventOf(bob, 4)])
      const ids = [first.id, bare.id, other.id, 'f'.repeat(24)]
      assert.deepEqual(await store.coursesOf(ann, ids), new Map([[first.id, courseOf(3)]]))
      assert.deepEqual([...(await store.coursesOf(bob, ids)).keys()], [other.id])
      assert.equal((await store.coursesOf(ann, [])).size, 0)
    },
  },
  {
    name: 'an event is dated at the next whole second, unless it asks for a later one',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(10_001)
      const dates = async (...events: EventDetail[]) =>
        (await addEvents(store, events)).map(({ createdMs }) => createdMs)
      assert.deepEqual(await dates(eventOf(ann, 1), eventOf(ann, 2, { createdMs: 13_000 })), [11_000, 13_000])
      clock.set(12_000)
      assert.deepEqual(await dates(eventOf(ann, 3)), [12_000])
      const listed = await store.eventsBetween(ann, everything)
      assert.deepEqual(
        listed.map(({ createdMs }) => createdMs),
        [11_000, 12_000, 13_000],
      )
    },
  },
  {
    name: 'an event that is there already is left as it is',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const [first] = await addEvents(store, [eventOf(ann, 1)])
      const again = await addEvents(store, [eventOf(ann, 1, { domain: 'other.example' }), eventOf(ann, 2)])
      assert.deepEqual(idsOf(again), [2])
      assert.deepEqual(await store.eventById(ann, first.id), first)
      assert.deepEqual(await addEvents(store, []), [])
    },
  },
  {
    name: 'a window has its start and not its end',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      await addEvents(
        store,
        [1, 2, 3].map((number) => eventOf(ann, number, { createdMs: number * 1_000 })),
      )
      const between = async (fromMs: number | null, toMs: number | null) =>
        idsOf(await store.eventsBetween(ann, { ...everything, fromMs, toMs }))
      assert.deepEqual(await between(1_000, 3_000), [1, 2])
      assert.deepEqual(await between(1_001, 3_001), [2, 3])
      assert.deepEqual(await between(null, 2_000), [1])
      assert.deepEqual(await between(2_000, null), [2, 3])
      assert.deepEqual(await between(2_000, 2_000), [])
      assert.deepEqual(await between(3_000, 1_000), [])
      assert.deepEqual(await between(-5_000, 999), [])
    },
  },
  {
    name: 'events are listed by date, then by id, and pages by key join without gap or repeat',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      // Several in the same second, given in another order than that of the list.
      const dates: [number, number][] = [7, 3, 9, 1, 5, 8, 2, 6, 4].map((number) => [number, 1_000 * (number % 3)])
      await addEvents(
        store,
        dates.map(([number, createdMs]) => eventOf(ann, number, { createdMs })),
      )
      const ordered = dates.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).map(([number]) => number)
      assert.deepEqual(idsOf(await store.eventsBetween(ann, everything)), ordered)
      for (const limit of [1, 2, 3, 4, 9, 10]) assert.deepEqual(await readPages(store, ann, limit), ordered)
    },
  },
  {
    name: 'a filter leaves out what is not as it says, alone and with others, page by page',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      await addEvents(store, [
        eventOf(ann, 1, { site: 'a.example', address: 1, endMs: null, label: null, deviation: 1 }),
        eventOf(ann, 2, { site: 'a.example', address: 2, endMs: 9, label: 'x', deviation: 2 }),
        eventOf(ann, 3, { site: 'b.example', address: 2, endMs: null, label: 'x', deviation: 3 }),
        eventOf(ann, 4, { site: 'b.example', address: 0xffff_ffff, endMs: 9, label: 'y', deviation: 4 }),
      ])
      const cases: [EventFilter, number[]][] = [
        [{}, [1, 2, 3, 4]],
        [{ site: 'a.example' }, [1, 2]],
        [{ address: 2 }, [2, 3]],
        [{ address: 0xffff_ffff }, [4]],
        [{ isOpen: true }, [1, 3]],
        [{ isOpen: false }, [2, 4]],
        [{ label: 'x' }, [2, 3]],
        [{ label: null }, [1]],
        [{ deviationMin: 3 }, [3, 4]],
        [{ site: 'b.example', isOpen: true, label: 'x', address: 2, deviationMin: 0 }, [3]],
        [{ site: 'c.example' }, []],
      ]
      for (const [filter, expected] of cases) {
        assert.deepEqual(idsOf(await store.eventsBetween(ann, { ...everything, filter })), expected)
        const [first, ...rest] = await store.eventsBetween(ann, { ...everything, filter, limit: 1 })
        assert.deepEqual([rest.length, first?.id], [0, expected.length > 0 ? eventOf(ann, expected[0]).id : undefined])
      }
      const after = { createdMs: 0, id: eventOf(ann, 2).id }
      assert.deepEqual(idsOf(await store.eventsBetween(ann, { ...everything, filter: { address: 2 }, after })), [3])
      assert.deepEqual(await store.eventsBetween('nobody', { ...everything, filter: { address: 2 } }), [])
    },
  },
  {
    name: 'a page begins after its key within the window, whether or not that event is there',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      await addEvents(
        store,
        [1, 2, 3].map((number) => eventOf(ann, number, { createdMs: number * 1_000 })),
      )
      const after = async (createdMs: number, id: string, fromMs: number | null = null) =>
        idsOf(await store.eventsBetween(ann, { ...everything, fromMs, after: { createdMs, id } }))
      assert.deepEqual(await after(2_000, eventOf(ann, 2).id), [3])
      assert.deepEqual(await after(2_000, '0'), [2, 3])
      assert.deepEqual(await after(2_000, 'f'), [3])
      assert.deepEqual(await after(0, '', 3_000), [3])
      assert.deepEqual(await after(3_000, eventOf(ann, 3).id, 1_000), [])
    },
  },
  {
    name: "an unknown, a malformed and another's id are alike: there is no such event",
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const [event] = await addEvents(store, [eventOf(ann, 1)])
      const malformed = [
        '',
        'zz',
        event.id.slice(1),
        `${event.id}0`,
        `${event.id}\u0000`,
        "' OR 1=1",
        'x'.repeat(100_000),
      ]
      for (const id of [eventOf(ann, 2).id, ...malformed]) assert.equal(await store.eventById(ann, id), null)
      assert.equal(await store.eventById(bob, event.id), null)
      assert.equal(await store.eventById('nobody', event.id), null)
      assert.deepEqual(await store.eventsBetween(bob, everything), [])
      assert.deepEqual(await store.eventsBetween('nobody', everything), [])
    },
  },
  {
    name: "an update changes the incident's events of every user, and only what an update may change",
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const incident = 'shared'
      const [hers, his, other] = await addEvents(store, [
        eventOf(ann, 1, { incident }),
        eventOf(bob, 2, { incident }),
        eventOf(ann, 3),
      ])
      const peak = { bytesPerSecond: 9, packetsPerSecond: 8, flowsPerSecond: 7, atMs: 6 }
      const { id, userId, createdMs, address, site, sites, domain, dns, ...given } = eventOf(ann, 9, {
        incident,
        ...ofEachNumber<number | null, EventNumbers>((_, { example }) => example + 1),
        peak,
        vectors: [],
        victims: [{ address: 7, packetsPerSecond: 8, bytesPerSecond: 9 }],
        networks: [{ network: 0, addresses: '01'.padEnd(64, '0'), packetsPerSecond: 8, bytesPerSecond: 9 }],
      })
      const rates = { ...given, statistics: hers.statistics, course: hers.course, packetsPerSecond: 4, lastMs: 4_000 }
      const update = updateOf({ ...hers, ...rates })
      await store.record({ updates: [{ ...update, details: null }] })
      assert.deepEqual(unstamped(await store.eventById(ann, hers.id)), restated({ ...hers, ...rates }))
      assert.deepEqual(unstamped(await store.eventById(bob, his.id)), restated({ ...his, ...rates }))
      assert.deepEqual(unstamped(await store.eventById(ann, other.id)), restated(other))

      const details = {
        statistics: { ...hers.statistics, flags: hers.statistics.sourcePort },
        course: courseOf(9),
        ofEpisode: null,
      }
      const whole = { ...rates, ...details, endMs: 50 }
      const hisDns = [{ domain: 'new.example', a: {}, cname: { 'alias.example': 5 } }]
      const ofBob = { incident, userId: bob, dns: hisDns }
      await store.record({ updates: [{ ...update, endMs: 50, details }, updateOf(eventOf(ann, 8))], ofOwners: [ofBob] })
      assert.deepEqual(unstamped(await store.eventById(ann, hers.id)), restated({ ...hers, ...whole }))
      assert.deepEqual(unstamped(await store.eventById(bob, his.id)), restated({ ...his, ...whole, dns: hisDns }))
      assert.deepEqual(
        (await store.eventsBetween(ann, everything)).map(unstamped),
        [summaryOf({ ...hers, ...whole }), summaryOf(other)].map(unstamped),
      )
    },
  },
  {
    name: 'an event is found by its victim and by the sources in its lists, as long as they are there',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const from = (...sources: number[]) => ({
        statistics: {
          ...noStatistics,
          srcip: sources.map((item) => ({ item, flows: 1, packets: 1, bytes: 1, protocols: [17] })),
        },
      })
      const [victim, first, second] = [0xc000_0201, 0x0101_0101, 0xffff_ffff]
      const [one, two] = await addEvents(store, [
        eventOf(ann, 1, { address: victim, incident: 'one', ...from(first, second) }),
        eventOf(ann, 2, { address: victim + 1, incident: 'two' }),
        eventOf(bob, 3, { address: first, incident: 'three', ...from(second) }),
      ])
      const find = async (victimOrSource: number) =>
        (await store.eventsBetween(ann, { ...everything, filter: { victimOrSource } })).map(({ id }) => id)
      assert.deepEqual(await find(victim), [one.id])
      assert.deepEqual(await find(first), [one.id])
      assert.deepEqual(await find(second), [one.id])
      // The end of a number is no number.
      assert.deepEqual(await find(first % 1_000_000), [])
      await store.record({ updates: [updateOf({ ...two, ...from(first) }), updateOf({ ...one, ...from(second) })] })
      assert.deepEqual([await find(first), await find(second)], [[two.id], [one.id]])
      await store.record({ ofOwners: [{ incident: 'one', userId: ann, view: 'totals' }] })
      assert.deepEqual(await find(second), [])
    },
  },
  {
    name: 'an event of which only the totals are to be seen has no statistics, whatever is reported of its incident',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const incident = 'incident'
      const [his, hers] = await addEvents(store, [
        eventOf(bob, 1, { incident, view: 'totals' }),
        eventOf(ann, 2, { incident }),
      ])
      const totals = { statistics: noStatistics }
      assert.deepEqual(unstamped(await store.eventById(bob, his.id)), restated({ ...his, ...totals }))
      assert.deepEqual(unstamped(await store.eventById(ann, hers.id)), restated(hers))
      assert.deepEqual(
        (await store.eventsSeenAfter(0)).map(({ view, statistics }) => [view, statistics]),
        [
          ['totals', hers.statistics],
          ['all', hers.statistics],
        ],
      )

      const course = courseOf(9)
      const { statistics } = hers
      const update = updateOf({ ...hers, course, packetsPerSecond: 4 })
      const changed = { course, packetsPerSecond: 4 }
      await store.record({ updates: [update] })
      assert.deepEqual(unstamped(await store.eventById(bob, his.id)), restated({ ...his, ...changed, ...totals }))
      assert.deepEqual(unstamped(await store.eventById(ann, hers.id)), restated({ ...hers, ...changed, statistics }))

      await store.record({ updates: [update], ofOwners: [{ incident, userId: ann, view: 'totals' }] })
      assert.deepEqual(
        unstamped(await store.eventById(ann, hers.id)),
        restated({ ...hers, ...changed, ...totals, view: 'totals' }),
      )
    },
  },
  {
    name: 'events without an end that were not seen of late are ended where they were last seen, never before their start',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const seen = [
        { startMs: 30, lastMs: 40, endMs: null },
        { startMs: 30, lastMs: 20, endMs: null },
        { startMs: 30, lastMs: 90, endMs: null },
        { startMs: 1, lastMs: 4, endMs: 5 },
      ]
      await addEvents(
        store,
        seen.map((each, i) => eventOf(ann, i + 1, each)),
      )
      const { changes } = await store.record({ closeSeenBeforeMs: 90 })
      assert.deepEqual(changes.map(({ id, change }) => `${Number.parseInt(id, 16)} ${change}`).toSorted(), [
        '1 closed',
        '1 ended',
        '2 closed',
        '2 ended',
        '4 closed',
      ])
      assert.deepEqual(
        (await store.changesAfter(0, 100)).changes.slice(-5).map(({ sequence, ...change }) => change),
        changes,
      )
      assert.deepEqual(
        (await store.eventsBetween(ann, everything)).map(({ endMs }) => endMs),
        [40, 30, null, 5],
      )
      assert.deepEqual((await store.record({ closeSeenBeforeMs: 90 })).changes, [])
    },
  },
  {
    name: 'events seen after a moment are those of everybody, in full, ended or not',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const events = await addEvents(store, [
        eventOf(ann, 1, { lastMs: 10 }),
        eventOf(ann, 2, { lastMs: 20 }),
        eventOf(bob, 3, { lastMs: 30, endMs: 31 }),
      ])
      assert.deepEqual(await store.eventsSeenAfter(20), events.slice(1))
      assert.deepEqual(await store.eventsSeenAfter(31), [])

      const [, , first] = events
      const { incident, lastMs, statistics, course } = first
      const createdMs = first.createdMs + 5_000
      const late = eventOf(ann, 4, { createdMs, incident, lastMs, statistics: noStatistics, course: null })
      const [stored] = await addEvents(store, [late])
      assert.deepEqual(await store.eventsSeenAfter(30), [first, { ...stored, statistics, course }])
    },
  },
]
