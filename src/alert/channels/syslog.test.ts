import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { installationOf, ofSystem } from '../../../test/helpers/labs/alerts.ts'
import { messageOf } from '../../../test/helpers/labs/messages.ts'
import { nastyValues } from '../../../test/helpers/labs/nasty.ts'
import { patienceMs, until } from '../../../test/helpers/until.ts'
import type { EventReport } from '../../contract/events/event.ts'
import { listOf } from '../outgoing/reach.ts'
import type { Message, SendOptions } from './kind.ts'
import { syslog } from './syslog.ts'

function sendTo(target: string, message: Message, given: Partial<SendOptions> & { format?: string } = {}) {
  const { format, ...more } = given
  return syslog.send(message, {
    ...{
      settings: { target, ...(format !== undefined && { format }) },
      secrets: {},
      channelId: 'c1',
      userId: 'u1',
      email: '',
    },
    ...{ installation: installationOf({ host: 'h' }), nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6), reach: 'any' },
    ...{ allowed: listOf([]), resolve: ofSystem, signal: AbortSignal.timeout(patienceMs), ...more },
  })
}

async function udpReceiver(t: TestContext): Promise<{ target: string; received: string[] }> {
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  const received: string[] = []
  socket.on('message', (octets) => received.push(octets.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { target: `udp://127.0.0.1:${socket.address().port}`, received }
}

/** The text after the structured data; fails where there is more than one element of it. */
function textAfter(line: string): string {
  const found =
    /^<\d+>1 \S+ h floodgauge \d+ [a-z.]+ \[alert@32473(?: [A-Za-z]+="(?:[^"\\\]]|\\["\\\]])*")+\] \ufeff(.*)$/su.exec(
      line,
    )
  assert.ok(found !== null, line)
  return found[1]
}

describe('a message of syslog', () => {
  it('has its parts where RFC 5424 has them', async (t) => {
    const { target, received } = await udpReceiver(t)
    assert.equal((await sendTo(target, messageOf('event.started', { end: null }))).outcome, 'done')
    await until('it has arrived', async () => received.length === 1)
    const pid = process.pid
    assert.equal(
      received[0],
      `<130>1 2026-01-02T03:04:05.006Z h floodgauge ${pid} event.started [alert@32473 id="msg_58bfd7ae1f0a4b3c9d2e6f70_1" number="1" ` +
        'event="58bfd7ae1f0a4b3c9d2e6f70" severity="high" attackType="udp@attack@amp_flood_target-NTP" site="*.example.com" ' +
        'address="192.0.2.10" start="2017-03-08T10:09:14+00:00" bitsPerSecond="252480000" packetsPerSecond="67600" ' +
        'peakBitsPerSecond="329600000" peakPacketsPerSecond="88000"] \ufeff[HIGH] NTP amplification on www.example.com (192.0.2.10): ' +
        '252 Mbit/s, 67.6 kpackets/s, 65 × normal',
    )
  })

  it('is in the form that programs of security read', async (t) => {
    const { target, received } = await udpReceiver(t)
    for (const format of ['cef', 'leef', 'json']) await sendTo(target, messageOf('event.ended'), { format })
    await until('they have arrived', async () => received.length === 3)
    const [cef, leef, json] = received.map(textAfter)
    assert.match(
      cef,
      /^CEF:0\|Floodgauge\|Floodgauge\|1\|event\.ended\|NTP amplification\|3\|externalId=58bfd7ae1f0a4b3c9d2e6f70 cat=udp@attack@amp_flood_target-NTP dst=192\.0\.2\.10 dhost=\*\.example\.com start=1488967754000 end=1488967814000 /,
    )
    assert.match(
      leef,
      /^LEEF:2\.0\|Floodgauge\|Floodgauge\|1\|event\.ended\|\^\|cat=udp@attack@amp_flood_target-NTP\^sev=3\^dst=192\.0\.2\.10\^/,
    )
    assert.deepEqual(Object.keys(JSON.parse(json)).slice(0, 5), ['type', 'id', 'event', 'severity', 'title'])
  })

  it('is one message with the fields that it should have, whatever names are like', async (t) => {
    const { target, received } = await udpReceiver(t)
    const keysIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, key]) => key)
    const cefKeys = (text: string) =>
      keysIn(
        text
          .split(/(?<!\\)\|/)
          .slice(7)
          .join('|'),
        /(?:^| )([A-Za-z0-9]+)(?<!\\)=/g,
      )
    const leefKeys = (text: string) =>
      text
        .split('|')
        .slice(6)
        .join('|')
        .split('^')
        .map((pair) => pair.split('=')[0])
    for (const value of ['plain.example', ...nastyValues]) {
      received.length = 0
      const given: Partial<EventReport> = { site: value, domain: value, attackType: value }
      for (const format of ['text', 'cef', 'leef', 'json'])
        assert.equal((await sendTo(target, messageOf('event.started', given), { format })).outcome, 'done')
      await until('they have arrived', async () => received.length === 4)
      const [text, cef, leef, json] = received.map(textAfter)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about.
      for (const each of received) assert.doesNotMatch(each, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      assert.match(text, /^\[HIGH\] /)
      assert.equal(cef.split(/(?<!\\)\|/).slice(0, 7).length, 7)
      const expected = [
        'externalId',
        'cat',
        'dst',
        'dhost',
        'start',
        'end',
        'cs1Label',
        'cs1',
        'cn1Label',
        'cn1',
        'cn2Label',
        'cn2',
        'msg',
      ]
      assert.deepEqual(cefKeys(cef), expected, cef)
      assert.deepEqual(leefKeys(leef), [
        'cat',
        'sev',
        'dst',
        'devTime',
        'resource',
        'eventId',
        'packetsPerSecond',
        'bitsPerSecond',
        'msg',
      ])
      assert.equal(JSON.parse(json).address, '192.0.2.10')
    }
  })
})

describe('a receiver of syslog', () => {
  it('over TCP gets each behind its length', async (t) => {
    const received: Buffer[] = []
    const server = createServer((socket) => socket.on('data', (part) => received.push(part)).on('error', () => {}))
    t.after(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = Object(server.address())
    assert.equal((await sendTo(`tcp://127.0.0.1:${port}`, messageOf('event.ended'))).outcome, 'done')
    await until('it has arrived', async () => received.length > 0)
    const [, length, message] = /^(\d+) (<.*)$/s.exec(Buffer.concat(received).toString()) ?? []
    assert.equal(Buffer.byteLength(message), Number(length))
  })

  it('that is not there is one to be tried again', async () => {
    const { outcome, text } = await sendTo('tcp://127.0.0.1:1', messageOf('event.ended'))
    assert.deepEqual([outcome, text], ['failed', 'the connection was refused'])
  })

  it('is for admins alone, and never where the metadata of clouds are', async (t) => {
    const { target, received } = await udpReceiver(t)
    assert.equal((await sendTo(target, messageOf('event.ended'), { reach: 'public' })).outcome, 'refused')
    assert.equal((await sendTo('udp://169.254.169.254:514', messageOf('event.ended'))).outcome, 'refused')
    assert.equal((await sendTo('unix:/dev/log', messageOf('event.ended'))).outcome, 'refused')
    assert.deepEqual(received, [])
    const owner = { reach: 'public', userId: 'u1', email: '' } as const
    assert.equal(syslog.faults?.({ target }, owner, installationOf())[0].pointer, '/settings/target')
  })
})
