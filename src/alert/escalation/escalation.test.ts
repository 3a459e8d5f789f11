// Escalation with router and store: who is told where nobody acknowledges an attack, each step once, and that its end follows it there.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../../test/helpers/events.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { updateOf } from '../../events/event.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'
import { type EscalationStep, firstRule, type RuleContent } from '../rules/rule.ts'

const minute = 60_000
const paces = { perHour: 30, reopenMs: 10 * minute }
const worst = { packetsPerSecond: 1_000, bytesPerSecond: 1e6 }
const step = (afterMinutes: number, ...send: string[]): EscalationStep => ({
  afterMinutes,
  unless: 'acknowledged',
  send,
})
let clock: ManualClock
let store: Store
let router: Router
let ann: string
let eve: string

const start = () =>
  new Router({ store, clock, delays: new Delays(), log: createLogger('silent'), paces, onRouted: () => {} })

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-escalation-'))
  clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  const user = async (name: string) =>
    (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
  ;[ann, eve] = [await user('ann'), await user('eve')]
  await store.updateUser(eve, { role: 'admin' })
  for (const id of ['a1', 'a2', 'a3']) await store.addChannel(ann, channelOf(id), 9)
  for (const id of ['e1', 'e2']) await store.addChannel(eve, channelOf(id), 9)
  await withoutRules(ann)
  await withoutRules(eve)
  router = start()
  await look()
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const look = () => router.tasks[0].run()
async function pass(minutes: number): Promise<void> {
  clock.advance(minutes * minute)
  await look()
}
async function withoutRules(userId: string): Promise<void> {
  for (const { id } of await store.rulesOf(userId)) await store.deleteRule(userId, id)
}
const rule = (given: Partial<RuleContent>, userId = ann, id = 'r1') =>
  store.addRule(userId, { ...firstRule, send: ['a1'], id, ...given }, 9)
async function attack(number: number, given: Partial<EventDetail> = {}): Promise<EventDetail> {
  const event = eventOf(ann, 70_000 + number, { phase: 'active', createdMs: clock.now(), worst, ...given })
  await store.record({ made: [event] })
  await look()
  return event
}
async function update(event: EventDetail, given: Partial<EventDetail>): Promise<void> {
  await store.record({ updates: [updateOf({ ...event, ...given })] })
  await look()
}
const end = (event: EventDetail) => update(event, { endMs: clock.now(), phase: 'over' })
const acknowledge = ({ id }: EventDetail) =>
  store.changeNote(ann, id, { acknowledged: true }, { by: 'ann@example.com', atMs: clock.now() })
/** What was told, or will be, in order. */
const told = async (userId = ann) =>
  (await store.deliveriesOf(userId, { limit: 99 }))
    .filter(({ state }) => state !== 'superseded')
    .toReversed()
    .map(({ channelId, notice: { kind, number } }) => `${channelId} ${kind} ${number}`)

describe('an attack that nobody acknowledges', () => {
  it('is told to others, step by step, each once, whoever is killed meanwhile, and so is its end', async () => {
    await rule({ escalate: [step(10, 'a2'), step(30, 'a3', 'a2')] })
    const event = await attack(1)
    await pass(9)
    assert.deepEqual(await told(), ['a1 started 1'])
    router = start()
    await pass(1)
    router = start()
    await pass(1)
    assert.deepEqual(await told(), ['a1 started 1', 'a2 escalated 2'])
    await Promise.all([pass(20), start().tasks[0].run()])
    await pass(400)
    assert.deepEqual(await told(), ['a1 started 1', 'a2 escalated 2', 'a2 escalated 3', 'a3 escalated 3'])
    assert.equal(router.counts.escalated, 1)
    await end(event)
    assert.deepEqual((await told()).slice(4).toSorted(), ['a1 ended 4', 'a2 ended 4', 'a3 ended 4'])
  })

  it('is not told to others once it is acknowledged, or over', async () => {
    await rule({ escalate: [step(10, 'a2'), step(30, 'a3')] })
    const [first, second] = [await attack(1), await attack(2)]
    await acknowledge(first)
    await end(second)
    await pass(60)
    assert.deepEqual(await told(), ['a1 started 1', 'a1 started 1', 'a1 ended 2'])
    assert.equal(router.acknowledged, 2)
    assert.deepEqual(await store.dueEscalations({ nowMs: clock.now(), limit: 9 }), [])
  })

  it('is, when it comes back, as long after its beginning', async () => {
    await rule({ escalate: [step(10, 'a2')] })
    const event = await attack(1)
    await end(event)
    await pass(5)
    const episode = { ...event.episode, number: event.episode.number + 1 }
    await update(event, { episode })
    assert.deepEqual(await told(), ['a1 started 1', 'a1 ended 2', 'a1 resumed 3'])
    await pass(5)
    assert.deepEqual((await told()).at(-1), 'a2 escalated 4')
    await update(event, { episode, endMs: clock.now(), phase: 'over' })
    await update(event, { episode: { ...episode, number: episode.number + 1 } })
    await pass(60)
    assert.equal((await told()).filter((each) => each.includes('escalated')).length, 1)
  })

  it('is told by a rule that tells nobody at first, or whose channels another rule has told', async () => {
    await rule({ send: ['a1'] })
    await rule({ send: [], escalate: [step(10, 'a2')] }, ann, 'r2')
    await rule({ send: ['a1'], escalate: [step(20, 'a3')] }, ann, 'r3')
    await attack(1)
    await pass(10)
    await pass(10)
    assert.deepEqual(await told(), ['a1 started 1', 'a2 escalated 2', 'a3 escalated 3'])
  })

  it('is told to nobody where the rule does not fit, is gone, or says so no more', async () => {
    await rule({ when: { ...firstRule.when, severities: ['critical'] }, escalate: [step(10, 'a2')] })
    await rule({ escalate: [step(10, 'a2')] }, ann, 'r2')
    await rule({ escalate: [step(10, 'a2')] }, ann, 'r3')
    await attack(1)
    await store.deleteRule(ann, 'r2')
    await store.changeRule(ann, 'r3', { escalate: [] })
    await pass(10)
    assert.deepEqual(await told(), ['a1 started 1'])
    assert.deepEqual(await store.dueEscalations({ nowMs: clock.now(), limit: 9 }), [])
  })

  it('is told when its step was to be taken, though steps were added or removed before it', async () => {
    await rule({ escalate: [step(10, 'a2'), step(60, 'a3')] })
    await attack(1)
    await store.changeRule(ann, 'r1', { escalate: [step(60, 'a3')] })
    await pass(10)
    assert.deepEqual(await told(), ['a1 started 1'])
    await pass(50)
    assert.deepEqual(await told(), ['a1 started 1', 'a3 escalated 2'])
    await attack(2)
    await store.changeRule(ann, 'r1', { escalate: [step(5, 'a2'), step(60, 'a3')] })
    await pass(59)
    assert.equal((await told()).length, 3)
    await pass(1)
    assert.deepEqual((await told()).at(-1), 'a3 escalated 2')
  })

  it('is held back by silences and quiet hours like a beginning', async () => {
    await store.changeChannel(ann, 'a2', { quiet: { timeZone: 'UTC', days: [], hours: '08:00-13:00' } })
    await rule({ escalate: [step(10, 'a2')] })
    await attack(1)
    await pass(10)
    const state = async () => (await store.deliveriesOf(ann, { channelId: 'a2', limit: 9 })).map((each) => each.state)
    assert.deepEqual(await state(), ['held'])
    await pass(50)
    assert.deepEqual(await state(), ['due'])
  })

  it('is told to admins by their rules of the installation', async () => {
    await rule({ reach: 'installation', send: ['e1'], escalate: [step(10, 'e2')] }, eve)
    await attack(1)
    await pass(10)
    assert.deepEqual(await told(eve), ['e1 started 1', 'e2 escalated 2'])
  })
})

describe('attacks that are told together', () => {
  it('are acknowledged with the one that their group is named after, and else escalate together', async () => {
    for (const id of ['s1', 's2']) await store.addChannel(ann, { ...channelOf(id), kind: 'slack' }, 9)
    await rule({ send: ['s1'], escalate: [step(10, 's2'), step(20, 's2')] })
    const events = [await attack(1), await attack(2), await attack(3)]
    await pass(1)
    const deliver = async () => {
      for (const each of await takeAll(store, clock.now())) await store.settle(settlementOf(each))
    }
    await deliver()
    const deliveries = await store.deliveriesOf(ann, { limit: 9 })
    const [{ thread }] = deliveries
    assert.deepEqual(
      deliveries.map((each) => each.thread),
      [thread, thread, thread],
    )
    await pass(9)
    await pass(1)
    await deliver()
    const escalated = await store.deliveriesOf(ann, { channelId: 's2', limit: 9 })
    assert.deepEqual([escalated.length, escalated.filter(({ toldWith }) => toldWith === null).length], [3, 1])
    const named = events.find(({ id }) => id === thread)
    assert.ok(named !== undefined)
    await acknowledge(named)
    await pass(30)
    assert.equal((await store.deliveriesOf(ann, { channelId: 's2', limit: 9 })).length, 3)
    assert.equal(router.acknowledged, 3)
  })
})
