import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, eventOf, noTargets, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { defaultSettings } from '../../../test/helpers/detection.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { Detector } from '../../detect/detector.ts'
import type { DetectSettings } from '../../detect/settings.ts'
import { AppError } from '../../errors.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import type { Simulation, WantedSimulation } from './simulations.ts'

const site = '192.0.2.0/24'
const place = `/api/v1/sites/${encodeURIComponent(site)}/simulation`

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let addresses: number[]
let isOwn: boolean
let mayWatch: boolean
let settings: DetectSettings
let wanted: WantedSimulation[]
let refusal: AppError | null
let stopped: string[]

const running = ({ user, site, ...rest }: WantedSimulation): Simulation => ({
  ...rest,
  startedMs: startMs,
  endsMs: startMs + rest.seconds * 1000,
  isRunning: true,
  event: { id: 'f'.repeat(24), createdMs: startMs + 3_440 },
})

beforeEach(async () => {
  addresses = [parseKey('192.0.2.10') ?? 0, parseKey('192.0.2.11') ?? 0]
  isOwn = true
  mayWatch = true
  settings = defaultSettings()
  wanted = []
  refusal = null
  stopped = []
  const known = { names: [], sinceMs: null, confirmedMs: null, sharedWith: [], domains: 0, domainsOfOthers: 0 }
  api = await createTestApi({
    siteWatch: {
      addressesOf: () => ({
        addresses: addresses.map((address) => ({ ...known, address, isOwn })),
        omitted: 0,
      }),
      mayWatch: () => mayWatch,
      suggestionsFor: () => [],
      lastDatagramMs: () => null,
    },
    targets: { ...noTargets, stateOf: async (address) => new Detector({ settings }).stateOf(address, 0) },
    simulations: {
      of: (userId) => wanted.filter(({ user }) => user.id === userId).map(running)[0] ?? null,
      start: async (given) => {
        if (refusal !== null) throw refusal
        wanted.push(given)
        return running(given)
      },
      stopAt: (userId, site) => {
        stopped.push(`${userId} ${site}`)
        return null
      },
    },
  })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  await api.store.addSites(ann.user.id, [site, 'www.example.com'], startMs)
})

afterEach(() => api.close())

const start = (payload: object = {}, { url = place, caller = ann } = {}) =>
  api.server.inject({ method: 'POST', url, headers: caller.headers, payload })

/** That of the simulated attack, taken to be sent. */
async function told(channelId: string) {
  const notice = noticeOf(ann.user.id, 'f'.repeat(24))
  await api.store.route(routingOf((await api.store.toldUpTo()) ?? 0, [[notice, channelId]]))
  return takeAll(api.store, startMs)
}

