// The whole pipeline in one thread, in the time of a given clock: for captures, which bring their own time, and for tests.
import { isSealDue } from '../aggregate/seal-schedule.ts'
import { lentMemory } from '../aggregate/sealed-slot.ts'
import { SlotMemory } from '../aggregate/slot-memory.ts'
import { compileWatchList } from '../aggregate/watch-list.ts'
import type { Clock } from '../clock.ts'
import type { Datagram } from '../decode/decoder.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { SettingsTable } from '../detect/targets/target-settings.ts'
import type { NetworkKey } from '../net/network.ts'
import { Detection, type DetectionOptions } from './detection.ts'
import { Ingest, type IngestOptions } from './ingest.ts'

export interface SingleThreadOptions extends IngestOptions, DetectionOptions {
  /** Sorted, disjoint pairs of first and last address. */
  watched: Uint32Array
  /** See `Detector.setNetworks`. */
  networks?: readonly NetworkKey[]
}

export class SingleThreadPipeline {
  readonly ingest: Ingest
  readonly detection: Detection
  readonly #clock: Clock
  readonly #memory = new SlotMemory()

  constructor(options: SingleThreadOptions) {
    const { clock, settings, watched, networks = [] } = options
    this.#clock = clock
    this.ingest = new Ingest({ ...options, folder: { ...options.folder, memory: this.#memory } })
    this.ingest.setExclusions(new SettingsTable(settings).exclusions())
    this.ingest.setWatchList(compileWatchList(watched))
    this.detection = new Detection(options)
    this.detection.detector.setNetworks(networks)
  }

  /** A datagram that arrives now. */
  receive(datagram: DataView, { address, port }: Omit<Datagram, 'receivedMs'>): void {
    this.#turn()
    this.ingest.receive(datagram, { address, port, receivedMs: this.#clock.now() })
  }

  /** Seals a slot and judges it, if one is due. To be called as often as collectors may seal: see seal-schedule.ts. */
  step(): IncidentReport[] {
    const nowMs = this.#turn()
    this.ingest.read(nowMs, { isEmpty: true })
    this.ingest.flush()
    if (!isSealDue(nowMs % 1000 === 0, this.ingest.heldRecords)) return []
    this.#accept(nowMs)
    return this.detection.pass(nowMs)
  }

  #turn(): number {
    const now = this.#clock.now()
    if (this.ingest.turn(this.#clock)) this.#accept(now)
    return now
  }

  #accept(nowMs: number): void {
    const slot = this.ingest.seal(nowMs)
    this.detection.accept(slot)
    this.#memory.takeBack(lentMemory(slot.counters, slot.records))
  }
}
