// The detector: sealed slots in, incident reports out. It asks the judge about every second that changed; what is known of each target is
// known-targets.ts, what makes an incident is judge.ts and vectors/, how it lives on is incidents.ts.
import type { CounterColumns, SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Sample } from '../metrics.ts'
import { type Classes, compileVectors } from '../vectors/compile.ts'
import { vectors } from '../vectors/vectors.ts'
import { candidatesOf, type JudgedBy } from './candidates.ts'
import { carpetCandidates } from './carpet.ts'
import type { IncidentReport } from './incident-report.ts'
import { Incidents } from './incidents.ts'
import { KnownTargets } from './known-targets.ts'
import { compileLimits, type LimitsOf } from './limits.ts'
import { type DetectorCounters, samplesOf } from './metrics.ts'
import type { DetectSettings } from './settings.ts'
import { flowsMin, type RowRange, type Target } from './target.ts'

/** Where the traffic of targets goes by the minute; history/ has one. */
export interface History {
  add(address: number, from: number, to: number, rates: { packets: number; bytes: number; flows: number }): void
  take(): HistoryPoint[]
}

interface HistoryPoint {
  address: number
  minute: number
  bytes: number
  packets: number
  flows: number
}

export interface DetectorOptions {
  settings: DetectSettings
  history?: History
}

const historyEveryMs = 10_000

export class Detector {
  readonly #settings: DetectSettings
  readonly #limitsOf: LimitsOf
  readonly #classes: Classes = compileVectors(vectors)
  readonly #history: History | null
  readonly #known: KnownTargets
  readonly #incidents: Incidents
  #nowMs = 0
  #historyTakenMs = 0

  constructor({ settings, history }: DetectorOptions) {
    this.#settings = settings
    this.#limitsOf = compileLimits(settings)
    this.#known = new KnownTargets(settings.targetsMax)
    this.#incidents = new Incidents(settings)
    this.#history = history ?? null
  }

  /** Takes in what a collector counted; the slot may be dropped then. */
  accept(slot: SealedSlot): void {
    const { counters, sealedMs } = slot
    this.#known.accept(counters, sealedMs, (rows) => {
      if (this.#history !== null) addHistory(this.#history, counters, rows)
    })
    this.#incidents.accept(slot)
  }

  /** Judges what changed; to be called once a second. */
  pass(nowMs: number): IncidentReport[] {
    this.#nowMs = nowMs
    const nowSecond = Math.floor(nowMs / 1000)
    const known = this.#known
    this.#incidents.beginPass(nowMs)
    this.#incidents.startOver(nowSecond)
    known.startOver(nowSecond)
    for (const target of known.changed) {
      this.#incidents.take(target, candidatesOf(target, this.#judgedBy(target, nowSecond)))
    }
    for (const network of known.changedNetworks) {
      const candidates = carpetCandidates(network, () => known.within(network), this.#judgedBy(network, nowSecond))
      this.#incidents.take(network, candidates)
    }
    const reports = this.#incidents.endPass()
    known.judged()
    known.learn(nowSecond)
    return reports
  }

  /** Minutes of traffic since it was last taken; the points of a minute are to be added up. */
  takeSeries(): HistoryPoint[] {
    if (this.#history === null || Math.abs(this.#nowMs - this.#historyTakenMs) < historyEveryMs) return []
    this.#historyTakenMs = this.#nowMs
    return this.#history.take()
  }

  /** Incidents that go on. */
  get openIncidents(): number {
    return this.#incidents.open
  }

  get counted(): DetectorCounters {
    return { ...this.#known.counted, ...this.#incidents.counted }
  }

  samples(): Sample[] {
    return samplesOf(this.counted, {
      targets: this.#known.size,
      openIncidents: this.openIncidents,
      amountsRefused: this.#known.amountsRefused,
      ...this.#incidents.refused,
    })
  }

  #judgedBy(target: Target, nowSecond: number): JudgedBy {
    const learnt = target.isLearnt(nowSecond, this.#settings.learnSeconds)
    return { classes: this.#classes, limits: this.#limitsOf(target.address), learnt }
  }
}

function addHistory(history: History, counters: CounterColumns, { from, to }: RowRange): void {
  const rates = { packets: 0, bytes: 0, flows: 0 }
  for (let row = from; row < to - 1; row++) {
    rates.packets += counters.packets[row]
    rates.bytes += counters.bytes[row]
    rates.flows += counters.flows[row]
    if (rates.flows >= flowsMin)
      history.add(counters.address[row], counters.second[row], counters.second[row + 1], rates)
  }
}
