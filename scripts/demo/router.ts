// The demo's router: sends flows as NetFlow v5 datagrams over UDP.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { Exporter } from '../../test/helpers/exporter.ts'
import type { Flow } from './traffic.ts'

export interface RouterOptions {
  address: string
  port: number
  /** The router samples one packet in this number; at most 16383. */
  samplingRate: number
}

export class DemoRouter {
  readonly #socket: Socket
  readonly #options: RouterOptions
  readonly #exporter: Exporter

  constructor(options: RouterOptions) {
    this.#options = options
    this.#socket = createSocket('udp4')
    this.#exporter = new Exporter({ protocol: 'netflow5', samplingRate: options.samplingRate })
  }

  /** Reports flows that lasted for the second that ends now. */
  async send(flows: readonly Flow[]): Promise<void> {
    const { address, port } = this.#options
    const endMs = Date.now()
    const reported = flows.map((flow) => ({
      ...flow,
      src: formatIpv4(flow.src),
      dst: formatIpv4(flow.dst),
      startMs: endMs - 1000,
      endMs,
    }))
    for (const datagram of this.#exporter.datagrams(reported, endMs)) {
      await new Promise<void>((resolve, reject) => {
        this.#socket.send(datagram, port, address, (error) => (error ? reject(error) : resolve()))
      })
    }
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}
