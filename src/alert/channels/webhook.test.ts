// What a receiver sees, by the library that receivers use.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { installationOf, ofSystem } from '../../../test/helpers/labs/alerts.ts'
import { nastyValues } from '../../../test/helpers/labs/nasty.ts'
import { type Received, WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { patienceMs } from '../../../test/helpers/until.ts'
import { overviewExample, reportExample } from '../../contract/events/examples.ts'
import { listOf } from '../outgoing/reach.ts'
import type { Message } from './kind.ts'
import { webhook, webhookSecret } from './webhook.ts'

const newSecret = (octets = 24) => `whsec_${randomBytes(octets).toString('base64')}`
const message: Message = {
  ...{ type: 'event.started', id: 'msg_58bfd7ae_1', number: 1, atMs: Date.UTC(2017, 2, 8) },
  facts: { severity: 'high', label: null, before: null },
  event: { ...overviewExample, domain: 'ü.example ✓' },
  report: reportExample,
}

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await new WebhookReceiver().start()
})
afterEach(() => receiver.stop())

async function receive(secrets: Record<string, string>, nowMs = Date.now(), sent = message): Promise<Received> {
  const reach = {
    reach: 'any',
    allowed: listOf([]),
    resolve: ofSystem,
    nowMs,
    signal: AbortSignal.timeout(patienceMs),
  } as const
  const options = { ...reach, userId: 'u1', email: '', installation: installationOf(), channelId: '1' }
  const { outcome } = await webhook.send(sent, { ...options, settings: { url: receiver.url }, secrets })
  assert.equal(outcome, 'done')
  return receiver.received[0]
}

function verify(secret: string, { body, headers }: Received): unknown {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return new Webhook(secret).verify(body, Object.fromEntries(texts))
}

describe('a webhook', () => {
  it('is verified by the library of Standard Webhooks, with a secret of any length that it may have', async () => {
    for (const octets of [24, 25, 26, 32, 64]) {
      const secret = newSecret(octets)
      assert.deepEqual(verify(secret, await receive({ secret })), {
        type: 'event.started',
        timestamp: '2017-03-08T00:00:00.000Z',
        data: { number: 1, severity: 'high', before: null, event: message.event },
      })
      receiver.received.length = 0
    }
  })

  it('is one request with the same headers and members, whatever names are like', async () => {
    const secret = newSecret()
    for (const value of ['a.example.net', ...nastyValues]) {
      const event = { ...overviewExample, site: value, domain: value, attackType: value }
      const received = await receive({ secret }, Date.now(), { ...message, event })
      assert.equal(receiver.received.length, 1)
      assert.deepEqual(Object.keys(received.headers).sort(), [
        ...['connection', 'content-length', 'content-type', 'host'],
        ...['user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
      ])
      const { data } = Object(verify(secret, received))
      assert.deepEqual(Object.keys(data), ['number', 'severity', 'before', 'event'])
      // Programs are given names as they are.
      assert.equal(data.event.site, value)
      receiver.received.length = 0
    }
  })

  it('has the signatures of both secrets while they change', async () => {
    const before = newSecret()
    const rotated = webhook.rotate?.({ secret: before, old: newSecret() })
    assert.ok(rotated !== undefined)
    const received = await receive(rotated.secrets)
    for (const each of [rotated.made, before]) verify(each, received)
    assert.equal(String(received.headers['webhook-signature']).split(' ').length, 2)
    assert.throws(() => verify(newSecret(), received), /No matching signature/)
    // Its key was lost: there is nothing to keep.
    assert.deepEqual(Object.keys(webhook.rotate?.({})?.secrets ?? {}), ['secret'])
  })

  it('fails the library when it was changed on the way, or is old', async () => {
    const secret = newSecret()
    const received = await receive({ secret })
    assert.throws(() => verify(secret, { ...received, body: received.body.replace('high', 'low') }))
    const other = { ...received.headers, 'webhook-id': 'msg_58bfd7ae_2' }
    assert.throws(() => verify(secret, { ...received, headers: other }))
    receiver.received.length = 0
    assert.throws(() => verify(secret, { ...received, headers: { ...received.headers, 'webhook-timestamp': '1' } }))
    const old = await receive({ secret }, Date.now() - 600_000)
    assert.throws(() => verify(secret, old), /too old/)
  })

  it('takes secrets of 24 to 64 octets, as the library reads them', () => {
    for (const octets of [24, 25, 26, 48, 62, 63, 64])
      assert.ok(Value.Check(webhookSecret, newSecret(octets)), `${octets}`)
    const short = newSecret(25).replaceAll('=', '')
    for (const secret of [
      newSecret(23),
      newSecret(65),
      short,
      `${newSecret()}=`,
      newSecret().slice(6),
      `${newSecret()}\n`,
    ])
      assert.ok(!Value.Check(webhookSecret, secret), secret)
  })

  it('makes a secret where none is given, which the library takes', async () => {
    const { secrets, made } = webhook.complete({})
    assert.equal(made, secrets.secret)
    verify(String(made), await receive(secrets))
  })
})
