import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { detailsOf, reportOf as report, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import type { EventChange } from '../api/live-feed.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incident-report.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'
import type { Store } from '../store/store.ts'
import { Recorder } from './recorder.ts'

const everything = { fromMs: null, toMs: null, after: null, limit: 100 }

let folder: string
let store: Store
let users: string[]
let clock: ManualClock
let announced: EventChange[]
/** Ids that were given, over restarts. */
let made = 0

beforeEach(async () => {
  announced = []
  made = 0
  folder = await mkdtemp(join(tmpdir(), 'recorder-'))
  clock = new ManualClock(startMs + 5_250)
  store = await openSqliteStore(join(folder, 'test.db'), { clock })
  users = []
  for (const email of ['a@example.com', 'b@example.com'])
    users.push((await store.addUser({ email, siteQuota: 10, allowed: null })).id)
})

afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** For the first users. */
function recorder(owners: number, over: Partial<Store> = {}): Recorder {
  const matches = users.slice(0, owners).map((userId) => ({
    ...{ userId, site: '10.0.0.1', sites: ['10.0.0.1'], domain: '', dns: [] },
  }))
  return new Recorder({
    onEvents: (changes) => announced.push(...changes),
    onTests: () => {},
    store: { ...store, ...over },
    clock,
    log: createLogger('silent'),
    incidentsMax: 10,
    match: () => matches,
    mayKnowSources: () => true,
    newEventId: () => `${++made}`.padStart(24, '0'),
  })
}

/** A report of a later episode: ten packets a second for ten seconds. */
function returned(number: number, fromMs: number, change: Partial<IncidentReport> = {}): IncidentReport {
  const rates = { bytesPerSecond: 1_000, packetsPerSecond: 10, flowsPerSecond: 5 }
  const amount = { activeSeconds: 10, ...rates, peak: { ...rates, atMs: fromMs } }
  const endMs = fromMs + 10_000
  return report({ phase: 'reopened', endMs, episode: { number, startMs: fromMs, endMs, ...amount }, ...change })
}

test('a return after an end that was recorded is another entry of the list, and news for who listens', async () => {
  const subject = recorder(2)
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'ended' })])
  await subject.write()
  announced = []
  clock.set(startMs + 100_250)
  subject.take([returned(1, startMs + 95_000)])
  await subject.write()
  subject.take([returned(1, startMs + 95_000, { phase: 'updated' })])
  await subject.write()
  for (const user of users) {
    const entries = await store.entriesBetween(user, everything)
    assert.deepEqual(
      entries.map(({ createdMs, startMs: from, endMs }) => [createdMs, from, endMs]),
      [
        [startMs + 6_000, startMs, startMs + 5_000],
        [startMs + 101_000, startMs + 95_000, null],
      ],
    )
    const events = await store.eventsBetween(user, everything)
    assert.deepEqual(
      events.map(({ id, returns, endMs }) => [id, returns, endMs]),
      [[entries[0].id, 1, null]],
    )
  }
  assert.deepEqual(
    announced.map(({ change }) => change),
    ['returned', 'returned', 'updated', 'updated'],
  )
  announced = []
  const endMs = startMs + 105_000
  for (const phase of ['ended', 'closed'] as const) {
    subject.take([returned(1, startMs + 95_000, { phase, endMs, details: detailsOf(1) })])
    await subject.write()
  }
  assert.deepEqual(
    announced.map(({ change }) => change),
    ['ended', 'ended', 'closed', 'closed'],
  )
  const [event] = await store.eventsBetween(users[0], everything)
  assert.deepEqual([event.phase, event.endMs], ['closed', endMs])
})

test('an end and a return that waited together are two episodes, and a return that failed to be written is written once', async () => {
  let fails = false
  const appendEvents: Store['appendEvents'] = (events) =>
    fails ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'full')) : store.appendEvents(events)
  const subject = recorder(1, { appendEvents })
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'ended' }), returned(1, startMs + 95_000)])
  await subject.write()
  assert.equal((await store.entriesBetween(users[0], everything)).length, 2)

  subject.take([returned(1, startMs + 95_000, { phase: 'ended', details: detailsOf(1) })])
  await subject.write()
  fails = true
  subject.take([returned(2, startMs + 300_000)])
  await subject.write()
  fails = false
  await subject.stop()
  assert.equal((await store.entriesBetween(users[0], everything)).length, 3)
})

test('each end, each return and the closing is told once, also of what happened while the store was down', async () => {
  const changes = () => announced.splice(0).map(({ change }) => change)
  let fails = false
  const updateEvents: Store['updateEvents'] = (...given) =>
    fails ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'full')) : store.updateEvents(...given)
  const subject = recorder(1, { updateEvents })
  const ended = { phase: 'ended', details: detailsOf(1) } as const
  subject.take([report()])
  await subject.write()
  assert.deepEqual(changes(), ['made'])
  fails = true
  subject.take([report({ phase: 'ended' }), returned(1, startMs + 95_000)])
  await subject.write()
  subject.take([returned(1, startMs + 95_000, ended), returned(2, startMs + 200_000)])
  await subject.write()
  fails = false
  subject.take([returned(2, startMs + 200_000, ended)])
  await subject.write()
  assert.deepEqual(changes(), ['ended', 'returned', 'ended', 'returned', 'ended'])
  // What late records have added.
  subject.take([returned(2, startMs + 200_000, ended)])
  await subject.write()
  assert.deepEqual(changes(), ['updated'])
  subject.take([returned(2, startMs + 200_000, { ...ended, phase: 'closed' })])
  await subject.write()
  assert.deepEqual(changes(), ['closed'])
  const episodes = await store.episodesOf(users[0], (await store.eventsBetween(users[0], everything))[0].id, 10)
  assert.deepEqual(
    episodes.map((each) => each.startMs - startMs),
    [0, 95_000, 200_000],
  )

  // One that becomes part of another, and one that is over when it is first written.
  subject.take([report({ incident: 'i2' })])
  await subject.write()
  subject.take([report({ incident: 'i2', phase: 'ended' }), report({ incident: 'i2', phase: 'closed' })])
  await subject.write()
  subject.take([report({ incident: 'i3', phase: 'ended' })])
  await subject.stop()
  assert.deepEqual(changes(), ['made', 'ended', 'closed', 'made', 'ended'])
})

test('an attack that came back is known to have, after a restart', async () => {
  const before = recorder(1)
  for (const each of [report(), report({ phase: 'ended' }), returned(1, startMs + 95_000)]) {
    before.take([each])
    await before.stop()
  }
  const [event] = await store.eventsSeenAfter(0)
  assert.deepEqual([event.episode.number, event.episode.startMs], [1, startMs + 95_000])
  const after = recorder(1)
  after.resume([event])
  for (const each of [
    returned(1, startMs + 95_000, { phase: 'ended', details: detailsOf(1) }),
    returned(2, startMs + 300_000),
  ]) {
    after.take([each])
    await after.stop()
  }
  assert.equal((await store.entriesBetween(users[0], everything)).length, 3)
})
