// Reports on an exporter's streams as plain data: collectors send them, the store keeps them, people and programs read them.
import { createStreamCounters, type StreamCounters } from '../../decode/counters.ts'
import type { RateJump } from '../../decode/sampling/rate-jumps.ts'
import type { SamplingEntry, SamplingSource } from '../../decode/sampling/sampling.ts'
import type { RateDoubt } from '../../decode/sampling/sampling-doubt.ts'
import type { ExportProtocol } from '../../flow/columns.ts'

/** Version of a report's shape: saved reports of another version are not used. */
export const reportForm = 4

export interface TemplateReport {
  id: number
  /** True for an options template, which describes the exporter, not flows. */
  options: boolean
  fields: number
  /** Time at which this definition was first seen, Unix milliseconds. */
  firstMs: number
}

/** Data sets that wait for their template. */
export interface WaitingReport {
  template: number
  sets: number
}

/** An information element that the registry does not have. */
export interface ElementReport {
  /** Enterprise number; 0 for IANA's elements. */
  enterprise: number
  id: number
}

export interface RateReport {
  /** One of how many packets is sampled; 0: unknown. */
  rate: number
  /** Share of the records that have this rate, 0 to 1. */
  share: number
}

export interface SamplingReport {
  /** Source of the last records' rate. */
  from: SamplingSource
  /** Rates of records, the most frequent first. */
  rates: RateReport[]
  /** The first samplers that the exporter reported in options data. */
  told: SamplingEntry[]
  /** The reason why the exporter's rates are hard to believe. */
  doubts: RateDoubt[]
  /** The last large changes of rates that it told in options data, the latest first. */
  jumps: readonly RateJump[]
}

/** Facts about the records that were sampled. */
export interface RecordsReport {
  /** Number of records that were sampled: all, or one of some. */
  sampled: number
  /** Numbers of these that lack something, or have unbelievable times. */
  withoutTimes: number
  withOddTimes: number
  withoutPackets: number
  withoutBytes: number
  /** The exporter's timeouts as measured: flows that go on are reported after the active one, flows that end after the inactive one. Null: unknown. */
  activeTimeoutSeconds: number | null
  inactiveTimeoutSeconds: number | null
  /** Length that hardly any record exceeds. */
  longestSeconds: number | null
  /** Median of the time from a record's end to its export. */
  lagSeconds: number | null
}

/** A report on one stream: an observation domain of one socket of an exporter. */
export interface StreamReport {
  address: string
  port: number
  domain: number
  protocol: ExportProtocol
  firstMs: number
  lastMs: number
  /** Time from which on the counters count. */
  countedFromMs: number
  counters: StreamCounters
  /** Rise of the counters over the last 15 to 30 minutes; for a capture over all of it. */
  recent: StreamCounters
  /** Rates over the last one to two minutes; for a capture over all of it. Null when too little time has passed. */
  datagramsPerSecond: number | null
  recordsPerSecond: number | null
  /** The templates of lowest id, and the number of all. */
  templates: TemplateReport[]
  templatesTotal: number
  waiting: WaitingReport[]
  unknownElements: ElementReport[]
  sampling: SamplingReport
  /** Milliseconds that the exporter's clock is ahead of ours, the median of many datagrams. Null: the protocol has no clock. */
  clockAheadMs: number | null
  records: RecordsReport
}

/** The key of a stream. */
export type StreamName = Pick<StreamReport, 'address' | 'protocol' | 'port' | 'domain'>

export function streamKey({ address, protocol, port, domain }: StreamName): string {
  return `${address} ${protocol} ${port} ${domain}`
}

/** A report as it is saved: without the counters that are 0. */
export type SavedReport = Omit<StreamReport, 'counters' | 'recent' | 'sampling'> & {
  counters: Partial<StreamCounters>
  recent: Partial<StreamCounters>
  sampling: Omit<SamplingReport, 'jumps'> & Partial<SamplingReport>
}

export function savedReport(report: StreamReport): SavedReport {
  return { ...report, counters: counted(report.counters), recent: counted(report.recent) }
}

/** The report; what is counted or told today may not have been when it was saved. */
export function restoredReport({ counters, recent, sampling, ...report }: SavedReport): StreamReport {
  return {
    ...report,
    counters: { ...createStreamCounters(), ...counters },
    recent: { ...createStreamCounters(), ...recent },
    sampling: { ...sampling, jumps: sampling.jumps ?? [] },
  }
}

function counted(counters: StreamCounters): Partial<StreamCounters> {
  return Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0))
}

/** Octets of a saved report without its lists, and of a member of one, about. */
const reportOctets = 1_000
const memberOctets = 50

/** What a report takes, in memory or in the store, about. Octets. */
export function octetsOfReport({ templates, waiting, unknownElements, sampling }: StreamReport): number {
  const members = templates.length + waiting.length + unknownElements.length + sampling.told.length
  return reportOctets + members * memberOctets
}

/** How long a stream must have sent until it counts as one that works, milliseconds: as long as a stream that sends seldom takes to prove itself. */
const workedMs = 180_000

/** Whether it has brought flow records for minutes. */
export function hasWorked({ counters, firstMs, lastMs }: StreamReport): boolean {
  return counters.records > 0 && lastMs - firstMs >= workedMs
}
