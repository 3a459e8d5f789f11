// The demo's router: sends flows as NetFlow v5 datagrams over UDP.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Flow } from './traffic.ts'

const headerBytes = 24
const recordBytes = 48
const recordsMax = 30
/** The two high bits of the sampling field: packets are taken at a fixed interval. */
const samplingMode = 0x4000

export interface RouterOptions {
  address: string
  port: number
  /** The router looks at one packet of so many; at most 16383. */
  samplingRate: number
}

export class DemoRouter {
  readonly #socket: Socket
  readonly #options: RouterOptions
  readonly #startMs = Date.now() - 60_000
  #sequence = 0

  constructor(options: RouterOptions) {
    this.#options = options
    this.#socket = createSocket('udp4')
  }

  /** Reports flows that lasted for the second that ends now. */
  async send(flows: readonly Flow[]): Promise<void> {
    const endMs = Date.now()
    for (let at = 0; at < flows.length; at += recordsMax) {
      const datagram = this.#datagram(flows.slice(at, at + recordsMax), endMs)
      await new Promise<void>((resolve, reject) => {
        this.#socket.send(datagram, this.#options.port, this.#options.address, (error) =>
          error ? reject(error) : resolve(),
        )
      })
    }
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  /*
   *  0 version   2 count   4 uptime ms   8 unix seconds   12 nanoseconds   16 sequence   20 engine   22 sampling
   */
  #datagram(flows: readonly Flow[], endMs: number): Buffer {
    const datagram = Buffer.alloc(headerBytes + flows.length * recordBytes)
    const uptimeMs = endMs - this.#startMs
    datagram.writeUInt16BE(5, 0)
    datagram.writeUInt16BE(flows.length, 2)
    datagram.writeUInt32BE(uptimeMs, 4)
    datagram.writeUInt32BE(Math.floor(endMs / 1000), 8)
    datagram.writeUInt32BE((endMs % 1000) * 1_000_000, 12)
    datagram.writeUInt32BE(this.#sequence >>> 0, 16)
    datagram.writeUInt16BE(samplingMode | this.#options.samplingRate, 22)
    this.#sequence += flows.length
    for (const [i, flow] of flows.entries()) writeRecord(datagram, headerBytes + i * recordBytes, { flow, uptimeMs })
    return datagram
  }
}

/*
 *  0 source   4 destination   8 next hop   12 in, out interface   16 packets   20 bytes   24 first ms   28 last ms
 * 32 source, destination port   36 pad   37 TCP flags   38 protocol   39 tos   40 AS numbers   44 masks   46 pad
 */
function writeRecord(datagram: Buffer, at: number, { flow, uptimeMs }: { flow: Flow; uptimeMs: number }): void {
  datagram.writeUInt32BE(flow.src, at)
  datagram.writeUInt32BE(flow.dst, at + 4)
  datagram.writeUInt32BE(flow.packets, at + 16)
  datagram.writeUInt32BE(flow.bytes, at + 20)
  datagram.writeUInt32BE(uptimeMs - 1000, at + 24)
  datagram.writeUInt32BE(uptimeMs, at + 28)
  datagram.writeUInt16BE(flow.srcPort, at + 32)
  datagram.writeUInt16BE(flow.dstPort, at + 34)
  datagram.writeUInt8(flow.tcpFlags, at + 37)
  datagram.writeUInt8(flow.ipProto, at + 38)
}
