// What people are told together, with router and store: one message for many attacks, and an end for all of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../../test/helpers/events.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { updateOf } from '../../events/event.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'

const second = 1_000
const minute = 60 * second
let clock: ManualClock
let store: Store
let router: Router
let ann: string

function begin(perHour = 30): void {
  const paces = { perHour, reopenMs: 10 * minute }
  router = new Router({ store, clock, delays: new Delays(), log: createLogger('silent'), paces, onRouted: () => {} })
}

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-bundle-'))
  clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })).id
  await store.addChannel(ann, { ...channelOf('a1'), kind: 'slack' }, 9)
  begin()
  await look()
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const look = () => router.tasks[0].run()
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await look()
}
const worst = (times: number) => ({ worst: { packetsPerSecond: 1_000 * times, bytesPerSecond: 1e6 * times } })

async function attack(number: number, given: Partial<EventDetail> = {}): Promise<EventDetail> {
  const event = eventOf(ann, 70_000 + number, { phase: 'active', createdMs: clock.now(), ...worst(1), ...given })
  await store.record({ made: [event] })
  await look()
  return event
}
async function update(event: EventDetail, given: Partial<EventDetail>): Promise<void> {
  await store.record({ updates: [updateOf({ ...event, ...given })] })
  await look()
}
async function tellVectors(): Promise<void> {
  const [{ id, when }] = await store.rulesOf(ann)
  await store.changeRule(ann, id, { when: { ...when, notices: ['started', 'worsened', 'vector'] } })
}
const end = (event: EventDetail) => update(event, { endMs: clock.now(), phase: 'over' })
const returns = (event: EventDetail, number: number) =>
  update(event, { endMs: null, phase: 'active', episode: { ...event.episode, number } })

/** Everything that can be sent arrives: what each message is, with how many others, and under which name. */
async function receive(): Promise<string[]> {
  const said: string[] = []
  for (;;) {
    const taken = await takeAll(store, clock.now(), { leaseMs: 0 })
    if (taken.length === 0) return said
    for (const each of taken) {
      const others = each.others === null ? '' : ` and ${each.others.count}`
      said.push(`${each.notice.kind} ${each.notice.number}${others}`)
      threads.push(each.thread)
      await store.settle(settlementOf(each))
    }
  }
}
let threads: string[] = []
beforeEach(() => {
  threads = []
})

