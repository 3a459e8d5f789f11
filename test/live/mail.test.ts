// A real mail server, aiosmtpd of Debian, takes what channels of kind `mail` send: encrypted, signed in, one message with its own recipients whatever is in it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { Mailer } from '../../src/alert/mail/mailer.ts'
import type { AlertSettings } from '../../src/alert/settings.ts'
import { mailerParts, sendMail } from '../helpers/labs/alerts.ts'
import { messageOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { smtpTo } from '../helpers/servers/mail-receiver.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

/** Prints a line of JSON for each message: the envelope, and what Python's own parser reads in it. */
const server = `
import asyncio, email, email.policy, json, ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

port, cert, key, how = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
seen = set()

class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if (how == 'greylisted' or how == 'partly' and address.startswith('boss')) and address not in seen:
            seen.add(address)
            return '451 4.7.1 later'
        envelope.rcpt_tos.append(address)
        return '250 OK'

    async def handle_DATA(self, server, session, envelope):
        if how == 'hanging':
            await asyncio.sleep(3600)
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = [part.get_content() for part in found.walk() if not part.is_multipart()]
        print(json.dumps({'from': envelope.mail_from, 'to': envelope.rcpt_tos, 'tls': session.ssl is not None,
            'user': getattr(session.auth_data, 'login', b'').decode(), 'names': sorted(name.lower() for name in found.keys()),
            'subject': found['subject'], 'id': found['message-id'], 'reply': found['in-reply-to'],
            'defects': [str(each) for each in found.defects], 'parts': parts}), flush=True)
        return '250 OK'

context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(cert, key)

class Server(Controller):
    def factory(self):
        return SMTP(self.handler, hostname='mail.test', tls_context=context, require_starttls=True, auth_required=True,
            authenticator=lambda server, session, envelope, mechanism, data:
                AuthResult(success=data.password == b'word', handled=False, auth_data=data))

controller = Server(Handler(), hostname='127.0.0.1', port=port)
controller.start()
print('ready', flush=True)
sys.stdin.read()
controller.stop()
`

interface Taken {
  from: string
  to: string[]
  tls: boolean
  user: string
  names: string[]
  subject: string
  id: string
  reply: string | null
  defects: string[]
  parts: string[]
}

async function startServer(t: TestContext, how: 'greylisted' | 'hanging' | 'partly' | 'plain') {
  const port = await freePort()
  // The interpreter that Debian's packages are for.
  const python = spawn(
    '/usr/bin/python3',
    ['-c', server, String(port), certificates.certificate, certificates.key, how],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  t.after(() => python.stdin.end())
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'ready')
  const smtp = smtpTo(port, { tls: 'starttls', caFile: certificates.authority, user: 'floodgauge', password: 'word' })
  return { smtp, next: async (): Promise<Taken> => JSON.parse((await lines.next()).value ?? 'null') }
}

const to = ['noc@example.org', 'boss@example.org']

const send = (smtp: AlertSettings['smtp'], ...message: Parameters<typeof messageOf>) =>
  sendMail(Mailer.of(smtp, mailerParts()), messageOf(...message))

test('aiosmtpd takes messages of an event as a thread, and names of strangers as text', {
  skip,
  timeout: 480_000,
}, async (t) => {
  findProgram('python3')
  const { smtp, next } = await startServer(t, 'plain')
  assert.equal((await send(smtp, 'event.started')).outcome, 'done')
  const first = await next()
  assert.deepEqual([first.from, first.to, first.tls, first.user], ['floodgauge@example.net', to, true, 'floodgauge'])
  assert.match(first.subject, /^\[HIGH\] NTP amplification on www\.example\.com \(192\.0\.2\.10\): .* × normal$/)
  assert.equal(first.parts.length, 2)
  assert.equal((await send(smtp, 'event.ended')).outcome, 'done')
  assert.equal((await next()).reply, first.id)
  for (const value of nastyValues) {
    const dns = [{ domain: value, addresses: [], aliases: [] }]
    assert.equal(
      (await send(smtp, 'event.started', { site: value, domain: value, attackType: value, dns })).outcome,
      'done',
    )
    const taken = await next()
    assert.deepEqual([taken.to, taken.names, taken.defects], [to, first.names, []], value.slice(0, 50))
    assert.doesNotMatch(taken.parts[1], /<script|<img|<a href="http:\/\/evil/i)
  }
  const wrong = await send({ ...smtp, password: 'other' }, 'event.started')
  assert.deepEqual([wrong.outcome, wrong.text], ['failed', 'the mail server does not know us (535)'])
  assert.equal((await send({ ...smtp, user: '' }, 'event.started')).outcome, 'refused')
})

test('a server that takes it another time gets it another time', { skip, timeout: 480_000 }, async (t) => {
  const { smtp, next } = await startServer(t, 'greylisted')
  const first = await send(smtp, 'event.started')
  assert.deepEqual([first.outcome, first.text], ['failed', 'the mail server did not take it (451)'])
  assert.equal((await send(smtp, 'event.started')).outcome, 'done')
  assert.deepEqual((await next()).to, to)
})

test('who was put off gets it another time, and nobody else does', { skip, timeout: 480_000 }, async (t) => {
  const { smtp, next } = await startServer(t, 'partly')
  const mailer = Mailer.of(smtp, mailerParts())
  const first = await sendMail(mailer, messageOf('event.started'))
  assert.deepEqual([first.outcome, first.text], ['partly', 'the server has it for 1 of 2 and puts off 1'])
  const taken = await next()
  const second = await sendMail(mailer, messageOf('event.started'))
  assert.deepEqual([second.outcome, second.text], ['done', 'the server has it'])
  const later = await next()
  assert.deepEqual([taken.to, later.to, later.id], [['noc@example.org'], ['boss@example.org'], taken.id])
})

test('a server that hangs ends an attempt, which is made again', { skip, timeout: 480_000 }, async (t) => {
  const { smtp } = await startServer(t, 'hanging')
  const { outcome, text } = await send(smtp, 'event.started')
  assert.deepEqual([outcome, text], ['failed', 'the mail server took too long'])
})
