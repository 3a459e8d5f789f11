import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { UdpListener } from './udp-listener.ts'

const loopback = { host: '127.0.0.1', port: 0, receiveBufferBytes: 262_144, reusePort: false, onError: () => {} }

test('a datagram arrives whole, with its sender', async () => {
  const arrived = Promise.withResolvers<{ octets: number[]; from: { address: string; port: number } }>()
  const listener = new UdpListener({
    ...loopback,
    onDatagram: (datagram, from) => {
      arrived.resolve({ octets: Array.from({ length: datagram.byteLength }, (_, i) => datagram.getUint8(i)), from })
    },
  })
  await listener.start()
  const sender = createSocket('udp4')
  sender.bind(0, '127.0.0.1')
  await once(sender, 'listening')
  sender.send(Uint8Array.of(0, 9, 255), listener.bound.port, '127.0.0.1')
  assert.deepEqual(await arrived.promise, {
    octets: [0, 9, 255],
    from: { address: '127.0.0.1', port: sender.address().port },
  })
  assert.ok(listener.receiveBufferBytes > 0)
  sender.close()
  listener.stop()
})

test('a port that is taken is refused, unless both share it', async () => {
  const ignore = { ...loopback, onDatagram: () => {} }
  const first = new UdpListener({ ...ignore, reusePort: true })
  await first.start()
  const port = first.bound.port
  await assert.rejects(new UdpListener({ ...ignore, port }).start(), /EADDRINUSE/)
  const second = new UdpListener({ ...ignore, port, reusePort: true })
  await second.start()
  first.stop()
  second.stop()
})
