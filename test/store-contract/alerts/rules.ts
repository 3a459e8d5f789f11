// The contract's part on rules: in order, by user, and what they still have to tell.
import assert from 'node:assert/strict'
import type { WantedAlerts } from '../../../src/alert/alert-store.ts'
import type { EscalationChanges } from '../../../src/alert/escalation/escalation-store.ts'
import { anyAttack, firstRule } from '../../../src/alert/rules/rule.ts'
import type { NewRule } from '../../../src/alert/rules/rule-store.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, noticeOf, routingOf, userOf } from './parts.ts'

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
    name: 'a file of channels and rules is written as a whole, in its order, or not at all',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const limits = { channelsMax: 3, rulesMax: 3 }
      await store.addChannel(ann, channelOf('c1', 'Pager'), 9)
      await store.addRule(ann, ruleOf('r1'), 9)
      const [{ id: first }] = await store.rulesOf(ann)
      const added = (id: string, isDisabled = false) => ({ isNew: true as const, channel: channelOf(id), isDisabled })
      const newRule = (id: string) => ({ isNew: true as const, rule: ruleOf(id) })
      const changed = (id: string, change: object) => ({ isNew: false as const, id, change })
      const wanted: WantedAlerts = {
        channels: [changed('c1', { name: 'Phone' }), added('c2', true)],
        rules: [newRule('r2'), changed('r1', { stop: true })],
      }
      const state = async () => ({
        channels: (await store.channelsOf(ann)).map(({ id, name, health }) => [id, name, health.isDisabled]),
        rules: (await store.rulesOf(ann)).map(({ id, stop }) => [id, stop]),
      })
      const before = await state()
      const refused: Partial<WantedAlerts>[] = [
        { channels: [...wanted.channels, added('c3'), added('c4')] },
        { channels: [...wanted.channels, { ...added('c3'), channel: channelOf('c3', 'PHONE') }] },
        { channels: [...wanted.channels, changed('gone', {})] },
        { rules: [...wanted.rules, newRule('r3')] },
        { rules: [...wanted.rules, changed('gone', {})] },
      ]
      for (const each of refused) {
        await assert.rejects(store.importAlerts(ann, { ...wanted, ...each }, limits), { code: 'CONFLICT' })
        assert.deepEqual(await state(), before, JSON.stringify(each))
      }
      const bob = await userOf(store, 'bob')
      await assert.rejects(store.importAlerts(bob, wanted, limits), { code: 'CONFLICT' })
      assert.deepEqual([await state(), await store.channelsOf(bob)], [before, []])
      await store.importAlerts(ann, wanted, limits)
      assert.deepEqual(await state(), {
        channels: [
          ['c2', 'c2', true],
          ['c1', 'Phone', false],
        ],
        rules: [
          ['r2', false],
          ['r1', true],
          [first, false],
        ],
      })
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
  {
    name: 'steps of rules are kept by event, taken once, rest while it is over, and go with their rule',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addRule(ann, ruleOf('r1'), 9)
      await store.addRule(ann, ruleOf('r2'), 9)
      const event = eventOf(ann, 1)
      await addEvents(store, [event])
      const stepOf = (ruleId: string, step: number, dueMs: number, eventId = event.id) => ({
        ...{ eventId, ruleId, step, afterMinutes: step + 10, dueMs },
      })
      const change = (given: Partial<EscalationChanges>, place: [from: number, to?: number] = [1]) =>
        store.route(
          routingOf(place[0], [], { to: place[1] ?? 1, escalations: { begun: [], done: [], resting: [], ...given } }),
        )
      const due = async (nowMs: number) =>
        (await store.dueEscalations({ nowMs, limit: 9 })).map((each) => `${each.ruleId} ${each.step} ${each.dueMs}`)
      const begun = [stepOf('r1', 1, 30), stepOf('r1', 0, 20), stepOf('r2', 0, 25), stepOf('gone', 0, 1)]
      assert.equal(await change({ begun: [...begun, stepOf('r1', 0, 1, 'gone')] }, [0, 1]), 0)
      await change({ begun: [stepOf('r1', 0, 99)] })
      assert.deepEqual([await due(19), await due(30)], [[], ['r1 0 20', 'r2 0 25', 'r1 1 30']])
      const done = { done: [stepOf('r1', 0, 20)] }
      assert.deepEqual([await change(done), await change(done)], [0, null])
      await change({ begun: [stepOf('r1', 0, 20)] })
      assert.deepEqual(await due(99), ['r2 0 25', 'r1 1 30'])
      const tell = (isOver: boolean) => {
        const told = new Map([[event.id, { severity: 'low' as const, label: null, isOver, number: 2 }]])
        return store.route(routingOf(1, [], { to: 1, told }))
      }
      await tell(true)
      assert.deepEqual(await due(99), [])
      await tell(false)
      await change({ resting: [stepOf('r2', 0, 25)] })
      assert.deepEqual(await due(99), ['r1 1 30'])
      await tell(false)
      assert.deepEqual(await due(99), ['r2 0 25', 'r1 1 30'])
      await store.deleteRule(ann, 'r2')
      assert.deepEqual(await due(99), ['r1 1 30'])
    },
  },
  {
    name: 'a step knows whether its event is acknowledged, or the one that a group is named after in which its user was told',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.updateUser(bob, { role: 'admin' })
      await store.addChannel(ann, { ...channelOf('c1'), kind: 'slack' }, 9)
      await store.addChannel(bob, { ...channelOf('c2'), kind: 'slack' }, 9)
      await store.addRule(ann, ruleOf('r1'), 9)
      await store.addRule(bob, ruleOf('r2', { reach: 'installation' }), 9)
      const events = [eventOf(ann, 1), eventOf(ann, 2), eventOf(ann, 3)]
      await addEvents(store, events)
      const begun = events.flatMap(({ id: eventId }) =>
        ['r1', 'r2'].map((ruleId) => ({ eventId, ruleId, step: 0, afterMinutes: 1, dueMs: 1 })),
      )
      const escalations = { begun, done: [], resting: [] }
      const held = { what: 'hold' as const, hold: { by: 'group' as const, untilMs: 1 } }
      const to = ['c1', 'c2'].map((channelId) => ({ channelId, ruleId: null, course: held, bundle: 'x' }))
      const notices = events.slice(0, 2).map(({ id }) => ({ notice: noticeOf(ann, id), to }))
      await store.route(routingOf(0, [], { notices, escalations }))
      // In one group, named after the first with a number, at one of them alone.
      const waiting = await store.waitingIn('c1', 'x')
      const [carrier, ...others] = waiting
      const tell = [{ carrier, others, thread: `${events[0].id}-7`, isCurrent: true }]
      const acknowledged = async () =>
        (await store.dueEscalations({ nowMs: 9, limit: 9 }))
          .filter(({ isAcknowledged }) => isAcknowledged)
          .map(({ eventId, ruleId }) => `${events.findIndex(({ id }) => id === eventId)} ${ruleId}`)
          .toSorted()
      const who = { by: 'ann@example.com', atMs: 1 }
      await store.changeNote(ann, events[0].id, { acknowledged: true }, who)
      assert.deepEqual(await acknowledged(), ['0 r1', '0 r2'])
      await store.carryOut({ channelId: 'c1', bundle: 'x', tell, wait: [], toDigest: [] }, 5)
      assert.deepEqual(await acknowledged(), ['0 r1', '0 r2', '1 r1'])
      await store.changeNote(ann, events[0].id, { acknowledged: false }, who)
      assert.deepEqual(await acknowledged(), [])
    },
  },
  {
    name: 'reports are kept by rules that report, and are about attacks that began within a time or go on',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const report = { day: null, hour: 8, timeZone: 'UTC' }
      await store.addRule(ann, ruleOf('r1', { report }), 9)
      await store.addRule(ann, ruleOf('r2'), 9)
      await store.addRule(bob, ruleOf('r3', { report, reach: 'installation' }), 9)
      assert.deepEqual(idsOf(await store.reportingRules()), ['r1'])
      await store.updateUser(bob, { role: 'admin' })
      assert.deepEqual(idsOf(await store.reportingRules()), ['r1', 'r3'])
      const stateOf = (ruleId: string) => ({ ruleId, schedule: report, sinceMs: 1, nextMs: 2, pending: null })
      await store.saveReports([stateOf('r3'), stateOf('r1'), stateOf('gone')])
      assert.deepEqual(await store.reports(), [stateOf('r1'), stateOf('r3')])
      await store.saveReports([stateOf('r1')])
      await store.deleteRule(ann, 'r1')
      assert.deepEqual(await store.reports(), [])

      const worst = (bytesPerSecond: number) => ({ worst: { packetsPerSecond: 1, bytesPerSecond } })
      const start = clock.now()
      const over = { endMs: start + 9_000, phase: 'over' as const }
      const events = [
        eventOf(ann, 1, { endMs: null, phase: 'active', ...worst(3) }),
        eventOf(ann, 2, { ...over, ...worst(9) }),
        eventOf(ann, 3, { incident: 'i', ...over, ...worst(1) }),
        eventOf(bob, 4, { incident: 'i', ...over, ...worst(7) }),
        eventOf(ann, 5, { ...over, ...worst(5) }),
        eventOf(ann, 6, { ...over, ...worst(9), isTest: true }),
        eventOf(ann, 7, { ...over, ...worst(9) }),
      ]
      for (const [from, to] of [
        [0, 2],
        [2, 6],
        [6, 7],
      ] as const) {
        const createdMs = clock.now()
        await addEvents(
          store,
          events.slice(from, to).map((each) => ({ ...each, createdMs })),
        )
        clock.advance(10_000)
      }
      const between = async (userId: string | null, limit = 9) => {
        const { count, heaviest } = await store.attacksBetween({
          userId,
          fromMs: start + 10_000,
          untilMs: start + 20_000,
          limit,
        })
        return [count, ...heaviest.map((id) => events.findIndex((each) => each.id === id) + 1)]
      }
      assert.deepEqual(await between(ann), [3, 5, 1, 3])
      assert.deepEqual(await between(ann, 1), [3, 5])
      assert.deepEqual(await between(bob), [1, 4])
      assert.deepEqual(await between(null), [3, 5, 1, 3])
    },
  },
]
