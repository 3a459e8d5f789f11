// The contract's part on channels of alerts.
import assert from 'node:assert/strict'
import type { Condition } from '../../../src/alert/own/condition.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll, userOf } from './parts.ts'

export const channelCases: StoreCase[] = [
  {
    name: 'channels are kept by user, under names that differ by more than case, and no more than a user may have',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const made = await store.addChannel(ann, channelOf('c1', 'Pager'), 2)
      assert.deepEqual(made, (await store.channelsOf(ann))[0])
      await assert.rejects(store.addChannel(ann, channelOf('c2', 'PAGER'), 2), { code: 'CONFLICT' })
      await store.addChannel(bob, channelOf('c3', 'Pager'), 2)
      await store.addChannel(ann, channelOf('c4', 'Board'), 2)
      await assert.rejects(store.addChannel(ann, channelOf('c5', 'Chat'), 2), { code: 'CONFLICT' })
      assert.deepEqual(
        (await store.channelsOf(ann)).map(({ name }) => name),
        ['Board', 'Pager'],
      )
      assert.equal((await store.channelById('c3'))?.userId, bob)
      assert.equal(await store.channelById('c5'), null)
      assert.equal((await store.sealedChannels()).length, 3)
    },
  },
  {
    name: 'a channel is changed and deleted by its user alone, and is tried at once after a change',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addChannel(ann, channelOf('c1', 'Pager'), 9)
      await store.addChannel(ann, channelOf('c2', 'Board'), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1']]))
      const [taken] = await takeAll(store, nowMs)
      const health = { failures: 5, failingSinceMs: nowMs, closedUntilMs: nowMs + 60_000, isDisabled: false }
      await store.settle(settlementOf(taken, { state: 'due', dueMs: nowMs + 10, health }))
      assert.deepEqual((await store.channelById('c1'))?.health, health)
      assert.deepEqual(await takeAll(store, nowMs + 50_000), [])
      assert.equal(await store.changeChannel(bob, 'c1', { name: 'Mine' }), null)
      await assert.rejects(store.changeChannel(ann, 'c1', { name: 'board' }), { code: 'CONFLICT' })
      const changed = await store.changeChannel(ann, 'c1', { settings: { url: 'https://new.example.com/' } })
      assert.deepEqual([changed?.name, changed?.settings], ['Pager', { url: 'https://new.example.com/' }])
      assert.equal((await takeAll(store, nowMs + 50_000)).length, 1)
      assert.equal(await store.deleteChannel(bob, 'c1'), false)
      assert.equal(await store.deleteChannel(ann, 'c1'), true)
      assert.equal(await store.deleteChannel(ann, 'c1'), false)
      assert.deepEqual(await store.deliveriesOf(ann, { limit: 9 }), [])
    },
  },
  {
    name: 'a channel that is disabled is sent nothing, though an attempt that goes on is settled after that',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1'],
          [noticeOf(ann, 'e2'), 'c1'],
        ]),
      )
      const [taken] = await takeAll(store, nowMs)
      await store.changeChannel(ann, 'c1', { isDisabled: true })
      await store.settle(settlementOf(taken))
      assert.equal((await store.channelById('c1'))?.health.isDisabled, true)
      assert.deepEqual(await takeAll(store, nowMs), [])
      assert.equal(await store.nextDue([]), null)
      await store.changeChannel(ann, 'c1', { isDisabled: false })
      assert.equal((await takeAll(store, nowMs)).length, 1)
    },
  },
  {
    name: 'a change that was made from what a channel is no more is refused',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const { version } = await store.addChannel(ann, channelOf('c1'), 9)
      await store.changeChannel(ann, 'c1', { name: 'Board', fromVersion: version })
      const rotated = await store.changeChannel(ann, 'c1', { sealed: Uint8Array.of(9), fromVersion: version })
      const stale = store.changeChannel(ann, 'c1', { settings: { url: 'https://x.example/' }, fromVersion: version })
      await assert.rejects(stale, { code: 'CONFLICT', reason: 'channel-changed' })
      assert.deepEqual(await store.channelById('c1'), rotated)
      assert.notEqual(rotated?.version, version)
    },
  },
  {
    name: 'what comes of an attempt says nothing about a channel that was changed meanwhile, and costs its message nothing',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2', 'c3']) await store.addChannel(ann, channelOf(id), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1', 'c2', 'c3']]))
      const taken = await takeAll(store, nowMs)
      const moved = await store.changeChannel(ann, 'c1', { settings: { url: 'https://new.example.com/' } })
      await store.changeChannel(ann, 'c2', { name: 'Board' })
      await store.changeChannel(ann, 'c3', { sealed: Uint8Array.of(9) })
      const gone = { failures: 1, failingSinceMs: nowMs, closedUntilMs: 0, isDisabled: true }
      const result = { atMs: nowMs, tookMs: 1, isDone: false, text: 'HTTP 410' }
      const [one, two, three] = taken
      for (const each of [one, two])
        await store.settle(settlementOf(each, { state: 'dead', attempts: 1, dueMs: nowMs, health: gone, result }))
      await store.settle(settlementOf(three, { result: { ...result, isDone: true } }))
      assert.deepEqual(await store.channelById('c1'), moved)
      assert.deepEqual((await store.channelById('c2'))?.health, gone)
      assert.equal((await store.channelById('c3'))?.last, null)
      const [again] = await takeAll(store, nowMs)
      assert.deepEqual([again.id, again.attempts], [one.id, 0])
      assert.deepEqual(await store.attemptsOf(ann, one.id), [result])
      await store.settle(settlementOf(again, { version: moved?.version ?? 0, health: gone, result }))
      assert.deepEqual((await store.channelById('c1'))?.health, gone)
      assert.deepEqual(
        (await store.deliveriesOf(ann, { limit: 9 })).map(({ channelId, state }) => `${channelId} ${state}`).sort(),
        ['c1 done', 'c2 dead', 'c3 done'],
      )
    },
  },
  {
    name: 'a channel fails when it has for long, or has given something up that nothing has followed',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2', 'c3']) await store.addChannel(ann, channelOf(id), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1', 'c2', 'c3']]))
      const since = { failingBeforeMs: nowMs, deadAfterMs: nowMs - 9 }
      const failing = async (given = since) => (await store.failingChannels(given)).map(({ id }) => id)
      assert.deepEqual(await failing(), [])
      const result = { atMs: nowMs, tookMs: 1, isDone: false, text: 'HTTP 404' }
      const health = { failures: 2, failingSinceMs: nowMs - 1, closedUntilMs: 0, isDisabled: false }
      const [one, two] = await takeAll(store, nowMs)
      await store.settle(settlementOf(one, { state: 'due', dueMs: nowMs, health, result }))
      await store.settle(settlementOf(two, { state: 'dead', dueMs: nowMs, result }))
      assert.deepEqual(await failing(), ['c1', 'c2'])
      assert.deepEqual(await failing({ failingBeforeMs: nowMs - 1, deadAfterMs: nowMs }), [])
      const [{ name, email, sinceMs, text, userId }] = await store.failingChannels(since)
      assert.deepEqual([name, email, sinceMs, text, userId], ['c1', 'ann@example.com', nowMs - 1, 'HTTP 404', ann])
      await store.settle(settlementOf(two, { result: { ...result, isDone: true } }))
      await store.changeChannel(ann, 'c1', { isDisabled: true })
      assert.deepEqual(await failing(), [])
    },
  },
  {
    name: 'conditions of the installation, and its sign of life, are what was written last',
    async run({ open }) {
      const store = await open()
      assert.deepEqual([await store.conditions(), await store.lastSignOfLife()], [[], null])
      const condition: Condition = {
        ...{ subject: '', detail: '', owner: null, untilMs: null, sinceMs: 5, overMs: null },
        ...{ type: 'flows.none', id: 'a'.repeat(24), told: ['c1'] },
      }
      await store.saveConditions([condition, { ...condition, id: 'b'.repeat(24) }])
      await store.saveConditions([condition])
      for (const atMs of [5, 7]) await store.signOfLife(atMs)
      assert.deepEqual([await store.conditions(), await store.lastSignOfLife()], [[condition], 7])
    },
  },
  {
    name: 'what should have been sent is overdue where nobody sends, or where an admin cannot be reached',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.updateUser(bob, { role: 'admin' })
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addChannel(bob, channelOf('c2'), 9)
      await store.route(
        routingOf(0, [
          [noticeOf(ann, 'e1'), 'c1'],
          [noticeOf(bob, 'e2'), 'c2'],
        ]),
      )
      const waiting = async (beforeMs: number) => (await store.overdue(beforeMs)).waiting
      assert.deepEqual([await waiting(nowMs), await waiting(nowMs + 1)], [0, 2])
      // A receiver that fails is its user's matter, unless that is an admin.
      const health = { failures: 1, failingSinceMs: nowMs, closedUntilMs: 0, isDisabled: false }
      for (const taken of await takeAll(store, nowMs))
        await store.settle(settlementOf(taken, { state: 'due', dueMs: nowMs + 9_000, health }))
      assert.deepEqual([await waiting(nowMs), await waiting(nowMs + 1)], [0, 1])
      await store.changeChannel(bob, 'c2', { isDisabled: true })
      assert.deepEqual(await store.overdue(nowMs + 1), { waiting: 0, gone: 0 })
    },
  },
  {
    name: 'what waits for a user is overdue where it waits for others of the same user only if that is an admin',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.updateUser(bob, { role: 'admin' })
      const notices = [ann, bob].flatMap((user) => [1, 2].map((n) => [user, `${user} ${n}`] as const))
      for (const [user, id] of notices) await store.addChannel(user, channelOf(id), 9)
      await store.route(
        routingOf(
          0,
          notices.map(([user, id]) => [noticeOf(user, `e ${id}`), id]),
        ),
      )
      const laterMs = nowMs + 600_000
      const waiting = async () => (await store.overdue(laterMs - 300_000)).waiting
      assert.equal(await waiting(), 4)
      const turns = await store.turns({ nowMs: laterMs, leaseMs: 60_000, exceptChannels: [] })
      const ofFirst = turns.filter(({ channelId }) => channelId.endsWith(' 1')).map(({ deliveryId }) => deliveryId)
      const taken = await store.take(ofFirst, laterMs)
      assert.deepEqual([taken.length, await waiting()], [2, 1])
      const result = { atMs: laterMs, tookMs: 1, isDone: true, text: 'HTTP 204' }
      for (const each of taken) await store.settle(settlementOf(each, { dueMs: laterMs, result }))
      assert.equal(await waiting(), 1)
      // Nobody sends for long.
      assert.equal((await store.overdue(laterMs + 1)).waiting, 2)
    },
  },
  {
    name: 'a channel whose receiver wants no more fails, however long, until its user has changed or deleted it',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const ids = ['c1', 'c2', 'c3', 'c4']
      const ann = await userOf(store, 'ann')
      await store.updateUser(ann, { role: 'admin' })
      for (const id of ids) await store.addChannel(ann, channelOf(id), 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), ...ids]]))
      const health = { failures: 1, failingSinceMs: nowMs, closedUntilMs: 0, isDisabled: true }
      const result = { atMs: nowMs, tookMs: 1, isDone: false, text: 'HTTP 410' }
      for (const taken of await takeAll(store, nowMs))
        await store.settle(settlementOf(taken, { state: 'dead', dueMs: nowMs, health, result }))
      const laterMs = nowMs + 365 * 86_400_000
      const state = async () => [
        (await store.failingChannels({ failingBeforeMs: laterMs, deadAfterMs: laterMs })).map(({ id }) => id),
        (await store.overdue(laterMs)).gone,
      ]
      assert.deepEqual(await state(), [ids, 4])
      await store.changeChannel(ann, 'c1', { name: 'Pager' })
      assert.deepEqual(await state(), [ids, 4])
      await store.changeChannel(ann, 'c1', { isDisabled: false })
      const moved = await store.changeChannel(ann, 'c2', { settings: { url: 'https://new.example.com/' } })
      assert.equal(moved?.health.isDisabled, false)
      await store.changeChannel(ann, 'c3', { isDisabled: true })
      await store.deleteChannel(ann, 'c4')
      assert.deepEqual(await state(), [[], 0])
    },
  },
  {
    name: 'a user who is deleted takes channels along, what waits for them, and what was told',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const [event] = await addEvents(store, [eventOf(ann, 1)])
      const told = new Map([[event.id, { severity: 'low' as const, label: null, isOver: false, number: 1 }]])
      await store.addChannel(ann, channelOf('c1'), 9)
      await store.addChannel(bob, channelOf('c2'), 9)
      await store.route(
        routingOf(
          0,
          [
            [noticeOf(ann, event.id), 'c1'],
            [noticeOf(bob, 'e2'), 'c2'],
          ],
          { told },
        ),
      )
      await store.deleteUser(ann)
      assert.equal(await store.channelById('c1'), null)
      assert.deepEqual(await store.toldOpen(), [])
      assert.deepEqual(
        (await takeAll(store, nowMs)).map(({ channelId }) => channelId),
        ['c2'],
      )
      // What was found before the user went leaves nothing, and hurts nobody.
      assert.equal(await store.route(routingOf(1, [[noticeOf(ann, 'e3'), 'c1']])), 0)
      assert.equal(await store.toldUpTo(), 2)
      assert.deepEqual((await store.waiting()).byKind, { webhook: 1 })
    },
  },
]
