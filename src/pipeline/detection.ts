// Turns sealed slots into reports of incidents. Everything that judges traffic is made here: the detector's thread, the detection of simulated
// attacks, backtests and tests.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import { SlotReader } from '../aggregate/slot-reader.ts'
import { Detector } from '../detect/detector.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { MinuteColumns, MinuteSeries } from '../history/minute-series.ts'
import type { Sample } from '../metrics.ts'
import { pipelineMetrics } from './metrics.ts'

export interface DetectionOptions {
  settings: DetectSettings
  /** Where the traffic by the minute goes; without it none is kept. */
  series?: MinuteSeries
}

export class Detection {
  readonly detector: Detector
  readonly #slots = new SlotReader()
  readonly #series: MinuteSeries | null

  constructor({ settings, series }: DetectionOptions) {
    this.#series = series ?? null
    this.detector = new Detector({ settings, ...(series && { history: series }) })
  }

  /** Takes in what a collector of any version counted; a slot that cannot be understood is counted instead. */
  accept(slot: SealedSlot): void {
    const read = this.#slots.read(slot)
    if (read !== null) this.detector.accept(read)
  }

  /** Judges what changed; to be called at least once a second. */
  pass(nowMs: number): IncidentReport[] {
    return this.detector.pass(nowMs)
  }

  /** The traffic by the minute since the last call; null when there was none. */
  takeSeries(): MinuteColumns | null {
    return this.#series?.take((address, minute) => this.detector.busiestOf(address, minute)) ?? null
  }

  samples(): Sample[] {
    const { translated, ...refused } = this.#slots.counted
    const { slotsTranslated, slotsRefused } = pipelineMetrics
    return [
      ...this.detector.samples(),
      { name: slotsTranslated.name, labels: {}, value: translated },
      ...Object.entries(refused).map(([reason, value]) => ({ name: slotsRefused.name, labels: { reason }, value })),
    ]
  }
}
