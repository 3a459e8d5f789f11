// From what is written of an event to what a receiver gets: router, store and sender together.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventOf } from '../../test/helpers/events.ts'
import { installationOf } from '../../test/helpers/labs/alerts.ts'
import { type Received, WebhookReceiver } from '../../test/helpers/servers/webhook-receiver.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { until } from '../../test/helpers/until.ts'
import { ManualClock } from '../clock.ts'
import { reportExample } from '../contract/events/examples.ts'
import { updateOf } from '../events/event.ts'
import type { EventDetail } from '../events/records.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import type { ChannelKind } from './channels/kind.ts'
import { webhook } from './channels/webhook.ts'
import { Delays } from './delays.ts'
import { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Room } from './outgoing/room.ts'
import { Repeater } from './repeater.ts'
import { Router } from './router.ts'
import { firstRule } from './rules/rule.ts'
import { Sender } from './sender.ts'

const log = createLogger('silent')
const secret = `whsec_${randomBytes(24).toString('base64')}`
const minute = 60_000
const paces = { perHour: 30, reopenMs: 10 * minute }
const links = new AcknowledgingLinks({ publicUrl: '', key: () => null })

let clock: ManualClock
let store: Store
let receiver: WebhookReceiver
let ann: string
let router: Router
let sender: Sender
/** How long messages took, by kind, seconds. */
let took: [kind: string, seconds: number][] = []

function begin(): void {
  took = []
  sender = new Sender({
    ...{ store, clock, delays: new Delays(), log, allowed: listOf([]), hostNames: new HostNames(), random: () => 0.5 },
    kinds: new Map([
      [webhook.kind, { ...webhook, paceMs: 0 }],
      ['latest', { ...webhook, paceMs: 0, latestOnly: true }],
    ]),
    secretsOf: () => ({ secret }),
    onDone: (...each) => took.push(each),
    ownerOf: async () => ({ reach: 'any', email: 'ann@example.com' }),
    installation: installationOf(),
    links,
    report: () => reportExample,
    isAdmin: async (userId) => (await store.userById(userId))?.role === 'admin',
    present: ({ id, site, endMs }: EventDetail) => ({ id, site, endMs }),
  })
  router = new Router({ store, clock, delays: new Delays(), log, paces, onRouted: () => sender.wake() })
}

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-alert-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  receiver = await new WebhookReceiver().start()
  ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })).id
  await store.addChannel(ann, channel('one'), 10)
  begin()
  await route()
  ;(t as TestContext).after(async () => {
    await sender.stop()
    await store.close()
    receiver.stop()
    rmSync(folder, { recursive: true })
  })
})

const channel = (id: string) => ({
  ...{ id, kind: 'webhook', name: id, sealed: new Uint8Array() },
  settings: { url: `${receiver.url}/${id}` },
})
const route = () => router.tasks[0].run()
const told = (all: Received[]) => all.map(({ body, path }) => `${path.split('/').at(-1)} ${JSON.parse(body).type}`)

async function attack(number: number, given: Partial<EventDetail> = {}): Promise<EventDetail> {
  const event = eventOf(ann, number, { endMs: null, phase: 'active', ...given })
  await store.record({ made: [event] })
  return event
}

async function ends(event: EventDetail): Promise<void> {
  await store.record({ updates: [updateOf({ ...event, endMs: clock.now(), phase: 'over' })] })
}

async function receive(count: number): Promise<void> {
  await until(`${count} messages`, async () => receiver.received.length >= count)
  // What has arrived is settled a moment later.
  await until(
    'they are settled',
    async () => (await store.deliveriesOf(ann, { state: 'sending', limit: 1 })).length === 0,
  )
}

