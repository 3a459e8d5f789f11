// Events that come back, and the order of all changes.
import assert from 'node:assert/strict'
import { noStatistics } from '../../src/detect/incidents/incident-report.ts'
import type { EventEntry, Store } from '../../src/store/store.ts'
import { addEvents, eventOf, updateOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
}

const everything = { fromMs: null, toMs: null, after: null, limit: 1_000 }
const idsOf = (events: Pick<EventEntry, 'id'>[]) => events.map(({ id }) => Number.parseInt(id, 16))
const entryOf = (item: number, flows: number) => ({ item, flows, packets: flows, bytes: flows, protocols: [item] })

export const episodeCases: StoreCase[] = [
  {
    name: 'an event that comes back after its end is another entry of the list, and stays one event',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(10_000)
      const [event, other] = await addEvents(store, [
        eventOf(ann, 1, { statistics: { ...noStatistics, protocol: [entryOf(17, 5)] } }),
        eventOf(ann, 2),
      ])
      const ended = { ...event, endMs: 3_000, phase: 'over' as const }
      await store.record({ updates: [updateOf(ended)] })
      const before = await store.entriesBetween(ann, everything)
      assert.deepEqual(idsOf(before), [1, 2])

      clock.set(60_500)
      const amount = { activeSeconds: 4, bytesPerSecond: 70, packetsPerSecond: 7, flowsPerSecond: 1 }
      const episode = { number: 1, startMs: 59_000, endMs: 61_000, ...amount, peak: { ...amount, atMs: 59_000 } }
      const ofEpisode = { ...noStatistics, protocol: [entryOf(6, 2)] }
      const back = {
        ...event,
        ...{ lastMs: 61_000, activeSeconds: 6, packetsPerSecond: 670, label: null, episode, ofEpisode },
      }
      const id = 'a'.repeat(24)
      const isBack = { incident: event.incident, eventId: event.id, userId: ann, id, createdMs: 60_000 }
      await store.record({ updates: [updateOf(back)], returns: [isBack] })
      await store.record({ updates: [updateOf(back)], returns: [isBack] })

      const entries = await store.entriesBetween(ann, everything)
      assert.deepEqual(
        entries.map(({ id, createdMs, label, packetsPerSecond }) => [id, createdMs, label, packetsPerSecond]),
        [
          [event.id, 10_000, event.label, event.packetsPerSecond],
          [other.id, 10_000, other.label, other.packetsPerSecond],
          [id, 61_000, null, 7],
        ],
      )
      const after = { createdMs: 10_000, id: event.id }
      assert.deepEqual(idsOf(await store.entriesBetween(ann, { ...everything, after, limit: 1 })), [2])
      assert.deepEqual(
        (await store.entriesBetween(ann, { ...everything, fromMs: 61_000 })).map((each) => each.id),
        [id],
      )
      assert.deepEqual((await store.entryById(ann, event.id))?.statistics.protocol, [entryOf(17, 5)])
      assert.deepEqual((await store.entryById(ann, id))?.statistics.protocol, [entryOf(6, 2)])
      assert.equal(await store.entryById(ann, other.id), null)
      assert.equal(await store.entryById('nobody', id), null)

      const whole = await store.eventById(ann, id)
      assert.deepEqual([whole?.id, whole?.packetsPerSecond, whole?.returns], [event.id, 670, 1])
      assert.deepEqual([whole?.episode, whole?.ofEpisode], [{ ...episode, peak: whole?.episode.peak }, ofEpisode])
      assert.equal((await store.eventsBetween(ann, everything)).length, 2)
      const episodes = await store.episodesOf(ann, event.id, 10)
      assert.deepEqual(
        episodes.map((each) => [each.id, each.number, each.startMs, each.endMs, each.packetsPerSecond]),
        [
          [event.id, 0, 1_000, 3_000, event.packetsPerSecond],
          [id, 1, 59_000, 61_000, 7],
        ],
      )
      assert.deepEqual(await store.episodesOf('nobody', event.id, 10), [])
    },
  },
  {
    name: 'every change of an event has a place after those before it, also over a clock that is set back',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.set(5_000_000)
      const [first, second] = await addEvents(store, [eventOf(ann, 1), eventOf(ann, 2)])
      assert.ok(second.sequence > first.sequence)
      clock.set(1_000)
      await store.record({ updates: [updateOf(first)] })
      const since = (sequence: number, limit = 10, filter = {}) =>
        store.eventsChangedSince(ann, { sequence, limit, filter })
      assert.deepEqual(idsOf(await since(0)), [2, 1])
      assert.deepEqual(idsOf(await since(second.sequence)), [1])
      assert.deepEqual(
        (await since(second.sequence)).map(({ updatedMs }) => updatedMs),
        [1_000],
      )
      assert.deepEqual(idsOf(await since(0, 1)), [2])
      assert.deepEqual(idsOf(await since(0, 10, { address: first.address })), [1])
      await store.changeNote(ann, second.id, { acknowledged: true }, { by: 'ann', atMs: 7 })
      assert.deepEqual(idsOf(await since(first.sequence)), [1, 2])
      assert.deepEqual(await store.eventsChangedSince('nobody', { sequence: 0, limit: 10, filter: {} }), [])
    },
  },
]
