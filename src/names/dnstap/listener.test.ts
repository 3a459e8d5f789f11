import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { a } from '../../../test/helpers/servers/dns-server.ts'
import {
  DnstapSender,
  dataFrame,
  dnstapMessage,
  readyFrame,
  startFrame,
  stopFrame,
} from '../../../test/helpers/servers/dnstap-sender.ts'
import { until } from '../../../test/helpers/until.ts'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { Metrics } from '../../metrics.ts'
import type { ObservedAnswer } from '../observe/observed-names.ts'
import { controls, encodeControl, frameBytesMax } from './frame-stream.ts'
import { DnstapListener, type DnstapOptions } from './listener.ts'
import { dnstapMetrics } from './metrics.ts'
import { dnstapSettings } from './settings.ts'

const www = 'www.example.com'
const frameOf = (name: string, identity = 'ns1') =>
  dataFrame(dnstapMessage({ name, answers: [a(name, '192.0.2.1')], identity }))

describe('DnstapListener', () => {
  let folder: string
  let path: string
  let clock: ManualClock
  let told: ObservedAnswer[]
  let listeners: DnstapListener[]
  let senders: DnstapSender[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dnstap-'))
    path = join(folder, 'dnstap.sock')
    clock = new ManualClock(1_000_000)
    told = []
    listeners = []
    senders = []
  })
  afterEach(async () => {
    for (const { socket } of senders) socket.destroy()
    await Promise.all(listeners.map((listener) => listener.stop()))
    rmSync(folder, { recursive: true })
  })

  async function start(change: Partial<DnstapOptions['settings']> = {}, given: Partial<DnstapOptions> = {}) {
    const settings = { ...Value.Create(dnstapSettings), listen: [path, '127.0.0.1:0'], ...change }
    const observer = {
      wants: (name: string) => name === www,
      observe: (each: ObservedAnswer) => {
        told.push(each)
        return each.addresses.length
      },
    }
    const listener = new DnstapListener({ settings, clock, log: createLogger('silent'), observer, ...given })
    listeners.push(listener)
    await listener.start()
    return listener
  }

  function sender(at: string | number): DnstapSender {
    const made = new DnstapSender(at)
    senders.push(made)
    return made
  }

  const portOf = (listener: DnstapListener) => Number(listener.listeners.at(-1)?.split(':')[1])
  const soon = (what: string, holds: () => boolean) => until(what, async () => holds())

  it('takes frames over both, with and without the handshake', async () => {
    const listener = await start()
    const both = sender(path).send(readyFrame)
    await soon('ACCEPT', () => both.heard.length === 1)
    both.send(startFrame, frameOf(www), frameOf('other.example.net'), stopFrame)
    const one = sender(portOf(listener)).send(startFrame, frameOf(www, ''), stopFrame)
    await Promise.all([both.closed, one.closed])
    assert.deepEqual([both.heard, one.heard], [[controls.accept, controls.finish], []])
    const answer = { name: www, chain: [], addresses: [0xc0000201], ttlSeconds: 60 }
    assert.deepEqual(
      told.toSorted((x, y) => (x.sensor < y.sensor ? -1 : 1)),
      [
        { ...answer, source: 'dnstap', sensor: '127.0.0.1' },
        { ...answer, source: 'dnstap', sensor: 'ns1' },
      ],
    )
    assert.deepEqual(listener.counts, { frames: 3, answers: 2, addresses: 2 })
    assert.deepEqual(
      new Map(listener.sensors.list()),
      new Map([
        ['ns1', clock.now()],
        ['127.0.0.1', clock.now()],
      ]),
    )
    await soon('the end', () => listener.connections === 0)
    assert.ok(Object.values(listener.refused).every((count) => count === 0))
  })

  it('its unix socket is for its user and group, and goes with it; what a dead process left is no hindrance', async () => {
    const listener = await start()
    assert.equal(statSync(path).mode & 0o777, 0o660)
    await listener.stop()
    assert.equal(existsSync(path), false)
    const dead = createServer()
    await new Promise<void>((resolve) => dead.listen(join(folder, 'dead'), resolve))
    // Node.js takes the path away that it was given, not the one that it has now.
    renameSync(join(folder, 'dead'), path)
    await new Promise((resolve) => dead.close(resolve))
    assert.equal(existsSync(path), true)
    await start()
    sender(path).send(startFrame, frameOf(www))
    await soon('the answer', () => told.length === 1)
  })

  it('refuses a place that is taken, a file, and a directory that is not there', async () => {
    await start()
    await assert.rejects(start(), { code: 'CONFLICT', message: /somebody does already/ })
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    await assert.rejects(start({ listen: [file] }), { code: 'CONFLICT', message: /a file is in the way/ })
    assert.equal(existsSync(file), true)
    await assert.rejects(
      start({ listen: [join(folder, 'none/dnstap')] }),
      /its directory is not there, or not writable/,
    )
  })

  it('over TCP lets in who is allowed', async () => {
    const listener = await start({ senders: ['192.0.2.0/24'] })
    const refused = sender(portOf(listener)).send(startFrame, frameOf(www))
    await refused.closed
    sender(path).send(startFrame, frameOf(www))
    await soon('the answer', () => told.length === 1)
    assert.deepEqual([listener.refused.sender, listener.counts.frames], [1, 1])
  })

  it('closes what is no such stream, and counts why', async () => {
    const listener = await start()
    const foreign = encodeControl(controls.start, ['protobuf:other'])
    const long = Buffer.alloc(4)
    long.writeUInt32BE(frameBytesMax + 1)
    const hostile = [
      [frameOf(www)],
      [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
      [foreign],
      [encodeControl(controls.ready, ['protobuf:other'])],
      [startFrame, startFrame],
      [stopFrame],
      [startFrame, long],
    ]
    await Promise.all(hostile.map((frames) => sender(path).send(...frames).closed))
    await soon('the end', () => listener.connections === 0)
    assert.deepEqual([listener.refused.protocol, listener.refused.frame_length, told.length], [5, 2, 0])
    const next = sender(path).send(startFrame, dataFrame(Buffer.from('nothing')), frameOf(www))
    await soon('the answer', () => told.length === 1)
    assert.deepEqual([listener.refused.broken, next.socket.destroyed], [1, false])
  })

  it('closes who does not begin', async () => {
    const listener = await start({}, { handshakeMs: 50 })
    await Promise.all([sender(path).closed, sender(path).send(readyFrame).closed])
    await soon('the end', () => listener.connections === 0)
    assert.equal(listener.refused.handshake, 2)
  })

  it('closes who is silent', async () => {
    const listener = await start({}, { idleMs: 1_000 })
    await sender(path).send(startFrame, frameOf(www)).closed
    await soon('the end', () => listener.connections === 0)
    assert.deepEqual([listener.refused.idle, told.length], [1, 1])
  })

  it('has a bounded number of connections at a time', async () => {
    const listener = await start()
    const many = Array.from({ length: 70 }, () => sender(path).send(startFrame))
    await soon('the bound', () => listener.refused.connections === 6)
    assert.equal(listener.connections, 64)
    many[0].socket.destroy()
    await soon('room', () => listener.connections === 63)
    sender(path).send(startFrame, frameOf(www))
    await soon('the answer', () => told.length === 1)
  })

  it('reads a bounded number of frames in a second, and of answers for names that matter', async () => {
    const listener = await start()
    const repeated = (count: number, name: string) => Buffer.concat(Array(count).fill(frameOf(name)))
    const busy = sender(path).send(startFrame, repeated(10_001, www), repeated(40_999, 'other.example.net'))
    await soon('all frames', () => listener.counts.frames === 51_000)
    assert.deepEqual([listener.refused.frames, listener.refused.answers, told.length], [1_000, 1, 10_000])
    clock.advance(1_000)
    busy.send(frameOf(www))
    await soon('the answer', () => told.length === 10_001)
  })

  it('shows what it counts', async () => {
    const listener = await start()
    const metrics = new Metrics()
    metrics.register(dnstapMetrics, listener)
    sender(path).send(startFrame, frameOf(www))
    await soon('the answer', () => told.length === 1)
    const text = await metrics.text()
    for (const line of [
      /dnstap_connections 1/,
      /frames_total 1/,
      /answers_total 1/,
      /addresses_total 1/,
      /last_answer_timestamp_seconds\{sensor="ns1"\} 1000/,
      /refused_total\{reason="frames"\} 0/,
    ])
      assert.match(text, line)
  })
})
