// What the threads say to each other. Plain data, structured-cloneable; typed arrays are transferred, not copied.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { IngestSettings } from '../collect/settings.ts'
import type { IncidentReport } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { SeriesPoint } from '../store/store.ts'

/** Counter values by metric name: what a thread counted since it started. */
export type Sample = { name: string; labels: Record<string, string>; value: number }

export interface CollectorData {
  ingest: IngestSettings
  /** Whether other collectors share the ports. */
  shared: boolean
}

export type ToCollector =
  | { type: 'watch'; ranges: Uint32Array }
  | { type: 'detector'; port: import('node:worker_threads').MessagePort }

export interface BoundListener {
  protocol: string
  address: string
  port: number
}

export type FromCollector =
  | { type: 'listening'; listeners: BoundListener[]; warnings: string[] }
  | { type: 'samples'; samples: Sample[]; datagrams: number; lastDatagramMs: number | null }
  | { type: 'failed'; reason: string }

export interface DetectorData {
  detect: DetectSettings
}

export type ToDetector = { type: 'collector'; port: import('node:worker_threads').MessagePort }

export type FromDetector = {
  type: 'pass'
  atMs: number
  durationMs: number
  reports: IncidentReport[]
  series: SeriesPoint[]
  samples: Sample[]
}

/** The buffers of a slot, so that posting it costs nothing however many rows it has. */
export function slotBuffers(slot: SealedSlot): ArrayBuffer[] {
  const columns = [...Object.values(slot.counters), ...Object.values(slot.evidence)]
  return columns.flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []))
}
