import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { detailsOf, reportOf as report, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { LoggedChange } from './changes.ts'
import { Recorder } from './recorder.ts'
import { resumeEvents } from './resume.ts'

const everything = { fromMs: null, toMs: null, after: null, limit: 100 }

let folder: string
let store: Store
let users: string[]
let clock: ManualClock
let recorders: Recorder[]
/** The place of the last change that the test has read. */
let place: number
/** Ids that were given, over restarts. */
let made = 0

beforeEach(async () => {
  recorders = []
  place = 0
  made = 0
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

/** For the first users. */
function recorder(owners: number, over: Partial<Store> = {}): Recorder {
  const matches = users.slice(0, owners).map((userId) => ({
    ...{ userId, site: '10.0.0.1', sites: ['10.0.0.1'], domain: '', dns: [], sinceMs: 0 },
  }))
  const subject = new Recorder({
    onRecorded: () => {},
    onTests: () => {},
    store: { ...store, ...over },
    clock,
    log: createLogger('silent'),
    incidentsMax: 10,
    learnSeconds: 900,
    match: () => matches,
    isColleague: () => false,
    mayKnowSources: () => true,
    newEventId: () => `${++made}`.padStart(24, '0'),
  })
  recorders.push(subject)
  return subject
}

/** What happened since this was last asked. */
async function changes(): Promise<LoggedChange[]> {
  const read = await store.changesAfter(place, 1_000)
  place = read.changes.at(-1)?.sequence ?? place
  return read.changes
}
const kinds = async () => (await changes()).map(({ change }) => change)

/** A report of a later episode: ten packets a second for ten seconds. */
function returned(number: number, fromMs: number, change: Partial<IncidentReport> = {}): IncidentReport {
  const rates = { bytesPerSecond: 1_000, packetsPerSecond: 10, flowsPerSecond: 5 }
  const amount = { activeSeconds: 10, ...rates, peak: { ...rates, atMs: fromMs } }
  const endMs = fromMs + 10_000
  return report({ phase: 'reopened', endMs, episode: { number, startMs: fromMs, endMs, ...amount }, ...change })
}

/** Nothing is recorded while it fails. */
function recordUnless(fails: () => boolean): Store['record'] {
  return (given) => (fails() ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'full')) : store.record(given))
}

test('a return after an end that was recorded is another entry of the list, and news for who listens', async () => {
  const subject = recorder(2)
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'ended' })])
  await subject.write()
  await changes()
  clock.set(startMs + 100_250)
  subject.take([returned(1, startMs + 95_000)])
  await subject.write()
  subject.take([returned(1, startMs + 95_000, { phase: 'updated' })])
  await subject.write()
  for (const user of users) {
    const entries = await store.entriesBetween(user, everything)
    assert.deepEqual(
      entries.map(({ createdMs }) => createdMs),
      [startMs + 6_000, startMs + 101_000],
    )
    assert.deepEqual(
      (await store.episodesOf(user, entries[0].id, 2)).map((each) => [each.id, each.startMs, each.endMs]),
      [
        [entries[0].id, startMs, startMs + 5_000],
        [entries[1].id, startMs + 95_000, startMs + 105_000],
      ],
    )
    const events = await store.eventsBetween(user, everything)
    assert.deepEqual(
      events.map(({ id, returns, endMs }) => [id, returns, endMs]),
      [[entries[0].id, 1, null]],
    )
  }
  assert.deepEqual(await kinds(), ['returned', 'returned', 'updated', 'updated'])
  const endMs = startMs + 105_000
  for (const phase of ['ended', 'closed'] as const) {
    subject.take([returned(1, startMs + 95_000, { phase, endMs, details: detailsOf(1) })])
    await subject.write()
  }
  assert.deepEqual(await kinds(), ['ended', 'ended', 'closed', 'closed'])
  const [event] = await store.eventsBetween(users[0], everything)
  assert.deepEqual([event.phase, event.endMs], ['closed', endMs])
})

