// A real syslog receiver takes entries of the audit log over each way, and finds their parts where RFC 5424 has them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { syslog } from '../../src/alert/channels/syslog.ts'
import { listOf } from '../../src/alert/outgoing/reach.ts'
import { chainRow, chainStart } from '../../src/audit/chain.ts'
import { parseSyslog } from '../../src/audit/settings.ts'
import { syslogMessage } from '../../src/audit/syslog/message.ts'
import { authoritiesIn, createSender } from '../../src/audit/syslog/sender.ts'
import { installationOf, ofSystem } from '../helpers/labs/alerts.ts'
import { messageOf as alertOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { patienceMs } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

const waitMs = patienceMs

/** What it writes of a message. */
const parts = '%pri%|%app-name%|%msgid%|%structured-data%|%msg%\\n'

/** Runs until the test ends. `inputs`: lines of its configuration, for a rule set `audit` that writes to the file `out`. */
function startReceiver(
  t: TestContext,
  folder: string,
  inputs: string,
): { lines: (count: number) => Promise<string[]> } {
  const [out, config] = ['out', 'conf'].map((name) => join(folder, name))
  writeFileSync(
    config,
    `global(workDirectory="${folder}")
template(name="parts" type="string" string="${parts}")
ruleset(name="audit") { action(type="omfile" file="${out}" template="parts") }
${inputs}`,
  )
  const receiver = spawn(findProgram('rsyslogd'), ['-n', '-f', config, '-i', join(folder, 'pid')], { stdio: 'ignore' })
  t.after(async () => {
    receiver.kill()
    if (receiver.exitCode === null) await new Promise((resolve) => receiver.once('exit', resolve))
    rmSync(folder, { recursive: true })
  })
  const now = () => (existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : [])
  return {
    lines: async (count) => {
      for (const endMs = Date.now() + waitMs; now().length < count && Date.now() < endMs; ) await delay(50)
      return now()
    },
  }
}

function messageOf(object: string): Buffer {
  const actor = {
    kind: 'session' as const,
    userId: 'u1',
    name: 'ann@example.com',
    credential: 's1',
    address: '192.0.2.1',
  }
  const entry = { kind: 'changeUser', actor, object, outcome: 'done' as const, count: 1, detail: {} }
  const row = chainRow(entry, Date.UTC(2026, 0, 2), chainStart)
  return syslogMessage(row, { facility: 13, host: 'h', pid: 1 })
}

function senderTo(t: TestContext, address: string, caFile = '') {
  const target = parseSyslog(address)
  assert.ok(target !== null)
  const sender = createSender(target, authoritiesIn(caFile))
  t.after(() => sender.close())
  return sender
}

test('rsyslog reads what is sent over UDP, TCP and a socket', { skip, timeout: 480_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rsyslog-'))
  const [udp, tcp, socket] = [await freePort(), await freePort(), join(folder, 'socket')]
  const receiver = startReceiver(
    t,
    folder,
    `module(load="imudp")
module(load="imtcp")
module(load="imptcp")
input(type="imudp" address="127.0.0.1" port="${udp}" ruleset="audit")
input(type="imtcp" address="127.0.0.1" port="${tcp}" ruleset="audit")
input(type="imptcp" path="${socket}" ruleset="audit")
`,
  )
  for (const endMs = Date.now() + waitMs; !existsSync(socket) && Date.now() < endMs; ) await delay(50)
  const evil = '"] <0>1 forged\n\\ é'
  for (const [i, address] of [`udp://127.0.0.1:${udp}`, `tcp://127.0.0.1:${tcp}`, `unix:${socket}`].entries()) {
    const message = messageOf(`${i} ${evil}`)
    await senderTo(t, address).send([message, message])
  }
  const lines = await receiver.lines(6)
  assert.equal(lines.length, 6, lines.join('\n'))
  for (const i of [0, 1, 2]) {
    const found = lines.filter((line) => line.includes(`object="${i} `))
    assert.equal(found.length, 2)
    const [pri, app, kind, data] = found[0].split('|')
    assert.deepEqual([pri, app, kind], ['109', 'floodgauge', 'changeUser'])
    assert.match(data, /^\[audit@32473 sequence="1" .* object="\d \\"\\] <0>1 forged\ufffd\\\\ é" outcome="done" /)
  }
})

test('rsyslog reads what is sent over TLS, and only where its certificate is trusted', {
  skip,
  timeout: 480_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rsyslog-'))
  const port = await freePort()
  const { authority, certificate, key } = certificates
  const receiver = startReceiver(
    t,
    folder,
    `global(defaultNetstreamDriverCAFile="${authority}" defaultNetstreamDriverCertFile="${certificate}" defaultNetstreamDriverKeyFile="${key}")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="audit")
`,
  )
  const address = `tls://127.0.0.1:${port}`
  const sender = senderTo(t, address, authority)
  await retried(() => sender.send([messageOf('first')]), /ECONNREFUSED/)
  await assert.rejects(senderTo(t, address).send([messageOf('to a stranger')]), /certificate/)
  await assert.rejects(senderTo(t, `tls://localhost:${port}`, authority).send([messageOf('to another name')]), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  await sender.send([messageOf('last é'), messageOf('last é')])
  const lines = await receiver.lines(3)
  const objects = lines.map((line) => /^109\|floodgauge\|changeUser\|.* object="([^"]*)"/.exec(line)?.[1])
  assert.deepEqual(objects, ['first', 'last é', 'last é'])
})

/** Until the receiver listens. */
async function retried(work: () => Promise<void>, early: RegExp): Promise<void> {
  for (const endMs = Date.now() + waitMs; ; await delay(50)) {
    try {
      return await work()
    } catch (error) {
      if (!early.test(String(error)) || Date.now() >= endMs) throw error
    }
  }
}

test('rsyslog reads what alerts say, in each form, as one message with its fields', {
  skip,
  timeout: 480_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rsyslog-'))
  const port = await freePort()
  const receiver = startReceiver(
    t,
    folder,
    `module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="audit")
`,
  )
  const send = (value: string, format: string) =>
    syslog.send(alertOf('event.started', { site: value, domain: value, attackType: value }), {
      ...{
        settings: { target: `tcp://127.0.0.1:${port}`, format },
        secrets: {},
        channelId: 'c1',
        userId: 'u1',
        email: '',
      },
      ...{
        installation: installationOf(),
        nowMs: Date.UTC(2026, 0, 2),
        reach: 'any',
        allowed: listOf([]),
        resolve: ofSystem,
      },
      signal: AbortSignal.timeout(patienceMs),
    })
  for (const endMs = Date.now() + waitMs; (await send('first', 'text')).outcome !== 'done' && Date.now() < endMs; )
    await delay(50)
  const formats = ['text', 'cef', 'leef', 'json']
  for (const value of nastyValues)
    for (const format of formats) assert.equal((await send(value, format)).outcome, 'done')
  const count = 1 + nastyValues.length * formats.length
  const lines = await receiver.lines(count)
  assert.equal(lines.length, count)
  const element = /^\[alert@32473(?: [A-Za-z]+="(?:[^"\\\]]|\\["\\\]])*")+\]$/
  for (const line of lines) {
    const [pri, app, kind] = line.split('|', 3)
    assert.deepEqual([pri, app, kind], ['130', 'floodgauge', 'event.started'])
    const rest = line.slice(`${pri}|${app}|${kind}|`.length)
    const data = rest.slice(0, rest.search(/"\]\|/) + 2)
    assert.match(data, element)
  }
})
