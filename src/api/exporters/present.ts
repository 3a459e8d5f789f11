// Exporters as the interface shows them. Pure.
import type { ExporterHealth, StreamHealth } from '../../collect/health/exporter.ts'
import type { ExporterNotice } from '../../collect/health/notice.ts'
import type { Reception } from '../../collect/health/reception.ts'
import { sequenceUnit } from '../../collect/health/sequence-loss.ts'
import type { AllowedExporters, ExporterNotice as WireNotice } from '../../contract/exporters/admission.ts'
import type {
  Exporter,
  ExporterDetail,
  ExporterStream,
  Reception as WireReception,
} from '../../contract/exporters/exporter.ts'
import { formatTime } from '../../contract/time.ts'
import { rounded } from '../rounding.ts'

const streamsMax = 256

export function presentExporter(exporter: ExporterHealth): Exporter {
  return {
    id: exporter.address,
    address: exporter.address,
    state: exporter.state,
    protocols: exporter.protocols,
    firstSeen: formatTime(exporter.firstMs),
    lastSeen: formatTime(exporter.lastMs),
    streamCount: exporter.streams.length,
    datagramsPerSecond: rounded(exporter.datagramsPerSecond),
    flowsPerSecond: rounded(exporter.recordsPerSecond),
    lostShare: rounded(exporter.lostShare, 6),
    samplingRates: exporter.rates,
    clockAheadSeconds: seconds(exporter.clockAheadMs),
    findings: exporter.findings,
  }
}

export function presentExporterDetail(exporter: ExporterHealth): ExporterDetail {
  return { ...presentExporter(exporter), streams: shownStreams(exporter.streams).map(presentStream) }
}

/** The streams of an exporter, or those with most flows when there are too many; in the order given. */
function shownStreams(streams: readonly StreamHealth[]): readonly StreamHealth[] {
  if (streams.length <= streamsMax) return streams
  const shown = new Set(streams.toSorted((a, b) => b.counters.records - a.counters.records).slice(0, streamsMax))
  return streams.filter((stream) => shown.has(stream))
}

function presentStream(stream: StreamHealth): ExporterStream {
  const { counters, records, sampling } = stream
  const { badSets, truncated, templatesRefused, timesReplaced, samplesSkipped } = counters
  const { setsExpired, setsCrowdedOut, setsOverflowed, setsOutdated } = counters
  return {
    domain: stream.domain,
    port: stream.port,
    protocol: stream.protocol,
    firstSeen: formatTime(stream.firstMs),
    lastSeen: formatTime(stream.lastMs),
    countedSince: formatTime(stream.countedFromMs),
    datagrams: counters.datagrams,
    bytes: counters.bytes,
    flows: counters.records,
    flowsOfIpv6: counters.records6,
    reverseFlows: counters.reverseRecords,
    flowsWithoutAddress: counters.recordsWithoutAddress,
    optionRecords: counters.optionRecords,
    datagramsPerSecond: roundedOrNull(stream.datagramsPerSecond),
    flowsPerSecond: roundedOrNull(stream.recordsPerSecond),
    sequence: {
      unit: sequenceUnit(stream.protocol),
      gaps: counters.sequenceGaps,
      lost: counters.sequenceLost,
      lostShare: rounded(stream.lostShare, 6),
    },
    templates: stream.templates.map(({ id, options, fields, firstMs }) => ({
      id,
      options,
      fields,
      firstSeen: formatTime(firstMs),
    })),
    templateCount: stream.templatesTotal,
    waitingSets: stream.waiting,
    setsWithoutTemplate: counters.setsWithoutTemplate,
    setsDecodedLate: counters.setsDecodedLate,
    setsGivenUp: setsExpired + setsCrowdedOut + setsOverflowed + setsOutdated,
    sampling: {
      from: sampling.from,
      rates: sampling.rates.map(({ rate, share }) => ({ rate: rate > 0 ? rate : null, share: rounded(share, 4) })),
      told: sampling.told.flatMap((entry) =>
        entry.scope === 'sequence'
          ? []
          : [{ scope: entry.scope, id: entry.scope === 'exporter' ? 0 : entry.id, rate: entry.rate || null }],
      ),
      doubts: sampling.doubts,
      jumps: sampling.jumps.map(({ scope, id, from, to, outcome, toldMs, decidedMs }) => ({
        ...{ scope, id, from: from || null, to: to || null, outcome },
        ...{ toldAt: formatTime(toldMs), decidedAt: formatTime(decidedMs) },
      })),
    },
    clockAheadSeconds: seconds(stream.clockAheadMs),
    activeTimeoutSeconds: roundedOrNull(records.activeTimeoutSeconds),
    inactiveTimeoutSeconds: roundedOrNull(records.inactiveTimeoutSeconds),
    longestRecordSeconds: roundedOrNull(records.longestSeconds),
    lagSeconds: roundedOrNull(records.lagSeconds),
    errors: { badSets, truncated, templatesRefused, timesReplaced, samplesSkipped },
    unknownElements: stream.unknownElements,
    findings: stream.findings,
  }
}

export function presentReception({ socketDrops, notExports, refused, refusedSenders }: Reception): WireReception {
  return {
    socketDrops,
    notExports,
    refused,
    refusedSenders: refusedSenders.map(({ address, datagrams, lastMs, workedBefore }) => ({
      address,
      datagrams,
      workedBefore,
      lastSeen: formatTime(lastMs),
    })),
  }
}

export function presentNotice({ kind, address, firstMs, lastMs, count, text }: ExporterNotice): WireNotice {
  return { kind, address, first: formatTime(firstMs), last: formatTime(lastMs), count, text }
}

/** Who may send, as the service has it. */
export interface AdmissionState {
  source: AllowedExporters['source']
  entries: readonly string[]
  previous: readonly string[] | null
  changedMs: number | null
  changedBy: string | null
  senders: string[]
}

export function presentAdmission(state: AdmissionState): AllowedExporters {
  const { source, entries, previous, changedMs, changedBy, senders } = state
  return {
    source,
    entries: [...entries],
    previous: previous === null ? null : [...previous],
    changedAt: changedMs === null ? null : formatTime(changedMs),
    changedBy,
    senders,
  }
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : rounded(ms / 1000)
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value)
}
