// One simulated attack by which the service tests itself: on an address that nobody watches, sent to one of the ports where flows are expected, and
// known by its socket as every simulation is. It goes the whole way of an attack, up to the report of the detector, and makes no event.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:dgram'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { ListenAddress } from '../../net/listen.ts'
import type { SimulatedReports } from '../../pipeline/simulate/detection.ts'
import { SimulatedExporter } from '../../pipeline/simulate/exporter.ts'
import type { SimulationTag } from '../../pipeline/simulate/traffic.ts'
import { simulatedVectors } from '../../pipeline/simulate/vectors.ts'
import { Ticker } from '../../ticker.ts'
import { connectedSocket } from '../simulation-socket.ts'

/** The victim, 198.19.255.253: of the network that is reserved for tests (RFC 2544), and not among the sources of simulated attacks. */
export const probeAddress = 0xc613_fffd
const packetsPerSecond = 100_000
const exportEveryMs = 250

export interface ProbePipeline {
  beginSimulation(tag: SimulationTag): Promise<void>
  endSimulation(simulation: string): void
}

/** The probes that are under way, by id: whoever has the detector's reports asks here first. */
export class Probes {
  readonly #probes = new Map<string, Probe>()

  /** Returns true for reports of a probe, which nobody else is to have. */
  take(simulated: SimulatedReports): boolean {
    const probe = this.#probes.get(simulated.simulation)
    probe?.take(simulated)
    return probe !== undefined
  }

  async run(probe: Probe, listener: ListenAddress, withinMs: number): Promise<ProbeOutcome | null> {
    this.#probes.set(probe.id, probe)
    try {
      return await probe.run(listener, withinMs)
    } finally {
      this.#probes.delete(probe.id)
    }
  }

  stop(): void {
    for (const probe of this.#probes.values()) probe.stop()
  }
}

/** Seconds from the first datagram to the report, or why there is none. */
export type ProbeOutcome = { seconds: number } | { failure: string }

export class Probe {
  readonly id = randomBytes(8).toString('hex')
  readonly #pipeline: ProbePipeline
  readonly #clock: Clock
  readonly #over = Promise.withResolvers<'found' | 'late' | 'stopped'>()

  constructor({ pipeline, clock }: { pipeline: ProbePipeline; clock: Clock }) {
    this.#pipeline = pipeline
    this.#clock = clock
  }

  /** Null: it was stopped. */
  async run(listener: ListenAddress, withinMs: number): Promise<ProbeOutcome | null> {
    let socket: Socket | null = null
    let timer: NodeJS.Timeout | undefined
    let sending: Ticker | null = null
    try {
      socket = await connectedSocket(listener)
      let refusal: string | null = null
      socket.on('error', () => {
        refusal = 'nothing listens there'
      })
      const domain = randomBytes(4).readUInt32BE()
      const { address, port } = socket.address()
      await this.#pipeline.beginSimulation({ simulation: this.id, address, port, domain, probe: probeAddress })
      const startedMs = performance.now()
      sending = this.#send(socket, domain)
      timer = setTimeout(() => this.#over.resolve('late'), withinMs)
      const end = await this.#over.promise
      if (end === 'stopped') return null
      if (end === 'found') return { seconds: (performance.now() - startedMs) / 1_000 }
      return { failure: refusal ?? `it was not found within ${withinMs / 1_000} s` }
    } catch (error) {
      return { failure: reasonOf(error) }
    } finally {
      sending?.stop()
      clearTimeout(timer)
      this.#pipeline.endSimulation(this.id)
      socket?.close()
    }
  }

  /** The detector's reports of it. */
  take({ reports }: SimulatedReports): void {
    if (reports.some(({ address }) => address === probeAddress)) this.#over.resolve('found')
  }

  stop(): void {
    this.#over.resolve('stopped')
  }

  #send(socket: Socket, domain: number): Ticker {
    const attack = { vector: simulatedVectors.ntp, address: probeAddress, packetsPerSecond }
    const exporter = new SimulatedExporter(attack, domain)
    const send = () => {
      const nowMs = this.#clock.now()
      for (const datagram of exporter.datagrams(nowMs - exportEveryMs, nowMs)) socket.send(datagram)
    }
    send()
    return new Ticker(send).start(exportEveryMs)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'DETECTION_BUSY') return 'a collector does not answer'
  return error instanceof Error ? error.message : String(error)
}
