import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { exportersOf } from './exporter.ts'
import { mergeReceptions, noReception, sendersMax } from './reception.ts'
import { counted, listed, share, span } from './words.ts'

const rulesOf = (exporter: ReturnType<typeof exportersOf>[number]) => exporter.findings.map(({ rule }) => rule)

describe('the streams of an address as one exporter', () => {
  it('are as bad as the worst of them, and as new as the newest', () => {
    const [exporter] = exportersOf(
      [
        streamReport({ clockAheadMs: -200, firstMs: 5_000 }),
        streamReport({
          domain: 2,
          protocol: 'ipfix',
          clockAheadMs: -9_000,
          sampling: { rates: [{ rate: 7, share: 1 }] },
        }),
        streamReport({ domain: 1, counters: { sequenceLost: 6_000 }, lastMs: reportedMs - 60_000 }),
      ],
      reportedMs,
    )
    const { firstMs, lastMs, lostShare, rates, clockAheadMs, state, protocols, datagramsPerSecond } = exporter
    assert.deepEqual([firstMs, lastMs, lostShare, rates, clockAheadMs], [5_000, reportedMs, 0.5, [7, 100], -9_000])
    assert.deepEqual([state, protocols, datagramsPerSecond], ['error', ['ipfix', 'netflow9'], 30])
    assert.deepEqual(rulesOf(exporter), ['loss', 'clock-off'])
  })

  it('are twins when they differ in the port alone, and are heard together', () => {
    const twins = (...others: Parameters<typeof streamReport>[0][]) =>
      exportersOf([streamReport(), ...others.map(streamReport)], reportedMs)[0].streams.filter(({ findings }) =>
        findings.some(({ rule }) => rule === 'shared-address'),
      ).length
    assert.equal(twins({ port: 1 }, { port: 2 }), 3)
    assert.equal(twins({ port: 1, domain: 1 }), 0)
    assert.equal(twins({ port: 1, protocol: 'ipfix' }), 0)
    assert.equal(twins({ port: 1, firstMs: 0, lastMs: reportedMs - 550_000 }), 0)
  })

  it('have no rate when they are silent; one that is silent alone is noted, and all of them are an error', () => {
    const lastMs = reportedMs - 3_600_000
    const [alone] = exportersOf([streamReport(), streamReport({ domain: 1, lastMs })], reportedMs)
    assert.deepEqual([alone.state, rulesOf(alone), alone.datagramsPerSecond], ['ok', ['stream-silent'], 10])
    const [all] = exportersOf([streamReport({ lastMs }), streamReport({ domain: 1, lastMs })], reportedMs)
    assert.deepEqual([all.state, rulesOf(all), all.recordsPerSecond], ['error', ['silent'], 0])
  })

  it('may tell of nothing but options, when others tell of flows', () => {
    const options = streamReport({ domain: 0, counters: { records: 0, optionRecords: 50 } })
    assert.deepEqual(rulesOf(exportersOf([options, streamReport()], reportedMs)[0]), [])
    assert.deepEqual(rulesOf(exportersOf([options], reportedMs)[0]), ['no-flows'])
  })
})

describe('what several collectors receive', () => {
  it('adds up, and keeps the busiest of those who were refused', () => {
    const senders = Array.from({ length: 2 * sendersMax }, (_, i) => ({
      address: `10.0.0.${i}`,
      datagrams: i,
      lastMs: i,
      workedBefore: false,
    }))
    const merged = mergeReceptions([
      { socketDrops: 1, notExports: 2, refused: 3, refusedSenders: senders.slice(0, sendersMax) },
      { ...noReception, socketDrops: 1, refusedSenders: senders.slice(sendersMax) },
      { ...noReception, refusedSenders: [{ address: '10.0.0.1', datagrams: 1_000, lastMs: 9, workedBefore: false }] },
      { ...noReception, refusedSenders: [{ address: '192.0.2.7', datagrams: 1, lastMs: 2, workedBefore: true }] },
    ])
    assert.deepEqual([merged.socketDrops, merged.notExports, merged.refused], [2, 2, 3])
    assert.equal(merged.refusedSenders.length, sendersMax)
    assert.deepEqual(merged.refusedSenders.slice(0, 3), [
      { address: '192.0.2.7', datagrams: 1, lastMs: 2, workedBefore: true },
      { address: '10.0.0.1', datagrams: 1_001, lastMs: 9, workedBefore: false },
      senders.at(-1),
    ])
  })
})

describe('words', () => {
  it('are short, and never say that something is nothing', () => {
    assert.deepEqual([0, 0.00001, 0.0005, 0.00345, 0.03, 0.126, 1].map(share), [
      '0 %',
      'less than 0.01 %',
      '0.05 %',
      '0.3 %',
      '3 %',
      '13 %',
      '100 %',
    ])
    assert.deepEqual([0, 1_500, 40_000, 119_000, 120_000, 5_400_000, 90_000_000, 864_000_000].map(span), [
      ...['0 s', '1.5 s', '40 s', '119 s', '2 min', '90 min', '25 h', '10 d'],
    ])
    assert.deepEqual(
      [counted(1, 'set'), counted(2, 'set'), listed('set', [1]), listed('set', [1, 2])],
      [...['1 set', '2 sets', 'set 1', 'sets 1, 2']],
    )
  })
})
