// Sends one simulated attack from a socket of its own to a port where flows are expected. The collectors know it by that socket.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { ListenAddress } from '../net/listen.ts'
import { type SimulatedAttack, SimulatedExporter } from '../pipeline/simulate/exporter.ts'
import type { SimulationTag } from '../pipeline/simulate/traffic.ts'
import { Ticker } from '../ticker.ts'

const exportEveryMs = 250
/** The time that one export is about, at most: a clock that leaps ahead has no traffic for the time between. */
const exportMostMs = 5_000

export interface SimulationPipeline {
  beginSimulation(tag: SimulationTag): Promise<void>
  endSimulation(simulation: string): void
}

interface SenderOptions {
  /** Its id. */
  simulation: string
  /** See `SimulationTag`. */
  probe: number | null
  pipeline: SimulationPipeline
  clock: Clock
}

interface Sending {
  /** When the attack begins, Unix milliseconds. */
  fromMs: number
  /** When it is over, likewise; asked each time. Left out: when the sender is ended. */
  untilMs?: () => number
  onSent?: () => void
}

export class SimulatedSender {
  readonly #options: SenderOptions
  readonly #domain = randomBytes(4).readUInt32BE()
  #socket: Socket | null = null
  #sending: Ticker | null = null
  #hasBegun = false
  #isOver = false
  /** The system has said that nobody reads the port. */
  isRefused = false

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Resolves when the collectors expect it. Whoever calls it calls `end` too, also when it rejects. */
  async begin(listener: ListenAddress): Promise<void> {
    const { simulation, probe, pipeline } = this.#options
    const socket = await this.#connectedSocket(listener)
    if (this.#isOver) socket.close()
    this.#requireGoing()
    this.#socket = socket
    const { address, port } = socket.address()
    this.#hasBegun = true
    await pipeline.beginSimulation({ simulation, address, port, domain: this.#domain, probe })
    this.#requireGoing()
  }

  /** Exports the attack from now on, at once for the first time. */
  send(attack: SimulatedAttack, { fromMs, untilMs = () => Number.POSITIVE_INFINITY, onSent }: Sending): void {
    const exporter = new SimulatedExporter(attack, this.#domain)
    let sentMs = fromMs
    const tick = () => {
      const endMs = untilMs()
      const nowMs = Math.min(this.#options.clock.now(), endMs)
      // A clock that is set back has sent what it sends again.
      const datagrams = nowMs > sentMs ? exporter.datagrams(Math.max(sentMs, nowMs - exportMostMs), nowMs) : []
      for (const datagram of datagrams) this.#socket?.send(datagram)
      sentMs = nowMs
      if (nowMs < endMs) return
      this.#sending?.stop()
      onSent?.()
    }
    this.#sending = new Ticker(tick).start(exportEveryMs)
    tick()
  }

  /** What of it has not been read by now is dropped. */
  end(): void {
    this.#isOver = true
    this.#sending?.stop()
    if (this.#hasBegun) this.#options.pipeline.endSimulation(this.#options.simulation)
    this.#hasBegun = false
    this.#socket?.close()
    this.#socket = null
  }

  /** It may be ended while it begins. */
  #requireGoing(): void {
    if (this.#isOver) throw new AppError('CONFLICT', 'the simulated attack was ended before it began')
  }

  /** Is bound to the address that the listener sees; where flows are expected at every address, to the loopback's. */
  async #connectedSocket({ host, port }: ListenAddress): Promise<Socket> {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    // An exporter does not notice whether somebody listens, either.
    socket.on('error', () => {
      this.isRefused = true
    })
    const to = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    socket.connect(port, to)
    await once(socket, 'connect')
    return socket
  }
}
