import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs } from '../../../test/helpers/decoded.ts'
import { optionsOf, recordOf, scopedOf as scoped, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage, type Record } from '../../encode/messages.ts'

function message(records: readonly Record[]) {
  const templates = [...new Map(records.map(({ template }) => [template.id, template])).values()]
  return encodeMessage({ version: 10, nowMs: exportedMs, domain: 0 }, { templates, records })
}

describe('a rate that changes by more than ten times', () => {
  const flow = recordOf(templateOf(256))
  const minuteMs = 60_000
  const bySampler = (id: number) => recordOf(templateOf(257, [48, 1]), id)
  const byInterface = (id: number) => recordOf(templateOf(258, [10, 4]), id)
  const rate = (value: number) => optionsOf(300, 10, [34, 4, value])
  const sampler = (id: number, value: number) => optionsOf(301, 10, [48, 1, id], [50, 4, value])
  const port = (id: number, value: number) => scoped([10, 4, id], [34, 4, value])

  /** What an exporter sends minute by minute, each time followed by a record; gives the rates of the records, and the stream. */
  function course(steps: readonly (readonly [minute: number, ...told: Record[]])[], sent: Record = flow, options = {}) {
    const decoded = decodeAll([], options)
    for (const [minute, ...told] of steps) {
      decodeAll([message([...told, sent])], { into: decoded, receivedMs: exportedMs + minute * minuteMs })
    }
    const stream = decoded.decoder.streams.list[0]
    const { samplingWaits, samplingConfirmed, samplingContradicted } = stream?.counters ?? {}
    return {
      rates: decoded.records.map(({ samplingRate }) => samplingRate),
      counted: [samplingWaits, samplingConfirmed, samplingContradicted],
      jumps: stream?.sampling.jumps,
    }
  }

  it('counts when it is told again a minute later, and not before', () => {
    for (const other of [10_001, 99]) {
      const { rates, counted, jumps } = course([
        [0, rate(1_000)],
        [2, rate(other)],
        [2.5, rate(other)],
        [3.1, rate(other)],
      ])
      assert.deepEqual(rates, [1_000, 1_000, 1_000, other])
      assert.deepEqual(counted, [1, 1, 0])
      const [toldMs, decidedMs] = [2, 3.1].map((minute) => exportedMs + minute * minuteMs)
      assert.deepEqual(jumps, [
        { scope: 'exporter', id: 0, from: 1_000, to: other, outcome: 'confirmed', toldMs, decidedMs },
      ])
    }
  })

  it('counts at once when it is no larger, or the rate before was in use for less than a minute', () => {
    assert.deepEqual(
      course([
        [0, rate(1_000)],
        [2, rate(100)],
      ]).rates,
      [1_000, 100],
    )
    assert.deepEqual(
      course([
        [0, rate(1_000)],
        [0.9, rate(1)],
      ]).rates,
      [1_000, 1],
    )
  })

  it('does not count while the exporter goes on telling the one before', () => {
    const true2 = Array.from({ length: 8 }, (_, i) => [i * 2, rate(1_000)] as const)
    const forged = true2.slice(1).flatMap(([minute]) => [0.2, 1.6].map((later) => [minute + later, rate(1)] as const))
    const { rates, counted, jumps } = course([...true2, ...forged].toSorted(([a], [b]) => a - b))
    assert.deepEqual([...new Set(rates)], [1_000])
    assert.deepEqual(counted, [7, 0, 6])
    assert.equal(jumps?.[0].outcome, 'waits')
  })

  it('can not be reached by small steps', () => {
    const { rates } = course([
      [0, rate(1_000)],
      [2, rate(101)],
      [2.1, rate(11)],
      [2.2, rate(2)],
    ])
    assert.deepEqual(rates, [1_000, 101, 101, 101])
  })

  it('to one that cannot be believed is as large as to none at all', () => {
    assert.deepEqual(
      course([
        [0, rate(1_000)],
        [2, rate(0x1234_5678)],
      ]).rates,
      [1_000, 1_000],
    )
  })

  it('of one sampler waits by itself', () => {
    const steps = [[0, sampler(1, 1_000), sampler(2, 1_000)] as const, [2, sampler(1, 7), sampler(2, 500)] as const]
    assert.deepEqual(course(steps, bySampler(1)).rates, [1_000, 1_000])
    assert.deepEqual(course(steps, bySampler(2)).rates, [1_000, 500])
  })

  it('by the name of something new waits as well, where it would take the place of the rate in use', () => {
    for (const [told, sent] of [
      [sampler(5, 1), bySampler(5)],
      [port(5, 1), byInterface(5)],
      [scoped([145, 2, 256], [34, 4, 1]), flow],
    ]) {
      const steps = [[0, rate(1_000)] as const, [2, told] as const, [3.1, told] as const]
      assert.deepEqual(course(steps, sent).rates, [1_000, 1_000, 1])
    }
  })

  it('is not made by the first interface or another sampler of an exporter whose samplers share a rate', () => {
    for (const other of [port(9_999, 1_000), sampler(99, 999), sampler(99, 0)]) {
      assert.deepEqual(course([[0, sampler(1, 1_000)], [2, other], [2.1]], byInterface(3)).rates, [1_000, 1_000, 1_000])
    }
    assert.deepEqual(
      course(
        [
          [0, sampler(1, 1_000)],
          [2, sampler(99, 500)],
        ],
        bySampler(99),
      ).rates,
      [null, 500],
    )
  })

  it('by another selector of a sequence waits (PSAMP)', () => {
    const selector = (id: number, interval: number) =>
      scoped([302, 8, id], [304, 2, 1], [305, 4, 1], [306, 4, interval - 1])
    const sequence = (id: number): Record => {
      const told = scoped([301, 8, 77], [302, 8, id])
      return { ...told, template: { ...told.template, id: 311 } }
    }
    const steps = [[0, selector(5, 1_000), sequence(5)] as const, [2, selector(6, 2), sequence(6)] as const]
    assert.deepEqual(course(steps, recordOf(templateOf(259, [301, 8]), 77)).rates, [1_000, 1_000])
  })

  it('counts at once where rates are wanted as exported', () => {
    assert.deepEqual(
      course(
        [
          [0, rate(1_000)],
          [2, rate(1)],
        ],
        flow,
        { exportedTimes: true },
      ).rates,
      [1_000, 1],
    )
  })
})
