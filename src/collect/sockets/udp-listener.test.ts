import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { systemClock } from '../../clock.ts'
import { BatchSocket } from './batch-socket.ts'
import { EventSocket } from './event-socket.ts'
import { loadLibc } from './libc.ts'
import { ReadSchedule } from './read-schedule.ts'
import type { DatagramSocket, SocketOptions } from './udp-listener.ts'

const loopback = {
  schedule: new ReadSchedule(),
  host: '127.0.0.1',
  port: 0,
  receiveBufferBytes: 262_144,
  reusePort: false,
  clock: systemClock,
  onError: () => {},
}

interface Arrived {
  octets: number[]
  from: { address: string; port: number }
}

/** Collects a number of datagrams. */
function gather(count: number) {
  const arrived: Arrived[] = []
  const all = Promise.withResolvers<Arrived[]>()
  const onDatagram: SocketOptions['onDatagram'] = (datagram, from) => {
    const octets = Array.from({ length: datagram.byteLength }, (_, i) => datagram.getUint8(i))
    if (arrived.push({ octets, from }) === count) all.resolve(arrived)
  }
  return { onDatagram, all: all.promise }
}

async function createSender(host = '127.0.0.1') {
  const sender = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  sender.bind(0, host)
  await once(sender, 'listening')
  return sender
}

const libc = await loadLibc()
const kinds: { name: string; create: (options: SocketOptions) => DatagramSocket }[] = [
  { name: 'socket that is read by event', create: (options) => new EventSocket(options) },
]
if (libc !== null) kinds.push({ name: 'socket that is read in batches', create: (o) => new BatchSocket(libc, o) })

it('reads in batches on 64-bit Linux', () => {
  assert.equal(libc !== null, process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))
})

it('lets other work of the thread come in between when datagrams are dear, however many wait', {
  skip: libc === null,
}, async () => {
  assert.ok(libc !== null)
  let nowMs = 0
  // As if a call took a quarter of a second.
  const clock = { ...systemClock, now: () => nowMs++ * 250 }
  const waiting = 300
  const { onDatagram, all } = gather(waiting)
  let given = 0
  let read: () => number = () => 0
  const schedule = new ReadSchedule()
  schedule.add = (reader) => {
    read = reader
  }
  const count: SocketOptions['onDatagram'] = (...args) => {
    given++
    onDatagram(...args)
  }
  const socket = new BatchSocket(libc, { ...loopback, clock, schedule, onDatagram: count })
  await socket.start()
  const sender = await createSender()
  for (let i = 0; i < waiting; i++)
    await new Promise((resolve) => sender.send(Uint8Array.of(1), socket.bound.port, '127.0.0.1', resolve))
  assert.equal(read(), 1)
  assert.ok(given < waiting / 2, `${given} in one turn`)
  await all
  sender.close()
  socket.stop()
})

for (const { name, create } of kinds) {
  describe(name, () => {
    it('gives nothing more once it is stopped, and waits for nothing', async () => {
      let given = 0
      const stopped = Promise.withResolvers<void>()
      const onDatagram = () => {
        given++
        socket.stop()
        stopped.resolve()
      }
      const socket = create({ ...loopback, receiveBufferBytes: 2 ** 24, onDatagram })
      await socket.start()
      const { port } = socket.bound
      const sender = await createSender()
      // More than are read in one turn.
      for (let i = 0; i < 5_000; i++) sender.send(Uint8Array.of(1), port, '127.0.0.1')
      await stopped.promise
      sender.close()
      await new Promise((resolve) => setTimeout(resolve, 60))
      assert.equal(given, 1)
      assert.equal(process.getActiveResourcesInfo().filter((resource) => resource === 'Immediate').length, 0)
    })

    it('gives datagrams whole, in order, with their sender', async () => {
      const sent = [[0, 9, 255], [], ...Array.from({ length: 300 }, (_, i) => [i & 255, i >> 8])]
      const { onDatagram, all } = gather(sent.length)
      const socket = create({ ...loopback, onDatagram })
      await socket.start()
      const sender = await createSender()
      for (const octets of sent) sender.send(Uint8Array.from(octets), socket.bound.port, '127.0.0.1')
      const from = { address: '127.0.0.1', port: sender.address().port }
      assert.deepEqual(
        await all,
        sent.map((octets) => ({ octets, from })),
      )
      assert.equal(socket.bound.address, '127.0.0.1')
      assert.ok(socket.receiveBufferBytes > 0)
      sender.close()
      socket.stop()
    })

    it('gives the longest datagram whole', async () => {
      const { onDatagram, all } = gather(1)
      const socket = create({ ...loopback, onDatagram })
      await socket.start()
      const sender = await createSender()
      const octets = Uint8Array.from({ length: 65_507 }, (_, i) => i % 251)
      sender.send(octets, socket.bound.port, '127.0.0.1')
      assert.deepEqual(Uint8Array.from((await all)[0].octets), octets)
      sender.close()
      socket.stop()
    })

    it('tells senders apart, and writes IPv4 addresses as such in an IPv6 socket', async () => {
      const { onDatagram, all } = gather(3)
      const socket = create({ ...loopback, host: '::', onDatagram })
      await socket.start()
      const senders = [await createSender(), await createSender(), await createSender('::1')]
      for (const sender of senders) {
        const { family, port } = sender.address()
        sender.send(Uint8Array.of(port & 255), socket.bound.port, family === 'IPv6' ? '::1' : '127.0.0.1')
      }
      const expected = senders.map((sender) => {
        const { address, port } = sender.address()
        return { octets: [port & 255], from: { address, port } }
      })
      const byPort = (a: Arrived, b: Arrived) => a.from.port - b.from.port
      assert.deepEqual((await all).toSorted(byPort), expected.toSorted(byPort))
      for (const sender of senders) sender.close()
      socket.stop()
    })

    it('refuses a port that is taken, unless both share it', async () => {
      const ignore = { ...loopback, onDatagram: () => {} }
      const first = create({ ...ignore, reusePort: true })
      await first.start()
      const port = first.bound.port
      await assert.rejects(create({ ...ignore, port }).start(), {
        code: 'EADDRINUSE',
        address: '127.0.0.1',
        port,
      })
      const second = create({ ...ignore, port, reusePort: true })
      await second.start()
      first.stop()
      second.stop()
    })

    it('refuses an address that this machine has not', async () => {
      // No machine has an address of 240.0.0.0/4 (RFC 1112 section 4). Those for documentation (RFC 5737) are given to real machines at times.
      const socket = create({ ...loopback, host: '240.0.0.1', onDatagram: () => {} })
      await assert.rejects(socket.start(), { code: 'EADDRNOTAVAIL' })
    })
  })
}
