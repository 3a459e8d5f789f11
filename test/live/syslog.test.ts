// A real syslog receiver takes entries of the audit log over each way, and finds their parts where RFC 5424 has them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { chainRow, chainStart } from '../../src/audit/chain.ts'
import { parseSyslog } from '../../src/audit/settings.ts'
import { syslogMessage } from '../../src/audit/syslog/message.ts'
import { createSender } from '../../src/audit/syslog/sender.ts'
import { findProgram, skip } from './requirements.ts'

const waitMs = 20_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('rsyslog reads what is sent over UDP, TCP and a socket', { skip, timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rsyslog-'))
  const [udp, tcp] = [await freePort(), await freePort()]
  const [socket, out, config] = ['socket', 'out', 'conf'].map((name) => join(folder, name))
  writeFileSync(
    config,
    `global(workDirectory="${folder}")
module(load="imudp")
module(load="imtcp")
module(load="imptcp")
template(name="parts" type="string" string="%pri%|%app-name%|%msgid%|%structured-data%|%msg%\\n")
ruleset(name="audit") { action(type="omfile" file="${out}" template="parts") }
input(type="imudp" address="127.0.0.1" port="${udp}" ruleset="audit")
input(type="imtcp" address="127.0.0.1" port="${tcp}" ruleset="audit")
input(type="imptcp" path="${socket}" ruleset="audit")
`,
  )
  const receiver = spawn(findProgram('rsyslogd'), ['-n', '-f', config, '-i', join(folder, 'pid')], { stdio: 'ignore' })
  t.after(async () => {
    receiver.kill()
    if (receiver.exitCode === null) await new Promise((resolve) => receiver.once('exit', resolve))
    rmSync(folder, { recursive: true })
  })
  for (const endMs = Date.now() + waitMs; !existsSync(socket) && Date.now() < endMs; ) await delay(50)
  const actor = {
    kind: 'session' as const,
    userId: 'u1',
    name: 'ann@example.com',
    credential: 's1',
    address: '192.0.2.1',
  }
  const evil = '"] <0>1 forged\n\\ é'
  for (const [i, address] of [`udp://127.0.0.1:${udp}`, `tcp://127.0.0.1:${tcp}`, `unix:${socket}`].entries()) {
    const target = parseSyslog(address)
    assert.ok(target !== null)
    const sender = createSender(target, '')
    t.after(() => sender.close())
    const entry = { kind: 'changeUser', actor, object: `${i} ${evil}`, outcome: 'done' as const, count: 1, detail: {} }
    const row = chainRow(entry, Date.UTC(2026, 0, 2), chainStart)
    await sender.send([row, row].map((each) => syslogMessage(each, { facility: 13, host: 'h', pid: 1 })))
  }
  const lines = () => (existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : [])
  for (const endMs = Date.now() + waitMs; lines().length < 6 && Date.now() < endMs; ) await delay(50)
  assert.equal(lines().length, 6, lines().join('\n'))
  for (const i of [0, 1, 2]) {
    const found = lines().filter((line) => line.includes(`object="${i} `))
    assert.equal(found.length, 2)
    const [pri, app, kind, data] = found[0].split('|')
    assert.deepEqual([pri, app, kind], ['109', 'floodgauge', 'changeUser'])
    assert.match(data, /^\[audit@32473 sequence="1" .* object="\d \\"\\] <0>1 forged\ufffd\\\\ é" outcome="done" /)
  }
})
