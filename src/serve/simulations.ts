// Sends simulated attacks: each from a socket of its own to one of the ports where flows are expected, for a bounded time; all end with the service.
// The book knows who has begun them and what came of them.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:dgram'
import type { Simulation, Simulations, WantedSimulation } from '../api/sites/simulations.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ListenAddress } from '../net/listen.ts'
import { SimulatedExporter } from '../pipeline/simulate/exporter.ts'
import type { SimulationTag } from '../pipeline/simulate/traffic.ts'
import { simulatedVectors } from '../pipeline/simulate/vectors.ts'
import { Ticker } from '../ticker.ts'
import type { SimulationBook, SimulationEntry } from './simulation-book.ts'
import { connectedSocket } from './simulation-socket.ts'

const exportEveryMs = 250
/** Time from the last datagram until all of them have been read and judged. */
const settleMs = 3_000
/** Time from then until the event has been written. */
const writeMs = 1_000

interface SimulationsOptions {
  book: SimulationBook
  clock: Clock
  log: Logger
  pipeline: {
    readonly listeners: readonly ListenAddress[]
    beginSimulation(tag: SimulationTag): Promise<void>
    endSimulation(simulation: string): void
  }
}

/** A simulated attack while it is sent. */
interface Run extends SimulationEntry {
  socket: Socket | null
  sending: Ticker | null
  /** What comes when all is sent. */
  timer: NodeJS.Timeout | undefined
}

export class SimulationRunner implements Simulations {
  readonly #options: SimulationsOptions
  readonly #runs = new Set<Run>()

  constructor(options: SimulationsOptions) {
    this.#options = options
  }

  of(userId: string, site: string): Simulation | null {
    return this.#options.book.find(userId, site)
  }

  async start(wanted: WantedSimulation): Promise<Simulation> {
    const { book, clock, log, pipeline } = this.#options
    const { user, site, address, vector, packetsPerSecond, seconds } = wanted
    const listener = pipeline.listeners[0]
    if (listener === undefined)
      throw new AppError('CONFLICT', 'no port is open for flows: see `ingest` in the configuration')
    const startedMs = clock.now()
    const times = { startedMs, endsMs: startedMs + seconds * 1000, isRunning: true, event: null }
    const entry = book.open(user.id, site, { vector, address, packetsPerSecond, ...times })
    const run: Run = { ...entry, socket: null, sending: null, timer: undefined }
    this.#runs.add(run)
    const domain = randomBytes(4).readUInt32BE()
    try {
      run.socket = await connectedSocket(listener)
      const from = run.socket.address()
      await pipeline.beginSimulation({
        simulation: run.id,
        address: from.address,
        port: from.port,
        domain,
        probe: null,
      })
    } catch (error) {
      this.#end(run)
      throw error
    }
    book.counts.begun++
    const facts = { simulation: run.id, user: user.email, site, vector, packetsPerSecond, seconds }
    log.info(facts, 'a simulated attack begins')
    const attack = { vector: simulatedVectors[vector], address, packetsPerSecond }
    this.#send(run, new SimulatedExporter(attack, domain))
    return run.simulation
  }

  stopAt(userId: string, site: string): Simulation | null {
    const simulation = this.of(userId, site)
    if (simulation?.isRunning) simulation.endsMs = Math.min(simulation.endsMs, this.#options.clock.now())
    return simulation
  }

  /** Ends every simulation that is running. */
  stop(): void {
    for (const run of [...this.#runs]) this.#end(run)
  }

  #send(run: Run, exporter: SimulatedExporter): void {
    const { clock } = this.#options
    const { simulation } = run
    let sentMs = simulation.startedMs
    run.sending = new Ticker(() => {
      const nowMs = Math.min(clock.now(), simulation.endsMs)
      // A clock that is set back has sent what it sends again.
      if (nowMs > sentMs) for (const datagram of exporter.datagrams(sentMs, nowMs)) run.socket?.send(datagram)
      sentMs = nowMs
      if (nowMs < simulation.endsMs) return
      run.sending?.stop()
      run.timer = setTimeout(() => this.#settle(run), settleMs)
    }).start(exportEveryMs)
  }

  #settle(run: Run): void {
    this.#options.pipeline.endSimulation(run.id)
    run.timer = setTimeout(() => this.#end(run), writeMs)
  }

  #end(run: Run): void {
    const { log, pipeline } = this.#options
    const { id, simulation } = run
    run.sending?.stop()
    clearTimeout(run.timer)
    this.#runs.delete(run)
    pipeline.endSimulation(id)
    run.socket?.close()
    run.socket = null
    simulation.isRunning = false
    log.info({ simulation: id, event: simulation.event?.id ?? null }, 'a simulated attack is over')
  }
}
