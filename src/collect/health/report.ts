// What is known of an exporter's streams, as plain data: what a collector tells of them, what the store keeps, what people and programs read.
import type { StreamCounters } from '../../decode/counters.ts'
import type { SamplingEntry, SamplingSource } from '../../decode/sampling.ts'
import type { RateDoubt } from '../../decode/sampling-doubt.ts'
import type { ExportProtocol } from '../../flow/columns.ts'

/** Rises when the shape of a report changes: what is kept of an older one is of no use. */
export const reportForm = 4

export interface TemplateReport {
  id: number
  /** It describes the exporter, not flows. */
  options: boolean
  fields: number
  /** When this very definition was first seen, Unix milliseconds. */
  firstMs: number
}

/** Sets of data that wait for their template. */
export interface WaitingReport {
  template: number
  sets: number
}

/** An information element of no registry of ours. */
export interface ElementReport {
  /** Enterprise number; 0: of IANA. */
  enterprise: number
  id: number
}

export interface RateReport {
  /** 1 of how many packets; 0: it is not known. */
  rate: number
  /** How many of the records have it, 0 to 1. */
  share: number
}

export interface SamplingReport {
  /** Where the rate of the last records came from. */
  from: SamplingSource
  /** Rates of records, the most frequent first. */
  rates: RateReport[]
  /** What the exporter said in options data; the first of them. */
  told: SamplingEntry[]
  /** Why what the exporter tells is hard to believe. */
  doubts: RateDoubt[]
}

/** What follows from the records that were looked at. */
export interface RecordsReport {
  /** How many were looked at: all, or one of some. */
  sampled: number
  /** Of these, how many lack what, or have times that can not be. */
  withoutTimes: number
  withOddTimes: number
  withoutPackets: number
  withoutBytes: number
  /** Flows that go on are reported so often, as it seems, and those that end so long after their last packet. Null: not known. */
  activeTimeoutSeconds: number | null
  inactiveTimeoutSeconds: number | null
  /** Hardly any record lasts longer. */
  longestSeconds: number | null
  /** Half of the records are exported so soon after their end. */
  lagSeconds: number | null
}

/** What is known of one observation domain of one socket of an exporter. */
export interface StreamReport {
  address: string
  port: number
  domain: number
  protocol: ExportProtocol
  firstMs: number
  lastMs: number
  /** What is counted here is counted since then. */
  countedFromMs: number
  counters: StreamCounters
  /** The counters' rise over the last quarter of an hour or two; of a capture, over all of it. */
  recent: StreamCounters
  /** Over the last minute or two; of a capture, over all of it. Null: too little time has passed. */
  datagramsPerSecond: number | null
  recordsPerSecond: number | null
  /** Those of lowest id, and how many there are. */
  templates: TemplateReport[]
  templatesTotal: number
  waiting: WaitingReport[]
  unknownElements: ElementReport[]
  sampling: SamplingReport
  /** How far the exporter's clock is ahead of ours, the median of many datagrams. Null: the protocol has no clock. */
  clockAheadMs: number | null
  records: RecordsReport
}

/** What tells a stream from others. */
export type StreamName = Pick<StreamReport, 'address' | 'protocol' | 'port' | 'domain'>

export function streamKey({ address, protocol, port, domain }: StreamName): string {
  return `${address} ${protocol} ${port} ${domain}`
}
