// The contract's part on rules: in order, by user, and what they still have to tell.
import assert from 'node:assert/strict'
import { anyAttack, firstRule } from '../../../src/alert/rules/rule.ts'
import type { NewRule } from '../../../src/alert/rules/rule-store.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, routingOf, userOf } from './parts.ts'

const ruleOf = (id: string, given: Partial<NewRule> = {}): NewRule => ({ ...firstRule, id, name: id, ...given })
const idsOf = (rules: { id: string }[]) => rules.map(({ id }) => id)

export const ruleCases: StoreCase[] = [
  {
    name: 'the first channel of a user comes with a rule, unless there is one',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addChannel(ann, channelOf('c1'), 9)
      const [rule] = await store.rulesOf(ann)
      const { id: _id, userId, ...content } = rule
      assert.deepEqual([userId, content], [ann, firstRule])
      await store.deleteRule(ann, rule.id)
      await store.addChannel(ann, channelOf('c2'), 9)
      assert.deepEqual(await store.rulesOf(ann), [])
      await store.addRule(bob, ruleOf('r1'), 9)
      await store.addChannel(bob, channelOf('c3'), 9)
      assert.deepEqual(idsOf(await store.rulesOf(bob)), ['r1'])
    },
  },
  {
    name: 'rules are kept by user, in an order that their user sets, and no more than a user may have',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const when = { ...anyAttack, severities: ['high' as const], sites: ['a.example.com'] }
      const at = { timeZone: 'UTC', days: ['mon' as const], hours: '18:00-08:00' }
      const made = await store.addRule(ann, ruleOf('r1', { when, at, send: ['c1'], continuesMinutes: 30 }), 2)
      assert.deepEqual(await store.rulesOf(ann), [made])
      await store.addRule(ann, ruleOf('r2'), 2)
      await store.addRule(bob, ruleOf('r3'), 2)
      await assert.rejects(store.addRule(ann, ruleOf('r4'), 2), { code: 'CONFLICT' })
      for (const ids of [['r1'], ['r1', 'r1'], ['r1', 'r3'], ['r1', 'r2', 'r3']])
        assert.equal(await store.orderRules(ann, ids), false, String(ids))
      assert.equal(await store.orderRules(ann, ['r2', 'r1']), true)
      assert.deepEqual(idsOf(await store.rulesOf(ann)), ['r2', 'r1'])
      assert.equal(await store.changeRule(bob, 'r1', { name: 'mine' }), null)
      const changed = await store.changeRule(ann, 'r1', { name: 'Night', stop: true })
      assert.deepEqual(changed, { ...made, name: 'Night', stop: true })
      assert.deepEqual(await store.rulesOf(ann), [{ ...ruleOf('r2'), userId: ann }, changed])
      assert.equal(await store.deleteRule(bob, 'r1'), false)
      assert.equal(await store.deleteRule(ann, 'r1'), true)
      assert.deepEqual(idsOf(await store.rulesOf(ann)), ['r2'])
      await store.deleteUser(ann)
      assert.deepEqual(await store.rulesOf(ann), [])
    },
  },
  {
    name: 'rules of the installation count as long as their user is an admin',
    async run({ open }) {
      const store = await open()
      const [ann, bob, eve] = [await userOf(store, 'ann'), await userOf(store, 'bob'), await userOf(store, 'eve')]
      await store.updateUser(eve, { role: 'admin' })
      await store.addRule(ann, ruleOf('r1'), 9)
      await store.addRule(bob, ruleOf('r2', { reach: 'installation' }), 9)
      await store.addRule(eve, ruleOf('r3', { reach: 'installation' }), 9)
      await store.addRule(eve, ruleOf('r4'), 9)
      assert.deepEqual(idsOf(await store.rulesFor([ann])), ['r1', 'r3'])
      await store.updateUser(eve, { role: 'member' })
      assert.deepEqual(idsOf(await store.rulesFor([ann])), ['r1'])
      assert.deepEqual(idsOf(await store.rulesFor([ann, eve])), ['r1', 'r4'])
    },
  },
  {
    name: 'an event has its sites with their groups, and the first of an attack has those of all owners',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addSites(ann, ['a.example.com'], 1)
      const { id: group } = await store.addGroup(ann, 'Shops')
      await store.setGroup(ann, ['a.example.com'], group)
      const shared = { incident: 'i1', site: 'a.example.com', sites: ['a.example.com', 'b.example.com'] }
      const first = eventOf(ann, 1, shared)
      const second = eventOf(bob, 2, { ...shared, site: 'c.example.com', sites: ['c.example.com'] })
      await addEvents(store, [first, second])
      const [one, other] = await store.eventsToTell([first.id, second.id])
      assert.deepEqual([one.sites, one.groups], [['a.example.com', 'b.example.com'], [group]])
      assert.deepEqual(one.incident?.sites.toSorted(), ['a.example.com', 'b.example.com', 'c.example.com'])
      assert.deepEqual([other.sites, other.groups, other.incident], [['c.example.com'], [], null])
    },
  },
  {
    name: 'reminders are told once, at their time, until the attack ends or the rule is gone',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const [event, next] = await addEvents(store, [eventOf(ann, 1), eventOf(ann, 2)])
      for (const id of ['r1', 'r2']) await store.addRule(ann, ruleOf(id), 9)
      const reminder = (ruleId: string, dueMs: number | null, wasMs: number | null = null, eventId = event.id) => ({
        ...{ eventId, ruleId, wasMs, dueMs },
      })
      const due = async (nowMs: number) =>
        (await store.dueReminders({ nowMs, limit: 9 })).map(({ ruleId, dueMs }) => `${ruleId} ${dueMs}`)
      const begun = [reminder('r1', 30), reminder('r2', 20), reminder('gone', 1), reminder('r1', 1, null, 'gone')]
      assert.equal(await store.route(routingOf(0, [], { reminders: begun })), 0)
      assert.deepEqual([await due(19), await due(30)], [[], ['r2 20', 'r1 30']])
      const again = routingOf(1, [], { to: 1, reminders: [reminder('r2', 40, 20)] })
      assert.deepEqual([await store.route(again), await store.route(again)], [0, null])
      assert.deepEqual(await due(99), ['r1 30', 'r2 40'])
      await store.route(
        routingOf(1, [], { to: 1, reminders: [reminder('r2', null, 40), reminder('r1', 50, null, next.id)] }),
      )
      assert.deepEqual(await due(99), ['r1 30', 'r1 50'])
      const told = new Map([[event.id, { severity: 'low' as const, label: null, isOver: true, number: 2 }]])
      await store.route(routingOf(1, [], { to: 1, told }))
      assert.deepEqual(await due(99), ['r1 50'])
      await store.deleteRule(ann, 'r1')
      assert.deepEqual(await due(99), [])
    },
  },
]
