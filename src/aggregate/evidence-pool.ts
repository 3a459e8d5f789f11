// The evidence of the targets that receive traffic now. It is gathered from a target's first record on, and kept for a short epoch: when the
// target's rate passes the floor it is sealed with all that came before in the epoch; when it does not, it is forgotten.
import { networkOf } from '../net/prefix.ts'
import { Evidence, type EvidenceLimits } from './evidence.ts'
import { createEvidenceColumns, type EvidenceColumns } from './sealed-slot.ts'
import type { Places } from './top-items.ts'

/** A network has a floor so many times that of a target. */
const networkFactor = 2

export interface EvidencePoolOptions {
  /** Targets that have evidence at a time. */
  targetsMax: number
  /** Places that the lists of all targets may have beyond the few they begin with. */
  placesMax: number
  limits: EvidenceLimits
  /** Packets a second (scaled) received for a target, from which its evidence is sealed. */
  floorPacketsPerSecond: number
  /** How long evidence below the floor is kept, and how long it is still sealed after the rate fell below it. */
  epochMs: number
}

interface Entry {
  address: number
  evidence: Evidence
  /** Packets, scaled, received since the last seal. */
  packets: number
  /** Infinite until the first seal. */
  epochStartMs: number
  sealUntilMs: number
}

export class EvidencePool {
  readonly #options: EvidencePoolOptions
  readonly #places: Places
  readonly #entries: Entry[] = []
  readonly #free: Entry[] = []
  /** Records whose target found no free evidence. */
  refused = 0

  constructor(options: EvidencePoolOptions) {
    this.#options = options
    this.#places = { left: options.placesMax }
  }

  get targets(): number {
    return this.#entries.length
  }

  /** The number of a new entry; -1: there are too many. Numbers hold until the next `seal`. */
  open(address: number): number {
    if (this.#entries.length === this.#options.targetsMax) {
      this.refused++
      return -1
    }
    const entry = this.#free.pop() ?? this.#create()
    entry.address = address
    entry.packets = 0
    entry.epochStartMs = Number.POSITIVE_INFINITY
    entry.sealUntilMs = 0
    return this.#entries.push(entry) - 1
  }

  evidenceOf(entry: number): Evidence {
    return this.#entries[entry].evidence
  }

  count(entry: number, packets: number): void {
    this.#entries[entry].packets += packets
  }

  /** The evidence of targets above the floor; `placed` is told the new number of every entry that stays, and -1 for one that goes. */
  seal(nowMs: number, elapsedMs: number, placed: (address: number, entry: number) => void): EvidenceColumns {
    const { floorPacketsPerSecond, epochMs } = this.#options
    const seconds = Math.max(elapsedMs, 1000) / 1000
    let rows = 0
    for (const entry of this.#entries) {
      // A clock that was set back must not prolong an epoch.
      entry.epochStartMs = Math.min(entry.epochStartMs, nowMs)
      entry.sealUntilMs = Math.min(entry.sealUntilMs, nowMs + epochMs)
      if (entry.packets >= floorPacketsPerSecond * seconds) entry.sealUntilMs = nowMs + epochMs
    }
    for (const entry of this.#spokesmen(nowMs, networkFactor * floorPacketsPerSecond * seconds)) {
      entry.sealUntilMs = nowMs + epochMs
    }
    for (const entry of this.#entries) {
      entry.packets = 0
      if (entry.sealUntilMs >= nowMs) rows += entry.evidence.rows
    }
    const columns = createEvidenceColumns(rows)
    let kept = 0
    for (const entry of this.#entries) {
      const sealed = entry.sealUntilMs >= nowMs
      if (sealed) entry.evidence.appendTo(columns, entry.address)
      const stays = sealed || nowMs - entry.epochStartMs < epochMs
      if (sealed) entry.evidence.clear()
      placed(entry.address, stays ? kept : -1)
      if (stays) this.#entries[kept++] = entry
      else this.#release(entry)
    }
    this.#entries.length = kept
    return columns
  }

  /**
   * Of each /24 that got so many packets in all, the target that got most: an attack on all its addresses may pass the floor of none.
   * One that is sealed already stays it while it gets more than half as much as the first.
   */
  #spokesmen(nowMs: number, packetsMin: number): Entry[] {
    const weightOf = (entry: Entry) => entry.packets * (entry.sealUntilMs >= nowMs ? 2 : 1)
    const networks = new Map<number, { packets: number; heaviest: Entry }>()
    for (const entry of this.#entries) {
      const network = networkOf(entry.address, 24)
      const known = networks.get(network)
      if (known === undefined) {
        networks.set(network, { packets: entry.packets, heaviest: entry })
      } else {
        known.packets += entry.packets
        if (weightOf(entry) > weightOf(known.heaviest)) known.heaviest = entry
      }
    }
    return [...networks.values()].filter(({ packets }) => packets >= packetsMin).map(({ heaviest }) => heaviest)
  }

  #create(): Entry {
    const evidence = new Evidence(this.#options.limits, this.#places)
    return { address: 0, evidence, packets: 0, epochStartMs: Number.POSITIVE_INFINITY, sealUntilMs: 0 }
  }

  #release(entry: Entry): void {
    entry.evidence.release()
    this.#free.push(entry)
  }
}
