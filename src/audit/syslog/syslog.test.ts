// Messages against receivers on loopback, as RFC 5424, 5426 and 6587 have them.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { chainRow, chainStart } from '../chain.ts'
import type { AuditEntry } from '../entry.ts'
import { parseSyslog } from '../settings.ts'
import { syslogMessage } from './message.ts'
import { messageBytesMax } from './rfc5424.ts'
import { createSender } from './sender.ts'

const options = { facility: 13, host: 'host 1\n', pid: 7 }
const entry = (changed: Partial<AuditEntry> = {}): AuditEntry => ({
  kind: 'changeUser',
  actor: { kind: 'session', userId: 'u1', name: 'ann@example.com', credential: 's1', address: '192.0.2.1' },
  object: 'bob@example.com',
  outcome: 'done',
  count: 1,
  detail: { role: 'viewer' },
  ...changed,
})
const messageOf = (changed: Partial<AuditEntry> = {}) =>
  syslogMessage(chainRow(entry(changed), Date.UTC(2026, 0, 2, 3, 4, 5, 6), chainStart), options).toString()

/** Takes messages behind their lengths. */
async function receiver(t: TestContext, listen: { path: string } | { port: number; host: string }) {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let waiting = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (octets) => {
      waiting = Buffer.concat([waiting, octets])
      for (;;) {
        const space = waiting.indexOf(' ')
        const length = Number(waiting.subarray(0, Math.max(0, space)).toString())
        if (space < 0 || waiting.length < space + 1 + length) return
        received.push(waiting.subarray(space + 1, space + 1 + length).toString())
        waiting = waiting.subarray(space + 1 + length)
      }
    })
  })
  server.listen(listen)
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.after(() => {
    cut()
    server.close()
  })
  const address = server.address()
  return { received, cut, server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('a message of syslog', () => {
  it('has the parts of RFC 5424', () => {
    const { hash } = chainRow(entry(), Date.UTC(2026, 0, 2, 3, 4, 5, 6), chainStart)
    assert.equal(
      messageOf(),
      `<109>1 2026-01-02T03:04:05.006Z host_1_ floodgauge 7 changeUser [audit@32473 sequence="1" kind="changeUser" actor="session" ` +
        `user="u1" name="ann@example.com" credential="s1" address="192.0.2.1" object="bob@example.com" outcome="done" count="1" ` +
        `hash="${hash}"] \ufeffann@example.com: changeUser bob@example.com: done {"role":"viewer"}`,
    )
    assert.match(messageOf({ outcome: 'FORBIDDEN', count: 3 }), /^<108>1 .* FORBIDDEN \(3 times\) /)
    assert.match(messageOf({ kind: 'user add' }), / user_add \[/)
  })

  it('is one message whatever is in it, and ends no value early', () => {
    const evil = '"] x\\\n<0>1 forged \u2028]'
    const text = messageOf({ object: evil, kind: evil, actor: { ...entry().actor, name: evil } })
    assert.ok(!/[\n\u2028]/.test(text))
    const data = /^<\d+>1 \S+ \S+ \S+ \S+ \S+ \[audit@32473((?: [a-z]+="(?:[^"\\\]]|\\["\\\]])*")*)\] /.exec(text)
    assert.ok(data !== null, text)
    const [, , object] = / (object)="((?:[^"\\\]]|\\.)*)"/.exec(data[1]) ?? []
    assert.equal(object?.replaceAll(/\\(.)/g, '$1'), '"] x\\\ufffd<0>1 forged \ufffd]')
  })

  it('is cut short, between two characters', () => {
    for (let n = 0; n < 4; n++) {
      const text = 'x'.repeat(n) + '😀'.repeat(400)
      const row = chainRow(entry({ object: text, detail: { a: text, b: text, c: text } }), 0, chainStart)
      const octets = syslogMessage(row, options)
      assert.ok(octets.length <= messageBytesMax && octets.length > messageBytesMax - 4)
      assert.ok(!octets.toString().includes('\ufffd'))
    }
  })
})

describe('a sender of syslog', () => {
  it('hands messages over UDP', async (t) => {
    const socket = createSocket('udp4')
    t.after(() => socket.close())
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const received: string[] = []
    socket.on('message', (octets) => received.push(octets.toString()))
    const target = parseSyslog(`udp://127.0.0.1:${socket.address().port}`)
    assert.ok(target !== null)
    const sender = createSender(target)
    t.after(() => sender.close())
    await sender.send([Buffer.from('one'), Buffer.from('two')])
    await until(() => received.length === 2)
    assert.deepEqual(received, ['one', 'two'])
  })

  it('hands messages over TCP, connects again after the receiver was gone, and says when it is', async (t) => {
    const to = await receiver(t, { port: 0, host: '127.0.0.1' })
    const sender = createSender({ kind: 'tcp', host: '127.0.0.1', port: to.port })
    t.after(() => sender.close())
    await sender.send([Buffer.from('ein\u00e9'), Buffer.from('two')])
    await until(() => to.received.length === 2)
    assert.deepEqual(to.received, ['ein\u00e9', 'two'])
    to.cut()
    await until(() => to.received.length === 2)
    // The end of the connection may be seen only by the message after it: whoever sends tries again.
    for (let n = 0; n < 50 && !to.received.includes('three'); n++) {
      await sender.send([Buffer.from('three')]).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.ok(to.received.includes('three'))
    to.cut()
    to.server.close()
    await once(to.server, 'close')
    await until(() => true)
    const failed = async () => {
      for (let n = 0; n < 50; n++) await sender.send([Buffer.from('four')])
    }
    await assert.rejects(failed)
  })

  it('hands messages to a socket of this machine', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'floodgauge-syslog-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'log')
    const to = await receiver(t, { path })
    const target = parseSyslog(`unix:${path}`)
    assert.ok(target !== null)
    const sender = createSender(target)
    t.after(() => sender.close())
    await sender.send([Buffer.from('one')])
    await until(() => to.received.length === 1)
    assert.deepEqual(to.received, ['one'])
  })

  it('takes the addresses of the setting', () => {
    assert.equal(parseSyslog(''), null)
    assert.deepEqual(parseSyslog('tls://[2001:db8::1]:6514'), { kind: 'tls', host: '2001:db8::1', port: 6_514 })
    assert.deepEqual(parseSyslog('udp://log.example.net:514'), { kind: 'udp', host: 'log.example.net', port: 514 })
  })
})
