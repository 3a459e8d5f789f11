// syslog-ng of Debian reads what alerts say over TCP and TLS, as one message with its fields, whatever is in it. Debian has it or rsyslog, not both: .ci/run unpacks
// its package beside the other.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { syslog } from '../../src/alert/channels/syslog.ts'
import { listOf } from '../../src/alert/outgoing/reach.ts'
import { installationOf, ofSystem } from '../helpers/labs/alerts.ts'
import { messageOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { patienceMs, until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

const root = process.env.SYSLOG_NG_ROOT ?? '/opt/syslog-ng'
const waitMs = patienceMs

async function startReceiver(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-syslog-ng-'))
  const [tcp, tls, out] = [await freePort(), await freePort(), join(folder, 'out')]
  const { certificate, key } = certificates
  const transport = (port: number) => `syslog(ip("127.0.0.1") port(${port}) transport`
  writeFileSync(
    join(folder, 'conf'),
    `@version: 3.38
source plain { ${transport(tcp)}("tcp")); };
source encrypted { ${transport(tls)}("tls") tls(cert-file("${certificate}") key-file("${key}") peer-verify(optional-untrusted))); };
destination lines { file("${out}" template("$PRI|$PROGRAM|$MSGID|$SDATA|$MSG\\n")); };
log { source(plain); source(encrypted); destination(lines); };
`,
  )
  const libraries = join(root, 'usr/lib/syslog-ng')
  const at = (name: string) => join(folder, name)
  const receiver = spawn(
    findProgram(join(root, 'usr/sbin/syslog-ng')),
    [
      ...['-F', '--no-caps', '-f', at('conf'), '--module-path', join(libraries, '3.38')],
      ...['-R', at('persist'), '-c', at('control'), '-p', at('pid')],
    ],
    { stdio: 'ignore', env: { LD_LIBRARY_PATH: libraries } },
  )
  t.after(async () => {
    receiver.kill()
    if (receiver.exitCode === null) await new Promise((resolve) => receiver.once('exit', resolve))
    rmSync(folder, { recursive: true })
  })
  const lines = () => (existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : [])
  return { tcp: `tcp://127.0.0.1:${tcp}`, tls: `tls://127.0.0.1:${tls}`, lines }
}

test('syslog-ng reads what alerts say over TCP and TLS', { skip, timeout: 480_000 }, async (t) => {
  const receiver = await startReceiver(t)
  const authority = readFileSync(certificates.authority, 'utf8')
  const send = (value: string, settings: Record<string, unknown>) =>
    syslog.send(messageOf('event.started', { site: value, domain: value, attackType: value }), {
      ...{ settings, secrets: {}, channelId: 'c1', userId: 'u1', email: '', installation: installationOf() },
      ...{
        nowMs: Date.UTC(2026, 0, 2),
        reach: 'any',
        allowed: listOf([]),
        resolve: ofSystem,
        signal: AbortSignal.timeout(patienceMs),
      },
    })
  const ways = [{ target: receiver.tcp }, { target: receiver.tls, ca: authority }]
  for (const way of ways) {
    const endMs = Date.now() + waitMs
    while ((await send('first', way)).outcome !== 'done' && Date.now() < endMs) await delay(50)
  }
  assert.equal((await send('to a stranger', { target: receiver.tls })).outcome, 'failed')
  for (const value of nastyValues)
    for (const way of ways)
      for (const format of ['text', 'json'])
        assert.equal((await send(value, { ...way, format })).outcome, 'done', value.slice(0, 50))
  const count = 2 + nastyValues.length * ways.length * 2
  await until('all are written', async () => receiver.lines().length >= count, waitMs)
  assert.equal(receiver.lines().length, count)
  for (const line of receiver.lines()) {
    assert.match(line, /^130\|floodgauge\|event\.started\|\[alert@32473 /)
    assert.doesNotMatch(line, /to a stranger/)
  }
})
