// The contract's part on silences, and on what is held back.
import assert from 'node:assert/strict'
import type { Routing } from '../../../src/alert/alert-store.ts'
import type { Hold } from '../../../src/alert/rules/hold.ts'
import type { NewSilence } from '../../../src/alert/rules/silence-store.ts'
import { updateOf } from '../../../src/events/event.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll, textOf, userOf } from './parts.ts'

const silenceOf = (id: string, given: Partial<NewSilence> = {}): NewSilence => ({
  ...{ id, reason: 'a move', sites: ['a.example.com'], groups: ['g1'], vectors: ['udp*'], fromMs: 0, untilMs: 0 },
  ...given,
})

/** The notice of a number, held back by something. */
const heldRouting = (userId: string, eventId: string, number: number, hold: Hold): Routing => ({
  ...routingOf(number - 1, []),
  notices: [
    {
      notice: noticeOf(userId, eventId, number),
      to: [{ channelId: 'c1', ruleId: null, course: { what: 'hold', hold } }],
    },
  ],
})

export const silenceCases: StoreCase[] = [
  {
    name: 'silences are kept by user, those that have not ended first, and no more of these than a user may have',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const long = silenceOf('s1', { fromMs: nowMs, untilMs: nowMs + 50 })
      const made = await store.addSilence(ann, long, 2)
      assert.deepEqual(made, { ...long, userId: ann, createdMs: nowMs, attacks: 0, openAttacks: 0 })
      await store.addSilence(ann, silenceOf('s2', { fromMs: nowMs + 20, untilMs: nowMs + 90 }), 2)
      await assert.rejects(store.addSilence(ann, silenceOf('s3', { untilMs: nowMs + 1 }), 2), { code: 'CONFLICT' })
      await store.addSilence(bob, silenceOf('s4', { fromMs: nowMs, untilMs: nowMs + 50 }), 2)
      const at = async (ms: number) => (await store.silencesAt(ms, [ann])).map(({ id }) => id).toSorted()
      assert.deepEqual([await at(nowMs), await at(nowMs + 20), await at(nowMs + 50)], [['s1'], ['s1', 's2'], ['s2']])
      assert.deepEqual(await store.silencesAt(nowMs, []), [])
      assert.equal(await store.endSilence(bob, 's1'), false)
      clock.set(nowMs + 5)
      assert.equal(await store.endSilence(ann, 's1'), true)
      assert.equal(await store.endSilence(ann, 's1'), false)
      const ids = async () => (await store.silencesOf(ann)).map(({ id, untilMs }) => `${id} ${untilMs - nowMs}`)
      assert.deepEqual(await ids(), ['s2 90', 's1 5'])
      // One that has not begun leaves nothing.
      assert.equal(await store.endSilence(ann, 's2'), true)
      assert.deepEqual(await ids(), ['s1 5'])
      await store.deleteUser(ann)
      assert.deepEqual(await store.silencesOf(ann), [])
    },
  },
  {
    name: 'what is held back is sent when it is let go, counted for its silence, and replaced by what says more',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addSilence(ann, silenceOf('s1', { fromMs: nowMs, untilMs: nowMs + 50 }), 9)
      const [event, other] = await addEvents(store, [eventOf(ann, 70_001), eventOf(ann, 70_002)])
      const hold: Hold = { by: 'silence', silenceId: 's1', untilMs: nowMs + 50 }
      await store.route(heldRouting(ann, event.id, 1, hold))
      await store.route({ ...heldRouting(ann, other.id, 1, hold), from: 1, to: 2 })
      const known = async () => Array.from((await store.eventsToTell([event.id]))[0].known.values())
      assert.deepEqual(await known(), [{ lastTold: null, held: hold, bundle: null }])
      assert.deepEqual(await takeAll(store, nowMs + 99), [])
      const counts = async () => (await store.silencesOf(ann)).map(({ attacks, openAttacks }) => [attacks, openAttacks])
      assert.deepEqual(await counts(), [[2, 2]])
      await store.record({ updates: [updateOf({ ...event, endMs: nowMs, phase: 'over' })] })
      assert.deepEqual(await counts(), [[2, 1]])
      await store.route({ ...heldRouting(ann, event.id, 2, hold), from: 2, to: 3 })
      const states = async () =>
        (await store.deliveriesOf(ann, { eventId: event.id, limit: 9 })).map(({ state, heldBy }) => [state, heldBy])
      assert.deepEqual(await states(), [
        ['held', 'silence'],
        ['superseded', null],
      ])
      assert.deepEqual(await counts(), [[2, 1]])
      assert.deepEqual(await store.heldDue({ nowMs: nowMs + 49, limit: 9 }), [])
      const due = await store.heldDue({ nowMs: nowMs + 50, limit: 9 })
      assert.deepEqual(
        due.map(({ kind, by, channelUserId }) => [kind, by, channelUserId]),
        [
          ['started', 'silence', ann],
          ['ended', 'silence', ann],
        ],
      )
      clock.set(nowMs + 50)
      const later: Hold = { by: 'quiet', untilMs: nowMs + 80 }
      await store.release(due.map((held) => ({ held, hold: held.kind === 'started' ? later : null })))
      const [taken] = await takeAll(store, nowMs + 50)
      assert.deepEqual([textOf(taken), taken.createdMs], [`c1 ${event.id} 2`, nowMs + 50])
      await store.settle(settlementOf(taken))
      assert.deepEqual(await known(), [{ lastTold: 'ended', held: null, bundle: null }])
      // What is not as it was is left.
      await store.release(due.map((held) => ({ held, hold: null })))
      assert.deepEqual(await takeAll(store, nowMs + 99), [])
      assert.deepEqual((await store.heldDue({ nowMs: nowMs + 80, limit: 9 }))[0].by, 'quiet')
    },
  },
  {
    name: 'what is held back is looked at again when its silence ends, or its channel has other hours',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addSilence(ann, silenceOf('s1', { fromMs: nowMs, untilMs: nowMs + 50 }), 9)
      await store.route(heldRouting(ann, 'e1', 1, { by: 'silence', silenceId: 's1', untilMs: nowMs + 50 }))
      await store.route({ ...heldRouting(ann, 'e2', 1, { by: 'quiet', untilMs: nowMs + 60 }), from: 1, to: 2 })
      const due = async () => (await store.heldDue({ nowMs, limit: 9 })).map(({ eventId }) => eventId)
      assert.deepEqual(await due(), [])
      await store.endSilence(ann, 's1')
      assert.deepEqual(await due(), ['e1'])
      const quiet = { timeZone: 'UTC', days: [], hours: '22:00-07:00' }
      const changed = await store.changeChannel(ann, 'c1', { quiet })
      assert.deepEqual([changed?.quiet, (await store.channelsOf(ann))[0].quiet], [quiet, quiet])
      assert.deepEqual((await due()).toSorted(), ['e1', 'e2'])
      assert.equal((await store.changeChannel(ann, 'c1', { name: 'x' }))?.quiet?.hours, '22:00-07:00')
      assert.equal((await store.changeChannel(ann, 'c1', { quiet: null }))?.quiet, null)
    },
  },
  {
    name: 'what is dropped leaves nothing to be sent',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.route(heldRouting(ann, 'e1', 1, { by: 'end', untilMs: clock.now() }))
      const dropped = { channelId: 'c1', ruleId: null, course: { what: 'drop' as const } }
      await store.route({ ...routingOf(1, []), notices: [{ notice: noticeOf(ann, 'e1', 2), to: [dropped] }] })
      assert.deepEqual(await store.heldDue({ nowMs: clock.now(), limit: 9 }), [])
      assert.deepEqual(
        (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state),
        ['superseded'],
      )
    },
  },
]
