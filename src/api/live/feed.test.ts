import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { ManualClock } from '../../clock.ts'
import type { EventChange, LoggedChange } from '../../events/changes.ts'
import { createLogger } from '../../log.ts'
import { type Listening, LiveFeed, listenersMax } from './feed.ts'

let clock: ManualClock
let feed: LiveFeed
/** The log of changes that the store has. */
let log: LoggedChange[]
/** The place of the last change that it has deleted. */
let deleted: number
const ann = { userId: 'ann', isAdmin: false, address: '192.0.2.1' }
const bob = { userId: 'bob', isAdmin: false, address: '192.0.2.1' }
const root = { userId: 'root', isAdmin: true, address: '192.0.2.2' }

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  clock = new ManualClock(1e12)
  log = []
  deleted = 0
  const store = {
    changesAfter: async (after: number, limit: number) => ({
      changes: log.filter(({ sequence }) => sequence > after).slice(0, limit),
      isIncomplete: after < deleted,
    }),
    lastChange: async () => log.at(-1)?.sequence ?? deleted,
  }
  feed = new LiveFeed({ store, clock, log: createLogger('silent') })
})
afterEach(() => mock.timers.reset())

function listen(who = ann, place: string | null = null): Listening {
  const listening = feed.listen(who, place)
  assert.ok(listening)
  return listening
}
/** They happen, and the feed is told to look. */
async function happen(...changes: EventChange[]): Promise<void> {
  for (const change of changes) log.push({ ...change, sequence: Math.max(deleted, log.at(-1)?.sequence ?? 0) + 7 })
  await feed.task.runAgain()
}
const messagesOf = async ({ listener }: Listening) => (await listener.take(0)).map(({ message }) => message)
const place = async ({ listener }: Listening) => (await listener.take(0)).at(-1)?.id ?? ''

it('tells each user what is theirs, and admins of exporters', async () => {
  const listening = [listen(ann), listen(bob), listen(root)]
  feed.tellSites('ann')
  await happen({ userId: 'bob', id: 'e1', change: 'made' })
  feed.tellExporters(['192.0.2.1'])
  feed.tellStatus()
  assert.deepEqual(await Promise.all(listening.map(messagesOf)), [
    [{ type: 'sites' }, { type: 'status' }],
    [{ type: 'event', id: 'e1', change: 'made' }, { type: 'status' }],
    [{ type: 'exporters', ids: ['192.0.2.1'] }, { type: 'status' }],
  ])
})

it('says once a second at most that messages of alerts have changed, to their user alone', async () => {
  const [hers, his] = [listen(ann), listen(bob)]
  for (let n = 0; n < 100; n++) feed.tellAlerts('ann')
  feed.tellAlerts('nobody')
  feed.tellStatus()
  assert.deepEqual(await messagesOf(hers), [{ type: 'status' }])
  mock.timers.tick(1_000)
  assert.deepEqual(await messagesOf(hers), [{ type: 'alerts' }])
  mock.timers.tick(5_000)
  feed.tellStatus()
  assert.deepEqual(await messagesOf(hers), [{ type: 'status' }])
  assert.deepEqual(await messagesOf(his), [{ type: 'status' }, { type: 'status' }])
})

it('gathers updates of events for a second, and names no more than some', async () => {
  const listening = listen()
  const update = (n: number) => ({ userId: 'ann', id: `e${n}`, change: 'updated' as const })
  await happen(update(1), update(2), update(1))
  await happen({ userId: 'ann', id: 'e3', change: 'ended' })
  assert.deepEqual(await messagesOf(listening), [{ type: 'event', id: 'e3', change: 'ended' }])
  mock.timers.tick(1_000)
  assert.deepEqual(
    await messagesOf(listening),
    [1, 2].map((n) => ({ type: 'event', id: `e${n}`, change: 'updated' })),
  )
  await happen(...Array.from({ length: 10_000 }, (_, n) => update(n)))
  mock.timers.tick(1_000)
  assert.deepEqual(await messagesOf(listening), [{ type: 'events' }])
})

it('tells what has happened since it started, once, and looks by itself every second', async (t) => {
  const change: EventChange = { userId: 'ann', id: 'e1', change: 'ended' }
  log.push({ ...change, sequence: 3 })
  t.mock.timers.enable({ apis: ['setInterval'] })
  await feed.start()
  const listening = listen()
  log.push({ ...change, id: 'e2', sequence: 4 })
  t.mock.timers.tick(1_000)
  await feed.task.runAgain()
  assert.deepEqual(await messagesOf(listening), [{ type: 'event', id: 'e2', change: 'ended' }])
  await feed.stop()
})

