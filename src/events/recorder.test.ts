import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { detailsOf, reportOf as report, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import type { Attack, Match } from '../names/bindings/attribution.ts'
import type { Store } from '../store/store.ts'
import type { EventChange } from './changes.ts'
import { Recorder } from './recorder.ts'

const everything = { fromMs: null, toMs: null, after: null, limit: 100 }

let folder: string
let store: Store
let users: string[]
let clock: ManualClock
let recorders: Recorder[]
/** The place of the last change that the test has read. */
let place: number
/** Ids of events of simulated attacks. */
let tests: string[]
let mayKnowSources = (_userId: string, _addresses: readonly number[]) => true

beforeEach(async () => {
  recorders = []
  place = 0
  tests = []
  mayKnowSources = () => true
  folder = await mkdtemp(join(tmpdir(), 'recorder-'))
  clock = new ManualClock(startMs + 5_250)
  store = await openFreshStore(join(folder, 'test.db'), { clock })
  const emails = ['a@example.com', 'b@example.com']
  users = []
  for (const email of emails) users.push((await store.addUser({ email, siteQuota: 10, allowed: null })).id)
})

afterEach(async () => {
  for (const each of recorders) await each.stop()
  await store.close()
  await rm(folder, { recursive: true })
})

function matchOf(user: number, domain = ''): Match {
  const dns = domain === '' ? [] : [{ domain, a: { '10.0.0.1': startMs }, cname: {} }]
  return { userId: users[user], site: '10.0.0.1', sites: ['10.0.0.1'], domain, dns, sinceMs: 0 }
}

function recorder(match: (attack: Attack) => Match[], over: Partial<Store> = {}): Recorder {
  let made = 0
  const subject = new Recorder({
    onRecorded: () => {},
    onTests: (events) => tests.push(...events.map(({ id }) => id)),
    store: { ...store, ...over },
    clock,
    log: createLogger('silent'),
    incidentsMax: 10,
    learnSeconds: 900,
    match,
    isColleague: () => false,
    mayKnowSources: (userId, addresses) => mayKnowSources(userId, addresses),
    newEventId: () => `${++made}`.padStart(24, '0'),
  })
  recorders.push(subject)
  return subject
}

/** What happened since this was last asked. */
async function changes(): Promise<EventChange[]> {
  const read = await store.changesAfter(place, 1_000)
  place = read.changes.at(-1)?.sequence ?? place
  return read.changes.map(({ sequence, ...change }) => change)
}

test('each owner of the victim has one event, whatever the number of reports', async () => {
  const subject = recorder(() => [matchOf(0), matchOf(1, 'www.example.com')])
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'updated', packetsPerSecond: 20 })])
  await subject.write()
  subject.take([report({ phase: 'ended', packetsPerSecond: 15, endMs: startMs + 60_000 })])
  await subject.stop()
  for (const [user, domain] of [
    [users[0], ''],
    [users[1], 'www.example.com'],
  ]) {
    const events = await store.eventsBetween(user, everything)
    assert.deepEqual(
      events.map(({ domain, packetsPerSecond, endMs, createdMs }) => ({ domain, packetsPerSecond, endMs, createdMs })),
      [{ domain, packetsPerSecond: 15, endMs: startMs + 60_000, createdMs: startMs + 6_000 }],
    )
  }
  assert.equal(subject.counts.events, 2)
  const idOf = async (user: string) => (await store.eventsBetween(user, everything))[0].id
  const [a, b] = [await idOf(users[0]), await idOf(users[1])]
  const told = Map.groupBy(await changes(), ({ userId }) => userId)
  for (const [userId, id] of [
    [users[0], a],
    [users[1], b],
  ])
    assert.deepEqual(
      told.get(userId),
      (['made', 'updated', 'ended'] as const).map((change) => ({ userId, id, change })),
    )
})

test('a simulated attack is an event of whoever has begun it alone, and a test; a real one beside it is what it is', async () => {
  const subject = recorder(() => [matchOf(0), matchOf(1)])
  subject.take([report({ incident: 'simulation.i1' })], users[1])
  subject.take([report({ incident: 'simulation.i1', phase: 'closed' }), report({ incident: 'another.i1' })], 'nobody')
  subject.take([report()])
  await subject.stop()
  const seenBy = async (user: string) =>
    (await store.eventsBetween(user, everything)).map(({ incident, isTest }) => [incident, isTest])
  assert.deepEqual(await seenBy(users[0]), [['i1', false]])
  assert.deepEqual(await seenBy(users[1]), [
    ['simulation.i1', true],
    ['i1', false],
  ])
  const [{ id }] = await store.eventsBetween(users[1], everything)
  assert.deepEqual(tests, [id])
  assert.deepEqual([subject.counts.events, subject.counts.unowned], [2, 0])
})

