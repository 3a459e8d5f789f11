import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { findingsOf, lostShare, rules, severities } from './findings.ts'
import type { StreamReport } from './report.ts'

interface Case {
  /** Fits the rule, and no other. */
  is: StreamReport
  says: string
  /** Nearly fits it. */
  not: StreamReport
}

const untemplated = { templates: [], templatesTotal: 0 }
const rates = (...pairs: [rate: number, share: number][]) => ({
  rates: pairs.map(([rate, share]) => ({ rate, share })),
})

/** For each rule a stream that it fits, and a near miss. */
const cases: Record<string, Case> = {
  silent: {
    is: streamReport({ lastMs: reportedMs - 720_000 }),
    says: 'nothing was heard for 12 min',
    not: streamReport({ lastMs: reportedMs - 299_000 }),
  },
  loss: {
    is: streamReport({ counters: { datagrams: 9_700, sequenceLost: 300, sequenceGaps: 7 } }),
    says: 'sequence numbers show 3 % of the datagrams lost: 300 in 7 gaps',
    not: streamReport({ protocol: 'ipfix', counters: { datagrams: 9_700, records: 120_000, sequenceLost: 30 } }),
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
      ...untemplated,
      firstMs: reportedMs - 40_000,
      counters: { records: 0, setsWithoutTemplate: 12 },
    }),
    says: 'no template for flows came in 40 s: 12 sets of data can not be read',
    not: streamReport({ ...untemplated, protocol: 'netflow5' }),
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
    is: streamReport({ records: rates([100, 0.9], [0, 0.1]) }),
    says: 'no sampling rate is known for 10 % of the records, though one is for the others',
    not: streamReport({ records: rates([100, 0.995], [0, 0.005]) }),
  },
  'sampling-untold': {
    is: streamReport({ records: rates([0, 1]) }),
    says: 'no sampling rate was told',
    not: streamReport({ records: rates([1, 1]) }),
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
  'times-replaced': {
    is: streamReport({ counters: { timesReplaced: 12_000 } }),
    says: '10 % of the records have times that can not be',
    not: streamReport({ counters: { timesReplaced: 1_000 } }),
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
    is: streamReport({ counters: { setsWithoutTemplate: 1 } }),
    says: '1 set of data came before their template',
    not: streamReport(),
  },
  malformed: {
    is: streamReport({ counters: { badSets: 1, truncated: 5, templatesRefused: 1 } }),
    says: '7 datagrams, sets or templates are cut short or malformed',
    not: streamReport({ counters: { badSets: 1, truncated: 5 } }),
  },
  'only-ipv6': {
    is: streamReport({ records: { ip6: 10_000 } }),
    says: 'all flows are of IPv6',
    not: streamReport({ records: { ip6: 9_999 } }),
  },
}

describe('the findings', () => {
  it('are none for an exporter that is set up well', () => {
    assert.deepEqual(findingsOf(streamReport(), reportedMs), [])
  })

  it('each have a case', () => {
    assert.deepEqual(Object.keys(cases).sort(), rules.map(({ rule }) => rule).sort())
  })

  for (const { rule, advice } of rules) {
    it(`${rule}: fits what it is about, and not what is nearly so`, () => {
      const found = findingsOf(cases[rule].is, reportedMs)
      assert.deepEqual(
        found.map((finding) => [finding.rule, finding.text]),
        [[rule, cases[rule].says]],
      )
      assert.equal(found[0].advice, advice)
      assert.ok(!findingsOf(cases[rule].not, reportedMs).some((finding) => finding.rule === rule))
    })
  }

  it('come with the worst first', () => {
    const report = streamReport({ clockAheadMs: 90_000, counters: { sequenceLost: 6_000 }, records: rates([0, 1]) })
    const found = findingsOf(report, reportedMs).map(({ severity }) => severity)
    assert.deepEqual(found, [...severities])
  })

  it('know a loss by what the sequence numbers of the protocol count', () => {
    const counters = { datagrams: 100, records: 900, optionRecords: 100, sequenceLost: 100 }
    assert.equal(lostShare(streamReport({ protocol: 'netflow9', counters })), 0.5)
    assert.equal(lostShare(streamReport({ protocol: 'sflow5', counters })), 0.5)
    assert.equal(lostShare(streamReport({ protocol: 'ipfix', counters })), 100 / 1_100)
  })
})
