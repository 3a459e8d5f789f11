import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import type { RateJump } from '../../decode/sampling/rate-jumps.ts'
import { findingsOf, rules } from './findings.ts'
import type { StreamReport } from './report.ts'
import { type Surroundings, severities } from './rule.ts'
import { lostShare } from './sequence-loss.ts'

interface Case {
  /** A report that fits the rule, and no other. */
  is: StreamReport
  says: string
  /** A report that nearly fits it. */
  not: StreamReport
  /** Its circumstances, where they matter. */
  within?: Partial<Surroundings>
}

const untemplated = { templates: [], templatesTotal: 0 }
const rates = (...pairs: [rate: number, share: number][]) => ({
  rates: pairs.map(([rate, share]) => ({ rate, share })),
})

const jump = (outcome: RateJump['outcome'], at: Partial<RateJump> = {}) => ({
  jumps: [
    {
      ...{ scope: 'exporter' as const, id: 0, from: 1_000, to: 1, outcome },
      ...{ toldMs: reportedMs - 600_000, decidedMs: reportedMs - 300_000, ...at },
    },
  ],
})

/** For each rule a stream that it fits, and a near miss. */
const cases: Record<string, Case> = {
  silent: {
    is: streamReport({ lastMs: reportedMs - 720_000, countedFromMs: reportedMs - 1_400_000 }),
    says: 'nothing was heard for 12 min',
    not: streamReport({
      lastMs: reportedMs - 720_000,
      countedFromMs: reportedMs - 1_440_000,
      counters: { datagrams: 10 },
    }),
  },
  refused: {
    is: streamReport({ lastMs: reportedMs - 20_000 }),
    within: { refusedMs: reportedMs - 10_000 },
    says: 'its datagrams were refused, the last 10 s ago',
    not: streamReport(),
  },
  'stream-silent': {
    is: streamReport({ lastMs: reportedMs - 720_000, countedFromMs: reportedMs - 1_400_000 }),
    within: { exporterLastMs: reportedMs - 1_000 },
    says: 'nothing came from this stream for 12 min',
    not: streamReport({ lastMs: reportedMs - 299_000 }),
  },
  loss: {
    is: streamReport({ counters: { datagrams: 9_700, sequenceLost: 300, sequenceGaps: 7 } }),
    says: 'sequence numbers show 3 % of the datagrams lost: 300 in 7 gaps',
    not: streamReport({ counters: { datagrams: 9, sequenceLost: 300, sequenceGaps: 7 } }),
  },
  'some-loss': {
    is: streamReport({
      protocol: 'ipfix',
      counters: { records: 119_760, optionRecords: 0, sequenceLost: 240, sequenceGaps: 1 },
    }),
    says: 'sequence numbers show 0.2 % of the records lost: 240 in 1 gap',
    not: streamReport({ counters: { sequenceLost: 5, sequenceGaps: 5 } }),
  },
  'no-template': {
    is: streamReport({
      firstMs: reportedMs - 40_000,
      waiting: [
        { template: 261, sets: 1 },
        { template: 260, sets: 12 },
      ],
      counters: { setsWithoutTemplate: 13 },
    }),
    says: 'no template for sets 260, 261 came in 40 s: 13 sets of data can not be read',
    not: streamReport({ ...untemplated }),
  },
  'sets-given-up': {
    is: streamReport({ counters: { setsExpired: 1, setsCrowdedOut: 2, setsOverflowed: 3, setsOutdated: 4 } }),
    says: '10 sets of data waited for a template in vain and are lost',
    not: streamReport({ counters: { setsWithoutTemplate: 10 } }),
  },
  'no-flows': {
    is: streamReport({
      protocol: 'sflow5',
      ...untemplated,
      clockAheadMs: null,
      counters: { records: 0, samplesSkipped: 6_000 },
    }),
    says: '6000 datagrams without any flow record in 10 min: counters only',
    not: streamReport({ firstMs: reportedMs - 59_000, counters: { records: 0 } }),
  },
  'no-address': {
    is: streamReport({ counters: { records: 1_000, recordsWithoutAddress: 3_000 } }),
    says: '75 % of the flow records have no destination address',
    not: streamReport({ counters: { recordsWithoutAddress: 3_000 } }),
  },
  'sampling-unknown': {
    is: streamReport({ counters: { samplingUnknown: 12_000 }, sampling: rates([100, 0.9], [0, 0.1]) }),
    says: 'no sampling rate was told for 10 % of the records, though the exporter samples',
    not: streamReport({ counters: { samplingUnknown: 1_200 } }),
  },
  'sampling-swapped': {
    is: streamReport({ sampling: { doubts: ['byteOrder'] } }),
    says: 'the sampling rate came in the wrong byte order, and is taken for 1:100',
    not: streamReport(),
  },
  'sampling-odd': {
    is: streamReport({ sampling: { doubts: ['maybeByteOrder'] } }),
    says: 'a sampling rate of 1:100 may be one in the wrong byte order',
    not: streamReport(),
  },
  'sampling-absurd': {
    is: streamReport({ sampling: { doubts: ['tooLarge'] } }),
    says: 'the sampling rate that was told is too large to be true, and not believed',
    not: streamReport(),
  },
  'sampling-above-links': {
    is: streamReport({ sampling: { doubts: ['aboveLinks'] } }),
    says: 'with a sampling rate of 1:100 there is more traffic than the interfaces can carry',
    not: streamReport(),
  },
  'sampling-override': {
    is: streamReport({ sampling: { from: 'override' } }),
    says: 'records count with the rate of ingest.sampling, 1:100',
    not: streamReport({ sampling: { from: 'header' } }),
  },
  'sampling-untold': {
    is: streamReport({ sampling: rates([0, 1]) }),
    says: 'no sampling rate was told',
    not: streamReport({ sampling: rates([1, 1]) }),
  },
  'sampling-jump-waits': {
    is: streamReport({ sampling: jump('waits') }),
    says: 'a rate of 1:1 was told 10 min ago in place of 1:1000, which counts until the new one is told again',
    not: streamReport({ sampling: { ...jump('waits'), from: 'override' } }),
  },
  'sampling-jump-contradicted': {
    is: streamReport({ sampling: jump('contradicted', { scope: 'sampler', id: 7, to: 0 }) }),
    says: 'for sampler 7 a rate of none was told 10 min ago in place of 1:1000, and the exporter contradicted it',
    not: streamReport({ sampling: jump('contradicted', { decidedMs: reportedMs - 86_400_000 }) }),
  },
  'sampling-jump': {
    is: streamReport({ sampling: jump('confirmed') }),
    says: 'a rate of 1:1 was told 10 min ago in place of 1:1000, and told again since: it counts',
    not: streamReport({ sampling: jump('confirmed', { decidedMs: reportedMs - 90_000_000 }) }),
  },
  'clock-zone': {
    is: streamReport({ clockAheadMs: 3_599_500 }),
    says: 'the clock is 3600 s ahead: time zone?',
    not: streamReport({ clockAheadMs: 4_900 }),
  },
  'clock-off': {
    is: streamReport({ clockAheadMs: -90_000 }),
    says: 'the clock is 90 s behind',
    not: streamReport({ clockAheadMs: -4_900 }),
  },
  'active-timeout': {
    is: streamReport({ records: { activeTimeoutSeconds: 1_800 } }),
    says: 'records last up to 1800 s',
    not: streamReport({ records: { activeTimeoutSeconds: 60, longestSeconds: 3_000 } }),
  },
  'inactive-timeout': {
    is: streamReport({ records: { inactiveTimeoutSeconds: 300 } }),
    says: 'flows of a single packet are reported 300 s after it',
    not: streamReport({ records: { inactiveTimeoutSeconds: 30 } }),
  },
  'times-odd': {
    is: streamReport({ counters: { timesReplaced: 12_000 }, records: { withOddTimes: 200 } }),
    says: '10 % of the records have times that can not be: hours before their export, or after it',
    not: streamReport({ counters: { timesReplaced: 1_000 }, records: { withOddTimes: 90 } }),
  },
  'no-counters': {
    is: streamReport({ records: { withoutPackets: 10_000, withoutBytes: 500 } }),
    says: 'records do not count packets and bytes',
    not: streamReport({ records: { withoutPackets: 90 } }),
  },
  'no-times': {
    is: streamReport({ records: { withoutTimes: 10_000 } }),
    says: '100 % of the records do not say when they began and ended',
    not: streamReport({ protocol: 'sflow5', records: { withoutTimes: 10_000 } }),
  },
  'late-template': {
    is: streamReport({ counters: { setsWithoutTemplate: 1, setsDecodedLate: 1 } }),
    says: '1 set of data came before their template, and waited for it',
    not: streamReport({ counters: { setsWithoutTemplate: 1 } }),
  },
  malformed: {
    is: streamReport({ counters: { badSets: 1, truncated: 5, templatesRefused: 1 } }),
    says: '7 datagrams, sets or templates are cut short or malformed',
    not: streamReport({ counters: { badSets: 1, truncated: 5 } }),
  },
  'shared-address': {
    is: streamReport(),
    within: { twins: 2 },
    says: '3 sockets of this address send the same domain at the same time',
    not: streamReport(),
  },
  'both-directions': {
    is: streamReport({ counters: { recordsPassed: 60_000, egressAgain: 30_000 } }),
    says: '50 % of the records tell a second time, as packets leave (flowDirection 1), what was told as they came in; they are left out, so that each packet counts once',
    not: streamReport({ counters: { egressAgain: 19 } }),
  },
  'only-ipv6': {
    is: streamReport({ counters: { records6: 120_000 } }),
    says: 'all flows are of IPv6',
    not: streamReport({ counters: { records6: 119_999 } }),
  },
  'unknown-elements': {
    is: streamReport({
      unknownElements: [{ enterprise: 0, id: 999 }, ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ enterprise: 9, id }))],
    }),
    says: 'elements that are not known are skipped: 999, 9/1, 9/2, 9/3, 9/4, 9/5, 9/6, 9/7 and 1 more',
    not: streamReport(),
  },
}