describe('alerts', () => {
  it('tell the beginning and the end, signed, each once', async () => {
    const event = await attack(0xa1)
    await route()
    await receive(1)
    await ends(event)
    await route()
    await route()
    await receive(2)
    await delay(50)
    assert.deepEqual(told(receiver.received), ['one event.started', 'one event.ended'])
    const [{ headers, body }] = receiver.received
    assert.equal(headers['webhook-id'], `msg_${event.id}_1`)
    assert.match(String(headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(JSON.parse(body).data.event, { id: event.id, site: event.site, endMs: null })
    assert.deepEqual(
      (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state),
      ['done', 'done'],
    )
  })

  it('tell nothing of what was there before, nor of tests', async () => {
    await attack(1, { isTest: true })
    await route()
    assert.deepEqual(await store.deliveriesOf(ann, { limit: 9 }), [])
  })

  it('try again what failed, with the same id and in order, while other attacks are told', async () => {
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).data.event.id === first.id && refuses ? 500 : 204 })
    let refuses = true
    const first = await attack(0xa1)
    await route()
    await receive(1)
    await ends(first)
    await attack(2)
    await route()
    await receive(2)
    refuses = false
    assert.deepEqual(told(receiver.received), ['one event.started', 'one event.started'])
    clock.advance(minute)
    sender.wake()
    await receive(4)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(ids[2], ids[0])
    assert.deepEqual(told(receiver.received.slice(2)), ['one event.started', 'one event.ended'])
  })

  it('send an end where the beginning went, and nowhere else', async () => {
    const event = await attack(0xa1)
    await route()
    await receive(1)
    await store.addChannel(ann, channel('two'), 10)
    await ends(event)
    await route()
    await receive(2)
    await attack(2)
    await route()
    await receive(4)
    assert.deepEqual(told(receiver.received).sort(), [
      'one event.ended',
      'one event.started',
      'one event.started',
      'two event.started',
    ])
  })

  it('that a killed process was sending are sent again at once, before what waited behind them', async () => {
    await sender.stop()
    await attack(1)
    await attack(2)
    await route()
    clock.advance(1_000)
    receiver.answer = () => 'hang'
    begin()
    sender.wake()
    await until('the first is under way', async () => receiver.received.length === 1)
    await sender.stop()
    receiver.answer = () => ({ status: 200 })
    begin()
    sender.wake()
    await receive(3)
    const [first, again, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(again, first)
    assert.notEqual(second, first)
  })

  it('are found once, however many processes look', async () => {
    const other = new Router({ store, clock, delays: new Delays(), log, paces, onRouted: () => {} })
    await attack(0xa1)
    await Promise.all([route(), other.tasks[0].run(), other.tasks[0].run()])
    await route()
    assert.equal((await store.deliveriesOf(ann, { limit: 9 })).length, 1)
  })

  it('go by the events where the log of changes has been cut off', async () => {
    const event = await attack(0xa1)
    await route()
    await receive(1)
    await ends(event)
    await attack(2)
    await store.pruneChanges({ beforeMs: clock.now() + 1, max: 0 })
    await route()
    await receive(3)
    assert.deepEqual(told(receiver.received).sort(), ['one event.ended', 'one event.started', 'one event.started'])
  })

  it('look at the events once while the log is cut as they read it, and again after they could not be written', async () => {
    let looks = 0
    let isFull = true
    const cut: Store = {
      ...store,
      async changesAfter(place, limit) {
        const { changes } = await store.changesAfter(place, limit)
        return { changes, isIncomplete: changes.length > 0 }
      },
      openOrToldOpen() {
        looks++
        return store.openOrToldOpen()
      },
      route: (routing) => (isFull ? Promise.reject(new Error('the disk is full')) : store.route(routing)),
    }
    const reading = new Router({ store: cut, clock, delays: new Delays(), log, paces, onRouted: () => {} })
    await store.record({ made: Array.from({ length: 450 }, (_, n) => eventOf(ann, n + 1)) })
    await reading.tasks[0].run()
    assert.equal(looks, 1)
    isFull = false
    await reading.tasks[0].run()
    assert.equal(looks, 2)
    assert.equal(reading.counts.started, 450)
  })

  it('leave a channel that fails in peace, and send all that waits when it works again', async () => {
    receiver.answer = () => ({ status: 500 })
    for (let n = 1; n <= 7; n++) await attack(n)
    await route()
    await receive(5)
    await delay(50)
    assert.equal(receiver.received.length, 5)
    assert.equal((await store.channelsOf(ann))[0].health.failures, 5)
    receiver.answer = () => ({ status: 200 })
    clock.advance(minute)
    sender.wake()
    await receive(12)
    assert.deepEqual((await store.waiting()).byKind, {})
    await until('all are timed', async () => took.length === 7)
    assert.deepEqual(new Set(took.map(String)), new Set(['webhook,60']))
    assert.equal((await store.channelsOf(ann))[0].health.failures, 0)
  })

  it('that waited too long, as for a channel to be turned on, are given up, but ends of what arrived are sent, and say so', async () => {
    const first = await attack(1)
    await route()
    await receive(1)
    receiver.answer = () => ({ status: 500 })
    await ends(first)
    for (let n = 2; n <= 4; n++) await attack(n)
    await route()
    await receive(5)
    await store.changeChannel(ann, 'one', { isDisabled: true })
    receiver.answer = () => ({ status: 204 })
    clock.advance(21 * 24 * 60 * minute)
    await route()
    await store.changeChannel(ann, 'one', { isDisabled: false })
    await attack(5)
    await route()
    await receive(7)
    const sent = receiver.received.slice(5).map(({ body }) => JSON.parse(body))
    assert.deepEqual(sent.map(({ type, data }) => [type, data.event.id === first.id, data.lateSeconds]).toSorted(), [
      ['event.ended', true, 21 * 86_400],
      ['event.started', false, undefined],
    ])
    const dead = await store.deliveriesOf(ann, { state: 'dead', limit: 9 })
    assert.equal(dead.length, 3)
    const [{ text }] = (await store.attemptsOf(ann, dead[0].id)).toReversed()
    assert.equal(text, 'given up: it waited for more than 28 hours')
    assert.equal(
      sender.counts.rows().find(({ labels }) => labels.kind === 'webhook' && labels.result === 'dead')?.value,
      3,
    )
  })

  it('are the latest alone where that says it all', async () => {
    await store.addChannel(ann, { ...channel('two'), kind: 'latest' }, 10)
    receiver.answer = ({ path }) => ({ status: path.endsWith('two') && refuses ? 500 : 204 })
    let refuses = true
    const event = await attack(1)
    await route()
    await receive(2)
    await ends(event)
    await route()
    await receive(3)
    refuses = false
    clock.advance(minute)
    sender.wake()
    await receive(4)
    assert.deepEqual(told(receiver.received.slice(2)), ['one event.ended', 'two event.ended'])
    assert.deepEqual(
      (await store.deliveriesOf(ann, { channelId: 'two', limit: 9 })).map(({ notice, state }) => [notice.kind, state]),
      [
        ['ended', 'done'],
        ['started', 'superseded'],
      ],
    )
  })

  it('are said again while it goes on, to channels that forget it else', async () => {
    await store.addChannel(ann, { ...channel('two'), kind: 'forgets' }, 10)
    const { repeater, said } = repeating()
    const [first, second] = [await attack(1), await attack(2)]
    await route()
    await repeater.task.run()
    await ends(first)
    // Over, though nobody was told yet.
    await repeater.task.run()
    await ends(second)
    await route()
    await repeater.task.run()
    assert.deepEqual(said, [
      [`event.continues msg_${first.id}_1`, `event.continues msg_${second.id}_1`],
      [`event.continues msg_${second.id}_1`],
    ])
    assert.deepEqual(repeater.counts, { done: 2, failed: 0 })
  })
})

