import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { installationOf, mailerParts, sendMail } from '../../../test/helpers/labs/alerts.ts'
import { messageOf } from '../../../test/helpers/labs/messages.ts'
import { nastyValues } from '../../../test/helpers/labs/nasty.ts'
import { certificates } from '../../../test/helpers/servers/dns-server.ts'
import { MailReceiver, smtpTo } from '../../../test/helpers/servers/mail-receiver.ts'
import { putFreshStore } from '../../../test/helpers/store.ts'
import { channelOf } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import type { Store } from '../../store/store.ts'
import { Mailer } from '../mail/mailer.ts'
import { NoAddress } from '../outgoing/address-query.ts'
import type { Resolve } from '../outgoing/host-names.ts'
import type { AlertSettings } from '../settings.ts'
import type { Message, SendOptions } from './kind.ts'
import { mail } from './mail.ts'

type Options = ConstructorParameters<typeof MailReceiver>[0]

async function receiverFor(t: TestContext, options: Options = {}): Promise<MailReceiver> {
  const receiver = await new MailReceiver(options).start()
  t.after(() => receiver.stop())
  return receiver
}

const to = ['noc@example.org']

const sendBy = (smtp: AlertSettings['smtp'], message: Message, given: Partial<SendOptions> = {}) =>
  sendMail(Mailer.of(smtp, mailerParts()), message, { settings: { to }, ...given })

