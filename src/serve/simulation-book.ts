// The simulated attacks that are known: the last one of each site of each user. It knows who has begun one and which event was made of it; the runner
// (`simulations.ts`) sends them.
import { randomBytes } from 'node:crypto'
import type { Simulation } from '../api/sites/simulations.ts'
import { AppError } from '../errors.ts'
import { readPartId } from '../events/known-part.ts'
import { byLabel, type Metric } from '../metrics.ts'
import type { SimulatedReports } from '../pipeline/simulate/detection.ts'
import type { EventSummary } from '../store/store.ts'

const runningMax = { ofUser: 2, ofAll: 8 } as const
/** Sites whose last simulation is kept. */
const knownMax = 1_000

/** A simulated attack: its id names it in the pipeline. */
export interface SimulationEntry {
  readonly id: string
  readonly userId: string
  readonly simulation: Simulation
  /** Ids of its incidents, of which 16 go on at a time at most: see pipeline/simulate/detection.ts. */
  readonly incidents: Set<string>
}

export const simulationMetrics: readonly Metric<SimulationBook>[] = [
  {
    name: 'floodgauge_simulations_total',
    help: 'Simulated attacks, by result: begun, found (an event was made), refused (too many at a time).',
    labels: ['result'],
    read: ({ counts }) => byLabel('result', counts),
  },
]

export class SimulationBook {
  readonly counts = { begun: 0, found: 0, refused: 0 }
  /** By user and site; the earliest begun comes first. */
  readonly #entries = new Map<string, SimulationEntry>()

  /** Enters a simulation that begins. Throws AppError when one on the site is running, or too many are. */
  open(userId: string, site: string, simulation: Simulation): SimulationEntry {
    this.#makeRoom(userId, site)
    const entry = { id: randomBytes(8).toString('hex'), userId, simulation, incidents: new Set<string>() }
    this.#entries.set(keyOf(userId, site), entry)
    return entry
  }

  find(userId: string, site: string): Simulation | null {
    return this.#entries.get(keyOf(userId, site))?.simulation ?? null
  }

  running(): SimulationEntry[] {
    return [...this.#entries.values()].filter(({ simulation }) => simulation.isRunning)
  }

  /** The user whose simulation has these reports; null: the simulation is unknown. Its incidents are remembered, so that their events are known. */
  ownerOf({ simulation, reports }: SimulatedReports): string | null {
    const entry = this.#entries.values().find(({ id }) => id === simulation)
    if (entry === undefined) return null
    for (const { incident } of reports) entry.incidents.add(incident)
    return entry.userId
  }

  /** Whether who simulates it asked to be told about it as about a real attack; `part`: the incident of an event. */
  tells(part: string): boolean {
    return this.#entryOf(part)?.simulation.isTold === true
  }

  /** Notes the first event that was made of each simulated attack, or of the part of it that its owner knows. */
  noteEvents(events: readonly EventSummary[]): void {
    for (const { id, incident: part, createdMs } of events) {
      const entry = this.#entryOf(part)
      if (entry === undefined || entry.simulation.event !== null) continue
      entry.simulation.event = { id, createdMs }
      this.counts.found++
    }
  }

  #entryOf(part: string): SimulationEntry | undefined {
    const { incident } = readPartId(part)
    return this.#entries.values().find(({ incidents }) => incidents.has(incident))
  }

  #makeRoom(userId: string, site: string): void {
    const key = keyOf(userId, site)
    if (this.#entries.get(key)?.simulation.isRunning === true) {
      throw new AppError('CONFLICT', 'an attack on the site is being simulated already')
    }
    const running = this.running()
    const ofUser = running.filter((entry) => entry.userId === userId).length
    if (ofUser >= runningMax.ofUser || running.length >= runningMax.ofAll) {
      this.counts.refused++
      throw new AppError('TOO_MANY_REQUESTS', 'too many attacks are being simulated')
    }
    this.#entries.delete(key)
    for (const [old, { simulation }] of this.#entries) {
      if (this.#entries.size < knownMax) break
      if (!simulation.isRunning) this.#entries.delete(old)
    }
  }
}

function keyOf(userId: string, site: string): string {
  return `${userId} ${site}`
}
