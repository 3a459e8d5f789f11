// The streams of one address as one exporter: what an overview shows of it.
import type { ExportProtocol } from '../../flow/columns.ts'
import { findingsOf } from './findings.ts'
import type { StreamReport } from './report.ts'
import { type Finding, type Severity, type Surroundings, severities } from './rule.ts'
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
const togetherMs = 60_000
const twinsMax = 64

/** A rate that is older than this is none any more. */
const rateGoodMs = 120_000

/** By address, in the order in which they were first seen. */
export function exportersOf(reports: Iterable<StreamReport>, nowMs: number): ExporterHealth[] {
  const byAddress = Map.groupBy(reports, ({ address }) => address)
  const exporters = [...byAddress.values()].map((streams) => exporterOf(streams, nowMs))
  return exporters.toSorted((a, b) => a.firstMs - b.firstMs || (a.address < b.address ? -1 : 1))
}

/** Of one address: at least one stream. */
function exporterOf(reports: readonly StreamReport[], nowMs: number): ExporterHealth {
  const sorted = reports.toSorted((a, b) => a.domain - b.domain || a.port - b.port)
  const lastMs = Math.max(...reports.map((report) => report.lastMs))
  const exporterRecords = sum(reports.map(({ counters }) => counters.records + counters.recordsWithoutAddress))
  const twins = twinsOf(reports)
  const streams = sorted.map((report) =>
    streamHealth(report, { nowMs, twins: twins.get(report) ?? 0, exporterLastMs: lastMs, exporterRecords }),
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

/** For each stream how many others differ from it in nothing but their port, and were heard of while it was. */
function twinsOf(reports: readonly StreamReport[]): Map<StreamReport, number> {
  const alike = Map.groupBy(reports, ({ protocol, domain }) => `${protocol} ${domain}`)
  const twins = new Map<StreamReport, number>()
  for (const group of alike.values()) {
    // Of very many, some tell enough.
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
