// Reads a UDP socket by Node.js, one event a datagram, on systems without calls that read many.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { DatagramSocket, SocketOptions } from './udp-listener.ts'

export class EventSocket implements DatagramSocket {
  readonly #options: SocketOptions
  readonly #socket: Socket

  constructor(options: SocketOptions) {
    this.#options = options
    this.#socket = createSocket({ type: options.host.includes(':') ? 'udp6' : 'udp4', reusePort: options.reusePort })
  }

  async start(): Promise<void> {
    const { host, port, receiveBufferBytes, clock, onDatagram, onError } = this.#options
    const socket = this.#socket
    socket.on('message', (message, { address, port }) => {
      const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
      const from = { address: address.startsWith('::ffff:') ? address.slice(7) : address, port }
      onDatagram(view, from, clock.now())
    })
    socket.bind({ address: host, port, exclusive: true })
    await once(socket, 'listening')
    socket.on('error', onError)
    socket.setRecvBufferSize(receiveBufferBytes)
  }

  stop(): void {
    this.#socket.close()
  }

  get bound(): AddressInfo {
    return this.#socket.address()
  }

  get receiveBufferBytes(): number {
    return this.#socket.getRecvBufferSize()
  }
}