const within = (stream: StreamReport, changes: Partial<Surroundings> = {}): Surroundings => ({
  nowMs: reportedMs,
  twins: 0,
  exporterLastMs: stream.lastMs,
  exporterRecords: stream.counters.records,
  refusedMs: 0,
  ...changes,
})

describe('the findings', () => {
  it('are none for an exporter that is set up well', () => {
    assert.deepEqual(findingsOf(streamReport(), within(streamReport())), [])
  })

  it('each have a case', () => {
    assert.deepEqual(Object.keys(cases).sort(), rules.map(({ rule }) => rule).sort())
  })

  for (const { rule, advice } of rules) {
    it(`${rule}: fits what it is about, and not what is nearly so`, () => {
      const found = findingsOf(cases[rule].is, within(cases[rule].is, cases[rule].within))
      assert.deepEqual(
        found.map((finding) => [finding.rule, finding.text]),
        [[rule, cases[rule].says]],
      )
      assert.equal(found[0].advice, advice)
      assert.ok(!findingsOf(cases[rule].not, within(cases[rule].not)).some((finding) => finding.rule === rule))
    })
  }

  it('come with the worst first', () => {
    const report = streamReport({ clockAheadMs: 90_000, counters: { sequenceLost: 6_000 }, sampling: rates([0, 1]) })
    const found = findingsOf(report, within(report)).map(({ severity }) => severity)
    assert.deepEqual(found, [...severities])
  })

  it('know a loss by what the sequence numbers of the protocol count', () => {
    const counters = { datagrams: 100, records: 900, optionRecords: 100, sequenceLost: 100 }
    assert.equal(lostShare(streamReport({ protocol: 'netflow9', counters })), 0.5)
    assert.equal(lostShare(streamReport({ protocol: 'sflow5', counters })), 0.5)
    assert.equal(lostShare(streamReport({ protocol: 'ipfix', counters })), 100 / 1_100)
  })
})
