// The contract's part on traffic: busiest seconds, extremes of steps, and the attacks of a time.
import assert from 'node:assert/strict'
import type { EventDetail, SavedTrace, Sight, Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import { pointsOf } from '../helpers/store.ts'
import type { StoreCase } from '../store-contract.ts'

const userOf = async (store: Store, name: string) =>
  (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
/** The same of each amount. */
const alike = (amount: number) => ({ bytes: amount, packets: amount, flows: amount })
const always = (address: number) => ({ address, fromMinute: 0 })

const [hour, day] = [3_600_000, 86_400_000]

export const trafficCases: StoreCase[] = [
  {
    name: 'the busiest second of a minute is kept, however often the minute is reported; where none is known, the mean stands in',
    async run({ open }) {
      const store = await open()
      const second = { bytes: 300, packets: 50, flows: 25 }
      await store.appendSeries([{ address: 1, minute: 60, ...alike(600), busiest: second }])
      await store.appendSeries([
        { address: 1, minute: 60, ...alike(600), busiest: { bytes: 900, packets: 8, flows: 30 } },
      ])
      await store.appendSeries([{ address: 1, minute: 120, ...alike(600) }])
      assert.deepEqual(await pointsOf(store, 1, 0, 180), [
        { address: 1, minute: 60, ...alike(1_200), busiest: { bytes: 900, packets: 50, flows: 30 } },
        { address: 1, minute: 120, ...alike(600), busiest: alike(10) },
      ])
    },
  },
  {
    name: 'a step has what its least and its most busy minute had, the same in steps of any length',
    async run({ open }) {
      const store = await open()
      const minutes = [600, 60, 6_000, 1_200, 120]
      await store.appendSeries(
        minutes.map((amount, i) => ({ address: 1, minute: i * 60, ...alike(amount), busiest: alike(amount) })),
      )
      await store.appendSeries([{ address: 2, minute: 120, ...alike(1_200), busiest: alike(200) }])
      const sums = async (stepSeconds: number, addresses = [1, 2]) =>
        (await store.sumSeries('ann', addresses.map(always), { fromMinute: 0, toMinute: 360, stepSeconds }))
          .toSorted((a, b) => a.minute - b.minute)
          .map(({ minute, minutes: told, bytes, least, most, busiest }) => {
            return [minute, told, bytes, least.packets, most.flows, busiest.bytes]
          })
      assert.deepEqual(await sums(180), [
        // The one that exceeds its mean of 100 most has 6,000; the other has its mean of 20.
        [0, 3, 7_860, 60, 7_200, 6_020],
        [180, 2, 1_320, 120, 1_200, 1_200],
      ])
      assert.deepEqual(await sums(360), [[0, 5, 9_180, 60, 7_200, 6_020]])
      assert.deepEqual(await sums(360, [2]), [[0, 1, 1_200, 1_200, 1_200, 200]])
      const since = [{ address: 1, fromMinute: 180 }, always(2)]
      const [later] = await store.sumSeries('ann', since, { fromMinute: 0, toMinute: 360, stepSeconds: 360 })
      assert.deepEqual([later.bytes, later.most.bytes], [2_520, 1_200])
      assert.deepEqual(
        await store.sumSeries('ann', [always(1)], { fromMinute: 0, toMinute: 360, stepSeconds: 60 }, () => false),
        [],
      )
    },
  },
  {
    name: 'every attack of a time marks its steps, long ones and those that go on too, of a site or of all, of each user alone',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      clock.set(0)
      const [from, to] = [100 * day, 100 * day + 10 * hour]
      let made = 0
      const attack = (userId: string, startMs: number, endMs: number | null, given: Partial<EventDetail> = {}) => {
        const at = { createdMs: Math.ceil((startMs + 5_000) / 1_000) * 1_000, startMs, endMs, lastMs: endMs ?? startMs }
        return eventOf(userId, ++made, { ...at, site: 'a.example', ...given })
      }
      const [going, long, , inside] = await addEvents(store, [
        attack(ann, 3 * day, null, { sites: ['a.example', '*.example'] }),
        attack(ann, 90 * day, from + hour),
        attack(ann, from - hour, from + 1),
        attack(ann, from + 5 * hour, from + 5 * hour, { sites: ['a.example', '*.example'] }),
        // Not these: before, after, a test, another's.
        attack(ann, from - hour, from),
        attack(ann, to, to + hour),
        attack(ann, to, null),
        attack(ann, 80 * day, 95 * day),
        attack(ann, from + hour, from + 2 * hour, { isTest: true }),
        attack(bob, from + 2 * hour, from + 3 * hour),
      ])
      const within = async (userId: string, site: string | null, count = 10) => {
        const window = { site, fromMs: from, toMs: to, stepMs: hour, latest: count }
        const { latest, spans } = await store.attacksWithin(userId, window)
        const steps = spans.map(({ first, last, attacks }) => [first, last, attacks])
        return { ids: latest.map(({ id }) => id), steps: steps.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]) }
      }
      const all = await within(ann, null)
      assert.deepEqual(all.steps, [
        [0, 0, 1],
        [0, 0, 1],
        [0, 9, 1],
        [5, 5, 1],
      ])
      assert.equal(all.ids.length, 4)
      assert.deepEqual([all.ids[0], all.ids[2], all.ids[3]], [inside.id, long.id, going.id])
      assert.deepEqual((await within(ann, null, 1)).ids, [inside.id])
      assert.deepEqual(await within(ann, 'a.example'), all)
      const ofWildcard = await within(ann, '*.example')
      assert.deepEqual(ofWildcard.ids, [inside.id, going.id])
      assert.deepEqual(ofWildcard.steps, [
        [0, 9, 1],
        [5, 5, 1],
      ])
      assert.deepEqual((await within(bob, null)).steps, [[2, 2, 1]])
      assert.deepEqual(await within(bob, '*.example'), { ids: [], steps: [] })
    },
  },
  {
    name: 'more attacks than are looked through at a time are counted, each once',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(0)
      const count = 20_500
      const events = Array.from({ length: count }, (_, n) => {
        const startMs = 10 * day + n * 1_000
        return eventOf(ann, n, { createdMs: startMs + 1_000, startMs, endMs: startMs + 1_000 })
      })
      await addEvents(store, events)
      const window = { site: null, fromMs: 10 * day, toMs: 11 * day, stepMs: hour, latest: 200 }
      const { latest, spans } = await store.attacksWithin(ann, window)
      assert.equal(
        spans.reduce((sum, { attacks }) => sum + attacks, 0),
        count,
      )
      assert.deepEqual([latest.length, latest[0].id], [200, events[count - 1].id])
    },
  },
]

