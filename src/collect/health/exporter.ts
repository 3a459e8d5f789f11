// Sums the streams of one address up as one exporter, for overviews.
import type { ExportProtocol } from '../../flow/columns.ts'
import { findingsOf } from './findings.ts'
import type { StreamReport } from './report.ts'
import { type Finding, type FindingSeverity, type Surroundings, severities } from './rule.ts'
import { lostShare } from './sequence-loss.ts'

export interface StreamHealth extends StreamReport {
  findings: Finding[]
  /** Share of the sent datagrams or records that was lost, by the sequence numbers, 0 to 1. */
  lostShare: number
}

export interface ExporterHealth {
  address: string
  protocols: ExportProtocol[]
  firstMs: number
  lastMs: number
  datagramsPerSecond: number
  recordsPerSecond: number
  /** The highest share of its streams. */
  lostShare: number
  /** Known sampling rates, ascending. */
  rates: number[]
  /** Milliseconds that the clock is ahead, in the stream where it is furthest off. */
  clockAheadMs: number | null
  /** Severity of the worst finding; `ok` when there are only notes. */
  state: Exclude<FindingSeverity, 'note'> | 'ok'
  /** Each rule once, in the words of the first stream that it fits. */
  findings: Finding[]
  /** By domain, then by port. */
  streams: StreamHealth[]
}

/** Milliseconds that two streams must be active together to count as separate: an exporter that restarts may take another port. */
const togetherMs = 60_000
const twinsMax = 64

/** Age from which a rate is no longer shown, milliseconds. */
const rateGoodMs = 120_000

/** Groups streams by address, in the order in which the addresses were first seen. */
export function exportersOf(
  reports: Iterable<StreamReport>,
  nowMs: number,
  /** When datagrams of an address were refused last. */
  refusedMs: ReadonlyMap<string, number> = new Map(),
): ExporterHealth[] {
  const byAddress = Map.groupBy(reports, ({ address }) => address)
  const exporters = [...byAddress].map(([address, streams]) => exporterOf(streams, nowMs, refusedMs.get(address) ?? 0))
  return exporters.toSorted((a, b) => a.firstMs - b.firstMs || (a.address < b.address ? -1 : 1))
}

/** Sums up the streams of one address, of which there is at least one. */
function exporterOf(reports: readonly StreamReport[], nowMs: number, refusedMs: number): ExporterHealth {
  const sorted = reports.toSorted((a, b) => a.domain - b.domain || a.port - b.port)
  const lastMs = Math.max(...reports.map((report) => report.lastMs))
  const exporterRecords = sum(reports.map(({ counters }) => counters.records + counters.recordsWithoutAddress))
  const twins = twinsOf(reports)
  const streams = sorted.map((report) =>
    streamHealth(report, {
      ...{ nowMs, twins: twins.get(report) ?? 0, exporterLastMs: lastMs, exporterRecords, refusedMs },
    }),
  )
  const findings = distinct(streams.flatMap((stream) => stream.findings))
  const clocks = streams.flatMap(({ clockAheadMs }) => (clockAheadMs === null ? [] : [clockAheadMs]))
  const worst = findings[0]?.severity ?? 'note'
  return {
    address: reports[0].address,
    protocols: [...new Set(streams.map(({ protocol }) => protocol))].sort(),
    firstMs: Math.min(...reports.map((report) => report.firstMs)),
    lastMs,
    datagramsPerSecond: sum(streams.map((stream) => stream.datagramsPerSecond ?? 0)),
    recordsPerSecond: sum(streams.map((stream) => stream.recordsPerSecond ?? 0)),
    lostShare: Math.max(...streams.map((stream) => stream.lostShare)),
    rates: [...new Set(streams.flatMap(({ sampling }) => sampling.rates.map(({ rate }) => rate)))]
      .filter((rate) => rate > 0)
      .sort((a, b) => a - b),
    clockAheadMs: clocks.length === 0 ? null : clocks.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
    state: worst === 'note' ? 'ok' : worst,
    findings,
    streams,
  }
}

function streamHealth(report: StreamReport, surroundings: Surroundings): StreamHealth {
  const health = { ...report, findings: findingsOf(report, surroundings), lostShare: lostShare(report) }
  const isGood = surroundings.nowMs - report.lastMs <= rateGoodMs
  return isGood ? health : { ...health, datagramsPerSecond: 0, recordsPerSecond: 0 }
}

/** Counts for each stream the others that differ from it only in their port, and were active while it was. */
function twinsOf(reports: readonly StreamReport[]): Map<StreamReport, number> {
  const alike = Map.groupBy(reports, ({ protocol, domain }) => `${protocol} ${domain}`)
  const twins = new Map<StreamReport, number>()
  for (const group of alike.values()) {
    // When there are very many, some of them are enough.
    const others = group.slice(0, twinsMax)
    for (const report of group) twins.set(report, others.filter((other) => areTwins(report, other)).length)
  }
  return twins
}

function areTwins(a: StreamReport, b: StreamReport): boolean {
  return a.port !== b.port && Math.min(a.lastMs, b.lastMs) - Math.max(a.firstMs, b.firstMs) > togetherMs
}

function distinct(findings: readonly Finding[]): Finding[] {
  const byRule = new Map<string, Finding>()
  for (const finding of findings) if (!byRule.has(finding.rule)) byRule.set(finding.rule, finding)
  return [...byRule.values()].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}
