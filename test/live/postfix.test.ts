// Postfix of Debian takes what channels of kind `mail` send: over STARTTLS only, from whom it knows, and delivers it to each recipient once.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { Mailer } from '../../src/alert/mail/mailer.ts'
import type { AlertSettings } from '../../src/alert/settings.ts'
import { mailerParts, sendMail } from '../helpers/labs/alerts.ts'
import { messageOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { smtpTo } from '../helpers/servers/mail-receiver.ts'
import { until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

/** The service waits for the queue; everything is delivered within the test's own folders. */
const services = `
rewrite unix - - n - - trivial-rewrite
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
virtual unix - n n - - virtual
error unix - - n - - error
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
`

interface PostfixLab {
  smtp: AlertSettings['smtp']
  /** What has come for an address so far. */
  mailOf(address: string): string[]
}

/** Who knows the password, as Postfix asks for it (Dovecot's protocol for authentication, 1.1). Gives its port. */
async function startPasswords(t: TestContext): Promise<number> {
  const right = Buffer.from('\0floodgauge\0word').toString('base64')
  const server = createServer((socket) => {
    socket.write(`VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t${'0'.repeat(32)}\nDONE\n`)
    createInterface(socket).on('line', (line) => {
      const [word, id, mechanism, ...parameters] = line.split('\t')
      if (word !== 'AUTH' || mechanism !== 'PLAIN') return
      const isRight = parameters.includes(`resp=${right}`)
      socket.write(`${isRight ? 'OK' : 'FAIL'}\t${id}\tuser=floodgauge\n`)
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return Object(server.address()).port
}

async function startPostfix(t: TestContext): Promise<PostfixLab> {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-postfix-'))
  chmodSync(folder, 0o755)
  const [config, queue, data, boxes] = ['config', 'queue', 'data', 'boxes'].map((name) => join(folder, name))
  for (const each of [config, queue, data, boxes]) mkdirSync(each)
  const ids = (option: string) => Number(execFileSync('id', [option, 'postfix'], { encoding: 'utf8' }))
  chownSync(data, ids('-u'), ids('-g'))
  chownSync(boxes, ids('-u'), ids('-g'))
  const port = await freePort()
  const { authority, certificate, key } = certificates
  writeFileSync(join(config, 'master.cf'), `127.0.0.1:${port} inet n - n - - smtpd\n${services}`)
  writeFileSync(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
virtual_mailbox_domains = example.org
virtual_mailbox_base = ${boxes}
virtual_mailbox_maps = inline:{ { noc@example.org = noc/ }, { boss@example.org = boss/ } }
virtual_minimum_uid = 1
virtual_uid_maps = static:${ids('-u')}
virtual_gid_maps = static:${ids('-g')}
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = ${certificate}
smtpd_tls_key_file = ${key}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${await startPasswords(t)}
smtpd_tls_auth_only = yes
smtpd_client_restrictions = permit_sasl_authenticated, reject
smtpd_relay_restrictions = permit_sasl_authenticated, reject
`,
  )
  const postfix = spawn(findProgram('postfix'), ['-c', config, 'start-fg'], { stdio: 'ignore' })
  t.after(async () => {
    execFileSync(findProgram('postfix'), ['-c', config, 'stop'], { stdio: 'ignore' })
    if (postfix.exitCode === null) await new Promise((resolve) => postfix.once('exit', resolve))
    rmSync(folder, { recursive: true })
  })
  const inbox = (name: string) => join(boxes, name, 'new')
  return {
    smtp: smtpTo(port, { tls: 'starttls', caFile: authority, user: 'floodgauge', password: 'word' }),
    mailOf: (name) => {
      try {
        return readdirSync(inbox(name)).map((file) => readFileSync(join(inbox(name), file), 'utf8'))
      } catch {
        return []
      }
    },
  }
}

const send = (smtp: AlertSettings['smtp'], ...message: Parameters<typeof messageOf>) =>
  sendMail(Mailer.of(smtp, mailerParts()), messageOf(...message))

test('Postfix delivers what it takes, over STARTTLS, from whom it knows', { skip, timeout: 480_000 }, async (t) => {
  const { smtp, mailOf } = await startPostfix(t)
  await until('Postfix takes it', async () => (await send(smtp, 'event.started')).outcome === 'done')
  await until('it is delivered', async () => mailOf('noc').length === 1 && mailOf('boss').length === 1)
  const [first] = mailOf('noc')
  // RFC 3848: over TLS, by whom it knows.
  assert.match(first, /^\tby mail\.test \(Postfix\) with ESMTPSA id /m)
  assert.match(first, /^Auto-Submitted: auto-generated$/m)
  assert.match(first, /^Return-Path: <floodgauge@example\.net>$/m)
  const dns = (value: string) => [{ domain: value, addresses: [], aliases: [] }]
  for (const value of nastyValues) {
    const given = { site: value, domain: value, attackType: value, dns: dns(value) }
    assert.equal((await send(smtp, 'event.started', given)).outcome, 'done', value.slice(0, 50))
  }
  const count = 1 + nastyValues.length
  await until('all are delivered', async () => mailOf('noc').length >= count && mailOf('boss').length >= count)
  for (const name of ['noc', 'boss']) {
    assert.equal(mailOf(name).length, count)
    for (const each of mailOf(name)) assert.equal(each.match(/^(To|Subject|From|Bcc|Cc): /gm)?.length, 3)
  }
  const wrong = await send({ ...smtp, password: 'other' }, 'event.started')
  assert.deepEqual([wrong.outcome, wrong.text], ['failed', 'the mail server does not know us (535)'])
  assert.notEqual((await send({ ...smtp, user: '' }, 'event.started')).outcome, 'done')
  assert.equal((await send({ ...smtp, tls: 'none', user: '' }, 'event.started')).outcome, 'refused')
  assert.equal((await send({ ...smtp, caFile: '' }, 'event.started')).outcome, 'failed')
  assert.equal(mailOf('noc').length, count)
})