describe('a channel of an admin', () => {
  it('is told about attacks on others as long as its user is an admin', async () => {
    const bob = (await store.addUser({ email: 'bob@example.com', siteQuota: 10, allowed: null })).id
    await store.updateUser(ann, { role: 'admin' })
    const [rule] = await store.rulesOf(ann)
    await store.changeRule(ann, rule.id, { reach: 'installation' })
    const record = (number: number) => store.record({ made: [eventOf(bob, number, { endMs: null, phase: 'active' })] })
    await record(70_001)
    await route()
    await receive(1)
    await record(70_002)
    receiver.answer = () => ({ status: 500 })
    await route()
    await receive(2)
    await store.updateUser(ann, { role: 'member' })
    clock.advance(minute)
    sender.wake()
    const states = async () => (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state)
    await until('the second is given up', async () => (await states())[0] === 'superseded')
    assert.deepEqual(await states(), ['superseded', 'done'])
    assert.equal(receiver.received.length, 2)
  })

  it('are said again to admins whose rules of the installation tell them, who are told the end', async () => {
    const { id: eve } = await store.addUser({ email: 'eve@example.com', siteQuota: 10, allowed: null })
    await store.updateUser(eve, { role: 'admin' })
    await store.addChannel(eve, { ...channel('two'), kind: 'forgets' }, 10)
    await store.addRule(eve, { ...firstRule, id: 'all', reach: 'installation' }, 9)
    const { repeater, said } = repeating()
    const event = await attack(1)
    await route()
    await repeater.task.run()
    await store.updateUser(eve, { role: 'member' })
    await repeater.task.run()
    await store.updateUser(eve, { role: 'admin' })
    await ends(event)
    await route()
    await repeater.task.run()
    assert.deepEqual(said, [[`event.continues msg_${event.id}_1`]])
    const kinds = (await store.deliveriesOf(eve, { limit: 9 })).map(({ notice }) => notice.kind)
    assert.deepEqual(kinds, ['ended', 'started'])
  })
})

function repeating(): { repeater: Repeater; said: string[][] } {
  const said: string[][] = []
  const repeat: ChannelKind['repeat'] = async (messages) => {
    said.push(messages.map(({ type, id }) => `${type} ${id}`))
    return { outcome: 'done', pauseMs: null, text: '' }
  }
  const repeater = new Repeater({
    room: new Room(),
    ...{ store, clock, delays: new Delays(), log, allowed: listOf([]), hostNames: new HostNames() },
    ...{ installation: installationOf(), links },
    kinds: new Map([
      [webhook.kind, webhook],
      ['forgets', { ...webhook, repeat }],
    ]),
    secretsOf: () => ({ secret }),
    ownerOf: async () => ({ reach: 'any', email: 'ann@example.com' }),
    isAdmin: async (userId) => (await store.userById(userId))?.role === 'admin',
    present: ({ id }) => ({ id }),
    report: () => reportExample,
  })
  return { repeater, said }
}