const trace = (address: number, second: number, { length = 32, octet = 1 } = {}): SavedTrace => ({
  ...{ address, length, second },
  octets: Uint8Array.of(octet, 0, 255),
})
const sight = (minute: number, kind: Sight['kind'], { exporter = '', amount = 1 } = {}): Sight => ({
  ...{ minute, kind, exporter, amount },
})
const all = { fromSecond: 0, toSecond: 10_000, limit: 1_000 }

export const traceCases: StoreCase[] = [
  {
    name: 'traces of the places that are asked for are read by time, as far as the limit; a later one of the same place and time stays',
    async run({ open }) {
      const store = await open()
      await store.appendTraces([trace(1, 60), trace(1, 30), trace(0, 30, { length: 24 }), trace(2, 30)])
      await store.appendTraces([trace(1, 60, { octet: 9 })])
      await store.appendTraces([])
      const places = [
        { address: 1, length: 32 },
        { address: 0, length: 24 },
      ]
      const expected = [trace(0, 30, { length: 24 }), trace(1, 30), trace(1, 60, { octet: 9 })]
      assert.deepEqual(await store.tracesOf('ann', places, all), { traces: expected, unreadable: 0 })
      const window = { fromSecond: 30, toSecond: 60, limit: 1 }
      assert.deepEqual((await store.tracesOf('ann', places, window)).traces, expected.slice(0, 1))
      assert.deepEqual((await store.tracesOf('ann', [], all)).traces, [])
      assert.deepEqual((await store.tracesOf('ann', [{ address: 1, length: 24 }], all)).traces, [])
    },
  },
  {
    name: 'sights are read by minute; of two of the same minute the larger amount stays',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.firstSight('ann'), null)
      const silent = { exporter: '192.0.2.7', amount: 90 }
      await store.appendSights([sight(120, 'watched'), sight(60, 'silent', silent), sight(60, 'watched')])
      await store.appendSights([sight(60, 'silent', { ...silent, amount: 30 })])
      const expected = [sight(60, 'silent', silent), sight(60, 'watched'), sight(120, 'watched')]
      assert.deepEqual(await store.sightsBetween('ann', all), expected)
      assert.deepEqual(await store.sightsBetween('ann', { fromSecond: 61, toSecond: 121, limit: 9 }), expected.slice(2))
      assert.deepEqual(await store.sightsBetween('ann', { ...all, limit: 1 }), expected.slice(0, 1))
      assert.deepEqual(await store.sightsBetween('ann', { ...all, limit: 1, kinds: ['watched'] }), expected.slice(1, 2))
      assert.deepEqual(await store.sightsBetween('ann', { ...all, kinds: [] }), [])
      assert.equal(await store.firstSight('ann'), 60)
    },
  },
  {
    name: 'both are forgotten with the minutes of their time, in many steps',
    async run({ open }) {
      const store = await open()
      const numbers = Array.from({ length: 600 }, (_, number) => number)
      await store.appendTraces(numbers.map((number) => trace(number, number)))
      await store.appendSights(numbers.map((number) => sight(number, 'watched')))
      assert.equal(await store.prune({ eventsMs: 0, seriesMs: 500_000, bindingsMs: 0 }), 1_000)
      assert.equal((await store.sightsBetween('ann', all)).length, 100)
      assert.equal(await store.firstSight('ann'), 500)
      const places = [499, 500].map((address) => ({ address, length: 32 }))
      assert.deepEqual((await store.tracesOf('ann', places, all)).traces, [trace(500, 500)])
    },
  },
]
