// The streams of one address as one exporter: what an overview shows of it.
import type { ExportProtocol } from '../../flow/columns.ts'
import { findingsOf } from './findings.ts'
import type { StreamReport } from './report.ts'
import { type Finding, type Severity, severities } from './rule.ts'
import { lostShare } from './sequence-loss.ts'

export interface StreamHealth extends StreamReport {
  findings: Finding[]
  /** Which part of what was sent is lost, by the sequence numbers, 0 to 1. */
  lostShare: number
}

export interface ExporterHealth {
  address: string
  protocols: ExportProtocol[]
  firstMs: number
  lastMs: number
  datagramsPerSecond: number
  recordsPerSecond: number
  /** Of its worst stream. */
  lostShare: number
  /** Known sampling rates, ascending. */
  rates: number[]
  /** Of the stream whose clock is furthest off. */
  clockAheadMs: number | null
  /** The worst finding's; `ok` when there is nothing but notes. */
  state: Exclude<Severity, 'note'> | 'ok'
  /** Each rule once, in the words of the first stream that it fits. */
  findings: Finding[]
  /** By domain, then by port. */
  streams: StreamHealth[]
}

/** Exporters that start anew may take another port: two streams are together when they are so for longer, milliseconds. */
const together = 60_000

/** A rate that is older than this is none any more. */
const rateGoodMs = 120_000

/** By address, in the order in which they were first seen. */
export function exportersOf(reports: Iterable<StreamReport>, nowMs: number): ExporterHealth[] {
  const byAddress = new Map<string, StreamReport[]>()
  for (const report of reports) {
    const streams = byAddress.get(report.address)
    if (streams === undefined) byAddress.set(report.address, [report])
    else streams.push(report)
  }
  const exporters = [...byAddress.values()].map((streams) => exporterOf(streams, nowMs))
  return exporters.toSorted((a, b) => a.firstMs - b.firstMs || (a.address < b.address ? -1 : 1))
}

/** Of one address: at least one stream. */
function exporterOf(reports: readonly StreamReport[], nowMs: number): ExporterHealth {
  const sorted = reports.toSorted((a, b) => a.domain - b.domain || a.port - b.port)
  const lastMs = Math.max(...reports.map((report) => report.lastMs))
  const streams = sorted.map((report) => streamHealth(report, { nowMs, twins: twinsOf(report, reports) }))
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

function streamHealth(report: StreamReport, { nowMs, twins }: { nowMs: number; twins: number }): StreamHealth {
  const health = { ...report, findings: findingsOf(report, { nowMs, twins }), lostShare: lostShare(report) }
  return nowMs - report.lastMs > rateGoodMs ? { ...health, datagramsPerSecond: 0, recordsPerSecond: 0 } : health
}

/** How many other streams differ in nothing but their port, and were heard of while this one was. */
function twinsOf({ port, protocol, domain, firstMs, lastMs }: StreamReport, reports: readonly StreamReport[]): number {
  return reports.filter(
    (other) =>
      other.domain === domain &&
      other.protocol === protocol &&
      other.port !== port &&
      Math.min(other.lastMs, lastMs) - Math.max(other.firstMs, firstMs) > together,
  ).length
}

function distinct(findings: readonly Finding[]): Finding[] {
  const byRule = new Map<string, Finding>()
  for (const finding of findings) if (!byRule.has(finding.rule)) byRule.set(finding.rule, finding)
  return [...byRule.values()].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}
