// A clock that is set: who sees it step moves what waits; after a restart, what was planned by a time too far ahead is due at once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../test/helpers/events.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { channelOf, settlementOf, takeAll } from '../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { goodHealth } from './attempts.ts'
import { type Delay, Delays, longestMs } from './delays.ts'
import { noticesOf } from './notice.ts'
import { Router } from './router.ts'
import { firstRule } from './rules/rule.ts'

const minute = 60_000
const day = 1_440 * minute
const trueMs = Date.parse('2026-03-02T12:00:00Z')
const wrongMs = trueMs + 365 * day
let clock: ManualClock
let store: Store
let router: Router
let delays: Delays
let ann: string

function begin(): void {
  const paces = { perHour: 30, reopenMs: 10 * minute }
  delays = new Delays()
  router = new Router({ store, clock, log: createLogger('silent'), paces, delays, onRouted: () => {} })
}

async function freshStore(t: TestContext): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-delays-'))
  clock = new ManualClock(wrongMs)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })).id
  for (const [id, kind] of [
    ['a1', 'webhook'],
    ['a2', 'slack'],
    ['a3', 'webhook'],
  ])
    await store.addChannel(ann, { ...channelOf(id), kind }, 9)
  const [{ id }] = await store.rulesOf(ann)
  const escalate = [{ afterMinutes: 10, unless: 'acknowledged' as const, send: ['a3'] }]
  await store.changeRule(ann, id, { ...firstRule, send: ['a1', 'a2'], continuesMinutes: 60, escalate })
  begin()
  await look()
  const ours = store
  t.after(async () => {
    await ours.close()
    rmSync(folder, { recursive: true })
  })
}

beforeEach((t) => freshStore(t as TestContext))

const look = () => router.tasks[0].run()
const state = async () =>
  (await store.deliveriesOf(ann, { limit: 20 }))
    .map(({ channelId, notice, state }) => `${channelId} ${notice.kind} ${state}`)
    .toSorted()
const some = () => Object.fromEntries(Object.entries(delays.hastened).filter(([, count]) => count > 0))

/** An attack by the wrong clock: a1 has failed, a2 waits for others, a3 for its step. */
async function attack(): Promise<void> {
  await store.record({ made: [eventOf(ann, 1, { phase: 'active' })] })
  await look()
  const [taken] = await takeAll(store, clock.now())
  const health = { ...goodHealth, failures: 5, failingSinceMs: wrongMs, closedUntilMs: wrongMs + minute }
  await store.settle(settlementOf(taken, { state: 'due', attempts: 5, dueMs: wrongMs + 30 * minute, health }))
}

/** What is there after each of these pauses, and for how long it waits on. */
async function course(): Promise<string[]> {
  const seen: string[] = []
  for (const ms of [0, 3_000, 20_000, minute, 10 * minute, 20 * minute, 30 * minute]) {
    clock.advance(ms)
    await look()
    const waiting = await store.deliveriesOf(ann, { limit: 20 })
    const texts = waiting.map(
      ({ channelId, notice: { kind }, state, dueMs, createdMs }) =>
        `${channelId} ${kind} ${state} ${dueMs - clock.now()} ${createdMs - clock.now()}`,
    )
    const { failingSinceMs, closedUntilMs } = (await store.channelById('a1'))?.health ?? goodHealth
    seen.push([...texts.toSorted(), (failingSinceMs ?? 0) - clock.now(), closedUntilMs - clock.now()].join(', '))
  }
  return seen
}

