import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createServer } from '../src/api/http/server.ts'
import { LiveFeed } from '../src/api/live/feed.ts'
import { ManualClock } from '../src/clock.ts'
import { noReception } from '../src/collect/health/reception.ts'
import { loadConfig } from '../src/config.ts'
import { createLogger } from '../src/log.ts'
import { Metrics } from '../src/metrics.ts'
import { parseIpv4 } from '../src/net/ipv4.ts'
import { SecretBox } from '../src/store/secret-box.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { Store } from '../src/store/store.ts'
import { hashTokenSecret } from '../src/store/token-secret.ts'
import {
  noAdmission,
  noNames,
  noPlaces,
  noProofs,
  noSimulations,
  noSiteWatch,
  noTargets,
  testInstallation,
} from '../test/helpers/api.ts'
import { addEvents, eventOf } from '../test/helpers/events.ts'
import { alertsOf } from '../test/helpers/labs/alerts.ts'
import { type Client, createClient } from './client.ts'
import { factsOf } from './facts.ts'
import { ProblemError } from './problem.ts'

// The client against the service itself: the HTTP server and the SQLite store, over a socket.
const secret = '00000000-0000-4000-8000-000000000000'
const batches = 25
const batchEvents = 100
const firstMs = Date.UTC(2026, 0, 1)
const folder = mkdtempSync(join(tmpdir(), 'floodgauge-client-'))
const clock = new ManualClock(firstMs)
let store: Store
let api: Awaited<ReturnType<typeof createServer>>
let client: Client
let baseUrl: string

before(async () => {
  store = await openSqliteStore(join(folder, 'store.db'), { clock })
  const user = await store.addUser({ email: 'Ann@example.org', siteQuota: 100, allowed: null })
  await store.addToken(
    { userId: user.id, name: 'test', scopes: ['read', 'write'], expiresMs: null },
    hashTokenSecret(secret),
  )
  for (let batch = 0; batch < batches; batch++) {
    clock.set(firstMs + batch * 10_000)
    const numbers = Array.from({ length: batchEvents }, (_, i) => batch * batchEvents + i)
    await addEvents(
      store,
      numbers.map((number) => eventOf(user.id, number, { createdMs: clock.now() })),
    )
  }
  clock.set(firstMs + 86_400_000)
  api = await createServer({
    store,
    clock,
    settings: loadConfig({ env: {} }).http,
    signOn: loadConfig({ env: {} }).signOn,
    secrets: new SecretBox(folder),
    access: loadConfig({ env: {} }).access,
    log: createLogger('silent'),
    metrics: new Metrics(),
    onSitesChanged: () => {},
    exporters: { list: () => [], each: () => [], find: () => null, reception: () => noReception },
    admission: noAdmission,
    alerts: alertsOf({ store, clock, secrets: new SecretBox(folder) }),
    notices: { list: () => [] },
    targets: noTargets,
    siteWatch: noSiteWatch,
    feed: new LiveFeed({ store, clock, log: createLogger('silent') }),
    installation: testInstallation,
    names: noNames,
    proofs: noProofs,
    places: noPlaces,
    simulations: noSimulations,
    health: () => ({ ready: true, checks: {} }),
  })
  baseUrl = await api.server.listen({ host: '127.0.0.1', port: 0 })
  client = createClient({ baseUrl, email: 'ann@EXAMPLE.org', token: secret })
})

