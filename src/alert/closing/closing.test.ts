// Pagers whose channel is deleted, or whose user is no admin any more, while incidents are open there: the real kinds, a receiver in place of theirs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { installationOf } from '../../../test/helpers/labs/alerts.ts'
import { WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { until } from '../../../test/helpers/until.ts'
import { noticeOf, routingOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { exec } from '../channels/exec.ts'
import type { ChannelKind } from '../channels/kind.ts'
import { channelKinds } from '../channels/kinds.ts'
import { Delays } from '../delays.ts'
import { HostNames } from '../outgoing/host-names.ts'
import { listOf } from '../outgoing/reach.ts'
import { Room } from '../outgoing/room.ts'
import { conditionOf } from '../own/condition.ts'
import { Closer } from './closer.ts'
import { closableKinds } from './closing-store.ts'

const minute = 60_000
const day = 86_400_000
const secrets = { pagerduty: { routingKey: 'a'.repeat(32) }, opsgenie: { apiKey: 'b'.repeat(20) } }
let clock: ManualClock
let store: Store
let receiver: WebhookReceiver
let closer: Closer
/** What programs do when they are to end something. */
let program: () => Promise<void>
let ann: string
let bob: string
let place: number

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-closing-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  receiver = await new WebhookReceiver().start()
  ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 9, allowed: null, role: 'admin' })).id
  bob = (await store.addUser({ email: 'bob@example.com', siteQuota: 9, allowed: null })).id
  place = 0
  await add(ann, 'a1', 'pagerduty')
  begin()
  ;(t as TestContext).after(async () => {
    await closer.stop()
    await store.close()
    receiver.stop()
    rmSync(folder, { recursive: true })
  })
})

const slow: ChannelKind = {
  ...exec,
  close: async () => {
    await program()
    return { outcome: 'done', pauseMs: null, text: '' }
  },
}

function begin(): void {
  closer = new Closer({
    room: new Room(300),
    ...{
      store,
      clock,
      kinds: new Map([...channelKinds, ['exec', slow]]),
      installation: installationOf(),
      log: createLogger('silent'),
    },
    secretsOf: ({ sealed }) => JSON.parse(Buffer.from(sealed).toString('utf8')),
    ...{ allowed: listOf([]), hostNames: new HostNames(), delays: new Delays() },
  })
}

const add = (userId: string, id: string, kind: keyof typeof secrets) =>
  store.addChannel(
    userId,
    { id, kind, name: id, settings: { server: receiver.url }, sealed: Buffer.from(JSON.stringify(secrets[kind])) },
    9,
  )

/** The channel has the notice, the first or the second of the event. */
async function tell(channelId: string, userId: string, eventId: string, number = 1): Promise<void> {
  await store.route(routingOf(place++, [[noticeOf(userId, eventId, number), channelId]]))
  for (const taken of await takeAll(store, clock.now())) await store.settle(settlementOf(taken))
}

/** What was closed since the last time, after some minutes. */
async function closed(minutes = 1): Promise<string[]> {
  clock.advance(minutes * minute)
  receiver.received.length = 0
  await closer.task.run()
  return receiver.received
    .map(({ path, body }) => {
      const { event_action: action, dedup_key: key } = JSON.parse(body)
      return action === undefined ? path.replace('/hook', '') : `${action} ${key}`
    })
    .toSorted()
}