describe('people', () => {
  it('are told after a moment, and that it is over when it has stayed away', async () => {
    const event = await attack(1)
    assert.deepEqual(await receive(), [])
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1'])
    await end(event)
    await pass(59 * second)
    assert.deepEqual(await receive(), [])
    await pass(second)
    assert.deepEqual(await receive(), ['ended 2'])
    assert.deepEqual(threads, [event.id, event.id])
  })

  it('are told sooner what is serious', async () => {
    await attack(1, worst(300))
    await pass(3 * second)
    assert.deepEqual(await receive(), ['started 1'])
  })

  it('are told a beginning in time, however much comes after it', async () => {
    await tellVectors()
    const event = await attack(1)
    for (const label of ['a', 'b', 'c']) {
      clock.advance(3 * second)
      await update(event, { label })
    }
    assert.deepEqual(await receive(), [])
    await pass(second)
    assert.deepEqual(await receive(), ['vector 4'])
    const other = await attack(2, { label: 'pulses' })
    for (const number of [2, 3]) {
      clock.advance(2 * second)
      await end(other)
      clock.advance(2 * second)
      await returns(other, number)
    }
    await pass(2 * second)
    assert.deepEqual(await receive(), ['resumed 5'])
  })

  it('are told in time what came after the beginning', async () => {
    await tellVectors()
    const event = await attack(1)
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1'])
    for (const label of ['a', 'b', 'c', 'd']) {
      await update(event, { label })
      await pass(3 * second)
    }
    assert.deepEqual(await receive(), ['vector 5'])
  })

  it('are told many attacks by one message, more of them by the next, and one end', async () => {
    const events: EventDetail[] = []
    for (let n = 1; n <= 40; n++) events.push(await attack(n, worst(n === 7 ? 2 : 1)))
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1 and 39'])
    assert.equal(threads[0], events[6].id)
    events.push(await attack(41), await attack(42))
    await pass(2 * minute)
    assert.deepEqual(await receive(), [])
    for (const each of events.slice(0, 5)) await end(each)
    await pass(3 * minute)
    assert.deepEqual(await receive(), ['started 1 and 6'])
    for (const each of events.slice(5, 20)) await end(each)
    await pass(2 * minute)
    for (const each of events.slice(20)) await end(each)
    await pass(minute)
    assert.deepEqual(await receive(), ['ended 2 and 36'])
    assert.equal(new Set(threads).size, 1)
  })

  it('are told at once what is worse than all before', async () => {
    await attack(1)
    await pass(10 * second)
    await attack(2, worst(300))
    await pass(3 * second)
    assert.deepEqual(await receive(), ['started 1', 'started 1'])
  })

  it('are told apart what has nothing in common', async () => {
    await attack(1, { label: 'a' })
    await attack(2, { label: 'b' })
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1', 'started 1'])
  })

  it('hear neither of an end nor of a return that follows soon, and once that it pulses', async () => {
    const event = await attack(1)
    await pass(10 * second)
    for (let n = 2; n <= 3; n++) {
      await end(event)
      await pass(30 * second)
      await returns(event, n)
    }
    await pass(minute)
    assert.deepEqual(await receive(), ['started 1'])
    await end(event)
    await pass(30 * second)
    await returns(event, 4)
    await pass(10 * second)
    assert.deepEqual(await receive(), ['resumed 7'])
    await end(event)
    await pass(5 * minute)
    await returns(event, 5)
    await end(event)
    await pass(9 * minute)
    assert.deepEqual(await receive(), [])
    await pass(minute)
    assert.deepEqual(await receive(), ['ended 10'])
    const [last] = await store.deliveriesOf(ann, { limit: 1 })
    assert.equal(last.notice.facts.pulses?.count ?? 0, 5)
  })

  it('are told in digests what is over the cap, and each end where the beginning was', async () => {
    begin(2)
    const events: EventDetail[] = []
    const next = async (n: number) => {
      events.push(await attack(n, { label: `l${n}` }))
      await pass(10 * second)
      return receive()
    }
    assert.deepEqual([await next(1), await next(2)], [['started 1'], ['started 1']])
    // A first digest at once, others ten minutes later.
    assert.deepEqual([await next(3), await next(4), await next(5)], [['started 1'], [], []])
    await pass(10 * minute)
    assert.deepEqual(await receive(), ['started 1 and 1'])
    for (const each of events) await end(each)
    await pass(minute)
    assert.deepEqual((await receive()).sort(), ['ended 2', 'ended 2', 'ended 2 and 2'])
    assert.equal(router.gathered.digest, 3)
  })

  it('are told in one message what a silence has held back', async () => {
    const nothing = { sites: [], groups: [], vectors: [] }
    await store.addSilence(
      ann,
      { id: 's1', reason: 'a move', ...nothing, fromMs: clock.now(), untilMs: clock.now() + 30 * minute },
      9,
    )
    const [first] = [await attack(1, { label: 'a' }), await attack(2, { label: 'b' })]
    await end(first)
    await pass(29 * minute)
    assert.deepEqual(await receive(), [])
    await pass(minute)
    assert.deepEqual(await receive(), ['started 1 and 1'])
    assert.equal((await store.silencesOf(ann))[0].attacks, 2)
  })

  it('read what came and went meanwhile as one message', async () => {
    const event = await attack(1)
    await pass(5 * second)
    await end(event)
    await pass(10 * second)
    assert.deepEqual(await receive(), ['ended 2'])
  })

  it('are told the same, whoever is killed, and what cannot be sent shares the lot of its message', async () => {
    await attack(1)
    begin()
    await attack(2)
    await pass(10 * second)
    begin()
    await look()
    const [taken] = await takeAll(store, clock.now(), { leaseMs: 0 })
    assert.equal(taken.others?.count, 1)
    await store.settle(settlementOf(taken, { state: 'dead' }))
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state),
      ['dead', 'dead'],
    )
    assert.deepEqual(await store.replay(ann, { state: 'dead' }), { replayed: 1, leftOut: 0 })
    assert.deepEqual(await receive(), ['started 1 and 1'])
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state, attempts }) => [state, attempts]),
      [
        ['done', 0],
        ['done', 0],
      ],
    )
  })

  it('are told an end though the beginning that told it as well is given up', async () => {
    const first = await attack(1)
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1'])
    const other = await attack(2)
    await end(first)
    await pass(5 * minute)
    const [taken] = await takeAll(store, clock.now(), { leaseMs: 0 })
    assert.deepEqual([taken.notice.kind, taken.others?.over], ['started', 1])
    await store.settle(settlementOf(taken, { state: 'dead' }))
    await end(other)
    await pass(2 * minute)
    assert.deepEqual(await receive(), ['ended 2 and 1'])
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state, notice: { kind } }) => `${kind} ${state}`),
      ['ended done', 'ended done', 'started dead', 'started done'],
    )
  })

  it('are told the others when the attack that stood for them is deleted with its owner', async () => {
    const bob = await attackOnBob()
    await attack(2)
    await pass(10 * second)
    assert.equal((await store.deliveriesOf(ann, { state: 'joined', limit: 9 })).length, 1)
    await store.deleteUser(bob)
    await pass(second)
    assert.deepEqual(await receive(), ['started 1'])
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state),
      ['done', 'superseded'],
    )
  })

  it('are told the end of what was deleted with its owner, where its beginning went', async () => {
    const bob = await attackOnBob()
    await pass(10 * second)
    assert.deepEqual(await receive(), ['started 1'])
    begin()
    await store.deleteUser(bob)
    await look()
    assert.deepEqual(await receive(), ['ended 2'])
    assert.equal(threads[0], threads[1])
    assert.deepEqual(await store.deliveriesOf(ann, { state: 'held', limit: 9 }), [])
  })

  it('hear about nobody else once they are no admins', async () => {
    await attackOnBob(worst(1))
    await attack(2, worst(2))
    await pass(10 * second)
    assert.equal((await store.deliveriesOf(ann, { state: 'joined', limit: 9 })).length, 1)
    await store.addUser({ email: 'eve@example.com', siteQuota: 10, allowed: null, role: 'admin' })
    await store.updateUser(ann, { role: 'member' })
    assert.deepEqual(await receive(), ['started 1'])
  })

  it('lose nothing without a word where too many messages wait', async () => {
    await attack(1)
    await attack(2)
    await pass(10 * second)
    const event = eventOf(ann, 3)
    await store.record({ made: [event] })
    const place = (await store.toldUpTo()) ?? 0
    await store.route(routingOf(place, [[noticeOf(ann, event.id), 'a1']], { to: place, waitingMax: 1 }))
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state),
      ['due', 'dead', 'dead'],
    )
  })
})

/** An attack on somebody else, of which ann is told as an admin; gives whom it is on. */
async function attackOnBob(given: Partial<EventDetail> = worst(2)): Promise<string> {
  await store.updateUser(ann, { role: 'admin' })
  const [rule] = await store.rulesOf(ann)
  await store.changeRule(ann, rule.id, { reach: 'installation' })
  const bob = (await store.addUser({ email: 'bob@example.com', siteQuota: 10, allowed: null })).id
  await store.record({ made: [eventOf(bob, 1, { phase: 'active', createdMs: clock.now(), ...given })] })
  await look()
  return bob
}
