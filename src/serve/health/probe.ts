// One simulated attack by which the service tests itself: on an address that nobody watches, sent to one of the ports where flows are expected, and
// known by its socket as every simulation is. It goes the whole way of an attack, up to the report of the detector, and makes no event.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { AppError, messageOf } from '../../errors.ts'
import type { ListenAddress } from '../../net/listen.ts'
import type { SimulatedReports } from '../../pipeline/simulate/detection.ts'
import { simulatedVectors } from '../../pipeline/simulate/vectors.ts'
import { SimulatedSender, type SimulationPipeline } from '../simulated-sender.ts'

/** The victim, 198.19.255.253: of the network that is reserved for tests (RFC 2544), and not among the sources of simulated attacks. */
export const probeAddress = 0xc613_fffd
const attack = { vector: simulatedVectors.ntp, address: probeAddress, packetsPerSecond: 100_000 }
/** The first datagrams tell of this time, so that they are an attack by themselves. */
const startMs = 250

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
  readonly #clock: Clock
  readonly #sender: SimulatedSender
  readonly #over = Promise.withResolvers<'found' | 'late' | 'stopped'>()

  constructor(options: { pipeline: SimulationPipeline; clock: Clock }) {
    this.#clock = options.clock
    this.#sender = new SimulatedSender({ ...options, simulation: this.id, probe: probeAddress })
  }

  /** Null: it was stopped. */
  async run(listener: ListenAddress, withinMs: number): Promise<ProbeOutcome | null> {
    let timer: NodeJS.Timeout | undefined
    try {
      await this.#sender.begin(listener)
      const startedMs = performance.now()
      this.#sender.send(attack, { fromMs: this.#clock.now() - startMs })
      timer = setTimeout(() => this.#over.resolve('late'), withinMs)
      const end = await this.#over.promise
      if (end === 'stopped') return null
      if (end === 'found') return { seconds: (performance.now() - startedMs) / 1_000 }
      const failure = this.#sender.isRefused ? 'nothing listens there' : `it was not found within ${withinMs / 1_000} s`
      return { failure }
    } catch (error) {
      return { failure: reasonOf(error) }
    } finally {
      clearTimeout(timer)
      this.#sender.end()
    }
  }

  /** The detector's reports of it. */
  take({ reports }: SimulatedReports): void {
    if (reports.some(({ address }) => address === probeAddress)) this.#over.resolve('found')
  }

  stop(): void {
    this.#over.resolve('stopped')
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'DETECTION_BUSY') return 'a collector does not answer'
  return messageOf(error)
}
