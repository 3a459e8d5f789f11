// Sends simulated attacks: each from a socket of its own to one of the ports where flows are expected, for a bounded time; all end with the service.
// The book knows who has begun them and what came of them.
import type { Simulation, Simulations, WantedSimulation } from '../api/sites/simulations.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ListenAddress } from '../net/listen.ts'
import { simulatedVectors } from '../pipeline/simulate/vectors.ts'
import { SimulatedSender, type SimulationPipeline } from './simulated-sender.ts'
import type { SimulationBook, SimulationEntry } from './simulation-book.ts'

/** Time from the last datagram until all of them have been read and judged. */
const settleMs = 3_000
/** Time from then until the event has been written. */
const writeMs = 1_000

interface SimulationsOptions {
  book: SimulationBook
  clock: Clock
  log: Logger
  pipeline: SimulationPipeline & { readonly listeners: readonly ListenAddress[] }
}

/** A simulated attack while it is sent. */
interface Run extends SimulationEntry {
  sender: SimulatedSender
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
    const { user, site, address, vector, packetsPerSecond, seconds, isTold } = wanted
    const listener = pipeline.listeners[0]
    if (listener === undefined)
      throw new AppError('CONFLICT', 'no port is open for flows: see `ingest` in the configuration')
    const startedMs = clock.now()
    const times = { startedMs, endsMs: startedMs + seconds * 1000, isRunning: true, event: null }
    const entry = book.open(user.id, site, { vector, address, packetsPerSecond, isTold, ...times })
    const sender = new SimulatedSender({ simulation: entry.id, probe: null, pipeline, clock })
    const run: Run = { ...entry, sender, timer: undefined }
    this.#runs.add(run)
    try {
      await sender.begin(listener)
    } catch (error) {
      this.#end(run)
      throw error
    }
    book.counts.begun++
    const facts = { simulation: run.id, user: user.email, site, vector, packetsPerSecond, seconds, isTold }
    log.info(facts, 'a simulated attack begins')
    const { simulation } = run
    sender.send(
      { vector: simulatedVectors[vector], address, packetsPerSecond },
      { fromMs: simulation.startedMs, untilMs: () => simulation.endsMs, onSent: () => this.#settle(run) },
    )
    return simulation
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

  /** All is sent. */
  #settle(run: Run): void {
    run.timer = setTimeout(() => {
      run.sender.end()
      run.timer = setTimeout(() => this.#end(run), writeMs)
    }, settleMs)
  }

  #end(run: Run): void {
    const { id, simulation } = run
    clearTimeout(run.timer)
    this.#runs.delete(run)
    run.sender.end()
    simulation.isRunning = false
    this.#options.log.info({ simulation: id, event: simulation.event?.id ?? null }, 'a simulated attack is over')
  }
}
