// The messages between the threads: plain data, structured-cloneable; typed arrays are transferred, not copied.
import type { MessagePort } from 'node:worker_threads'
import type { Exclusions } from '../aggregate/exclusions.ts'
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Reception } from '../collect/health/reception.ts'
import type { StreamReport } from '../collect/health/report.ts'
import type { IngestSettings } from '../collect/settings.ts'
import type { Admission } from '../collect/sockets/allow-list.ts'
import type { SavedStream, StreamChange } from '../decode/saved-streams.ts'
import type { StreamCrowding } from '../decode/streams.ts'
import type { DetectorCrowding } from '../detect/detector.ts'
import type { IncidentReport, ResumedIncident } from '../detect/incidents/incident-report.ts'
import type { SavedBaselines } from '../detect/normal/saved-baselines.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { SiteAddresses } from '../detect/targets/target-settings.ts'
import type { TargetQuery, TargetRates, TargetState } from '../detect/targets/target-state.ts'
import type { SavedTrace } from '../detect/trace/trace-code.ts'
import type { Away } from '../flow/away.ts'
import { columnsOf, type MinuteColumns } from '../history/minute-series.ts'
import type { HeldRanges } from '../net/held-ranges.ts'
import type { ListenAddress } from '../net/listen.ts'
import type { NetworkKey } from '../net/network.ts'
import type { SimulatedReports } from './simulate/detection.ts'
import type { SimulatedSlot, SimulationTag } from './simulate/traffic.ts'

/** What a collector is started with. */
export interface CollectorData {
  listen: ListenAddress[]
  receiveBufferBytes: number
  /** Who may send. */
  admission: Admission
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
  /** `version`: of the list; the collector says with its samples which one it uses. */
  | { type: 'watch'; ranges: Uint32Array; version: number }
  /** Who may send from now on. */
  | { type: 'admit'; admission: Admission }
  | { type: 'exclude'; exclusions: Exclusions | null }
  | { type: 'detector'; port: MessagePort }
  /** A simulated attack begins. From the response on, what carries its tag is counted apart. */
  | { type: 'simulate'; id: number; tag: SimulationTag }
  | { type: 'end-simulation'; simulation: string }
  /** Receive no more, send what is left, and say `stopped`. */
  | { type: 'stop' }

/** What a collector sends to the detector. */
export type FromCollectorToDetector = SealedSlot | SimulatedSlot

/** What the detector answers to each slot, on the port that it came by: it has been taken, and its memory is free again. */
export interface SlotReceipt {
  isSimulated: boolean
  memory: SharedArrayBuffer[]
}

export interface BoundListener extends ListenAddress {
  /** Room in the kernel for datagrams that wait, as granted. */
  receiveBufferBytes: number
}

/** What a collector reports once a second. */
export interface CollectorSecond {
  type: 'second'
  /** See `samplesText`. */
  samples: string
  /** Who crowds its bounded tables. */
  tables: StreamCrowding
  lastDatagramMs: number | null
  /** Version of the watch list in use; 0: none has come. */
  watching: number
}

export type FromCollector =
  | { type: 'listening'; listeners: BoundListener[] }
  | CollectorSecond
  /** To be saved. */
  | { type: 'changes'; changes: StreamChange[] }
  /** It was away, and has caught up. */
  | { type: 'away'; away: Away }
  /** The response to `simulate`. */
  | { type: 'simulating'; id: number }
  | { type: 'stopped' }
  /** `streams`: those that changed. */
  | { type: 'health'; streams: StreamReport[]; reception: Reception }

/** What the detector is started with. */
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
  | { type: 'networks'; networks: NetworkKey[] }
  /** See `Detector.setHolders`. */
  | { type: 'holders'; held: HeldRanges }
  /** Asks for the state of a target: see `Detector.stateOf`. */
  | { type: 'state-request'; id: number; address: number; knownFromMs: number }
  /** Asks for the rates of targets: see `Detector.ratesOf`. */
  | { type: 'rates-request'; id: number; asked: TargetQuery[] }
  /** Asks for the last minutes of an address: see `Detector.latestTraces`. */
  | { type: 'traces-request'; id: number; address: number }
  /** A simulated attack is judged apart, from here to its end; a probe by settings of its own. */
  | { type: 'simulate'; simulation: string; isProbe: boolean }
  | { type: 'end-simulation'; simulation: string }
  /** Judge what has come, send what is still to be saved, and say `stopped`. */
  | { type: 'stop' }

export interface Pass {
  type: 'pass'
  atMs: number
  durationMs: number
  /** How long ago the oldest slot was sealed that this pass has judged, at its end. */
  behindMs: number
  /** See `DetectorCounters.busyRefused`. */
  busyRefused: number
  reports: IncidentReport[]
  simulated: SimulatedReports[]
  /** Null: none is due. */
  series: MinuteColumns | null
  /** To be saved. */
  baselines: SavedBaselines[]
  traces: SavedTrace[]
  /** See `DetectorCounters.tracesRefused`. */
  tracesRefused: number
}

/** What the detector reports once a second. */
export interface DetectorSecond {
  type: 'second'
  /** See `samplesText`. */
  samples: string
  /** Who crowds the places of its targets. */
  tables: DetectorCrowding
}

export type FromDetector =
  | Pass
  | DetectorSecond
  | { type: 'state-response'; id: number; state: TargetState }
  | { type: 'rates-response'; id: number; rates: (TargetRates | null)[] }
  | { type: 'traces-response'; id: number; traces: SavedTrace[] }
  | { type: 'stopped'; baselines: SavedBaselines[]; traces: SavedTrace[] }

/** The buffers of points, so that posting them copies nothing. */
export function seriesBuffers(series: MinuteColumns | null): ArrayBuffer[] {
  return series === null ? [] : columnsOf(series).map(({ buffer }) => buffer as ArrayBuffer)
}
