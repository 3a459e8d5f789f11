// Sockets for a replay: one for each exporter of the capture, so that a collector can tell them apart by their ports. Keeps few datagrams in
// flight: the kernel drops what does not fit.
import { createSocket, type Socket } from 'node:dgram'

const socketsMax = 256
const inFlightMax = 32

export interface ReplayTarget {
  /** An address, so that nothing is looked up for each datagram. */
  host: string
  port: number
  /** 4 or 6. */
  family: number
}

export class ReplaySockets {
  readonly #target: ReplayTarget
  readonly #sockets = new Map<string, Socket>()
  #inFlight = 0
  #failure: Error | null = null
  #wake: (() => void) | null = null
  sent = 0

  constructor(target: ReplayTarget) {
    this.#target = target
  }

  /** A promise, to be awaited, when enough are under way; else nothing to wait for. Throws what went wrong with an earlier one. */
  send(payload: DataView, exporter: string): Promise<void> | undefined {
    if (this.#failure !== null) throw this.#failure
    this.#inFlight++
    this.#socketOf(exporter).send(payload, this.#target.port, this.#target.host, (error) => {
      this.#inFlight--
      if (error === null) this.sent++
      else this.#failure ??= error
      this.#wake?.()
    })
    return this.#inFlight < inFlightMax ? undefined : this.#until(() => this.#inFlight < inFlightMax)
  }

  /** When all are under way. */
  async settled(): Promise<void> {
    await this.#until(() => this.#inFlight === 0)
    if (this.#failure !== null) throw this.#failure
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close()
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #socketOf(exporter: string): Socket {
    const known = this.#sockets.get(exporter)
    if (known !== undefined) return known
    // Beyond the bound exporters share a socket.
    if (this.#sockets.size >= socketsMax) return this.#socketOf([...this.#sockets.keys()][0])
    const socket = createSocket(this.#target.family === 6 ? 'udp6' : 'udp4')
    socket.on('error', (error) => {
      this.#failure ??= error
    })
    this.#sockets.set(exporter, socket)
    return socket
  }
}
