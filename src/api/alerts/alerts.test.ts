import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { noticeOf, routingOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { formatTime } from '../../contract/time.ts'
import { changeOwn } from './own-channel.ts'

let api: TestApi
let receiver: WebhookReceiver
let ann: Awaited<ReturnType<TestApi['addCaller']>>
let bob: Awaited<ReturnType<TestApi['addCaller']>>

before(async () => {
  receiver = await new WebhookReceiver().start()
})
after(() => receiver.stop())
beforeEach(async (t) => {
  api = await createTestApi()
  ;(t as import('node:test').TestContext).after(() => api.close())
  ann = await api.addCaller('ann@example.com', { role: 'admin', scopes: ['read', 'write', 'admin'] })
  bob = await api.addCaller('bob@example.com')
  receiver.received.length = 0
  receiver.answer = () => ({ status: 204 })
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = async (method: Method, path: string, payload?: object, caller = ann) => {
  const url = `/api/v1/alerts/${path}`
  const answer = await api.server.inject({ method, url, headers: caller.headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}
const channel = () => ({ name: 'Pager', kind: 'webhook', settings: { url: receiver.url } })
const add = async (given: object = {}, caller = ann) => call('POST', 'channels', { ...channel(), ...given }, caller)

describe('channels', () => {
  it('are made, with a secret that is shown once, changed, and deleted', async () => {
    const { status, body } = await add()
    assert.equal(status, 200)
    assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
    assert.deepEqual([body.channel.state, body.channel.last], ['ok', null])
    const listed = await call('GET', 'channels')
    assert.deepEqual(listed.body, { channels: [body.channel] })
    assert.equal(JSON.stringify(listed.body).includes('whsec_'), false)
    const { id } = body.channel
    const changed = await call('PATCH', `channels/${id}`, { name: 'Phone', isDisabled: true })
    assert.deepEqual([changed.body.name, changed.body.state], ['Phone', 'disabled'])
    assert.equal((await call('DELETE', `channels/${id}`)).body.deleted, true)
    assert.equal((await call('DELETE', `channels/${id}`)).status, 404)
  })

  it('are their user’s alone', async () => {
    const { id } = (await add()).body.channel
    assert.deepEqual((await call('GET', 'channels', undefined, bob)).body, { channels: [] })
    for (const [method, path, payload] of [
      ['PATCH', `channels/${id}`, { name: 'x' }],
      ['DELETE', `channels/${id}`, undefined],
      ['POST', `channels/${id}/test`, undefined],
      ['POST', `channels/${id}/replay`, undefined],
      ['POST', `channels/${id}/rotate`, undefined],
    ] as const)
      assert.equal((await call(method, path, payload, bob)).status, 404, path)
    assert.equal(
      (await add({ settings: { url: 'https://hooks.example.com/' } }, bob)).status,
      200,
      'the name is free for another user',
    )
    assert.equal((await add({ name: 'PAGER' })).status, 409)
  })

  it('are refused where something is wrong, with its place', async () => {
    for (const [given, pointer] of [
      [{ kind: 'pigeon' }, '/kind'],
      [{ settings: {} }, '/settings'],
      [{ settings: { url: receiver.url, more: 1 } }, '/settings'],
      [{ settings: { url: 'nowhere' } }, '/settings/url'],
      [{ settings: { url: 'ftp://example.com/' } }, '/settings/url'],
      [{ secrets: { secret: 'short' } }, '/secrets/secret'],
      [{ secrets: { whsec_in_the_wrong_place: 'x' } }, '/secrets'],
    ] as const) {
      const { status, body } = await add(given)
      assert.equal(status, 400, JSON.stringify(given))
      assert.equal(JSON.stringify(body).includes('wrong_place'), false)
      assert.ok(body.errors[0].pointer.startsWith(pointer), `${body.errors[0].pointer} for ${JSON.stringify(given)}`)
    }
    const { status, body } = await add({}, bob)
    assert.deepEqual([status, body.errors[0].pointer], [400, '/settings/url'])
    assert.match(body.detail, /not public|port/)
  })

  it('are tested: what came of it is said', async () => {
    const { id } = (await add()).body.channel
    const { body } = await call('POST', `channels/${id}/test`)
    assert.deepEqual([body.isDone, body.text], [true, 'HTTP 204'])
    const sent = JSON.parse(receiver.received[0].body)
    assert.equal(sent.type, 'alert.test')
    receiver.answer = () => ({ status: 500 })
    assert.deepEqual((await call('POST', `channels/${id}/test`)).body.text, 'HTTP 500')
  })

  it('get another secret, and sign with the one before as well, for a day', async () => {
    const made = (await add()).body
    const { id } = made.channel
    const { body } = await call('POST', `channels/${id}/rotate`)
    assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
    assert.equal(body.channel.oldSecretUntil, formatTime(api.clock.now() + 86_400_000))
    assert.deepEqual((await call('GET', 'channels')).body.channels, [body.channel])
    const verified = async () => {
      await call('POST', `channels/${id}/test`)
      const { headers, body: text } = receiver.received.at(-1) ?? assert.fail()
      // The clock of the tests stands still: the time that the library looks at is the one that was signed.
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      return [body.secret, made.secret].map((secret) => {
        const signed = new Webhook(secret).sign(texts['webhook-id'], new Date(api.clock.now()), text)
        return texts['webhook-signature'].split(' ').includes(signed)
      })
    }
    assert.deepEqual(await verified(), [true, true])
    api.clock.advance(86_400_000)
    assert.deepEqual(await verified(), [true, false])
    assert.equal((await call('POST', `channels/${id}/rotate`, undefined, bob)).status, 404)
    const slack = { kind: 'slack', name: 'Chat', settings: {}, secrets: { url: receiver.url } }
    const other = (await add(slack)).body.channel.id
    const refused = await call('POST', `channels/${other}/rotate`)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'no-own-secret'])
  })

  it('keep the settings that a change does not name, and lose those that are null', async () => {
    const settings = { server: receiver.url, topic: 'ddos', language: 'zh' }
    const { id } = (await add({ kind: 'ntfy', name: 'Phone', settings })).body.channel
    const change = async (given: object) => {
      const { status, body } = await call('PATCH', `channels/${id}`, { settings: given })
      return status === 200 ? body.settings : [status, body.errors[0].pointer]
    }
    assert.deepEqual(await change({ topic: 'night' }), { ...settings, topic: 'night' })
    assert.deepEqual(await change({ language: null, never: null }), { server: receiver.url, topic: 'night' })
    assert.deepEqual(await change({ topic: null }), [400, '/settings'])
    assert.deepEqual(await change({}), { server: receiver.url, topic: 'night' })
  })

  it('keep what others change while a change is looked at, unless that does not end', async () => {
    const given = { userId: ann.user.id, id: (await add()).body.channel.id }
    let others = 0
    const change = (othersMax: number) =>
      changeOwn(api.store, given, async ({ settings }) => {
        if (others++ < othersMax) await call('POST', `channels/${given.id}/rotate`)
        return { settings: { ...settings, others } }
      })
    const { settings, sealed } = await change(2)
    assert.deepEqual([settings, others], [{ url: receiver.url, others: 3 }, 3])
    const moved = await changeOwn(api.store, given, async (before) => {
      if (before.settings.others === 3) {
        await call('PATCH', `channels/${given.id}`, { settings: { url: `${receiver.url}/a`, others: null } })
      }
      return { sealed: before.sealed }
    })
    assert.deepEqual([moved.settings, moved.sealed], [{ url: `${receiver.url}/a` }, sealed])
    others = 0
    await assert.rejects(change(9), { code: 'CONFLICT', reason: 'channel-changed' })
    await assert.rejects(
      changeOwn(api.store, { ...given, userId: bob.user.id }, async () => ({})),
      { code: 'NOT_FOUND' },
    )
  })

  it('lose a secret that they may do without, and keep those that are not named', async () => {
    const settings = { server: receiver.url, topic: 'ddos' }
    const { id } = (await add({ kind: 'ntfy', settings, secrets: { token: 'tk_1' } })).body.channel
    const authorization = async (change: object) => {
      assert.equal((await call('PATCH', `channels/${id}`, change)).status, 200)
      await call('POST', `channels/${id}/test`)
      return receiver.received.at(-1)?.headers.authorization
    }
    assert.equal(await authorization({ name: 'Phone' }), 'Bearer tk_1')
    assert.equal(await authorization({ secrets: {} }), 'Bearer tk_1')
    assert.equal(await authorization({ secrets: { token: 'tk_2' } }), 'Bearer tk_2')
    assert.equal(await authorization({ secrets: { token: null } }), undefined)
    const webhook = (await add({ name: 'Program' })).body.channel.id
    for (const secrets of [{ secret: null }, { old: `whsec_${'a'.repeat(32)}` }, { secret: 7 }])
      assert.equal((await call('PATCH', `channels/${webhook}`, { secrets })).status, 400, JSON.stringify(secrets))
  })

  it('have kinds, each with the schemas of what they need', async () => {
    const { kinds } = (await call('GET', 'kinds')).body
    assert.deepEqual(kinds[0].settings.required, ['url'])
  })
})

describe('the report of an event', () => {
  it('has what its owner was told, where, and what became of it', async () => {
    const { id } = (await add()).body.channel
    const event = eventOf(ann.user.id, 1)
    await addEvents(api.store, [event])
    const notices = [noticeOf(ann.user.id, event.id), noticeOf(ann.user.id, event.id, 2)] as const
    await api.store.route(
      routingOf(0, [
        [notices[0], id],
        [notices[1], id],
      ]),
    )
    const [taken] = await takeAll(api.store, api.clock.now())
    await api.store.settle(settlementOf(taken, { dueMs: api.clock.now() }))
    const url = `/api/v1/events/${event.id}`
    const { alerts } = (await api.server.inject({ method: 'GET', url, headers: ann.headers })).json()
    const at = formatTime(api.clock.now())
    assert.deepEqual(alerts, [
      { channel: 'Pager', kind: 'webhook', notice: 'started', state: 'done', at },
      { channel: 'Pager', kind: 'webhook', notice: 'ended', state: 'due', at },
    ])
  })
})

describe('deliveries', () => {
  async function deliver(): Promise<string> {
    const { id } = (await add()).body.channel
    const facts = { severity: 'high' as const, label: null, before: null }
    const notice = {
      userId: ann.user.id,
      eventId: 'e1',
      kind: 'started' as const,
      number: 1,
      atMs: api.clock.now(),
      facts,
    }
    const routing = {
      from: 0,
      to: 0,
      told: new Map(),
      reminders: [],
      escalations: { begun: [], done: [], resting: [] },
      waitingMax: 10,
    }
    await api.store.route({
      ...routing,
      notices: [{ notice, to: [{ channelId: id, ruleId: null, course: { what: 'now' } }] }],
    })
    const nowMs = api.clock.now()
    const [turn] = await api.store.turns({ nowMs, leaseMs: 0, exceptChannels: [] })
    const [taken] = await api.store.take([turn.deliveryId], nowMs)
    const result = { atMs: api.clock.now(), tookMs: 7, isDone: false, text: 'HTTP 404' }
    const health = { failures: 0, failingSinceMs: null, closedUntilMs: 0, isDisabled: false }
    const settled = { id: taken.id, channelId: id, state: 'dead' as const, attempts: 3, dueMs: 0, version: 0 }
    await api.store.settle({ ...settled, health, isBack: false, result })
    return id
  }

  it('are listed, looked at, and sent again', async () => {
    const channelId = await deliver()
    const { body } = await call('GET', 'deliveries?state=dead&limit=1')
    const [{ id, eventId, state, severity }] = body.deliveries
    assert.deepEqual([eventId, state, severity], ['e1', 'dead', 'high'])
    assert.deepEqual((await call('GET', `deliveries?before=${id}`)).body.deliveries, [])
    const { outcomes } = (await call('GET', `deliveries/${id}`)).body
    assert.deepEqual(
      outcomes.map(({ text }: { text: string }) => text),
      ['HTTP 404'],
    )
    assert.equal((await call('GET', `deliveries/${id}`, undefined, bob)).status, 404)
    assert.deepEqual((await call('POST', `channels/${channelId}/replay`)).body, { replayed: 1, leftOut: 0 })
    assert.equal((await call('GET', `deliveries/${id}`)).body.state === 'dead', false)
    assert.equal(id, `${channelId}-e1-1`)
    assert.equal((await call('GET', 'deliveries?before=nothing')).status, 404)
    assert.equal((await call('POST', 'deliveries/nothing/replay')).status, 404)
    assert.equal((await call('GET', 'deliveries?state=lost')).status, 400)
  })
})
