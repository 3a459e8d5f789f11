// The contract's part on what happened to events: what is written with them, in which order it is read, and for how long it is kept.
import assert from 'node:assert/strict'
import type { LoggedChange } from '../../src/events/changes.ts'
import type { Store } from '../../src/store/store.ts'
import { addEvents, eventOf, updateOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
}

const newsOf = (changes: LoggedChange[]) => changes.map(({ id, change }) => `${Number.parseInt(id, 16)} ${change}`)

export const changeCases: StoreCase[] = [
  {
    name: 'what happens to events is read in the order in which it happened, with whose event it is',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      assert.deepEqual(await store.changesAfter(0, 10), { changes: [], isIncomplete: false })
      assert.equal(await store.lastChange(), 0)
      const incident = 'shared'
      const [hers, his] = await addEvents(store, [eventOf(ann, 1, { incident }), eventOf(bob, 2, { incident })])
      await addEvents(store, [eventOf(ann, 1), eventOf('nobody', 3), eventOf(ann, 4, { endMs: 9, phase: 'closed' })])
      const first = await store.changesAfter(0, 10)
      assert.deepEqual(newsOf(first.changes), ['1 made', '2 made', '4 made', '4 ended', '4 closed'])
      assert.deepEqual(
        first.changes.slice(0, 2).map(({ userId }) => userId),
        [ann, bob],
      )

      let place = await store.lastChange()
      assert.equal(place, first.changes[4].sequence)
      // Places rise over a clock that is set back.
      clock.set(clock.now() - 86_400_000)
      const after = async () => {
        const { changes } = await store.changesAfter(place, 10)
        place = changes.at(-1)?.sequence ?? place
        return newsOf(changes)
      }
      const over = { ...hers, endMs: 5, phase: 'over' as const }
      const { changes } = await store.record({ updates: [updateOf(over)] })
      assert.deepEqual(changes, [
        { userId: ann, id: hers.id, change: 'ended' },
        { userId: bob, id: his.id, change: 'ended' },
      ])
      assert.deepEqual(await after(), ['1 ended', '2 ended'])
      const back = { ...hers, episode: { ...hers.episode, number: 1 } }
      const returns = [hers, his].map(({ id: eventId, userId }, i) => {
        return { incident, eventId, userId, id: `${i}`.padStart(24, 'f'), createdMs: 0 }
      })
      await store.record({ updates: [updateOf(back)], returns })
      assert.deepEqual(await after(), ['1 returned', '2 returned'])
      await store.changeNote(bob, his.id, { acknowledged: true }, { by: 'bob', atMs: 7 })
      assert.deepEqual(await after(), ['2 updated'])
      await store.record({ updates: [updateOf({ ...back, endMs: 5, phase: 'closed' })] })
      assert.deepEqual(await after(), ['1 ended', '1 closed', '2 ended', '2 closed'])
      assert.deepEqual(await after(), [])
    },
  },
  {
    name: 'a recording that fails has written nothing and has told nothing',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const [event] = await addEvents(store, [eventOf(ann, 1)])
      const place = await store.lastChange()
      const broken = { ...eventOf(ann, 2), deviation: Number.NaN }
      await assert.rejects(store.record({ updates: [updateOf({ ...event, endMs: 9, phase: 'over' })], made: [broken] }))
      assert.equal((await store.eventById(ann, event.id))?.endMs, null)
      assert.deepEqual(await store.changesAfter(place, 10), { changes: [], isIncomplete: false })
    },
  },
  {
    name: 'of several updates of an event the latest is kept, in its place',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const [one, two] = await addEvents(store, [eventOf(ann, 1), eventOf(ann, 2)])
      for (const event of [one, two, one]) await store.record({ updates: [updateOf(event)] })
      const { changes } = await store.changesAfter(0, 10)
      assert.deepEqual(newsOf(changes), ['1 made', '2 made', '2 updated', '1 updated'])
      assert.deepEqual(newsOf((await store.changesAfter(changes[2].sequence, 10)).changes), ['1 updated'])
    },
  },
  {
    name: 'several readers, each at its own pace, miss nothing of what several writers write',
    async run({ open }) {
      const stores = [await open(), await open(), await open()]
      const users = [await userOf(stores[0], 'ann'), await userOf(stores[0], 'bob')]
      const read = [1, 3, 100].map((limit) => ({ limit, place: 0, seen: [] as string[] }))
      const look = async (reader: (typeof read)[number], store: Store) => {
        const { changes, isIncomplete } = await store.changesAfter(reader.place, reader.limit)
        assert.equal(isIncomplete, false)
        reader.place = changes.at(-1)?.sequence ?? reader.place
        reader.seen.push(...newsOf(changes))
        return changes.length
      }
      for (let n = 0; n < 60; n += 2) {
        await Promise.all([
          addEvents(stores[0], [eventOf(users[0], n)]),
          addEvents(stores[1], [eventOf(users[1], n + 1)]),
          ...read.map((reader, i) => look(reader, stores[i])),
        ])
      }
      for (const reader of read) while ((await look(reader, stores[2])) > 0);
      for (const { seen } of read) {
        assert.deepEqual(seen, read[0].seen)
        assert.equal(new Set(seen).size, 60)
      }
    },
  },
  {
    name: 'old changes and those that are too many are deleted, and a reader that has missed some is told so',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(10_000_000)
      const numbers = Array.from({ length: 600 }, (_, n) => n)
      await addEvents(
        store,
        numbers.map((n) => eventOf(ann, n)),
      )
      clock.set(20_000_000)
      await addEvents(store, [eventOf(ann, 1_000), eventOf(ann, 1_001), eventOf(ann, 1_002)])
      const { changes } = await store.changesAfter(0, 1_000)
      assert.equal(await store.pruneChanges({ beforeMs: 10_000_000, max: 1_000 }), 0)
      assert.equal(await store.pruneChanges({ beforeMs: 15_000_000, max: 1_000 }), 600)
      assert.equal(await store.pruneChanges({ beforeMs: 15_000_000, max: 1_000 }), 0)
      const rest = changes.slice(600)
      assert.deepEqual(await store.changesAfter(0, 10), { changes: rest, isIncomplete: true })
      assert.deepEqual(await store.changesAfter(changes[598].sequence, 10), { changes: rest, isIncomplete: true })
      assert.deepEqual(await store.changesAfter(changes[599].sequence, 10), { changes: rest, isIncomplete: false })
      assert.equal(await store.pruneChanges({ beforeMs: 0, max: 2 }), 1)
      assert.deepEqual(newsOf((await store.changesAfter(0, 10)).changes), ['1001 made', '1002 made'])
      assert.equal(await store.pruneChanges({ beforeMs: 0, max: 0 }), 2)
      assert.deepEqual(await store.changesAfter(await store.lastChange(), 10), { changes: [], isIncomplete: false })
      assert.equal((await store.changesAfter(changes[601].sequence, 10)).isIncomplete, true)
      // A place is given once, whatever was deleted, and though the clock was set back.
      clock.set(1_000)
      await addEvents(store, [eventOf(ann, 2_000)])
      assert.ok((await store.lastChange()) > changes[602].sequence)
    },
  },
]