describe('mail', () => {
  it('is a thread of an event, that no machine answers', async (t) => {
    const receiver = await receiverFor(t)
    const smtp = receiver.settings()
    for (const type of ['event.started', 'event.ended', 'alert.test'])
      assert.equal((await sendBy(smtp, messageOf(type))).outcome, 'done')
    const [first, second, test] = receiver.received
    assert.deepEqual([first.from, first.to], ['floodgauge@example.net', to])
    const id = 'msg_58bfd7ae1f0a4b3c9d2e6f70'
    const header = ({ headers }: typeof first, name: string) => headers.get(name)?.join()
    assert.equal(header(first, 'message-id'), `<${id}_1.c1@example.net>`)
    assert.equal(header(first, 'in-reply-to'), undefined)
    assert.equal(header(second, 'message-id'), `<${id}_2.c1@example.net>`)
    assert.equal(header(second, 'in-reply-to'), `<${id}_1.c1@example.net>`)
    assert.equal(header(second, 'references'), `<${id}_1.c1@example.net>`)
    assert.equal(header(test, 'in-reply-to'), undefined)
    for (const each of receiver.received) assert.equal(header(each, 'auto-submitted'), 'auto-generated')
    assert.match(first.raw, /^Subject: =\?UTF-8\?|^Subject: \[HIGH\] NTP amplification/m)
    assert.match(first.raw, /multipart\/alternative/)
    assert.match(first.raw.replaceAll('=\r\n', ''), /https:\/\/ddos\.example\.net\/events\/58bfd7ae/)
  })

  it('has as many recipients and header fields as are wanted, whatever names are like', async (t) => {
    const receiver = await receiverFor(t)
    const smtp = receiver.settings()
    await sendBy(smtp, messageOf('event.started'))
    const names = (at: number) => [...receiver.received[at].headers.keys()].sort()
    const templates = { titleTemplate: '{{event.site}}', textTemplate: '{{event.attack}} {{event.domain}}\n{{facts}}' }
    const cases = [{}, templates].flatMap((given) => nastyValues.map((value) => ({ given, value })))
    for (const { given, value } of cases) {
      const dns = [{ domain: value, addresses: [], aliases: [] }]
      const { outcome } = await sendBy(
        smtp,
        messageOf('event.started', { site: value, domain: value, attackType: value, dns }),
        { settings: { to, ...given } },
      )
      assert.equal(outcome, 'done', value.slice(0, 50))
      const last = receiver.received.length - 1
      const { to: recipients, headers, raw } = receiver.received[last]
      assert.deepEqual([recipients, names(last)], [to, names(0)])
      for (const [name, values] of headers) assert.equal(values.length, 1, name)
      const html = raw.slice(raw.indexOf('Content-Type: text/html')).replaceAll('=\r\n', '').replaceAll('=3D', '=')
      assert.match(html, 'textTemplate' in given ? /<br>/ : /<\/table>/)
      assert.doesNotMatch(html, /<script|<a href="http:\/\/evil|<img/i)
    }
    assert.equal(receiver.received.length, cases.length + 1)
  })

  it('reaches nobody whom the grammar does not take, and for users none but themselves and whom was confirmed', async (t) => {
    const receiver = await receiverFor(t)
    const smtp = receiver.settings()
    for (const evil of ['a@x\r\nRCPT TO:<evil@y>', 'a@b, evil@y', '"a"@b', 'Ann <a@b.example>'])
      assert.equal((await sendBy(smtp, messageOf('event.started'), { settings: { to: [evil] } })).outcome, 'refused')
    const user = { reach: 'public', email: 'Ann@example.com' } as const
    const unready = { outcome: 'unready', pauseMs: 3_600_000, text: 'no address of it is confirmed' }
    assert.deepEqual(await sendBy(smtp, messageOf('event.started'), user), unready)
    const others = { ...user, confirmed: new Set(['soc@example.org']) }
    assert.deepEqual(await sendBy(smtp, messageOf('event.started'), others), unready)
    assert.equal(receiver.received.length, 0)
    const own = { ...user, settings: { to: ['ann@example.com'] } }
    assert.equal((await sendBy(smtp, messageOf('event.started'), own)).outcome, 'done')
    const confirmed = { ...user, confirmed: new Set(['noc@example.org']), settings: { to: ['NOC@example.org'] } }
    assert.equal((await sendBy(smtp, messageOf('event.started'), confirmed)).outcome, 'done')
    assert.deepEqual(mail.unconfirmed?.({ to: ['bob@example.com', 'ann@example.com'] }, user), ['bob@example.com'])
    assert.deepEqual(mail.unconfirmed?.({ to: ['bob@example.com'] }, { reach: 'any', email: '' }), [])
    assert.match(mail.faults?.({ to }, user, installationOf())[0].detail ?? '', /no mail server/)
  })

  it('is 100 within 24 hours of a user who is no admin, whatever was started again meanwhile', async (t) => {
    const receiver = await receiverFor(t)
    const folder = mkdtempSync(join(tmpdir(), 'floodgauge-mail-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'store.db')
    await putFreshStore(file)
    const clock = new ManualClock(Date.UTC(2017, 2, 8, 23))
    const smtp = receiver.settings()
    const user = { reach: 'public', email: 'ann@example.com', settings: { to: ['ann@example.com'] } } as const
    /** With a mailer of its own, as after a start. */
    const started = async (
      work: (send: (given?: Partial<SendOptions>) => Promise<string>, store: Store) => Promise<void>,
      port = smtp.port,
    ) => {
      const store = await openSqliteStore(file, { clock })
      const mailer = Mailer.of({ ...smtp, port }, { ...mailerParts(), store })
      const own = { ...user, installation: installationOf({ mailer }) }
      await work(async (given) => (await sendBy(smtp, messageOf('event.started'), { ...own, ...given })).text, store)
      await store.close()
      return mailer?.refused
    }
    const [taken, tooMany] = ['the server has it', 'more than 100 messages a day']
    // What a server that is away does not take is not counted.
    await started(async (send) => {
      for (let n = 0; n < 3; n++) assert.match(await send(), /connection to the mail server/)
    }, 9)
    for (const count of [60, 40])
      await started(async (send, store) => {
        for (let n = 1; n < count; n++) assert.notEqual(await store.countMail('u1', 100), null)
        assert.equal(await send(), taken)
      })
    clock.advance(23 * 3_600_000)
    const refused = await started(async (send) => {
      assert.deepEqual(
        [await send(), await send({ userId: 'u2' }), await send({ reach: 'any' })],
        [tooMany, taken, taken],
      )
    })
    assert.equal(refused, 1)
    clock.advance(3_600_000)
    await started(async (send) => assert.equal(await send(), taken))
    assert.equal(receiver.received.length, 5)
  })

  it('encrypts and signs in as it is told, or says nothing', async (t) => {
    const [key, cert] = [certificates.key, certificates.certificate].map((file) => readFileSync(file, 'utf8'))
    const secure = { key, cert, disabledCommands: [], authOptional: false }
    const receiver = await receiverFor(t, secure)
    const smtp = receiver.settings({ tls: 'starttls', caFile: certificates.authority, user: 'fg', password: 'word' })
    assert.deepEqual(await sendBy(smtp, messageOf('event.started')), {
      outcome: 'done',
      pauseMs: null,
      text: 'the server has it',
    })
    assert.deepEqual([receiver.received[0].user, receiver.received[0].isSecure], ['fg', true])
    const wrong = await sendBy({ ...smtp, password: 'other' }, messageOf('event.started'))
    assert.deepEqual([wrong.outcome, wrong.text], ['failed', 'the mail server does not know us (535)'])
    const stranger = await sendBy({ ...smtp, caFile: '' }, messageOf('event.started'))
    assert.equal(stranger.outcome, 'failed')
    const plain = await receiverFor(t)
    const downgraded = await sendBy(plain.settings({ tls: 'starttls' }), messageOf('event.started'))
    assert.equal(downgraded.outcome, 'failed')
    const whole = await receiverFor(t, { ...secure, secure: true, authOptional: true })
    const tls = whole.settings({ tls: 'tls', caFile: certificates.authority })
    assert.equal((await sendBy(tls, messageOf('event.started'))).outcome, 'done')
    assert.deepEqual([receiver.received.length, plain.received.length, whole.received.length], [1, 0, 1])
  })

  it('goes to the first address of the server that takes connections, whose certificate is for its name', async (t) => {
    const [key, cert] = [certificates.key, certificates.certificate].map((file) => readFileSync(file, 'utf8'))
    const receiver = await receiverFor(t, { key, cert, disabledCommands: ['AUTH'] })
    const smtp = receiver.settings({ host: 'resolver.example', tls: 'starttls', caFile: certificates.authority })
    const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const sendVia = async (host: string, resolve: Resolve) => {
      const mailer = Mailer.of({ ...smtp, host }, { ...mailerParts(), resolve })
      return sendBy(smtp, messageOf('event.started'), { installation: installationOf({ mailer }) })
    }
    assert.equal((await sendVia('resolver.example', async () => addresses)).outcome, 'done')
    assert.deepEqual([receiver.received.length, receiver.received[0].isSecure], [1, true])
    assert.equal((await sendVia('other.example', async () => addresses)).outcome, 'failed')
    assert.equal(receiver.received.length, 1)
    const unknown = await sendVia('none.example', async () => {
      throw new NoAddress('ENOTFOUND', 'none.example has no address')
    })
    assert.deepEqual([unknown.outcome, unknown.text], ['failed', 'the mail server cannot be found'])
    const short = await sendVia('mail', async () => {
      throw new NoAddress('ENOTFOUND', 'mail has no address')
    })
    assert.match(short.text, /cannot be found: alerts\.smtp\.host needs the full name/)
    const hanging = new AbortController()
    const silent = Mailer.of(smtp, { ...mailerParts(), resolve: () => new Promise(() => {}) })
    const installation = installationOf({ mailer: silent })
    const stopped = sendBy(smtp, messageOf('event.started'), { installation, signal: hanging.signal })
    hanging.abort()
    assert.equal((await stopped).text, 'the service stops')
  })

  it('is tried again where the server may take it another time, and not where it says no', async (t) => {
    const receiver = await receiverFor(t)
    const smtp = receiver.settings()
    receiver.refused.set('noc@example.org', 451)
    assert.deepEqual(await sendBy(smtp, messageOf('event.started')), {
      outcome: 'failed',
      pauseMs: null,
      text: 'the mail server did not take it (451)',
    })
    receiver.refused.set('noc@example.org', 550)
    assert.equal((await sendBy(smtp, messageOf('event.started'))).outcome, 'refused')
    const two = { settings: { to: ['noc@example.org', 'boss@example.org'] } }
    assert.equal((await sendBy(smtp, messageOf('event.started'), two)).text, 'the server has it for 1 of 2')
    await receiver.stop()
    assert.equal((await sendBy(smtp, messageOf('event.started'))).outcome, 'failed')
  })

  it('goes again to those alone whom the server has put off', async (t) => {
    const receiver = await receiverFor(t)
    const installation = installationOf({ mailer: Mailer.of(receiver.settings(), mailerParts()) })
    const all = ['noc@example.org', 'boss@example.org', 'gone@example.org']
    const send = async (addresses = all) => {
      const given = { installation, settings: { to: addresses } }
      const { outcome, text } = await sendBy(receiver.settings(), messageOf('event.started'), given)
      return [outcome, text]
    }
    receiver.refused.set('boss@example.org', 450).set('gone@example.org', 550)
    assert.deepEqual(await send(), ['partly', 'the server has it for 1 of 3 and puts off 1'])
    assert.deepEqual(await send(), ['partly', 'the server has it for 1 of 3 and puts off 1'])
    receiver.refused.delete('boss@example.org')
    assert.deepEqual(await send(), ['done', 'the server has it for 2 of 3'])
    assert.deepEqual(
      receiver.received.map((each) => each.to),
      [['noc@example.org'], ['boss@example.org']],
    )
    const ids = new Set(receiver.received.map(({ headers }) => headers.get('message-id')?.join()))
    assert.equal(ids.size, 1)
    assert.match(receiver.received[1].raw, /^To: noc@example\.org, boss@example\.org/m)
    assert.deepEqual(await send(), ['done', 'the server has it for 2 of 3'], 'sent again by hand, all get it')
    assert.deepEqual(receiver.received[2].to, ['noc@example.org', 'boss@example.org'])
  })

  it('goes again to those alone whom the server has put off, also after a restart', async (t) => {
    const receiver = await receiverFor(t)
    const folder = mkdtempSync(join(tmpdir(), 'floodgauge-mail-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'store.db')
    await putFreshStore(file)
    const clock = new ManualClock(Date.UTC(2026, 2, 8))
    const [noc, boss] = ['noc@example.org', 'boss@example.org']
    /** By a process of its own, that is killed after that. */
    const started = async <Answer>(work: (send: () => Promise<string>, store: Store) => Promise<Answer>) => {
      const store = await openSqliteStore(file, { clock })
      const mailer = Mailer.of(receiver.settings(), { ...mailerParts(), store, clock })
      const answer = await work(async () => (await sendMail(mailer, messageOf('event.started'))).text, store)
      await store.close()
      return answer
    }
    const ann = await started(async (_, store) => {
      const { id } = await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })
      await store.addChannel(id, { ...channelOf('c1'), kind: 'mail' }, 9)
      return id
    })
    receiver.refused.set(boss, 450)
    for (let n = 0; n < 2; n++) {
      assert.equal(await started((send) => send()), 'the server has it for 1 of 2 and puts off 1')
      clock.advance(60_000)
    }
    receiver.refused.delete(boss)
    assert.equal(await started((send) => send()), 'the server has it')
    const sentTo = () => receiver.received.splice(0).map((each) => each.to)
    assert.deepEqual(sentTo(), [[noc], [boss]])
    await started(async (send) => {
      assert.equal(await send(), 'the server has it')
      receiver.refused.set(boss, 450)
      await send()
    })
    assert.deepEqual(sentTo(), [[noc, boss], [noc]])
    await started(async (send, store) => {
      await store.deleteChannel(ann, 'c1')
      await send()
      await send()
    })
    assert.deepEqual(sentTo(), [[noc], [noc]], 'nothing is kept of a channel that is gone')
  })

  it('ends when the service stops', async (t) => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    await once(silent, 'listening')
    const end = new AbortController()
    silent.once('connection', () => end.abort())
    const { port } = Object(silent.address())
    const stopped = await sendBy(smtpTo(port), messageOf('event.started'), { signal: end.signal })
    assert.deepEqual([stopped.outcome, stopped.text], ['failed', 'the service stops'])
    assert.equal(sockets.size, 1)
  })
})