test('the DNS evidence is refreshed at the end, for its owner alone', async () => {
  let name = 'old.example.com'
  const subject = recorder(() => [matchOf(0, name), matchOf(1)])
  subject.take([report()])
  await subject.write()
  name = 'new.example.com'
  subject.take([report({ phase: 'updated' })])
  await subject.write()
  const [event] = await store.eventsBetween(users[0], everything)
  const dnsOf = async (user: string, id: string) => (await store.eventById(user, id))?.dns.map(({ domain }) => domain)
  assert.deepEqual(await dnsOf(users[0], event.id), ['old.example.com'])
  subject.take([report({ phase: 'ended' })])
  await subject.stop()
  assert.deepEqual(await dnsOf(users[0], event.id), ['new.example.com'])
  const [other] = await store.eventsBetween(users[1], everything)
  assert.deepEqual(await dnsOf(users[1], other.id), [])
})

test('the DNS evidence is frozen at the end, until the attack comes back', async () => {
  let name = 'first.example.com'
  const subject = recorder(() => [matchOf(0, name)])
  const dnsAfter = async (phase: IncidentReport['phase'], next: string) => {
    name = next
    subject.take([report({ phase })])
    await subject.write()
    const [{ id }] = await store.eventsBetween(users[0], everything)
    return (await store.eventById(users[0], id))?.dns.map(({ domain }) => domain)
  }
  assert.deepEqual(await dnsAfter('opened', 'first.example.com'), ['first.example.com'])
  assert.deepEqual(await dnsAfter('ended', 'at-the-end.example.com'), ['at-the-end.example.com'])
  assert.deepEqual(await dnsAfter('closed', 'later.example.com'), ['at-the-end.example.com'])
})

test('an attack that came back is evidence of its last end', async () => {
  let name = 'first.example.com'
  const subject = recorder(() => [matchOf(0, name)])
  for (const phase of ['opened', 'ended', 'reopened', 'ended'] as const) {
    name = `${phase}.example.com`
    if (phase === 'ended') name = `${clock.now()}.example.com`
    subject.take([report({ phase })])
    await subject.write()
    clock.advance(1_000)
  }
  const [{ id }] = await store.eventsBetween(users[0], everything)
  const domains = (await store.eventById(users[0], id))?.dns.map(({ domain }) => domain)
  assert.deepEqual(domains, [`${clock.now() - 1_000}.example.com`])
})

test('of an attack on a network the evidence is about the address that the event names, and its network is told', async () => {
  const match = ({ address }: Attack): Match[] => [
    { ...matchOf(0, address === 0x0a000001 ? 'play.example.org' : ''), site: '10.0.0.0/24' },
  ]
  const subject = recorder(match)
  const victims = (...addresses: number[]) =>
    addresses.map((last) => ({ address: 0x0a000000 + last, packetsPerSecond: 1, bytesPerSecond: 1 }))
  subject.take([report({ victims: victims(1, 2) })])
  await subject.write()
  subject.take([report({ phase: 'ended', victims: victims(3, 2, 1) })])
  await subject.stop()
  const [event] = await store.eventsBetween(users[0], everything)
  assert.deepEqual(event.network, { prefix: '10.0.0.0/24', addresses: 3 })
  const stored = await store.eventById(users[0], event.id)
  assert.deepEqual(
    [stored?.domain, stored?.dns.map(({ domain }) => domain)],
    ['play.example.org', ['play.example.org']],
  )
})

test('who may not know the sources has the totals, and from then on no more once that is so', async () => {
  let strangers = new Set([users[1]])
  mayKnowSources = (userId) => !strangers.has(userId)
  const subject = recorder(() => [matchOf(0), matchOf(1)])
  const seenBy = async (user: string) => {
    const [{ id }] = await store.eventsBetween(user, everything)
    const event = await store.eventById(user, id)
    return [event?.view, event?.statistics.sources.distinct, event?.packetsPerSecond, event?.course !== null]
  }
  const told = async (distinct: number, packetsPerSecond: number) => {
    subject.take([report({ phase: 'updated', packetsPerSecond, details: detailsOf(distinct) })])
    await subject.write()
  }
  await told(1, 10)
  assert.deepEqual(await seenBy(users[0]), ['all', 1, 10, true])
  assert.deepEqual(await seenBy(users[1]), ['totals', 0, 10, true])
  strangers = new Set(users)
  await told(2, 20)
  assert.deepEqual(await seenBy(users[0]), ['totals', 0, 20, true])
  // What was once not theirs to see stays so.
  strangers = new Set()
  await told(3, 30)
  for (const user of users) assert.deepEqual(await seenBy(user), ['totals', 0, 30, true])
  await subject.stop()
})

test('all addresses that an attack hits decide on whether its sources may be known', async () => {
  const asked: (readonly number[])[] = []
  mayKnowSources = (_userId, addresses) => asked.push(addresses) > 0
  const subject = recorder(() => [matchOf(0)])
  const victims = [1, 2].map((address) => ({ address, packetsPerSecond: 1, bytesPerSecond: 1 }))
  subject.take([report({ address: 1, victims })])
  await subject.stop()
  assert.deepEqual(asked, [[1, 2]])
})

