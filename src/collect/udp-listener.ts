// One UDP socket: datagrams in, without a copy, and what the kernel had to drop. It does not look into them.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface UdpListenerOptions {
  host: string
  port: number
  receiveBufferBytes: number
  /** Several sockets, one a thread, share the port. */
  reusePort: boolean
  /** The view is valid until this returns. */
  onDatagram: (datagram: DataView, from: { address: string; port: number }) => void
  /** The socket failed while it was open. */
  onError: (error: Error) => void
}

export class UdpListener {
  readonly #options: UdpListenerOptions
  readonly #socket: Socket

  constructor(options: UdpListenerOptions) {
    this.#options = options
    this.#socket = createSocket({ type: options.host.includes(':') ? 'udp6' : 'udp4', reusePort: options.reusePort })
  }

  /** Resolves when the port is bound; rejects when it can't be. */
  async start(): Promise<void> {
    const { host, port, receiveBufferBytes, onDatagram, onError } = this.#options
    const socket = this.#socket
    socket.on('message', (message, { address, port }) =>
      onDatagram(new DataView(message.buffer, message.byteOffset, message.byteLength), { address, port }),
    )
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

  /** What the kernel granted, in bytes: Linux gives twice what was asked for, its own bookkeeping included, up to net.core.rmem_max. */
  get receiveBufferBytes(): number {
    return this.#socket.getRecvBufferSize()
  }
}
