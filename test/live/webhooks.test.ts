// Messages to webhooks, verified by the library of another language than ours: the one that receivers in Python use.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { webhook } from '../../src/alert/channels/webhook.ts'
import { listOf } from '../../src/alert/outgoing/reach.ts'
import { overviewExample, reportExample } from '../../src/contract/events/examples.ts'
import { installationOf, ofSystem } from '../helpers/labs/alerts.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { patienceMs } from '../helpers/until.ts'
import { findProgram, skip } from './requirements.ts'

/** Says of each message what it is, or why it is not verified. */
const verifier = `
import json, sys
from standardwebhooks.webhooks import Webhook
for each in json.load(sys.stdin):
    try:
        print(Webhook(each["secret"]).verify(each["body"], each["headers"])["type"])
    except Exception as error:
        print(error)
`

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

test('messages are verified by the Python library of Standard Webhooks', { skip, timeout: 480_000 }, async () => {
  const receiver = await new WebhookReceiver().start()
  try {
    const [secret, before] = [newSecret(), newSecret()]
    const facts = { severity: 'high', label: null, before: null } as const
    const event = { ...overviewExample, domain: 'ü.example ✓ 𝄞' }
    const message = {
      type: 'event.started',
      id: 'msg_58bfd7ae_1',
      number: 1,
      atMs: 0,
      facts,
      event,
      report: reportExample,
    }
    const options = {
      reach: 'any',
      allowed: listOf([]),
      resolve: ofSystem,
      nowMs: Date.now(),
      signal: AbortSignal.timeout(patienceMs),
      ...{ userId: 'u1', email: '', installation: installationOf(), channelId: '1' },
    } as const
    const settings = { url: receiver.url }
    const { outcome } = await webhook.send(message, { ...options, settings, secrets: { secret, old: before } })
    assert.equal(outcome, 'done')
    const [{ headers, body }] = receiver.received
    const given = [
      { secret, headers, body },
      { secret: before, headers, body },
      { secret: newSecret(), headers, body },
      { secret, headers, body: body.replace('high', 'low') },
      { secret, headers: { ...headers, 'webhook-id': 'msg_58bfd7ae_2' }, body },
    ]
    const python = join(dirname(findProgram('schemathesis')), 'python')
    const said = execFileSync(python, ['-c', verifier], { input: JSON.stringify(given), encoding: 'utf8' })
    const not = 'No matching signature found'
    assert.deepEqual(said.trim().split('\n'), ['event.started', 'event.started', not, not, not])
  } finally {
    receiver.stop()
  }
})
