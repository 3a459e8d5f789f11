// Reports of exporters, for tests: sound ones, of which a test changes what it is about.
import type { StreamReport } from '../../src/collect/health/report.ts'
import { createStreamCounters, type StreamCounters } from '../../src/decode/counters.ts'

/** `counters`: all of them recent. */
type Changes = Partial<Omit<StreamReport, 'counters' | 'recent' | 'records' | 'sampling'>> & {
  counters?: Partial<StreamCounters>
  records?: Partial<StreamReport['records']>
  sampling?: Partial<StreamReport['sampling']>
}

export const reportedMs = Date.UTC(2026, 0, 15, 12)

/** A stream of NetFlow v9 in which nothing is wrong, seen for ten minutes up to `reportedMs`. */
export function streamReport({ counters, records, sampling, ...changes }: Changes = {}): StreamReport {
  const some = { datagrams: 6_000, bytes: 6_000_000, records: 120_000, templates: 1 }
  const allCounters = { ...createStreamCounters(), ...some, ...counters }
  return {
    address: '192.0.2.7',
    port: 2055,
    domain: 9,
    protocol: 'netflow9',
    firstMs: reportedMs - 600_000,
    lastMs: reportedMs,
    countedFromMs: reportedMs - 600_000,
    datagramsPerSecond: 10,
    recordsPerSecond: 200,
    templates: [{ id: 256, options: false, fields: 10, firstMs: reportedMs - 600_000 }],
    templatesTotal: 1,
    waiting: [],
    unknownElements: [],
    clockAheadMs: -400,
    ...changes,
    counters: allCounters,
    recent: allCounters,
    sampling: {
      from: 'sampler',
      rates: [{ rate: 100, share: 1 }],
      told: [{ scope: 'sampler', id: 1, rate: 100 }],
      doubts: [],
      jumps: [],
      ...sampling,
    },
    records: {
      sampled: 10_000,
      withoutTimes: 0,
      withOddTimes: 0,
      withoutPackets: 0,
      withoutBytes: 0,
      activeTimeoutSeconds: 10,
      inactiveTimeoutSeconds: 5,
      longestSeconds: 10.3,
      lagSeconds: 1.2,
      ...records,
    },
  }
}
