// What users who have had an address for different times get of an attack on it.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { detailsOf, reportOf as report, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { createLogger } from '../log.ts'
import type { Match } from '../names/bindings/attribution.ts'
import type { Store } from '../store/store.ts'
import { Recorder } from './recorder.ts'

const everything = { fromMs: null, toMs: null, after: null, limit: 100 }

let folder: string
let store: Store
let users: string[]
let clock: ManualClock
let recorders: Recorder[]
let made = 0
let colleagues: ReadonlySet<string>

beforeEach(async () => {
  recorders = []
  colleagues = new Set()
  folder = await mkdtemp(join(tmpdir(), 'recorder-'))
  clock = new ManualClock(startMs + 5_250)
  store = await openFreshStore(join(folder, 'test.db'), { clock })
  users = []
  for (const email of ['a@example.com', 'b@example.com'])
    users.push((await store.addUser({ email, siteQuota: 10, allowed: null })).id)
})

afterEach(async () => {
  for (const each of recorders) await each.stop()
  await store.close()
  await rm(folder, { recursive: true })
})

function matchOf(user: number): Match {
  return { userId: users[user], site: '10.0.0.1', sites: ['10.0.0.1'], domain: '', dns: [], sinceMs: 0 }
}

function recorder(match: () => Match[]): Recorder {
  const subject = new Recorder({
    ...{ store, clock, match, log: createLogger('silent'), incidentsMax: 10, learnSeconds: 900 },
    onRecorded: () => {},
    onTests: () => {},
    isColleague: (userId) => colleagues.has(userId),
    mayKnowSources: () => true,
    newEventId: () => `${++made}`.padStart(24, '0'),
  })
  recorders.push(subject)
  return subject
}

test('an owner who came later has an event of what came since, under every report, restart and end; the others have all of it', async () => {
  const course = (seconds: number) => {
    const rates = Array.from({ length: seconds }, () => 100)
    const all = { packetsPerSecond: rates, bytesPerSecond: rates, flowsPerSecond: rates }
    return { fromMs: startMs, stepSeconds: 1, total: all, attack: all, normal: null }
  }
  const unlearnt = { threshold: 50, deviation: 1, measurable: 1 }
  const why = [
    { metric: 'packets', value: 60, threshold: 20, normal: 5, band: null, error: 0, source: 'baseline', unlearnt },
  ]
  const told = (seconds: number, change: Partial<IncidentReport> = {}) => {
    const details = { ...detailsOf(seconds), course: course(seconds) }
    return report({
      phase: 'updated',
      details,
      endMs: startMs + seconds * 1000,
      activeSeconds: seconds,
      packetsPerSecond: 100,
      why,
      ...change,
    })
  }
  let sinceMs = 0
  const match = () => [matchOf(0), ...(sinceMs > 0 ? [{ ...matchOf(1), sinceMs }] : [])]
  const subject = recorder(match)
  const seenBy = async (user: number) =>
    (await store.eventsBetween(users[user], everything)).map((event) => [
      (event.startMs - startMs) / 1000,
      event.activeSeconds,
      event.normalPacketsPerSecond,
      event.endMs === null ? null : (event.endMs - startMs) / 1000,
    ])
  subject.take([told(5, { phase: 'opened' })])
  await subject.write()
  clock.advance(5_000)
  sinceMs = startMs + 10_000
  subject.take([told(10)])
  await subject.write()
  assert.deepEqual(await seenBy(1), [])
  subject.take([told(12, { details: null })])
  await subject.write()
  assert.deepEqual(await seenBy(1), [])
  subject.take([told(14)])
  await subject.write()
  assert.deepEqual([await seenBy(0), await seenBy(1)], [[[0, 14, 300, null]], [[10, 4, null, null]]])
  await subject.stop()
  const [mine] = await store.eventsBetween(users[1], everything)
  const next = recorder(match)
  next.resume(await store.eventsSeenAfter(0))
  next.take([told(20), told(20, { phase: 'closed' })])
  await next.write()
  assert.deepEqual([await seenBy(0), await seenBy(1)], [[[0, 20, 300, 20]], [[10, 10, null, 20]]])
  assert.equal((await store.eventsBetween(users[1], everything))[0].id, mine.id)
  assert.equal((await store.eventById(users[1], mine.id))?.statistics.sources.distinct, 0)
})