test('a user who adds the site during the attack has the event too', async () => {
  let owners = [matchOf(0)]
  const subject = recorder(() => owners)
  subject.take([report()])
  await subject.write()
  owners = [matchOf(0), matchOf(1)]
  subject.take([report({ phase: 'updated' })])
  await subject.stop()
  assert.equal((await store.eventsBetween(users[1], everything)).length, 1)
})

test('a user who adds the site when the attack is over has no event, and a name that leads there since then is no evidence', async () => {
  const asked: number[] = []
  let owners = [matchOf(0)]
  const subject = recorder(({ toMs }) => {
    asked.push(toMs)
    return owners
  })
  const endMs = startMs + 4_000
  subject.take([report(), report({ incident: 'i2' })])
  await subject.write()
  subject.take([report({ phase: 'ended', endMs })])
  await subject.write()
  owners = [matchOf(0), matchOf(1)]
  subject.take([report({ phase: 'closed', endMs }), report({ phase: 'closed', incident: 'i2', endMs })])
  await subject.stop()
  assert.deepEqual(asked, [clock.now(), clock.now(), endMs, endMs, endMs])
  assert.deepEqual(await store.eventsBetween(users[1], everything), [])
  assert.equal((await store.eventsBetween(users[0], everything)).length, 2)
})

test('an attack that began and was closed while the store was down is an event all the same', async () => {
  let down = true
  const subject = recorder(() => [matchOf(0)], {
    record: async (recording) => {
      if (down) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return store.record(recording)
    },
  })
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'ended' }), report({ phase: 'closed' })])
  await subject.write()
  down = false
  await subject.stop()
  const ends = (await store.eventsBetween(users[0], everything)).map((event) => event.endMs)
  assert.deepEqual(ends, [startMs + 5_000])
})

test('as many reports wait as the detector has incidents, and some that were closed; what is more is counted', async () => {
  const subject = recorder(() => [matchOf(0)], {
    record: async () => {
      throw new AppError('STORE_UNAVAILABLE', 'disk full')
    },
  })
  subject.take(Array.from({ length: 20_012 }, (_, n) => report({ incident: `i${n}` })))
  subject.take([report({ incident: 'i1', phase: 'updated' })])
  assert.equal(subject.counts.refused, 2)
  await subject.stop()
})

test('reports wait while the store is down, the latest of each incident', async () => {
  let down = true
  const subject = recorder(() => [matchOf(0)], {
    record: async (recording) => {
      if (down) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return store.record(recording)
    },
  })
  subject.take([report()])
  await subject.write()
  subject.take([report({ phase: 'updated', packetsPerSecond: 99 })])
  await subject.write()
  assert.equal(subject.pending, 1)
  assert.equal(subject.failures, 2)
  down = false
  await subject.stop()
  const events = await store.eventsBetween(users[0], everything)
  assert.deepEqual(
    events.map(({ packetsPerSecond }) => packetsPerSecond),
    [99],
  )
})

test('what was told in full is not lost when rates alone follow, whether it has been written or waits', async () => {
  let down = false
  const subject = recorder(() => [matchOf(0)], {
    record: async (recording) => {
      if (down) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return store.record(recording)
    },
  })
  const shown = async () => {
    await subject.write()
    const [{ id, packetsPerSecond }] = await store.eventsBetween(users[0], everything)
    return [packetsPerSecond, (await store.eventById(users[0], id))?.statistics.sources.distinct]
  }
  subject.take([report({ packetsPerSecond: 1 })])
  assert.deepEqual(await shown(), [1, 0])
  subject.take([report({ phase: 'updated', packetsPerSecond: 2, details: detailsOf(2) })])
  assert.deepEqual(await shown(), [2, 2])
  subject.take([report({ phase: 'updated', packetsPerSecond: 3 })])
  assert.deepEqual(await shown(), [3, 2])
  down = true
  subject.take([report({ phase: 'updated', packetsPerSecond: 4, details: detailsOf(4) })])
  await subject.write()
  subject.take([report({ phase: 'updated', packetsPerSecond: 5 })])
  await subject.write()
  down = false
  assert.deepEqual(await shown(), [5, 4])
  await subject.stop()
})

test('an incident that nobody owns any more is counted, not stored', async () => {
  const subject = recorder(() => [])
  subject.take([report()])
  await subject.stop()
  assert.equal(subject.counts.unowned, 1)
})

test('while the store is down one retry is due, and none is left when it has stopped', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setTimeout'] })
  let attempts = 0
  const subject = recorder(() => [matchOf(0)], {
    record: async () => {
      attempts++
      throw new AppError('STORE_UNAVAILABLE', 'disk full')
    },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  for (let i = 0; i < 3; i++) {
    subject.take([report()])
    await subject.write()
    mock.timers.tick(200)
  }
  assert.equal(attempts, 3)
  mock.timers.tick(600)
  await settled()
  assert.equal(attempts, 3)
  mock.timers.tick(200)
  await settled()
  assert.equal(attempts, 4)
  await subject.stop()
  assert.equal(attempts, 5)
  mock.timers.tick(10_000)
  await settled()
  assert.equal(attempts, 5)
})