it('tells everybody to ask for everything when the log goes back no further than what it has read', async () => {
  const listening = [listen(ann), listen(bob)]
  deleted = 100
  await happen({ userId: 'bob', id: 'e9', change: 'closed' })
  assert.deepEqual(await Promise.all(listening.map(messagesOf)), [
    [null],
    [null, { type: 'event', id: 'e9', change: 'closed' }],
  ])
  await happen({ userId: 'bob', id: 'e9', change: 'returned' })
  deleted = 1_000
  log = []
  await happen()
  await happen()
  assert.deepEqual(await messagesOf(listening[0]), [null])
})

it('tells who comes back what was missed, or that it is not known', async () => {
  const first = listen()
  feed.tellSites('ann')
  const last = await place(first)
  first.stop()
  assert.deepEqual(listen(ann, last).missed, [])
  feed.tellSites('ann')
  feed.tellStatus()
  const missed = listen(ann, last).missed
  assert.deepEqual(
    missed.map(({ message }) => message?.type),
    ['sites', 'status'],
  )
  assert.deepEqual(listen(ann, missed[0].id).missed, missed.slice(1))
  for (let n = 0; n < 200; n++) feed.tellSites('ann')
  const resets = [
    last,
    'x',
    '',
    `${last}999`,
    last.replace(/-.*/, '-999'),
    last.replace(/-.*/, '--1'),
    `00-${'9'.repeat(30)}`,
  ]
  for (const each of resets) {
    const listening = listen(ann, each)
    assert.deepEqual(
      listening.missed.map(({ message }) => message),
      [null],
      each,
    )
    listening.stop()
  }
})

it('numbers each user’s messages apart: nobody sees how much others are told', async () => {
  const [a, b] = [listen(ann), listen(bob)]
  for (let n = 0; n < 9; n++) feed.tellSites('bob')
  feed.tellSites('ann')
  assert.match(await place(a), /^[0-9a-f]{12}-1$/)
  assert.match(await place(b), /^[0-9a-f]{12}-9$/)
})

it('forgets a channel that nobody listens to, after a time', async () => {
  const first = listen()
  feed.tellSites('ann')
  const last = await place(first)
  first.stop()
  clock.advance(600_001)
  listen(bob)
  assert.deepEqual(
    listen(ann, last).missed.map(({ message }) => message),
    [null],
  )
})

it('drops who does not keep up, and counts it; nobody else', async () => {
  const [slow, quick] = [listen(), listen()]
  for (let n = 0; n < 501; n++) {
    feed.tellSites('ann')
    await messagesOf(quick)
  }
  assert.deepEqual([slow.listener.isOver, quick.listener.isOver, feed.counters.dropped], [true, false, 1])
})

it('has room for a bounded number of listeners of a user, and of an address, and again when some have gone', () => {
  const listening = Array.from({ length: listenersMax.ofUser }, () => listen())
  assert.equal(feed.listen(ann, null), null)
  assert.equal(feed.listen({ ...ann, isAdmin: true }, null), null)
  listening[0].stop()
  listening[0].stop()
  listen()
  const others = Array.from({ length: listenersMax.ofAll }, (_, n) => feed.listen({ ...ann, userId: `u${n}` }, null))
  assert.equal(others.filter((each) => each !== null).length, listenersMax.ofAddress - listenersMax.ofUser)
  assert.equal(feed.listeners, listenersMax.ofAddress)
  assert.equal(feed.counters.refused, 2 + listenersMax.ofAll - listenersMax.ofAddress + listenersMax.ofUser)
})

it('takes the places of who listens most when there are too many, and of nobody who has listened for a while', async () => {
  const from = (n: number) => `198.51.100.${n % 200}`
  const crowd = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => listen({ userId: `${name}${n}`, isAdmin: false, address: from(n) }))
  const many = Array.from({ length: listenersMax.ofUser }, () => listen())
  const old = crowd('old', 300)
  clock.advance(60_000)
  await feed.task.runAgain()
  const young = crowd('young', listenersMax.ofAll - 300 - listenersMax.ofUser)
  const newcomer = listen({ userId: 'new', isAdmin: false, address: '203.0.113.1' })
  const over = (all: readonly Listening[]) => all.filter(({ listener }) => listener.hasGivenWay).length
  assert.deepEqual([over(many), over(old), over(young), over([newcomer])], [0, 0, 1, 0])
  const greedy = Array.from({ length: listenersMax.ofUser }, () => listen(bob))
  crowd('more', 100)
  assert.deepEqual([over(many), over(old)], [0, 0])
  assert.ok(over(greedy) >= listenersMax.ofUser - 2)
  assert.equal(feed.listeners, listenersMax.ofAll)
  assert.ok(feed.crowding().gaveWay > over(greedy))
})

it('waits until something comes, or the time is over, or all ends', async () => {
  const { listener } = listen()
  const waiting = listener.take(15_000)
  feed.tellStatus()
  assert.equal((await waiting).length, 1)
  const idle = listener.take(15_000)
  mock.timers.tick(15_000)
  assert.deepEqual(await idle, [])
  const last = listener.take(15_000)
  await feed.stop()
  assert.deepEqual([await last, listener.isOver], [[], true])
})
