// What is kept to explain the past: traces that wait while the store is away, and what was not seen whole in a minute.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { ManualClock } from '../../clock.ts'
import type { StreamReport } from '../../collect/health/report.ts'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import type { SavedTrace, Sight } from '../../store/store.ts'
import { SightLog } from './sight-log.ts'
import { TraceWriter } from './writer.ts'

const log = createLogger('silent')
const trace = (second: number): SavedTrace => ({ address: 1, length: 32, second, octets: Uint8Array.of(1) })
const traces = (count: number) => Array.from({ length: count }, (_, second) => trace(second))

describe('the writer of traces', () => {
  it('writes all once, though the store was away, and counts what it has no room for', async () => {
    let isDown = true
    const written: SavedTrace[] = []
    const appendTraces = async (some: SavedTrace[]) => {
      if (isDown) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      written.push(...some)
    }
    const writer = new TraceWriter({ store: { appendTraces }, clock: new ManualClock(), log })
    writer.take(traces(12_500))
    await writer.tasks[0].run()
    isDown = false
    await writer.stop()
    assert.deepEqual(written, traces(12_000))
    assert.deepEqual(writer.counts, { written: 12_000, refused: 500 })
  })
})

describe('the sight of a minute', () => {
  function sightLog(reports: StreamReport[]) {
    const clock = new ManualClock(reportedMs + 30_000)
    const noted: Sight[] = []
    const store = { appendSights: async (sights: Sight[]) => void noted.push(...sights) }
    const own = { socketDrops: 0, tracesRefused: 0, behindMs: 0 }
    const state = { reports, own }
    const sights = new SightLog({ store, clock, log, reports: () => state.reports, own: () => state.own })
    const noteMinute = async () => {
      noted.length = 0
      clock.advance(60_000)
      await sights.note()
      return noted.map(({ kind, exporter, amount, minute }) => [kind, exporter, amount, minute - clock.now() / 1_000])
    }
    return { clock, sights, state, noteMinute }
  }
  const watched = ['watched', '', 1, -30]

  it('has what an exporter lost, could not be read, or did not say, since the minute before', async () => {
    const { sights, state, noteMinute, clock } = sightLog([streamReport({ counters: { sequenceLost: 7 } })])
    sights.start()
    await sights.stop()
    const lastMs = clock.now() + 60_000
    const counters = { sequenceLost: 12, setsExpired: 1, samplingUnknown: 4 }
    state.reports = [streamReport({ counters, lastMs, waiting: [{ template: 256, sets: 2 }] })]
    assert.deepEqual(await noteMinute(), [
      watched,
      ['lost', '192.0.2.7', 5, -30],
      ['no-sampling', '192.0.2.7', 4, -30],
      ['no-template', '192.0.2.7', 3, -30],
    ])
    state.reports = [streamReport({ counters, lastMs: lastMs + 60_000, waiting: [{ template: 256, sets: 2 }] })]
    assert.deepEqual(await noteMinute(), [watched])
  })

  it('counts from zero what an exporter lost after a restart of the service', async () => {
    const { state, noteMinute, clock } = sightLog([streamReport({ counters: { sequenceLost: 1_000 } })])
    await noteMinute()
    const lastMs = clock.now() + 60_000
    state.reports = [streamReport({ counters: { sequenceLost: 2 }, lastMs, countedFromMs: clock.now() })]
    assert.deepEqual(await noteMinute(), [watched, ['lost', '192.0.2.7', 2, -30]])
  })

  it('says for how long an exporter is silent that usually sends, and nothing of one that sends seldom or is gone', async () => {
    const { noteMinute, clock } = sightLog([
      streamReport(),
      streamReport({ address: '192.0.2.8', counters: { datagrams: 3 } }),
      streamReport({ address: '192.0.2.9', firstMs: 0, lastMs: reportedMs - 2 * 86_400_000, countedFromMs: 0 }),
    ])
    assert.deepEqual(await noteMinute(), [watched, ['silent', '192.0.2.7', 90, -30]])
    clock.advance(60_000)
    assert.deepEqual((await noteMinute())[1], ['silent', '192.0.2.7', 210, -30])
  })

  it('has what the service itself missed; half minutes that were not kept are those of six minutes ago', async () => {
    const { state, noteMinute } = sightLog([])
    state.own = { socketDrops: 3, tracesRefused: 0, behindMs: 0 }
    assert.deepEqual(await noteMinute(), [
      ['watched', '', 1, -30],
      ['dropped', '', 3, -30],
    ])
    state.own = { socketDrops: 5, tracesRefused: 8, behindMs: 6_000 }
    assert.deepEqual(await noteMinute(), [
      watched,
      ['behind', '', 6_000, -30],
      ['untraced', '', 8, -390],
      ['dropped', '', 2, -30],
    ])
    assert.deepEqual(await noteMinute(), [watched, ['behind', '', 6_000, -30]])
  })

  it('is bounded, and counts what is left out', async () => {
    const addresses = Array.from({ length: 300 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
    const { sights, noteMinute } = sightLog(addresses.map((address) => streamReport({ address })))
    assert.equal((await noteMinute()).length, 201)
    assert.equal(sights.counts.refused, 100)
  })
})