after(async () => {
  await api.server.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

test('sites: added, refused with a reason, paused, resumed, deleted', async () => {
  const added = await client.addSites(['WWW.Example.com', '1.1.1.1/24', '10.0.0.0/8'])
  assert.deepEqual(added, {
    status: 0,
    success: ['WWW.Example.com', '1.1.1.1/24'],
    error: [{ '10.0.0.0/8': 'The CIDR prefix must be >=24' }],
  })
  assert.deepEqual(await client.disableSites(['1.1.1.0/24']), { status: 1, success: ['1.1.1.0/24'], error: [] })
  const states = (await client.listSites()).map(({ host, is_enable }) => `${host} ${is_enable}`)
  assert.deepEqual(states.sort(), ['1.1.1.0/24 false', 'www.example.com true'])
  assert.equal((await client.enableSites(['1.1.1.0/24'])).status, 1)
  assert.deepEqual(await client.deleteSites(['nobody.example']), { status: -1, success: [], error: ['nobody.example'] })
  assert.equal((await client.deleteSites(['www.example.com', '1.1.1.0/24'])).status, 1)
  assert.deepEqual(await client.listSites(), [])
})

test('every event of a window comes once and in order, page after page', async () => {
  const window = { start: new Date(firstMs + 10_000), end: new Date(firstMs + 230_000) }
  const whole = await client.listEvents(window)
  assert.equal(whole.length, 22 * batchEvents)
  for (const pageSize of [1000, 100]) {
    const ids: string[] = []
    for await (const { _id } of client.eventsBetween(window, { pageSize })) ids.push(_id)
    assert.deepEqual(
      ids,
      whole.map(({ _id }) => _id),
    )
  }
  const page = await client.eventPage({ ...window, limit: 7 })
  assert.equal(page.events.length, 7)
  assert.ok(page.next !== null)
  assert.equal((await client.eventPage(page.next)).events[0]._id, whole[7]._id)
})

test('an event in plain terms is what the pipeline stored', async () => {
  const [event] = await client.listEvents()
  const stored = eventOf('', 0)
  const { victim, bitsPerSecond, packetsPerSecond, flowsPerSecond, attack, deviation } = factsOf(event)
  assert.equal(parseIpv4(victim), stored.address)
  assert.ok(Math.abs(bitsPerSecond / 8 - stored.bytesPerSecond) < 1)
  assert.ok(Math.abs(packetsPerSecond - stored.packetsPerSecond) < 1)
  assert.ok(Math.abs(flowsPerSecond - stored.flowsPerSecond) < 1)
  assert.deepEqual([attack, deviation], [stored.label, stored.deviation])
  const detail = await client.getEvent(event._id)
  assert.deepEqual(
    detail?.srcport.map(({ Item }) => Item),
    [123],
  )
  assert.equal(await client.getEvent('f'.repeat(24)), null)
  assert.equal(await client.getEvent('a/../b'), null)
})

test('the poller finds what is stored while it runs', async () => {
  const user = await store.userByEmail('ann@example.org')
  assert.ok(user !== null)
  const got: string[] = []
  const stop = new AbortController()
  const timing = {
    now: () => clock.now(),
    sleep: async (ms: number) => {
      if (got.length >= 2) stop.abort()
      clock.advance(ms - 1000)
      await addEvents(store, [eventOf(user.id, clock.now() / 1000, { createdMs: clock.now() })])
      clock.advance(1000)
    },
  }
  const poller = createClient({ baseUrl, email: 'ann@example.org', token: secret, timing })
  for await (const event of poller.pollEvents({ signal: stop.signal })) got.push(event.cts)
  assert.deepEqual(got, ['2026-01-02T00:04:59+00:00', '2026-01-02T00:09:59+00:00'])
})

test('problems carry what the service says', async () => {
  const stranger = createClient({ baseUrl, email: 'ann@example.org', token: secret.replace('4', '5') })
  await assert.rejects(stranger.listSites(), (error) => error instanceof ProblemError && error.status === 401)
  await assert.rejects(client.listEvents({ last: 999 }), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.equal(error.status, 400)
    assert.equal(error.problem?.errors?.[0].parameter, 'last')
    return true
  })
  await assert.rejects(client.addSites([]), (error) => error instanceof ProblemError && error.status === 400)
  const many = Array.from({ length: 1001 }, (_, i) => `h${i}.example`)
  await assert.rejects(client.addSites(many), (error) => error instanceof ProblemError && error.status === 413)
})