describe('an incident that a receiver has open', () => {
  it('is closed when its channel is deleted, and one that is over or was never told is not', async () => {
    await tell('a1', ann, 'e1')
    await tell('a1', ann, 'e2')
    await tell('a1', ann, 'e2', 2)
    await store.route(routingOf(place++, [[noticeOf(ann, 'e3'), 'a1']]))
    await store.deleteChannel(bob, 'a1')
    assert.deepEqual(await closed(), [])
    await store.deleteChannel(ann, 'a1')
    assert.deepEqual(await closed(0), [], 'an attempt may be under way')
    assert.deepEqual(await closed(), ['resolve e1'])
    assert.deepEqual(await closed(), [])
  })

  it('is closed however many another channel of its user had open', async () => {
    const notices = Array.from({ length: 1_000 }, (_, n) => noticeOf(ann, `many-${n}`))
    for (let from = 0; from < notices.length; from += 100) {
      await store.route(
        routingOf(
          place++,
          notices.slice(from, from + 100).map((each) => [each, 'a1']),
        ),
      )
      for (let taken = await takeAll(store, clock.now()); taken.length > 0; taken = await takeAll(store, clock.now()))
        for (const each of taken) await store.settle(settlementOf(each))
    }
    await add(ann, 'a2', 'pagerduty')
    await tell('a2', ann, 'e1')
    await store.deleteChannel(ann, 'a1')
    await store.deleteChannel(ann, 'a2')
    const due = await store.dueClosings({ nowMs: clock.now() + minute, perUser: 9_999, limit: 9_999 })
    const byChannel = Object.entries(Object.groupBy(due, ({ channel }) => channel.id))
    assert.deepEqual(
      byChannel.map(([id, all]) => [id, all?.length]),
      [
        ['a1', 1_000],
        ['a2', 1],
      ],
    )
  })

  it('is closed when its user is deleted, by the address that an admin had', async () => {
    const [event] = await addEvents(store, [eventOf(bob, 1, { endMs: null, phase: 'active' })])
    await add(ann, 'a2', 'opsgenie')
    await tell('a1', bob, event.id)
    await tell('a2', ann, 'e1')
    await store.deleteUser(ann)
    assert.deepEqual(await closed(), ['/v2/alerts/e1/close?identifierType=alias', `resolve ${event.id}`].toSorted())
  })

  it('is closed where it is on others, or about the installation, when its user is no admin any more', async () => {
    await tell('a1', ann, 'e1')
    await tell('a1', bob, 'e2')
    const problem = { type: 'exporter.silent', subject: '192.0.2.1', detail: '', sinceMs: 0, untilMs: null } as const
    const owner = { userId: ann, exceptChannelId: 'a9' }
    await store.saveConditions([
      { ...conditionOf({ ...problem, owner: null }, { id: 'f1', nowMs: 0 }), told: ['a1'] },
      { ...conditionOf({ ...problem, type: 'channel.failing', owner }, { id: 'f2', nowMs: 0 }), told: ['a1'] },
      { ...conditionOf({ ...problem, owner: null }, { id: 'f3', nowMs: 0 }), told: ['b1'] },
    ])
    // Whoever is no admin runs no program either, which would end what it has begun.
    await store.addChannel(ann, { id: 'a2', kind: 'exec', name: 'a2', settings: {}, sealed: new Uint8Array() }, 9)
    await tell('a2', ann, 'e3')
    await store.updateUser(ann, { siteQuota: 3 })
    assert.deepEqual(await closed(), [])
    await store.updateUser(ann, { role: 'member' })
    const due = await store.dueClosings({ nowMs: clock.now() + minute, perUser: 9, limit: 9 })
    assert.deepEqual(due.map(({ channel, thread }) => `${channel.id} ${thread}`).toSorted(), [
      ...['a1 e2', 'a1 f1', 'a2 e3'],
    ])
    for (const { id, channel } of due) if (channel.id === 'a2') await store.settleClosing(id, null)
    assert.deepEqual(await closed(), ['resolve e2', 'resolve f1'])
    await store.updateUser(ann, { role: 'viewer' })
    assert.deepEqual(await closed(), [])
  })

  it('is closed at the place that its channel had, and not before it ends', async () => {
    const seal = (routingKey: string) => Buffer.from(JSON.stringify({ routingKey: routingKey.repeat(32) }))
    const keys = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body))
        .map((each) => `${each.dedup_key} ${each.routing_key[0]}`)
        .toSorted()
    await tell('a1', ann, 'e1')
    await tell('a1', ann, 'e2')
    const problem = { type: 'exporter.silent', subject: '192.0.2.1', detail: '', sinceMs: 0, untilMs: null } as const
    const condition = { ...conditionOf({ ...problem, owner: null }, { id: 'f1', nowMs: 0 }), told: ['a1'] }
    await store.saveConditions([condition])
    await store.changeChannel(ann, 'a1', { sealed: seal('c') })
    await store.changeChannel(ann, 'a1', { sealed: seal('d') })
    await store.changeChannel(ann, 'a1', { name: 'Pager' })
    await store.saveConditions([condition])
    assert.deepEqual(await closed(), [])
    await tell('a1', ann, 'e1', 2)
    await closed()
    assert.deepEqual(keys(), ['e1 a', 'e1 c'])
    await store.saveConditions([{ ...condition, untilMs: 9 }])
    await closed()
    assert.deepEqual(keys(), ['f1 a', 'f1 c'])
    await store.deleteChannel(ann, 'a1')
    await closed()
    assert.deepEqual(keys(), ['e2 a', 'e2 c', 'e2 d', 'f1 d'])
    assert.deepEqual(await closed(60 * 24 * 31), [])
  })

  it('is ended by the program that began it, when the one that its channel runs now has ended it', async () => {
    await store.addChannel(
      ann,
      { id: 'a2', kind: 'exec', name: 'a2', settings: { hook: 'x' }, sealed: Buffer.from('{}') },
      9,
    )
    const due = async () =>
      (await store.dueClosings({ nowMs: clock.now() + minute, perUser: 9, limit: 9 })).map(
        ({ channel, thread }) => `${channel.settings.hook} ${thread}`,
      )
    await tell('a2', ann, 'e1')
    await store.changeChannel(ann, 'a2', { settings: { hook: 'y' } })
    assert.deepEqual(await due(), [])
    await tell('a2', ann, 'e1', 2)
    assert.deepEqual(await due(), ['x e1'])
  })

  it('is closed at that place after 30 days, should its end never be told', async () => {
    await tell('a1', ann, 'e1')
    await store.changeChannel(ann, 'a1', { settings: { server: `${receiver.url}/other` } })
    assert.deepEqual(await closed(30 * 24 * 60 - 1), [])
    assert.deepEqual(await closed(2), ['resolve e1'])
  })

  it('is closed while another user’s wait for receivers that hang, of which four are tried at a time', async () => {
    const eve = (await store.addUser({ email: 'eve@example.com', siteQuota: 9, allowed: null, role: 'admin' })).id
    const hanging = ['a1', 'a2', 'a3', 'a4', 'a5']
    for (const id of hanging.slice(1)) await add(ann, id, 'pagerduty')
    await add(eve, 'b1', 'opsgenie')
    for (const id of hanging) for (let n = 0; n < 9; n++) await tell(id, ann, `${id}-${n}`)
    await tell('b1', eve, 'e9')
    for (const id of hanging) await store.deleteChannel(ann, id)
    await store.deleteChannel(eve, 'b1')
    const nowMs = clock.now() + minute
    assert.deepEqual(
      (await store.dueClosings({ nowMs, perUser: 2, limit: 9 })).map(({ thread }) => thread),
      [...['a1-0', 'a1-1', 'e9']],
    )
    receiver.answer = ({ path }) => (path.includes('/alerts/') ? { status: 202 } : 'hang')
    clock.advance(minute)
    await closer.task.run()
    const tried = () => receiver.received.map(({ path }) => path.includes('/alerts/e9/')).toSorted()
    assert.deepEqual(tried(), [...[false, false, false, false, true]])
    // They are under way, and nobody has waited for them.
    await closer.task.run()
    assert.deepEqual([tried().length, closer.counts.closed], [5, 1])
    await closer.stop()
    assert.deepEqual(closer.counts, { closed: 1, failed: 0, given_up: 0 })
  })

  it('is closed while a program that takes long ends what it has begun, which is settled when it has', async () => {
    await store.addChannel(ann, { id: 'a2', kind: 'exec', name: 'a2', settings: {}, sealed: Buffer.from('{}') }, 9)
    await tell('a1', ann, 'e1')
    await tell('a2', ann, 'e2')
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    program = () => ended
    await store.deleteChannel(ann, 'a1')
    await store.deleteChannel(ann, 'a2')
    assert.deepEqual(await closed(), ['resolve e1'])
    assert.deepEqual(await closed(), [])
    end()
    await until('it is settled', async () => closer.counts.closed === 2)
    assert.deepEqual(await store.dueClosings({ nowMs: clock.now() + day, perUser: 9, limit: 9 }), [])
  })

  it('has its own secrets, which are sealed again with all others', async () => {
    const seal = (routingKey: string) => Buffer.from(JSON.stringify({ routingKey: routingKey.repeat(32) }))
    await tell('a1', ann, 'e1')
    await tell('a1', bob, 'e2')
    await store.updateUser(ann, { role: 'member' })
    await store.updateUser(ann, { role: 'admin' })
    await store.changeChannel(ann, 'a1', { sealed: seal('c') })
    await store.deleteChannel(ann, 'a1')
    const again = (sealed: Uint8Array) =>
      Buffer.from(Buffer.from(sealed).toString('utf8').toUpperCase().replace('ROUTINGKEY', 'routingKey'))
    assert.deepEqual(await store.resealAll(again), { resealed: 4, left: 0 })
    assert.equal((await store.sealedChannels()).length, 4)
    assert.deepEqual(await closed(), ['resolve e1', 'resolve e1', 'resolve e2', 'resolve e2'])
    const keys = receiver.received
      .map(({ body }) => JSON.parse(body))
      .map((each) => `${each.dedup_key} ${each.routing_key[0]}`)
    assert.deepEqual(keys.toSorted(), ['e1 A', 'e1 C', 'e2 A', 'e2 C'])
  })

  it('is tried again, also after a restart, for a day', async () => {
    await tell('a1', ann, 'e1')
    await tell('a1', ann, 'e2')
    await store.deleteChannel(ann, 'a1')
    receiver.answer = ({ body }) => ({ status: body.includes('"e1"') ? 503 : 202 })
    assert.deepEqual(await closed(), ['resolve e1', 'resolve e2'])
    begin()
    assert.deepEqual(await closed(), ['resolve e1'])
    assert.deepEqual(await closed(), [])
    assert.deepEqual(await closed(day / minute), ['resolve e1'])
    assert.deepEqual(await closed(day / minute), [])
    assert.deepEqual(closer.counts, { closed: 0, failed: 1, given_up: 1 })
  })
})

it('kinds that close are those that the store knows of', () => {
  const kinds = [...channelKinds.values()].filter(({ close }) => close !== undefined).map(({ kind }) => kind)
  assert.deepEqual(kinds.toSorted(), closableKinds.toSorted())
})
