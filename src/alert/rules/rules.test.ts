// Rules with router and store: who is told what, what goes on, and that the installation's see an attack once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../../test/helpers/events.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { updateOf } from '../../events/event.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'
import { firstRule, type RuleContent } from './rule.ts'

const minute = 60_000
const paces = { perHour: 30, reopenMs: 10 * minute }
let clock: ManualClock
let store: Store
let router: Router
let ann: string
let bob: string
let eve: string

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rules-'))
  clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  const user = async (name: string) =>
    (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
  ;[ann, bob, eve] = [await user('ann'), await user('bob'), await user('eve')]
  await store.updateUser(eve, { role: 'admin' })
  for (const [userId, id] of [
    [ann, 'a1'],
    [ann, 'a2'],
    [bob, 'b1'],
    [eve, 'e1'],
  ])
    await store.addChannel(userId, channelOf(id), 9)
  router = new Router({ store, clock, delays: new Delays(), log: createLogger('silent'), paces, onRouted: () => {} })
  await look()
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const look = () => router.tasks[0].run()
const rule = async (userId: string, name: string, given: Partial<RuleContent>) =>
  store.addRule(userId, { ...firstRule, id: `rule-${name}`, name, ...given }, 9)
const withoutFirst = async (userId: string) => {
  for (const { id } of await store.rulesOf(userId)) await store.deleteRule(userId, id)
}
async function attack(userId: string, number: number, given: Partial<EventDetail> = {}): Promise<EventDetail> {
  const event = eventOf(userId, 70_000 + number, { phase: 'active', ...given })
  await store.record({ made: [event] })
  await look()
  return event
}
async function update(event: EventDetail, given: Partial<EventDetail>): Promise<void> {
  await store.record({ updates: [updateOf({ ...event, ...given })] })
  await look()
}
const end = (event: EventDetail) => update(event, { endMs: clock.now(), phase: 'over' })
/** What a user's channels were told, in order. */
const told = async (userId: string) =>
  (await store.deliveriesOf(userId, { limit: 99 }))
    .toReversed()
    .map(({ channelId, notice: { kind, number } }) => `${channelId} ${kind} ${number}`)

describe('rules', () => {
  it('choose the channels, and an end goes where the beginning went', async () => {
    await withoutFirst(ann)
    await rule(ann, 'serious', { send: ['a2'], when: { ...firstRule.when, severities: ['high', 'critical'] } })
    const event = await attack(ann, 1)
    assert.deepEqual(await told(ann), [])
    const worst = { packetsPerSecond: 50_000, bytesPerSecond: 1e8 }
    await update(event, { worst })
    await withoutFirst(ann)
    await end({ ...event, worst })
    assert.deepEqual(await told(ann), ['a2 worsened 2', 'a2 ended 3'])
  })

  it('tell that an attack goes on, to those who know of it, until it ends, whoever is killed meanwhile', async () => {
    await withoutFirst(ann)
    await rule(ann, 'slow', { send: ['a1'], continuesMinutes: 30 })
    const event = await attack(ann, 1)
    clock.advance(29 * minute)
    await look()
    assert.deepEqual(await told(ann), ['a1 started 1'])
    clock.advance(minute)
    router = new Router({ store, clock, delays: new Delays(), log: createLogger('silent'), paces, onRouted: () => {} })
    await look()
    await look()
    assert.deepEqual(await told(ann), ['a1 started 1', 'a1 continues 2'])
    clock.advance(31 * minute)
    await look()
    await end(event)
    clock.advance(60 * minute)
    await look()
    assert.deepEqual(await told(ann), ['a1 started 1', 'a1 continues 2', 'a1 continues 3', 'a1 ended 4'])
  })

  it('are not asked again where they say so no more', async () => {
    await rule(ann, 'slow', { send: ['a1'], continuesMinutes: 30 })
    await attack(ann, 1)
    const before = await told(ann)
    await store.changeRule(ann, 'rule-slow', { continuesMinutes: null })
    clock.advance(90 * minute)
    await look()
    assert.deepEqual(await told(ann), before)
    assert.deepEqual(await store.dueReminders({ nowMs: clock.now(), limit: 9 }), [])
  })

  it('of the installation see each attack once, with the sites of all owners, as long as their user is an admin', async () => {
    await withoutFirst(eve)
    await rule(eve, 'all', { reach: 'installation', when: { ...firstRule.when, sites: ['b.example.com'] } })
    const shared = { incident: 'i1', createdMs: clock.now() }
    const events = [
      eventOf(ann, 70_001, { ...shared, phase: 'active' }),
      eventOf(bob, 70_002, { ...shared, phase: 'active', site: 'b.example.com' }),
    ]
    await store.record({ made: events })
    await look()
    assert.deepEqual(await told(eve), ['e1 started 1'])
    assert.deepEqual([await told(ann), await told(bob)], [['a1 started 1', 'a2 started 1'], ['b1 started 1']])
    await end(events[0])
    assert.deepEqual(await told(eve), ['e1 started 1', 'e1 ended 2'])
    await store.updateUser(eve, { role: 'member' })
    await attack(bob, 3, { site: 'b.example.com' })
    assert.deepEqual(await told(eve), ['e1 started 1', 'e1 ended 2'])
  })
})

describe('silences and quiet hours', () => {
  const silence = (given: object = {}) =>
    store.addSilence(
      ann,
      {
        ...{ id: 's1', reason: 'a move', sites: [], groups: [], vectors: [] },
        ...{ fromMs: clock.now(), untilMs: clock.now() + 60 * minute },
        ...given,
      },
      9,
    )
  /** What can be sent now, or was. */
  const sent = async () =>
    (await store.deliveriesOf(ann, { channelId: 'a1', limit: 99 }))
      .filter(({ state }) => state === 'due')
      .toReversed()
      .map(({ notice: { kind, number } }) => `${kind} ${number}`)

  it('hold back beginnings, and tell at their end what goes on and what is over, each as one message', async () => {
    await silence()
    const [over] = [await attack(ann, 1), await attack(ann, 2)]
    await end(over)
    assert.deepEqual(await sent(), [])
    clock.advance(59 * minute)
    await look()
    assert.deepEqual(await sent(), [])
    clock.advance(minute)
    await look()
    assert.deepEqual(await sent(), ['started 1', 'ended 2'])
  })

  it('let ends through of what was told', async () => {
    const event = await attack(ann, 1)
    await silence()
    await store.changeChannel(ann, 'a1', { quiet: { timeZone: 'UTC', days: [], hours: '00:00-23:59' } })
    await end(event)
    assert.deepEqual(await sent(), ['started 1', 'ended 2'])
  })

  it('are looked at again when they are over: another one may hold on', async () => {
    await silence()
    await attack(ann, 1)
    clock.advance(30 * minute)
    await silence({ id: 's2', fromMs: clock.now(), untilMs: clock.now() + 60 * minute })
    clock.advance(30 * minute)
    await look()
    assert.deepEqual(await sent(), [])
    assert.deepEqual((await store.silencesOf(ann)).map(({ id, attacks }) => `${id} ${attacks}`).toSorted(), [
      's1 0',
      's2 1',
    ])
    clock.advance(30 * minute)
    await look()
    assert.deepEqual(await sent(), ['started 1'])
  })

  it('tell what is critical through quiet hours', async () => {
    await store.changeChannel(ann, 'a1', { quiet: { timeZone: 'UTC', days: [], hours: '00:00-23:59' } })
    const event = await attack(ann, 1)
    assert.deepEqual(await sent(), [])
    await update(event, { worst: { packetsPerSecond: 500_000, bytesPerSecond: 1e9 } })
    assert.deepEqual(await sent(), ['worsened 2'])
  })
})
