// The simulated attacks that users have begun: each is sent by a socket of its own to one of the ports where flows are expected, for a bounded
// time, and ends with the service. It tells who has begun it, and which event came of it.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Simulation, Simulations, WantedSimulation } from '../api/simulations.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ListenAddress } from '../net/listen.ts'
import { SimulatedExporter } from '../simulate/exporter.ts'
import { simulatedVectors } from '../simulate/vectors.ts'
import type { EventSummary } from '../store/store.ts'
import type { SimulationTag } from './simulated-traffic.ts'

const exportEveryMs = 250
/** What was sent has been read and judged so long after the last of it; and so much later its event has been written. */
const settleMs = 3_000
const writeMs = 1_000
const runningMax = { ofUser: 2, ofAll: 8 } as const
/** Of how many sites the last simulation is known. */
const knownMax = 1_000

interface SimulationsOptions {
  clock: Clock
  log: Logger
  pipeline: {
    readonly listeners: readonly ListenAddress[]
    beginSimulation(tag: SimulationTag): Promise<void>
    endSimulation(simulation: string): void
  }
}

interface Run {
  id: string
  userId: string
  told: Simulation
  socket: Socket | null
  timers: NodeJS.Timeout[]
}

export class SimulationRunner implements Simulations {
  readonly #options: SimulationsOptions
  /** The last of each user's site; the earliest begun comes first. */
  readonly #runs = new Map<string, Run>()
  readonly counts = { begun: 0, found: 0, refused: 0 }

  constructor(options: SimulationsOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#going().length
  }

  of(userId: string, site: string): Simulation | null {
    return this.#runs.get(keyOf(userId, site))?.told ?? null
  }

  /** Whose it is; null: it is not known. */
  ownerOf(simulation: string): string | null {
    return this.#runWith(simulation)?.userId ?? null
  }

  async start(wanted: WantedSimulation): Promise<Simulation> {
    const { clock, log, pipeline } = this.#options
    const { user, site, address, vector, packetsPerSecond, seconds } = wanted
    const listener = pipeline.listeners[0]
    if (listener === undefined)
      throw new AppError('CONFLICT', 'no port is open for flows: see `ingest` in the configuration')
    this.#makeRoom(user.id, site)
    const startedMs = clock.now()
    const told: Simulation = {
      vector,
      address,
      packetsPerSecond,
      startedMs,
      endsMs: startedMs + seconds * 1000,
      isRunning: true,
      event: null,
    }
    const run: Run = { id: randomBytes(8).toString('hex'), userId: user.id, told, socket: null, timers: [] }
    this.#runs.set(keyOf(user.id, site), run)
    const domain = randomBytes(4).readUInt32BE()
    try {
      run.socket = await connected(listener)
      const from = run.socket.address()
      await pipeline.beginSimulation({ simulation: run.id, address: from.address, port: from.port, domain })
    } catch (error) {
      this.#end(run)
      throw error
    }
    this.counts.begun++
    const facts = { simulation: run.id, user: user.email, site, vector, packetsPerSecond, seconds }
    log.info(facts, 'a simulated attack begins')
    const attack = { vector: simulatedVectors[vector], address, packetsPerSecond }
    this.#send(run, new SimulatedExporter(attack, domain))
    return told
  }

  stopAt(userId: string, site: string): Simulation | null {
    const run = this.#runs.get(keyOf(userId, site))
    if (run === undefined) return null
    if (run.told.isRunning) run.told.endsMs = Math.min(run.told.endsMs, this.#options.clock.now())
    return run.told
  }

  /** Events of simulated attacks have been made. */
  found(events: readonly EventSummary[]): void {
    for (const { id, incident, createdMs } of events) {
      const run = this.#runWith(incident.slice(0, incident.indexOf('.')))
      if (run === undefined || run.told.event !== null) continue
      run.told.event = { id, createdMs }
      this.counts.found++
    }
  }

  /** Sends no more. */
  stop(): void {
    for (const run of this.#going()) this.#end(run)
  }

  #send(run: Run, exporter: SimulatedExporter): void {
    const { clock } = this.#options
    let sentMs = run.told.startedMs
    const every = setInterval(() => {
      const nowMs = Math.min(clock.now(), run.told.endsMs)
      // A clock that is set back has sent what it sends again.
      if (nowMs > sentMs) for (const datagram of exporter.datagrams(sentMs, nowMs)) run.socket?.send(datagram)
      sentMs = nowMs
      if (nowMs < run.told.endsMs) return
      clearInterval(every)
      run.timers = [setTimeout(() => this.#settle(run), settleMs)]
    }, exportEveryMs)
    run.timers = [every]
  }

  #settle(run: Run): void {
    this.#options.pipeline.endSimulation(run.id)
    run.timers = [setTimeout(() => this.#end(run), writeMs)]
  }

  #end(run: Run): void {
    const { log, pipeline } = this.#options
    for (const timer of run.timers) clearTimeout(timer)
    run.timers = []
    pipeline.endSimulation(run.id)
    run.socket?.close()
    run.socket = null
    run.told.isRunning = false
    log.info({ simulation: run.id, event: run.told.event?.id ?? null }, 'a simulated attack is over')
  }

  /** Throws when there are too many. */
  #makeRoom(userId: string, site: string): void {
    const key = keyOf(userId, site)
    if (this.#runs.get(key)?.told.isRunning === true) {
      throw new AppError('CONFLICT', 'an attack on the site is being simulated already')
    }
    const going = this.#going()
    const ofUser = going.filter((run) => run.userId === userId).length
    if (ofUser >= runningMax.ofUser || going.length >= runningMax.ofAll) {
      this.counts.refused++
      throw new AppError('TOO_MANY_REQUESTS', 'too many attacks are being simulated')
    }
    this.#runs.delete(key)
    for (const [old, { told }] of this.#runs) {
      if (this.#runs.size < knownMax) break
      if (!told.isRunning) this.#runs.delete(old)
    }
  }

  #going(): Run[] {
    return [...this.#runs.values()].filter(({ told }) => told.isRunning)
  }

  #runWith(id: string): Run | undefined {
    return this.#runs.values().find((run) => run.id === id)
  }
}

function keyOf(userId: string, site: string): string {
  return `${userId} ${site}`
}

/** Bound by the system to the address that it is seen under there: where flows are expected at every address, that of the loopback. */
async function connected({ host, port }: ListenAddress): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  // To an exporter, too, it makes no difference whether somebody listens.
  socket.on('error', () => {})
  const to = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  socket.connect(port, to)
  await once(socket, 'connect')
  return socket
}
