// Users who are deleted in the middle of an attack, and what admins hear who were told about it: store, router and sender together.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../test/helpers/events.ts'
import { installationOf } from '../../test/helpers/labs/alerts.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { until } from '../../test/helpers/until.ts'
import { channelOf } from '../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../clock.ts'
import { reportExample } from '../contract/events/examples.ts'
import { updateOf } from '../events/event.ts'
import type { EventDetail } from '../events/records.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import { webhook } from './channels/webhook.ts'
import { Delays } from './delays.ts'
import { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Router } from './router.ts'
import { Sender } from './sender.ts'

const minute = 60_000
const log = createLogger('silent')
let clock: ManualClock
let store: Store
let router: Router
let sender: Sender
let ann: string
let isDown: boolean
/** What arrived: the type, the id, and when the event ended. */
let arrived: string[]

function begin(): void {
  const delays = new Delays()
  const send: typeof webhook.send = async ({ type, id, event }) => {
    if (isDown) return { outcome: 'failed', pauseMs: null, text: 'down' }
    arrived.push(`${type} ${id} ${event}`)
    return { outcome: 'done', pauseMs: null, text: '' }
  }
  sender = new Sender({
    ...{
      store,
      clock,
      log,
      delays,
      allowed: listOf([]),
      hostNames: new HostNames(),
      random: () => 0.5,
      installation: installationOf(),
    },
    kinds: new Map([[webhook.kind, { ...webhook, paceMs: 0, send }]]),
    secretsOf: () => ({}),
    ownerOf: async () => ({ reach: 'any', email: 'ann@example.com', mailTo: [] }),
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    isAdmin: async (userId) => (await store.userById(userId))?.role === 'admin',
    present: ({ endMs }: EventDetail) => endMs,
    report: () => reportExample,
  })
  const paces = { perHour: 30, reopenMs: 10 * minute }
  router = new Router({ store, clock, log, paces, delays, onRouted: () => sender.wake() })
}

const add = async (name: string, role: 'admin' | 'member' = 'member') =>
  (await store.addUser({ email: `${name}@example.com`, siteQuota: 9, allowed: null, role })).id

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-farewells-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  ann = await add('ann', 'admin')
  await store.addChannel(ann, channelOf('a1'), 9)
  const [{ id }] = await store.rulesOf(ann)
  await store.changeRule(ann, id, { reach: 'installation' })
  ;[isDown, arrived] = [false, []]
  begin()
  await route()
  ;(t as TestContext).after(async () => {
    await sender.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const route = () => router.tasks[0].run()
async function receive(...wanted: string[]): Promise<void> {
  await route()
  sender.wake()
  await until('it arrives', async () => arrived.length >= wanted.length)
  await until('it is settled', async () => (await store.deliveriesOf(ann, { state: 'sending', limit: 1 })).length === 0)
  assert.deepEqual(arrived.splice(0).toSorted(), wanted.toSorted())
}
const on = (userId: string, number: number, incident: string) =>
  eventOf(userId, number, { endMs: null, phase: 'active', incident, createdMs: number })
const end = (event: EventDetail) => store.record({ updates: [updateOf({ ...event, endMs: 9, phase: 'over' })] })

describe('when the owner of an attack is deleted', () => {
  it('who was told is told its end, and the event of the next owner, with its end', async () => {
    const [bob, carl] = [await add('bob'), await add('carl')]
    const [first, next] = [on(bob, 1, 'same'), on(carl, 2, 'same')]
    await store.record({ made: [first, next] })
    await receive(`event.started msg_${first.id}_1 null`)
    await store.deleteUser(bob)
    await receive(`event.ended msg_${first.id}_2 1000000`, `event.started msg_${next.id}_2 null`)
    await end(next)
    await receive(`event.ended msg_${next.id}_3 9`)
    await store.pruneAlerts({ beforeMs: 0, max: 9 })
    assert.equal(await store.deletedEvent(first.id), null)
  })

  it('an end that was known and has not arrived does so, and what was not told stays untold', async () => {
    const [bob, carl] = [await add('bob'), await add('carl')]
    const [first, second] = [on(bob, 1, 'one'), on(carl, 2, 'other')]
    await store.record({ made: [first] })
    await receive(`event.started msg_${first.id}_1 null`)
    isDown = true
    await end(first)
    await store.record({ made: [second] })
    await route()
    await until('both have failed', async () => (await store.channelById('a1'))?.health.failures === 2)
    await sender.stop()
    for (const id of [bob, carl]) await store.deleteUser(id)
    isDown = false
    clock.advance(minute)
    begin()
    await receive(`event.ended msg_${first.id}_2 9`)
    const states = (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state)
    assert.deepEqual(states, ['superseded', 'done', 'done'])
  })

  it('who is no admin any more hears nothing', async () => {
    const bob = await add('bob')
    const event = on(bob, 1, 'one')
    await store.record({ made: [event] })
    await receive(`event.started msg_${event.id}_1 null`)
    await add('eve', 'admin')
    await store.updateUser(ann, { role: 'member' })
    await store.deleteUser(bob)
    await receive()
    await until('it is settled', async () => (await store.deliveriesOf(ann, { state: 'due', limit: 1 })).length === 0)
    assert.deepEqual(arrived, [])
  })

  it('another admin who was told hears the end, though the one whom the notice was left to is deleted, too', async () => {
    const [bob, eve] = [await add('bob'), await add('eve', 'admin')]
    await store.addChannel(eve, channelOf('e1'), 9)
    const [{ id }] = await store.rulesOf(eve)
    await store.changeRule(eve, id, { reach: 'installation' })
    const event = on(bob, 1, 'one')
    await store.record({ made: [event] })
    await receive(...Array(2).fill(`event.started msg_${event.id}_1 null`))
    isDown = true
    await store.deleteUser(bob)
    await store.deleteUser(eve)
    isDown = false
    clock.advance(minute)
    await route()
    sender.wake()
    await until('it arrives', async () => arrived.length === 1)
    assert.match(arrived[0], /^event\.ended msg_\S+_[23] 1000000$/)
  })
})