describe('when the clock is set', () => {
  for (const [how, stepMs] of [
    ['back by a minute', -minute],
    ['back by an hour and a half', -90 * minute],
    ['back by a year', -365 * day],
    ['ahead by ten minutes', 10 * minute],
    ['ahead by a year', 365 * day],
  ] as const)
    it(`${how}, what waits goes on waiting for as long as it would have`, async (t) => {
      await attack()
      const asEver = await course()
      await freshStore(t)
      await attack()
      clock.step(stepMs)
      assert.deepEqual(await course(), asEver)
      assert.equal(delays.steps, 1)
    })

  it('by less than clocks are wrong, nothing moves, until that adds up', async () => {
    const dueMs = async () => (await store.deliveriesOf(ann, { limit: 1 }))[0].dueMs - clock.now()
    await store.record({ made: [eventOf(ann, 2, { phase: 'active' })] })
    await look()
    const waits = await dueMs()
    for (const [moved, steps] of [
      [-1_500, 0],
      [0, 1],
    ]) {
      clock.step(1_500)
      await look()
      assert.deepEqual([await dueMs(), delays.steps], [waits + moved, steps])
    }
  })

  it('nothing moves where the machine has slept, or another clock has jumped, and a step after that is seen', async () => {
    await store.record({ made: [eventOf(ann, 2, { phase: 'active' })] })
    await look()
    const dueMs = async () => (await store.deliveriesOf(ann, { limit: 1 }))[0].dueMs
    const before = await dueMs()
    for (const change of [
      () => clock.jump(day),
      () => clock.jump(-day),
      () => clock.sleep(5_000),
      () => clock.jump(day),
    ]) {
      change()
      await look()
      assert.deepEqual([await dueMs(), delays.steps], [before, 0])
    }
    clock.step(-minute)
    await look()
    assert.deepEqual([await dueMs(), delays.steps], [before - minute, 1])
  })

  it('quiet hours end when the clock says so', async () => {
    await store.changeChannel(ann, 'a2', { quiet: { timeZone: 'UTC', days: [], hours: '11:00-14:00' } })
    await store.record({ made: [eventOf(ann, 2, { phase: 'active' })] })
    await look()
    const held = async () =>
      (await store.deliveriesOf(ann, { channelId: 'a2', state: 'held', limit: 9 })).map(({ dueMs }) => dueMs)
    const untilMs = Date.parse('2027-03-02T14:00:00Z')
    assert.deepEqual(await held(), [untilMs])
    for (const stepMs of [-20 * minute, 30 * minute]) {
      clock.step(stepMs)
      await look()
      assert.deepEqual(await held(), [untilMs])
    }
    assert.equal(delays.steps, 2)
  })
})

describe('when the service is started after the clock was set back', () => {
  it('what waits is told as soon as it looks', async () => {
    await attack()
    clock.set(trueMs)
    begin()
    await look()
    await look()
    assert.deepEqual(await state(), ['a1 continues due', 'a1 started due', 'a2 started due', 'a3 escalated due'])
    assert.deepEqual(some(), { attempt: 1, gathering: 1, probe: 1, reminder: 1, escalation: 1, since: 3 })
    assert.deepEqual((await store.channelById('a1'))?.health, {
      ...{ failures: 5, failingSinceMs: trueMs, closedUntilMs: trueMs, isDisabled: false },
    })
    assert.equal((await takeAll(store, clock.now())).length, 3)
  })

  it('by less than what waits may be put off, it goes on waiting', async () => {
    await attack()
    const times = async () => (await store.deliveriesOf(ann, { limit: 9 })).map(({ state, dueMs }) => [state, dueMs])
    const before = await times()
    clock.set(wrongMs - minute)
    begin()
    await look()
    assert.deepEqual(await times(), before)
    assert.deepEqual(some(), { since: 3 })
  })

  it('messages that were sent by the wrong time do not fill the hour', async () => {
    for (let n = 1; n <= 40; n++) await store.record({ made: [eventOf(ann, n, { phase: 'active', site: `s${n}` })] })
    await look()
    clock.advance(minute)
    await look()
    assert.ok((await store.messagesBetween('a2', clock.now() - 60 * minute, clock.now())) > 0)
    assert.equal(await store.messagesBetween('a2', trueMs - 60 * minute, trueMs), 0)
  })

  it('returns by the wrong time are no pulses', () => {
    const event = eventOf('u1', 1, { phase: 'active' })
    const told = { severity: 'low', label: event.label, isOver: true, number: 6 } as const
    const returns = { count: 2, latestMs: [wrongMs, wrongMs + 1] }
    const { notices } = noticesOf({ ...told, returns }, event, ['returned'], trueMs)
    assert.deepEqual(
      notices.map(({ kind, facts }) => [kind, facts.pulses]),
      [['resumed', undefined]],
    )
  })
})

describe('each delay', () => {
  it('is waited for to the end, and no longer', () => {
    delays = new Delays()
    for (const [delay, ms] of Object.entries(longestMs) as [Delay, number][]) {
      assert.equal(delays.dueAt(delay, 1_000 + ms, 1_000), 1_000 + ms, delay)
      assert.equal(delays.dueAt(delay, 1_001 + ms, 1_000), 1_000, delay)
      assert.equal(delays.hastened[delay], 1, delay)
    }
  })
})