test('an end and a return that waited together are two episodes, and a return that failed to be written is written once', async () => {
  let fails = false
  const subject = recorder(1, { record: recordUnless(() => fails) })
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
  let fails = false
  const subject = recorder(1, { record: recordUnless(() => fails) })
  const ended = { phase: 'ended', details: detailsOf(1) } as const
  subject.take([report()])
  await subject.write()
  assert.deepEqual(await kinds(), ['made'])
  fails = true
  subject.take([report({ phase: 'ended' }), returned(1, startMs + 95_000)])
  await subject.write()
  subject.take([returned(1, startMs + 95_000, ended), returned(2, startMs + 200_000)])
  await subject.write()
  fails = false
  subject.take([returned(2, startMs + 200_000, ended)])
  await subject.write()
  assert.deepEqual(await kinds(), ['ended', 'returned', 'ended', 'returned', 'ended'])
  // What late records have added.
  subject.take([returned(2, startMs + 200_000, ended)])
  await subject.write()
  assert.deepEqual(await kinds(), ['updated'])
  subject.take([returned(2, startMs + 200_000, { ...ended, phase: 'closed' })])
  await subject.write()
  assert.deepEqual(await kinds(), ['closed'])
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
  assert.deepEqual(await kinds(), ['made', 'ended', 'closed', 'made', 'ended'])
})

test('an attempt that fails writes and tells nothing, and all of it is told once when it succeeds', async () => {
  const told = async () => (await changes()).map(({ id, change }) => `${Number(id)} ${change}`)
  let fails = false
  const subject = recorder(1, { record: recordUnless(() => fails) })
  subject.take([report()])
  await subject.write()
  await changes()
  fails = true
  const closed = report({ phase: 'closed' })
  subject.take([report({ phase: 'ended' }), closed, report({ incident: 'i2' })])
  await subject.write()
  const first = await told()
  fails = false
  await subject.stop()
  assert.deepEqual([first, await told()], [[], ['1 ended', '1 closed', '3 made']])
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

test('an attack that another user learnt of after it came back goes on with the numbers of its latest episode', async () => {
  const why = [
    {
      metric: 'packets',
      value: 1,
      threshold: 1,
      normal: null,
      band: null,
      error: 0,
      source: 'absolute',
      unlearnt: null,
    },
  ]
  const rates = { packetsPerSecond: 10, bytesPerSecond: 1_000, flowsPerSecond: 5 }
  const whole = { ...rates, why, activeSeconds: 15 }
  const cameBack = returned(1, startMs + 95_000, whole)
  const first = recorder(1)
  for (const each of [report({ why }), report({ why, phase: 'ended' }), cameBack]) {
    first.take([each])
    await first.write()
  }
  clock.set(startMs + 105_250)
  const both = recorder(2)
  both.resume(await store.eventsSeenAfter(0))
  both.take([{ ...cameBack, phase: 'updated', details: null }])
  await both.stop()
  const settings = { reopenSeconds: 600 }
  const resumed = await resumeEvents({ store, clock, log: createLogger('silent'), settings })
  assert.equal(resumed.events.length, 2)
  assert.deepEqual(
    resumed.incidents.map(({ activeSeconds, episode }) => [activeSeconds, episode.activeSeconds, episode.startMs]),
    [[15, 10, startMs + 95_000]],
  )
  // The store has no full report of the return yet.
  assert.equal(resumed.incidents[0].details.ofEpisode?.flowsMissedMax.protocol, 50)

  // One that cannot be followed on, since the clock was set back, ends for both of them, with the numbers that each had.
  clock.set(startMs)
  await resumeEvents({ store, clock, log: createLogger('silent'), settings })
  const [entry] = await store.entriesBetween(users[0], everything)
  assert.deepEqual(
    (await store.episodesOf(users[0], entry.id, 2)).map((each) => [each.activeSeconds, each.startMs]),
    [
      [5, startMs],
      [10, startMs + 95_000],
    ],
  )
  const phases = await Promise.all(users.map(async (user) => (await store.eventsBetween(user, everything))[0].phase))
  assert.deepEqual(phases, ['closed', 'closed'])
})
