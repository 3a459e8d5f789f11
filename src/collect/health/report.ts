// What is known of an exporter's streams, as plain data: what a collector tells of them, what the store keeps, what people and programs read.
import type { StreamCounters } from '../../decode/counters.ts'
import type { ExportProtocol } from '../../flow/columns.ts'

/** Rises when the shape of a report changes: what is kept of an older one is of no use. */
export const reportForm = 1

export interface TemplateReport {
  id: number
  /** It describes the exporter, not flows. */
  options: boolean
  fields: number
  /** When this very definition was first seen, Unix milliseconds. */
  firstMs: number
}

export interface RateReport {
  /** 1 of how many packets; 0: it is not known. */
  rate: number
  /** How many of the records have it, 0 to 1. */
  share: number
}

/** What follows from the records that were looked at. */
export interface RecordsReport {
  /** How many were looked at: all, or one of some. */
  sampled: number
  /** Of these, how many of each IP version, and how many lack what. */
  ip6: number
  withoutTimes: number
  withoutPackets: number
  withoutBytes: number
  /** Sampling rates, the most frequent first. */
  rates: RateReport[]
  /** Flows that go on are reported so often, as it seems, and those that end so long after their last packet. Null: not known. */
  activeTimeoutSeconds: number | null
  inactiveTimeoutSeconds: number | null
  /** Hardly any record lasts longer. */
  longestSeconds: number | null
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
  /** Over the last minute or two; of a capture, over all of it. Null: too little time has passed. */
  datagramsPerSecond: number | null
  recordsPerSecond: number | null
  /** Those of lowest id, and how many there are. */
  templates: TemplateReport[]
  templatesTotal: number
  /** How far the exporter's clock is ahead of ours, the median of many datagrams. Null: the protocol has no clock. */
  clockAheadMs: number | null
  records: RecordsReport
}

/** What tells a stream from others. */
export type StreamName = Pick<StreamReport, 'address' | 'protocol' | 'port' | 'domain'>

export function streamKey({ address, protocol, port, domain }: StreamName): string {
  return `${address} ${protocol} ${port} ${domain}`
}
