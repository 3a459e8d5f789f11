// A UDP socket between an exporter and those who listen to it: hands on every datagram, and knows when the first came.
import dgram from 'node:dgram'
import { once } from 'node:events'

export class Tap {
  firstMs: number | null = null
  lastMs: number | null = null
  datagrams = 0
  readonly #socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 8 << 20 })
  readonly #out = dgram.createSocket({ type: 'udp4', sendBufferSize: 8 << 20 })

  /** Begins to listen; gives the port. */
  async open(address: string, toPorts: readonly number[]): Promise<number> {
    this.#socket.on('message', (datagram) => {
      this.lastMs = Date.now()
      this.firstMs ??= this.lastMs
      this.datagrams++
      for (const port of toPorts) this.#out.send(datagram, port, '127.0.0.1')
    })
    this.#socket.bind(0, address)
    await once(this.#socket, 'listening')
    return this.#socket.address().port
  }

  close() {
    this.#socket.close()
    this.#out.close()
  }
}

/** A UDP port of the loopback interface that is free at this moment. */
export async function freeUdpPort(): Promise<number> {
  const socket = dgram.createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(resolve))
  return port
}
