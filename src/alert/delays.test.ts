// A clock that is set back: what was planned by the wrong time is due at once, whoever notices it.
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

beforeEach(async (t) => {
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
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

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

describe('when the clock is set back', () => {
  for (const [who, notice] of [
    ['the router that was there', async () => {}],
    ['one that is started after that', async () => begin()],
  ] as const)
    it(`${who} tells what waits, as soon as it looks`, async () => {
      await attack()
      clock.set(trueMs)
      await notice()
      await look()
      await look()
      assert.deepEqual(await state(), ['a1 continues due', 'a1 started due', 'a2 started due', 'a3 escalated due'])
      assert.deepEqual(some(), { attempt: 1, gathering: 1, probe: 1, reminder: 1, escalation: 1, since: 2 })
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
    await look()
    assert.deepEqual(await times(), before)
    assert.deepEqual(some(), { since: 2 })
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
