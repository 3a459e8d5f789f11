// The contract's part on what is told and what becomes of it: once, in order, bounded.
import assert from 'node:assert/strict'
import { longestMs } from '../../../src/alert/delays.ts'
import { parseHolderKey } from '../../../src/alert/rules/hold.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, leaseMs, noticeOf, routingOf, settlementOf, takeAll, textOf, userOf } from './parts.ts'

const textsOf = (deliveries: Parameters<typeof textOf>[0][]) => deliveries.map(textOf)
const result = { atMs: 5, tookMs: 1, isDone: false, text: 'HTTP 500' }

export const deliveryCases: StoreCase[] = [
  {
    name: 'what is found to be told is written once, with the place up to which was read',
    async run({ open }) {
      const [one, other] = [await open(), await open()]
      const ann = await userOf(one, 'ann')
      await one.addChannel(ann, channelOf('c1'), 9)
      const [event] = await addEvents(one, [eventOf(ann, 0xabc)])
      assert.equal(await one.toldUpTo(), null)
      const told = new Map([[event.id, { severity: 'high' as const, label: 'x', isOver: false, number: 1 }]])
      const routing = routingOf(7, [[noticeOf(ann, event.id), 'c1']], { told })
      assert.deepEqual(
        [await one.route(routing), await other.route(routing), await one.route(routing)],
        [0, null, null],
      )
      assert.equal(await other.toldUpTo(), 8)
      assert.equal((await other.deliveriesOf(ann, { limit: 9 })).length, 1)
      const [found] = await other.eventsToTell([event.id, 'gone'])
      assert.deepEqual(
        [found.event.id, found.told, [...found.known]],
        [event.id, told.get(event.id), [['c1', { lastTold: 'started', held: null, bundle: null }]]],
      )
      assert.deepEqual(await other.toldOpen(), [event.id])
      // Told by somebody else since it was read: it is read again.
      assert.equal(await one.route(routingOf(8, [[noticeOf(ann, event.id), 'c1']])), null)
      assert.equal(await other.toldUpTo(), 8)
      const over = new Map([[event.id, { severity: 'high' as const, label: 'x', isOver: true, number: 2 }]])
      await one.route(routingOf(8, [], { told: over }))
      assert.deepEqual(await other.toldOpen(), [])
    },
  },
  {
    name: 'messages of an event go one after the other, and events do not wait for each other',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addChannel(ann, channelOf('c2'), 9)
      const nowMs = clock.now()
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1', 'c2'],
          [noticeOf(ann, 'e1', 2), 'c1'],
        ]),
      )
      const first = await takeAll(store, nowMs)
      assert.deepEqual(textsOf(first), ['c1 e1 1', 'c2 e1 1'])
      // The second waits while the first is under way, and while it waits for another attempt.
      assert.deepEqual(await takeAll(store, nowMs), [])
      await store.settle(settlementOf(first[0], { state: 'due', attempts: 1, dueMs: nowMs + 5_000, result }))
      await store.route(routingOf(1, [[noticeOf(ann, 'e2'), 'c1']]))
      const [next] = await takeAll(store, nowMs)
      assert.equal(textOf(next), 'c1 e2 1')
      await store.settle(settlementOf(next))
      assert.equal(await store.nextDue(['c2']), nowMs + 5_000)
      const [again] = await takeAll(store, nowMs + 5_000)
      assert.deepEqual([textOf(again), again.attempts], ['c1 e1 1', 1])
      await store.settle(settlementOf(again, { result: { ...result, isDone: true } }))
      const last = await takeAll(store, nowMs + 5_000)
      assert.deepEqual(textsOf(last), ['c1 e1 2'])
      assert.deepEqual(await store.attemptsOf(ann, again.id), [result, { ...result, isDone: true }])
    },
  },
  {
    name: 'what was taken and never settled is taken again after its lease, and at the start at once, before what is behind it',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      const nowMs = clock.now()
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1']]))
      const takenAt = async (atMs: number) => textsOf(await takeAll(store, atMs))
      assert.deepEqual(await takenAt(nowMs + 1), ['c1 e1 1'])
      assert.equal(await store.nextDue([]), null)
      assert.deepEqual(await takenAt(nowMs + leaseMs), [])
      assert.deepEqual(await takenAt(nowMs + 1 + leaseMs), ['c1 e1 1'])
      await store.route(
        routingOf(1, [
          [noticeOf(ann, 'e1', 2), 'c1'],
          [noticeOf(ann, 'e2'), 'c1'],
        ]),
      )
      assert.equal(await store.nextDue([]), nowMs)
      await store.takeBack(nowMs)
      assert.deepEqual(await takenAt(nowMs), ['c1 e1 1'])
      assert.deepEqual(await takenAt(nowMs), ['c1 e2 1'])
      // By a clock that was ahead.
      await store.takeBack(nowMs - 5)
      assert.deepEqual(await takenAt(nowMs - 5), ['c1 e1 1'])
    },
  },
  {
    name: 'a channel that is closed is left in peace until then, and when it is back all that waits is due',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      const nowMs = clock.now()
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1'],
          [noticeOf(ann, 'e2'), 'c1'],
        ]),
      )
      const health = { failures: 5, failingSinceMs: nowMs, closedUntilMs: nowMs + 60_000, isDisabled: false }
      const [first] = await takeAll(store, nowMs)
      await store.settle(settlementOf(first, { state: 'due', dueMs: nowMs + 3_600_000, health, result }))
      assert.deepEqual(await takeAll(store, nowMs + 59_999), [])
      assert.equal(await store.nextDue([]), nowMs + 60_000)
      const [probe] = await store.turns({ nowMs: nowMs + 60_000, leaseMs, exceptChannels: [] })
      assert.deepEqual([probe.isFailing, probe.userId], [true, ann])
      const [second] = await store.take([probe.deliveryId], nowMs + 60_000)
      clock.set(nowMs + 60_000)
      await store.settle(settlementOf(second, { isBack: true, result: { ...result, isDone: true } }))
      assert.deepEqual(textsOf(await takeAll(store, nowMs + 60_000)), ['c1 e1 1'])
      assert.equal((await store.channelById('c1'))?.last?.isDone, true)
    },
  },
  {
    name: 'deliveries are listed by user, and sent again under the same number',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1'],
          [noticeOf(ann, 'e1', 2), 'c1'],
        ]),
      )
      const [first] = await takeAll(store, nowMs)
      await store.settle(settlementOf(first, { state: 'dead', attempts: 3, result }))
      const listed = async (filter: object) => textsOf(await store.deliveriesOf(ann, { limit: 9, ...filter }))
      assert.deepEqual(await listed({}), ['c1 e1 2', 'c1 e1 1'])
      assert.deepEqual(await listed({ state: 'dead' }), ['c1 e1 1'])
      assert.deepEqual(await listed({ eventId: 'e1', number: 2 }), ['c1 e1 2'])
      assert.deepEqual(await listed({ channelId: 'c2' }), [])
      assert.deepEqual(await listed({ limit: 1 }), ['c1 e1 2'])
      assert.deepEqual(await listed({ before: first.id + 1 }), ['c1 e1 1'])
      assert.deepEqual(await store.deliveriesOf(bob, { limit: 9 }), [])
      assert.deepEqual(await store.attemptsOf(bob, first.id), [])
      assert.deepEqual(await store.replay(bob, { id: first.id }), { replayed: 0, leftOut: 0 })
      assert.deepEqual(await store.replay(ann, { channelId: 'c1', state: 'dead' }), { replayed: 1, leftOut: 0 })
      const [again] = await store.deliveriesOf(ann, { id: first.id, limit: 1 })
      assert.deepEqual([again.state, again.attempts, again.notice.number], ['due', 0, 1])
    },
  },
  {
    name: 'say which site they are about, of events of somebody else to admins alone, and no more when the event is deleted',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const event = eventOf(bob, 1)
      await addEvents(store, [event])
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addChannel(bob, channelOf('c2'), 9)
      await store.updateUser(ann, { role: 'admin' })
      await store.route(routingOf(0, [[noticeOf(bob, event.id), 'c1', 'c2']]))
      const siteFor = async (userId: string) => (await store.deliveriesOf(userId, { limit: 9 })).map(({ site }) => site)
      assert.deepEqual([await siteFor(ann), await siteFor(bob)], [[event.site], [event.site]])
      await store.updateUser(ann, { role: 'member' })
      assert.deepEqual([await siteFor(ann), await siteFor(bob)], [[null], [event.site]])
      await store.updateUser(ann, { role: 'admin' })
      await store.prune({ eventsMs: Number.MAX_SAFE_INTEGER, seriesMs: 0, bindingsMs: 0 })
      assert.deepEqual([await siteFor(ann), await siteFor(bob)], [[null], [null]])
    },
  },
  {
    name: 'of too many messages that wait for a channel the oldest are given up, beginnings and ends last',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2']) await store.addChannel(ann, channelOf(id), 9)
      const worse = { ...noticeOf(ann, 'e1', 2), kind: 'worsened' as const }
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1'],
          [worse, 'c1'],
          [noticeOf(ann, 'e2'), 'c2'],
        ]),
      )
      const more = routingOf(
        1,
        [
          [noticeOf(ann, 'e3'), 'c1'],
          [noticeOf(ann, 'e4'), 'c1'],
        ],
        { waitingMax: 2 },
      )
      assert.equal(await store.route(more), 2)
      const found = await store.deliveriesOf(ann, { state: 'dead', limit: 9 })
      assert.deepEqual(textsOf(found), ['c1 e1 2', 'c1 e1 1'])
      assert.match((await store.attemptsOf(ann, found[0].id))[0].text, /more than 2 messages wait/)
      assert.deepEqual((await store.waiting()).byKind, { webhook: 3 })
    },
  },
  {
    name: 'what lies further ahead than its longest delay is due now, and nothing else',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2', 'c3', 'c4']) await store.addChannel(ann, channelOf(id), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1', 'c2']]))
      const [one, two] = await takeAll(store, nowMs)
      const settled = async (taken: typeof one, pauseMs: number, closedMs: number) => {
        const health = { failures: 9, failingSinceMs: nowMs, closedUntilMs: nowMs + closedMs, isDisabled: false }
        await store.settle(settlementOf(taken, { state: 'due', dueMs: nowMs + pauseMs, health }))
      }
      await settled(one, longestMs.attempt, longestMs.probe)
      await settled(two, longestMs.attempt + 1, longestMs.probe + 1)
      const hold = (by: string, ms: number) => ({
        what: 'hold' as const,
        hold: { ...parseHolderKey(by), untilMs: nowMs + ms },
      })
      const [notice] = [noticeOf(ann, 'e2')]
      const to = [
        { channelId: 'c1', ruleId: null, course: hold('group', longestMs.gathering + 1) },
        { channelId: 'c2', ruleId: null, course: hold('quiet', longestMs.gathering + 1) },
        { channelId: 'c3', ruleId: null, course: hold('s1', longestMs.silence + 1) },
        { channelId: 'c4', ruleId: null, course: { what: 'now' as const } },
      ]
      await store.route({ ...routingOf(1, []), notices: [{ notice, to }] })
      await takeAll(store, nowMs + 1)
      assert.deepEqual(
        Object.entries(await store.followClock({ nowMs, stepMs: 0 }))
          .filter(([, count]) => count > 0)
          .toSorted(),
        [
          ['attempt', 1],
          ['gathering', 1],
          ['lease', 1],
          ['probe', 1],
          ['silence', 1],
        ],
      )
      assert.equal((await store.channelById('c2'))?.health.closedUntilMs, nowMs)
      assert.deepEqual(
        (await store.deliveriesOf(ann, { limit: 9 }))
          .map(({ channelId, dueMs }) => `${channelId} ${dueMs - nowMs}`)
          .toSorted(),
        ['c1 0', `c1 ${longestMs.attempt}`, 'c2 0', `c2 ${longestMs.gathering + 1}`, 'c3 0', 'c4 0'].toSorted(),
      )
      assert.deepEqual(
        Object.values(await store.followClock({ nowMs, stepMs: 0 })).filter((count) => count > 0),
        [],
      )
    },
  },
  {
    name: 'what waits moves with the clock, but for what is held back until a time of the day, and for what was written since',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2', 'c3', 'c4']) await store.addChannel(ann, channelOf(id), 9)
      const hold = (by: string) => ({ what: 'hold' as const, hold: { ...parseHolderKey(by), untilMs: nowMs + 7_000 } })
      const to = [
        { channelId: 'c1', ruleId: null, course: hold('group') },
        { channelId: 'c2', ruleId: null, course: hold('quiet') },
        { channelId: 'c3', ruleId: null, course: { what: 'now' as const } },
        { channelId: 'c4', ruleId: null, course: { what: 'now' as const } },
      ]
      await store.route({ ...routingOf(0, []), notices: [{ notice: noticeOf(ann, 'e1'), to }] })
      const [, two] = await takeAll(store, nowMs)
      const health = { failures: 9, failingSinceMs: nowMs - 5, closedUntilMs: nowMs + 9_000, isDisabled: false }
      await store.settle(settlementOf(two, { state: 'due', dueMs: nowMs + 8_000, health }))
      const times = async (sinceMs: number) => {
        const all = await store.deliveriesOf(ann, { limit: 9 })
        const { health } = (await store.channelById('c4')) ?? {}
        const { failingSinceMs = 0, closedUntilMs = 0 } = health ?? {}
        const moved = all.map(({ channelId, dueMs }) => `${channelId} ${dueMs - sinceMs}`)
        return [...moved.toSorted(), (failingSinceMs ?? 0) - sinceMs, closedUntilMs - sinceMs].join(', ')
      }
      assert.equal(await times(nowMs), 'c1 7000, c2 7000, c3 0, c4 8000, -5, 9000')
      const step = async (stepMs: number) => {
        clock.step(stepMs)
        await store.followClock({ nowMs: clock.now(), stepMs })
        return times(clock.now())
      }
      assert.equal(await step(4_000_000), 'c1 7000, c2 -3993000, c3 0, c4 8000, -5, 9000')
      assert.equal(await step(-3_996_000), 'c1 7000, c2 3000, c3 0, c4 8000, -5, 9000')
      // Planned by the clock as it is now, which is not known to have been set.
      clock.step(4_000_000_000)
      await store.route(routingOf(1, [[noticeOf(ann, 'e2'), 'c3']]))
      assert.equal(
        await step(0),
        'c1 -3999993000, c2 -3999997000, c3 -4000000000, c3 0, c4 -3999992000, -4000000005, -3999991000',
      )
      await store.followClock({ nowMs: clock.now(), stepMs: 4_000_000_000 })
      assert.equal(await times(clock.now()), 'c1 7000, c2 -3999997000, c3 0, c3 0, c4 8000, -5, 9000')
    },
  },
  {
    name: 'what is too old for its channel is given up with a reason, but for ends of what the channel has',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2']) await store.addChannel(ann, channelOf(id), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1', 'c2']]))
      for (const taken of await takeAll(store, nowMs)) await store.settle(settlementOf(taken))
      await store.route(
        routingOf(1, [
          [noticeOf(ann, 'e2'), 'c1', 'c2'],
          [noticeOf(ann, 'e1', 2), 'c1'],
          [noticeOf(ann, 'e2', 2), 'c1'],
        ]),
      )
      clock.advance(10)
      await store.route(routingOf(2, [[noticeOf(ann, 'e3'), 'c1']]))
      const [taken] = await takeAll(store, clock.now())
      assert.deepEqual([textOf(taken), taken.isAwaited], ['c1 e2 1', false])
      const old = { id: taken.id, channelId: 'c1', beforeMs: nowMs + 1, awaitedBeforeMs: nowMs, limit: 9, text: 'old' }
      assert.deepEqual([await store.giveUpOld({ ...old, limit: 1 }), await store.giveUpOld(old)], [1, 1])
      const dead = await store.deliveriesOf(ann, { state: 'dead', limit: 9 })
      assert.deepEqual(textsOf(dead), ['c1 e2 2', 'c1 e2 1'])
      assert.deepEqual(
        (await store.attemptsOf(ann, dead[0].id)).map(({ text, isDone }) => [text, isDone]),
        [['old', false]],
      )
      const [end] = (await takeAll(store, clock.now())).filter(({ channelId }) => channelId === 'c1')
      assert.deepEqual([textOf(end), end.isAwaited], ['c1 e1 2', true])
      assert.equal(await store.giveUpOld({ ...old, id: end.id, awaitedBeforeMs: nowMs + 1 }), 1)
      assert.deepEqual((await store.waiting()).byKind, { webhook: 2 })
    },
  },
  {
    name: 'what is settled and old is deleted, and of too many the earliest; what waits stays',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      const dated = (number: number) => ({ ...noticeOf(ann, `e${number}`), atMs: number })
      await store.route(
        routingOf(
          0,
          [1, 2, 3, 4].map((n) => [dated(n), 'c1']),
        ),
      )
      for (const _ of [1, 2, 3])
        for (const taken of await takeAll(store, nowMs)) await store.settle(settlementOf(taken))
      assert.equal(await store.pruneAlerts({ beforeMs: 2, max: 9 }), 1)
      assert.equal(await store.pruneAlerts({ beforeMs: 0, max: 2 }), 1)
      assert.equal(await store.pruneAlerts({ beforeMs: 9, max: 0 }), 1)
      assert.deepEqual(textsOf(await store.deliveriesOf(ann, { limit: 9 })), ['c1 e4 1'])
      const { byKind, oldestMs } = await store.waiting()
      assert.deepEqual([byKind, oldestMs !== null], [{ webhook: 1 }, true])
    },
  },
]
