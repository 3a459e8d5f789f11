import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { DetectionLab, tcp } from '../../test/helpers/detection.ts'
import { addEvents, eventOf, exampleNumbers } from '../../test/helpers/events.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { eventNumberNames } from '../contract/events/numbers.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { createLogger } from '../log.ts'
import { SYN } from '../net/tcp-flags.ts'
import type { Store } from '../store/store.ts'
import { Recorder } from './recorder.ts'
import { resumeEvents } from './resume.ts'

const log = createLogger('silent')
const settings = { reopenSeconds: 600 }
const synFlood = { recordsPerSecond: 2_000, row: tcp(SYN) }

let folder: string
let lab: DetectionLab
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resumption-'))
  lab = new DetectionLab()
  store = await openFreshStore(join(folder, 'test.db'), { clock: lab.clock })
})

afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** What is followed on when these reports were all that was recorded. */
async function resumedAfter(...reports: IncidentReport[]) {
  const { id: userId } = await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })
  const match = () => [{ userId, site: '192.0.2.10', sites: ['192.0.2.10'], domain: '', dns: [], sinceMs: 0 }]
  const newEventId = () => '1'.padStart(24, '0')
  const recorder = new Recorder({
    onRecorded: () => {},
    onTests: () => {},
    store,
    clock: lab.clock,
    log,
    incidentsMax: 10,
    learnSeconds: 900,
    match,
    isColleague: () => false,
    mayKnowSources: () => true,
    newEventId,
  })
  for (const report of reports) {
    recorder.take([report])
    await recorder.write()
  }
  await recorder.stop()
  return (await resumeEvents({ store, clock: lab.clock, log, settings })).incidents
}

test('an attack that was not reported in full before goes on, and says what its lists miss', async () => {
  const before = lab.run(20, synFlood).reports.at(-1)
  assert.ok(before?.phase === 'updated')
  const [was] = await resumedAfter({ ...before, details: null })
  const lists = new DetectionLab()
  lists.clock.set(lab.nowMs + 5_000)
  lists.detector.resume([was], lists.nowMs)
  lists.run(30, synFlood).run(60)
  assert.deepEqual(lists.life(), ['ended'])
  const [ended] = lists.phases('ended')
  assert.deepEqual([ended.incident, ended.startMs], [before.incident, before.startMs])
  assert.ok(ended.details)
  const { statistics, course } = ended.details
  const told = Math.round((before.flowsPerSecond * (before.endMs - before.startMs)) / 1_000)
  assert.ok(told > 20_000)
  assert.deepEqual(new Set(Object.values(statistics.flowsMissedMax)), new Set([told]))
  assert.ok(statistics.sources.error > 0, 'the sources before are not known')
  assert.equal(statistics.protocol[0].flows, 60_000)
  assert.equal(course.fromMs, before.startMs)
  assert.equal(course.total.packetsPerSecond.at(-1), 2_000)
})

test('an attack that is over may come back', async () => {
  const [opened, ended] = toldOfOne()
  const [was] = await resumedAfter(opened, ended)
  assert.deepEqual([was.incident, was.endedMs], [ended.incident, ended.endMs])
})

test('an attack that was closed may not', async () => {
  const [opened, ended] = toldOfOne()
  assert.ok(ended.details)
  assert.deepEqual(await resumedAfter(opened, { ...ended, phase: 'closed', details: ended.details }), [])
})

test('an attack that goes on has the numbers of its last report', async () => {
  const [opened] = toldOfOne()
  const [was] = await resumedAfter(opened, { ...opened, phase: 'updated', details: null, ...exampleNumbers })
  assert.deepEqual(
    eventNumberNames.map((name) => was[name]),
    Object.values(exampleNumbers),
  )
})

test('a simulated attack is not followed on: it ended where it was last seen', async () => {
  const { id: userId } = await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })
  const followed = { waitedSeconds: 0, isProvisional: false, parts: [] }
  const seen = { startMs: lab.nowMs - 9_000, lastMs: lab.nowMs - 2_000, followed }
  await addEvents(
    store,
    [1, 2].map((n) => eventOf(userId, n, { ...seen, isTest: n === 2 })),
  )
  const { incidents } = await resumeEvents({ store, clock: lab.clock, log, settings })
  assert.deepEqual(
    incidents.map(({ incident }) => incident),
    ['incident-1'],
  )
  const [goesOn, isOver] = await store.eventsBetween(userId, { fromMs: null, toMs: null, after: null, limit: 2 })
  assert.deepEqual([goesOn.endMs, isOver.endMs], [null, seen.lastMs])
})

/** Its first report and its last. */
function toldOfOne(): [IncidentReport, IncidentReport] {
  lab.run(20, synFlood).run(60)
  return [lab.phases('opened')[0], lab.phases('ended')[0]]
}
