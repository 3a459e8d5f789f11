// What the threads say to each other. Plain data, structured-cloneable; typed arrays are transferred, not copied.
import type { MessagePort } from 'node:worker_threads'
import type { Exclusions } from '../aggregate/exclusions.ts'
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Reception } from '../collect/health/reception.ts'
import type { StreamReport } from '../collect/health/report.ts'
import type { IngestSettings } from '../collect/settings.ts'
import type { SavedStream, StreamChange } from '../decode/saved.ts'
import type { IncidentReport, ResumedIncident } from '../detect/incident-report.ts'
import type { SavedBaselines } from '../detect/saved-baselines.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { SiteAddresses } from '../detect/target-settings.ts'
import type { AskedTarget, TargetRates, TargetState } from '../detect/target-state.ts'
import { columnsOf, type MinuteColumns } from '../history/minute-series.ts'
import type { Sample } from '../metrics.ts'
import type { ListenAddress } from '../net/listen.ts'
import type { Prefix } from '../net/prefix.ts'
import type { SimulatedReports } from './simulated-detection.ts'
import type { SimulatedSlot, SimulationTag } from './simulated-traffic.ts'

export interface CollectorData {
  listen: ListenAddress[]
  receiveBufferBytes: number
  /** Who may send: addresses and prefixes; empty: everybody. */
  exporters: string[]
  tunnels: IngestSettings['tunnels']
  sampling: IngestSettings['sampling']
  waiting: IngestSettings['waiting']
  /** What is known of streams from before the start. */
  known: SavedStream[]
  /** Whether other collectors share the ports, and whether this is the first of them. */
  shared: boolean
  first: boolean
}

export type ToCollector =
  | { type: 'watch'; ranges: Uint32Array }
  | { type: 'exclude'; exclusions: Exclusions | null }
  | { type: 'detector'; port: MessagePort }
  /** A simulated attack: it is counted by itself from when this is answered on. */
  | { type: 'simulate'; id: number; tag: SimulationTag }
  | { type: 'end-simulation'; simulation: string }
  /** Receive no more, tell what is still to be told, and say `stopped`. */
  | { type: 'stop' }

/** What a collector tells the detector. */
export type FromCollectorToDetector = SealedSlot | SimulatedSlot

/** What the detector answers to each slot of real traffic, on the port that it came by. */
export type SlotAnswer = 'taken'

export interface BoundListener extends ListenAddress {
  /** Room in the kernel for datagrams that wait, as granted. */
  receiveBufferBytes: number
}

export type FromCollector =
  | { type: 'listening'; listeners: BoundListener[] }
  | { type: 'samples'; samples: Sample[]; lastDatagramMs: number | null }
  /** To be saved. */
  | { type: 'changes'; changes: StreamChange[] }
  | { type: 'simulating'; id: number }
  | { type: 'stopped' }
  /** `streams`: those of which there is news. */
  | { type: 'health'; streams: StreamReport[]; reception: Reception }

export interface DetectorData {
  detect: DetectSettings
  /** What is normal, from before the start. */
  baselines: SavedBaselines[]
  /** Attacks from before the start that may go on. */
  resumed: ResumedIncident[]
}

export type ToDetector =
  | { type: 'collector'; port: MessagePort }
  | { type: 'site-addresses'; addresses: SiteAddresses }
  /** See `Detector.setNetworks`. */
  | { type: 'networks'; networks: Prefix[] }
  /** To be answered with the state of a target: see `Detector.stateOf`. */
  | { type: 'question'; id: number; address: number; knownFromMs: number }
  /** Likewise with the rates of targets: see `Detector.ratesOf`. */
  | { type: 'rates-question'; id: number; asked: AskedTarget[] }
  /** A simulated attack is to be judged, by itself; and is over. */
  | { type: 'simulate'; simulation: string }
  | { type: 'end-simulation'; simulation: string }
  /** Judge what has come, tell what is still to be saved, and say `stopped`. */
  | { type: 'stop' }

export interface Pass {
  type: 'pass'
  atMs: number
  durationMs: number
  reports: IncidentReport[]
  simulated: SimulatedReports[]
  /** Null: none is due. */
  series: MinuteColumns | null
  /** To be saved. */
  baselines: SavedBaselines[]
  samples: Sample[]
}

export type FromDetector =
  | Pass
  | { type: 'answer'; id: number; state: TargetState }
  | { type: 'rates-answer'; id: number; rates: (TargetRates | null)[] }
  | { type: 'stopped'; baselines: SavedBaselines[] }

/** The buffers of points, likewise. */
export function seriesBuffers(series: MinuteColumns | null): ArrayBuffer[] {
  return series === null ? [] : columnsOf(series).map(({ buffer }) => buffer as ArrayBuffer)
}

/** The buffers of a slot, so that posting it costs nothing however many rows it has. */
export function slotBuffers(slot: SealedSlot): ArrayBuffer[] {
  const columns = [...Object.values(slot.counters), ...Object.values(slot.records)]
  return columns.flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []))
}