test('an attack that shows by what was learnt for others alone makes no event of whoever is new to the address', async () => {
  const unlearnt = { threshold: 20_000, deviation: 1, measurable: 1 }
  const why = [
    { metric: 'packets', value: 777, threshold: 100, normal: 5, band: null, error: 0, source: 'baseline', unlearnt },
  ]
  const subject = recorder(() => [matchOf(0), { ...matchOf(1), sinceMs: startMs - 60_000 }])
  subject.take([report({ why })])
  await subject.write()
  const count = async (user: number) => (await store.eventsBetween(users[user], everything)).length
  assert.deepEqual([await count(0), await count(1)], [1, 0])
  subject.take([report({ phase: 'updated', why: [{ ...why[0], value: 20_001 }] })])
  await subject.write()
  assert.deepEqual([await count(0), await count(1)], [1, 1])
})

test('a colleague who is new to the address knows what those know who watched it before, and nobody else does', async () => {
  users.push((await store.addUser({ email: 'c@example.com', siteQuota: 10, allowed: null })).id)
  const unlearnt = { threshold: 20_000, deviation: 1, measurable: 1 }
  const why = [
    { metric: 'packets', value: 777, threshold: 100, normal: 5, band: null, error: 0, source: 'baseline', unlearnt },
  ]
  colleagues = new Set([users[0], users[1]])
  const sinceMs = startMs - 60_000
  const subject = recorder(() => [matchOf(0), { ...matchOf(1), sinceMs }, { ...matchOf(2), sinceMs }])
  subject.take([report({ why })])
  await subject.write()
  const normals = async (user: number) =>
    (await store.eventsBetween(users[user], everything)).map((event) => event.normalPacketsPerSecond)
  assert.deepEqual([await normals(0), await normals(1), await normals(2)], [[300], [300], []])
})

for (const restarts of [false, true])
  test(`the end reaches who came later, even if the report can't tell what came since${restarts ? ', after a restart' : ''}`, async () => {
    const rates = Array.from({ length: 20 }, () => 100)
    const courseOf = (attack: number[]) => {
      const all = { packetsPerSecond: attack, bytesPerSecond: attack, flowsPerSecond: attack }
      return { fromMs: startMs, stepSeconds: 1, total: all, attack: all, normal: null }
    }
    const unlearnt = { threshold: 50, deviation: 1, measurable: 1 }
    const why = [
      { metric: 'packets', value: 60, threshold: 20, normal: 5, band: null, error: 0, source: 'baseline', unlearnt },
    ]
    const told = (phase: 'updated' | 'ended' | 'closed', attack: number[]) =>
      report({ phase, details: { ...detailsOf(20), course: courseOf(attack) }, endMs: startMs + 20_000, why })
    const match = () => [{ ...matchOf(1), sinceMs: startMs + 10_000 }]
    let subject = recorder(match)
    subject.take([told('updated', rates)])
    await subject.write()
    if (restarts) {
      await subject.stop()
      subject = recorder(match)
      subject.resume(await store.eventsSeenAfter(0))
    }
    const seen = async () => {
      const [event] = await store.eventsBetween(users[1], everything)
      return [event.phase, event.endMs, event.startMs, event.activeSeconds, event.packetsPerSecond]
    }
    const amount = [startMs + 10_000, 10, 100]
    assert.deepEqual(await seen(), ['active', null, ...amount])
    subject.take([told('updated', [])])
    await subject.write()
    assert.deepEqual(await seen(), ['active', null, ...amount])
    subject.take([told('ended', [])])
    await subject.write()
    assert.deepEqual(await seen(), ['over', startMs + 20_000, ...amount])
    subject.take([told('closed', [])])
    await subject.write()
    assert.deepEqual(await seen(), ['closed', startMs + 20_000, ...amount])
  })