describe('a simulated attack', () => {
  it('is NTP amplification for half a minute, as much as is seen for certain, on the first address, unless other is said', async () => {
    const answer = await start()
    assert.equal(answer.statusCode, 200, answer.body)
    assert.ok(Value.Check(endpoints.startSimulation.shapes.response, answer.json()), answer.body)
    assert.deepEqual(answer.json().simulation, {
      state: 'running',
      vector: 'ntp',
      attackType: 'udp@attack@amp_flood_target-NTP',
      address: '192.0.2.10',
      packetsPerSecond: 100_000,
      startedAt: '2026-01-15T12:00:00+00:00',
      endsAt: '2026-01-15T12:00:30+00:00',
      event: { id: 'f'.repeat(24), afterSeconds: 3.4 },
      alerts: null,
    })
    settings = { ...settings, sensitivity: 'low' }
    await start({ vector: 'syn', seconds: 10, address: '192.0.2.11' })
    await start({ packetsPerSecond: 1_000 })
    assert.deepEqual(
      wanted.slice(1).map(({ user, site: of, address, vector, seconds, packetsPerSecond }) => {
        return [user.id, of, formatKey(address), vector, seconds, packetsPerSecond]
      }),
      [
        [ann.user.id, site, '192.0.2.11', 'syn', 10, 200_000],
        [ann.user.id, site, '192.0.2.10', 'ntp', 30, 1_000],
      ],
    )
  })

  it('is told where that is asked for, and says what became of it', async () => {
    const { id } = await api.store.addChannel(ann.user.id, { ...channelOf('a1', 'Night shift'), kind: 'slack' }, 9)
    const made = { ...eventOf(ann.user.id, 7), id: 'f'.repeat(24), isTest: true, endMs: null, site }
    await addEvents(api.store, [made])
    const { alerts } = (await start({ alerts: true })).json().simulation
    assert.deepEqual(
      wanted.map(({ isTold }) => isTold),
      [true],
    )
    assert.deepEqual(alerts, [
      {
        ...{ channelId: id, channel: 'Night shift', kind: 'slack', state: 'waiting', afterSeconds: null },
        ...{ heldBy: null, until: null, text: null },
      },
    ])
    const [delivery] = await told(id)
    const result = { atMs: startMs + 4_000, tookMs: 321, isDone: true, text: '' }
    await api.store.settle(settlementOf(delivery, { result }))
    const answer = await api.server.inject({ url: place, headers: ann.headers })
    assert.ok(Value.Check(endpoints.getSimulation.shapes.response, answer.json()), answer.body)
    const [{ state, afterSeconds }] = answer.json().simulation.alerts
    assert.deepEqual([state, afterSeconds], ['done', 4.3])
  })

  it('is bounded, and on an address of the site', async () => {
    for (const body of [
      { vector: 'memcached' },
      { seconds: 9 },
      { seconds: 301 },
      { packetsPerSecond: 999 },
      { packetsPerSecond: 10_000_001 },
      { address: '198.51.100.1' },
      { address: 'www' },
    ]) {
      assert.equal((await start(body)).statusCode, 400, JSON.stringify(body))
    }
    assert.deepEqual(wanted, [])
  })

  it('is of a site that is watched, judged, and leads somewhere, or the reason is told', async () => {
    const detailOf = async () => {
      const answer = await start()
      assert.equal(answer.statusCode, 409)
      return answer.json().detail
    }
    const none = 'The site leads to no address that is yours'
    isOwn = false
    assert.equal(await detailOf(), none)
    isOwn = true
    addresses = []
    assert.equal(await detailOf(), none)
    mayWatch = false
    assert.match(await detailOf(), /not watched/)
    await api.store.setEnabled(ann.user.id, [site], false)
    assert.match(await detailOf(), /disabled/)
    await api.store.setEnabled(ann.user.id, [site], true)
    mayWatch = true
    addresses = [parseKey('192.0.2.10') ?? 0]
    settings = { ...settings, prefixes: [{ prefix: '192.0.2.0/24', enabled: false }] }
    assert.match(await detailOf(), /not judged/)
    settings = defaultSettings()
    refusal = new AppError('CONFLICT', 'an attack on the site is being simulated already')
    assert.equal(await detailOf(), 'An attack on the site is being simulated already')
    refusal = new AppError('TOO_MANY_REQUESTS', 'x')
    const answer = await start()
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [429, '10'])
  })

  it('is begun, seen and stopped by whose site it is alone, with a token that may write', async () => {
    const reader = await api.addCaller('ann@example.net', { scopes: ['read'] })
    assert.equal((await start({}, { caller: bob })).statusCode, 404)
    assert.equal((await start({}, { caller: reader })).statusCode, 403)
    assert.equal((await start({}, { url: '/api/v1/sites/other.example.com/simulation' })).statusCode, 404)
    await start()
    const get = (caller: TestCaller) => api.server.inject({ url: place, headers: caller.headers })
    assert.equal((await get(reader)).json().simulation.state, 'running')
    assert.equal((await get(bob)).statusCode, 404)
    await api.store.addSites(bob.user.id, [site], startMs)
    assert.deepEqual((await get(bob)).json(), { simulation: null })
    const stop = (caller: TestCaller) =>
      api.server.inject({ method: 'POST', url: `${place}/stop`, headers: caller.headers })
    assert.equal((await stop(reader)).statusCode, 403)
    assert.deepEqual((await stop(ann)).json(), { simulation: null })
    assert.deepEqual(stopped, [`${ann.user.id} ${site}`])
  })
})

describe('an event of a simulated attack', () => {
  it('is not shown under /open, counts nowhere, and is marked wherever it is shown', async () => {
    const [real, test] = await addEvents(api.store, [
      eventOf(ann.user.id, 1, { endMs: startMs }),
      eventOf(ann.user.id, 2, { isTest: true }),
    ])
    api.clock.advance(60_000)
    const get = async (url: string) => {
      const answer = await api.server.inject({ url, headers: ann.headers })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer
    }
    const { data } = (await get('/open/event/ddos')).json()
    assert.deepEqual(
      data.map(({ _id }: { _id: string }) => _id),
      [real.id],
    )
    assert.deepEqual((await get(`/open/event/ddos/detail/${test.id}`)).json(), { data: {} })

    const overview = (await get('/api/v1/overview')).json()
    assert.deepEqual(overview.events, {
      ...{ open: 0, openAcknowledged: 0, openDismissed: 0 },
      ...{ unacknowledged: 1, lastDay: 1, dayBefore: 0, lastWeek: 1 },
    })
    assert.equal(overview.posture, 'no-flows')
    assert.equal(overview.lastEvent.id, real.id)
    assert.deepEqual(overview.topSites, [{ site: real.site, events: 1 }])
    assert.deepEqual(
      overview.attacks.map(({ isTest }: { isTest: boolean }) => isTest),
      [true, false],
    )

    const idsOf = async (query: string) =>
      (await get(`/api/v1/events?${query}`)).json().events.map(({ id, isTest }: { id: string; isTest: boolean }) => {
        assert.equal(isTest, id === test.id)
        return id
      })
    assert.deepEqual(await idsOf(''), [real.id, test.id])
    assert.deepEqual(await idsOf('test=true'), [test.id])
    assert.deepEqual(await idsOf('test=false'), [real.id])
    assert.deepEqual(await idsOf('classification=test'), [test.id])
    assert.equal((await get(`/api/v1/events/${test.id}`)).json().isTest, true)
    assert.match((await get(`/api/v1/events/${test.id}/csv`)).body, /^event,isTest,true,/m)
    assert.deepEqual((await get(`/api/v1/events/${real.id}/related`)).json(), { events: [] })
    assert.deepEqual((await get(`/api/v1/events/${test.id}/related`)).json(), { events: [] })
  })
})
