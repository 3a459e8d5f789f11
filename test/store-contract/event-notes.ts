// The contract's part on what people say of events, and on lists by that, by text, and from the newest on.
import assert from 'node:assert/strict'
import { noNote } from '../../src/events/notes.ts'
import type { EventFilter, Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

const limits = { siteQuota: 10, allowed: null }

export const eventNoteCases: StoreCase[] = [
  {
    name: 'what is said of an event stays until other is said, and who acknowledged it first; others cannot',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const [event] = await addEvents(store, [eventOf(ann.id, 1)])
      const [first, second] = [
        { by: 'ann', atMs: 1 },
        { by: 'eve', atMs: 2 },
      ]
      assert.equal((await store.notesOf(ann.id, [event.id])).size, 0)
      assert.equal(await store.changeNote(bob.id, event.id, { acknowledged: true }, first), null)
      assert.equal(await store.changeNote(ann.id, 'f'.repeat(24), { acknowledged: true }, first), null)
      const change = (given: Parameters<Store['changeNote']>[2], who = first) =>
        store.changeNote(ann.id, event.id, given, who)
      assert.deepEqual(await change({ acknowledged: true }), { ...noNote, acknowledged: first })
      assert.deepEqual(await change({ classification: 'test', text: 'x', acknowledged: true }, second), {
        acknowledged: first,
        classification: 'test',
        classified: second,
        text: 'x',
        said: second,
      })
      const same = await change({ classification: 'test', text: 'y' })
      assert.deepEqual([same?.classified, same?.said], [second, first])
      const last = await change({ classification: null, acknowledged: false, text: 'x' })
      assert.deepEqual(last, { ...noNote, text: 'x', said: first })
      assert.deepEqual(await store.notesOf(ann.id, [event.id, 'other']), new Map([[event.id, last]]))
      assert.equal((await store.notesOf(bob.id, [event.id])).size, 0)
      await store.deleteUser(ann.id)
    },
  },
  {
    name: 'events are listed by what was said of them, and by text',
    async run({ open }) {
      const store = await open()
      const { id: userId } = await store.addUser({ email: 'ann@example.com', ...limits })
      const [a, b, c] = await addEvents(store, [
        eventOf(userId, 1, { site: 'Shop.example', domain: '', label: null }),
        eventOf(userId, 2, { site: '192.0.2.0/24', domain: 'mail.example', label: null }),
        eventOf(userId, 3, { site: '192.0.2.0/24', domain: '', label: 'udp@attack@amp_flood_target-NTP' }),
      ])
      const who = { by: 'ann', atMs: 1 }
      await store.changeNote(userId, a.id, { acknowledged: true, classification: 'attack' }, who)
      await store.changeNote(userId, b.id, { text: 'only this' }, who)
      const find = async (filter: EventFilter) =>
        (await store.eventsBetween(userId, { fromMs: null, toMs: null, filter, after: null, limit: 9 })).map(
          ({ id }) => id,
        )
      assert.deepEqual(await find({ classification: 'attack' }), [a.id])
      assert.deepEqual(await find({ classification: null }), [b.id, c.id])
      assert.deepEqual(await find({ isAcknowledged: true }), [a.id])
      assert.deepEqual(await find({ isAcknowledged: false, classification: null, texts: ['mail'] }), [b.id])
      assert.deepEqual(await find({ texts: ['example'] }), [a.id, b.id])
      assert.deepEqual(await find({ texts: ['ntp'] }), [c.id])
      assert.deepEqual(await find({ texts: ['%'] }), [])
      assert.deepEqual(await find({ texts: ['nothing', 'mail', 'ntp'] }), [b.id, c.id])
      assert.deepEqual(await find({ texts: [] }), [])
    },
  },
  {
    name: 'from the newest on, pages by key join without gap or repeat, within the window',
    async run({ open }) {
      const store = await open()
      const { id: userId } = await store.addUser({ email: 'ann@example.com', ...limits })
      const events = [3, 1, 4, 1, 5, 9, 2, 6].map((second, n) =>
        eventOf(userId, n, { createdMs: 1e15 + second * 1_000 }),
      )
      const stored = await addEvents(store, events)
      const expected = stored
        .filter(({ createdMs }) => createdMs >= 1e15 + 1_000 && createdMs < 1e15 + 6_000)
        .sort((x, y) => y.createdMs - x.createdMs || (y.id < x.id ? -1 : 1))
        .map(({ id }) => id)
      const read: string[] = []
      for (let after: { createdMs: number; id: string } | null = null; ; ) {
        const window = { fromMs: 1e15 + 1_000, toMs: 1e15 + 6_000, isDescending: true, after, limit: 2 }
        const page = await store.eventsBetween(userId, window)
        read.push(...page.map(({ id }) => id))
        if (page.length < 2) break
        after = page[1]
      }
      assert.deepEqual(read, expected)
      assert.equal(read.length, 6)
    },
  },
  {
    name: 'tests are told apart, classified as such, and count neither for a site nor among what is attacked most',
    async run({ open }) {
      const store = await open()
      const { id: userId } = await store.addUser({ email: 'ann@example.com', ...limits })
      const [real, test] = await addEvents(store, [
        eventOf(userId, 1, { site: 'a' }),
        eventOf(userId, 2, { site: 'a', label: 'x', isTest: true }),
        eventOf(userId, 3, { site: 'b', isTest: true }),
      ])
      const find = async (filter: EventFilter) => {
        const found = await store.eventsBetween(userId, { fromMs: null, toMs: null, filter, after: null, limit: 10 })
        return found.map(({ site, isTest }) => `${site} ${isTest}`)
      }
      assert.deepEqual(await find({ isTest: false }), ['a false'])
      assert.deepEqual(await find({ isTest: true }), ['a true', 'b true'])
      assert.deepEqual(await find({ classification: 'test' }), ['a true', 'b true'])
      assert.equal((await store.eventById(userId, test.id))?.isTest, true)
      assert.equal((await store.notesOf(userId, [real.id, test.id])).get(test.id)?.classification, 'test')
      assert.deepEqual((await store.mostAttacked(userId, 0)).sites, [{ site: 'a', events: 1 }])
      assert.deepEqual((await store.mostAttacked(userId, 0)).labels, [{ label: real.label, events: 1 }])
      const ofSites = await store.eventsOfSites(userId, ['a', 'b'])
      assert.deepEqual(
        ofSites.map(({ open, last }) => [open, last?.id ?? null]),
        [
          [1, real.id],
          [0, null],
        ],
      )
    },
  },
  {
    name: 'events are counted by window and filter, and by site and label, of each user alone',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const of = (userId: string, n: number, given: object) =>
        eventOf(userId, n, { createdMs: 1e15 + n * 1_000, label: null, ...given })
      const [first] = await addEvents(store, [
        of(ann.id, 1, { site: 'a', label: 'x' }),
        of(ann.id, 2, { site: 'b', endMs: 5 }),
        of(ann.id, 3, { site: 'b' }),
        of(bob.id, 4, { site: 'c', label: 'y' }),
      ])
      await store.changeNote(ann.id, first.id, { acknowledged: true }, { by: '', atMs: 1 })
      const count = (given: object) => store.countEvents(ann.id, { fromMs: null, toMs: null, ...given })
      assert.deepEqual(
        await Promise.all(
          [{}, { fromMs: 1e15 + 2_000 }, { toMs: 1e15 + 2_000 }, { filter: { isOpen: true } }].map(count),
        ),
        [3, 2, 1, 2],
      )
      assert.equal(await count({ filter: { isAcknowledged: false, isOpen: true } }), 1)
      assert.deepEqual(await store.mostAttacked(ann.id, 0), {
        sites: [
          { site: 'b', events: 2 },
          { site: 'a', events: 1 },
        ],
        labels: [
          { label: null, events: 2 },
          { label: 'x', events: 1 },
        ],
      })
      assert.deepEqual((await store.mostAttacked(ann.id, 1e15 + 3_000)).sites, [{ site: 'b', events: 1 }])
    },
  },
  {
    name: 'minutes of many targets are added up, within the window',
    async run({ open }) {
      const store = await open()
      const always = (address: number) => ({ address, fromMinute: 0 })
      const addresses = Array.from({ length: 60 }, (_, n) => n + 1)
      const points = [...addresses, 99].flatMap((address) =>
        [0, 60, 120].map((minute) => ({ address, minute, bytes: 4, packets: 2, flows: 1 })),
      )
      await store.appendSeries(points)
      const sums = await store.sumSeries('ann', addresses.map(always), {
        fromMinute: 60,
        toMinute: 120,
        stepSeconds: 60,
      })
      assert.ok(sums.every(({ minute }) => minute === 60))
      assert.equal(
        sums.reduce((sum, { bytes }) => sum + bytes, 0),
        240,
      )
      assert.equal(
        sums.reduce((sum, { flows }) => sum + flows, 0),
        60,
      )
      assert.deepEqual(await store.sumSeries('ann', [], { fromMinute: 0, toMinute: 180, stepSeconds: 60 }), [])
      const steps = await store.sumSeries('ann', [1, 2].map(always), { fromMinute: 0, toMinute: 180, stepSeconds: 120 })
      // Counted back from the end: the first step has no more than its second minute within the window.
      assert.deepEqual(
        steps
          .toSorted((a, b) => a.minute - b.minute)
          .map(({ minute, bytes, packets, flows }) => ({ minute, bytes, packets, flows })),
        [
          { minute: -60, bytes: 8, packets: 4, flows: 2 },
          { minute: 60, bytes: 16, packets: 8, flows: 4 },
        ],
      )
    },
  },
]
