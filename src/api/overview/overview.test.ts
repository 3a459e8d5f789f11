import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  createTestApi,
  eventOf,
  noSiteWatch,
  noTargets,
  startMs,
  type TestApi,
  type TestCaller,
  testInstallation,
} from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { streamReport } from '../../../test/helpers/exporters.ts'
import { exportersOf } from '../../collect/health/exporter.ts'
import { noReception } from '../../collect/health/reception.ts'
import type { Overview } from '../../contract/overview.ts'
import type { CrowdedTable } from '../../fair-table.ts'
import type { Health } from '../http/health.ts'

const web = 0xc000020a
const dayMs = 86_400_000
let api: TestApi
let admin: TestCaller
let ann: TestCaller
let bob: TestCaller
const tables: CrowdedTable[] = []
let heardMs: number | null = null
let health: Health = { ready: true, checks: {} }
let tested: { atMs: number; seconds: number } | null = null
const exporters = exportersOf([streamReport({ address: '198.51.100.1' })], startMs)

before(async () => {
  api = await createTestApi({
    siteWatch: {
      ...noSiteWatch,
      addressesOf: (userId, { host }) => ({
        addresses: userId === ann.user.id && host === '192.0.2.10' ? [own(web, true), own(web + 1, false)] : [],
        omitted: 0,
      }),
      lastDatagramMs: () => heardMs,
    },
    targets: {
      ...noTargets,
      stateOf: () => Promise.reject(new Error('not asked')),
      ratesOf: async () => [],
      waysTo: (userId, address) =>
        userId === ann.user.id && address === web ? [{ site: '192.0.2.10', sinceMs: 0 }] : [],
    },
    exporters: { list: () => exporters, each: () => exporters, find: () => null, reception: () => noReception },
    installation: { ...testInstallation, tables: () => tables, selfTest: () => tested },
    health: () => health,
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['read', 'admin'] })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  await api.store.addSites(ann.user.id, ['192.0.2.10', 'www.example.com'], startMs - 10 * dayMs)
  await api.store.setEnabled(ann.user.id, ['www.example.com'], false)
  const day = 86_400
  await addEvents(api.store, [
    eventOf(ann.user.id, 0, { endMs: startMs, site: 'www.example.com' }),
    eventOf(ann.user.id, 3 * day, { endMs: startMs + 3 * dayMs, label: null, packetsPerSecond: 200_000 }),
    eventOf(ann.user.id, 4 * day - 60, { endMs: null }),
    eventOf(bob.user.id, 4 * day - 30, { endMs: null }),
  ])
  api.clock.set(startMs + 4 * dayMs)
})
after(() => api.close())

const own = (address: number, isOwn: boolean) => ({
  address,
  names: [],
  sinceMs: null,
  confirmedMs: null,
  sharedWith: [],
  domains: 0,
  domainsOfOthers: 0,
  isOwn,
})
const get = async (url: string, { headers } = ann) => api.server.inject({ url: `/api/v1/${url}`, headers })

describe('the overview', () => {
  it('says how things are: an attack, else whether anything is heard', async () => {
    const posture = async (who = bob) => (await get('overview', who)).json().posture
    assert.equal(await posture(), 'attack')
    assert.equal(await posture(admin), 'no-sites')
    await api.store.addSites(admin.user.id, ['203.0.113.1'], startMs)
    assert.equal(await posture(admin), 'no-flows')
    heardMs = api.clock.now() - 60_000
    assert.equal(await posture(admin), 'calm')
    health = { ready: false, checks: {} }
    assert.equal(await posture(admin), 'not-ready')
    assert.equal(await posture(), 'attack', 'what is seen is seen')
    health = { ready: true, checks: {} }
    heardMs = api.clock.now() - 121_000
    assert.equal(await posture(admin), 'no-flows')
    await api.store.setEnabled(admin.user.id, ['203.0.113.1'], false)
    heardMs = api.clock.now()
    assert.equal(await posture(admin), 'no-sites')
  })

  it('counts, and has the latest attacks and what is attacked most, of the caller', async () => {
    const [first, second] = (await get('events?last=30')).json().events
    await api.store.changeNote(ann.user.id, first.id, { acknowledged: true }, { by: '', atMs: 1 })
    await api.store.changeNote(ann.user.id, second.id, { classification: 'flash_crowd' }, { by: '', atMs: 1 })
    const { sites, events, lastEvent, attacks, topSites, topVectors } = (await get('overview')).json()
    assert.deepEqual(sites, { count: 2, enabled: 1 })
    assert.deepEqual(events, {
      open: 1,
      openAcknowledged: 0,
      openDismissed: 0,
      unacknowledged: 2,
      lastDay: 2,
      dayBefore: 0,
      lastWeek: 3,
    })
    assert.equal(lastEvent.id, attacks[0].id)
    assert.deepEqual(
      attacks.map(({ end }: { end: string | null }) => end !== null),
      [false, true],
    )
    assert.deepEqual(
      attacks.map(({ severity, classification }: Overview['attacks'][number]) => [severity, classification]),
      [
        ['low', null],
        ['critical', 'flash_crowd'],
      ],
    )
    assert.deepEqual(topSites, [
      { site: '192.0.2.0/24', events: 2 },
      { site: 'www.example.com', events: 1 },
    ])
    assert.deepEqual(topVectors[1], { attackType: null, events: 1 })
  })

  it('has the traffic of the last day, of addresses that are the caller’s, renewed once a minute', async () => {
    const nowSecond = api.clock.now() / 1000
    const point = { address: web, minute: nowSecond - 60, bytes: 6_000, packets: 60, flows: 6 }
    api.clock.advance(60_000)
    await api.store.appendSeries([point, { ...point, address: web + 1 }, { ...point, minute: nowSecond - 2 * 86_400 }])
    const { traffic } = (await get('overview')).json()
    assert.equal(traffic.bytesPerSecond.length, 1440)
    assert.deepEqual(
      [traffic.bytesPerSecond.at(-2), traffic.packetsPerSecond.at(-2), traffic.flowsPerSecond.at(-2)],
      [100, 1, 0.1],
    )
    assert.equal(
      traffic.bytesPerSecond.reduce((a: number, b: number) => a + b),
      100,
    )
    assert.equal(Date.parse(traffic.from), api.clock.now() - dayMs)
    await api.store.appendSeries([point])
    assert.equal((await get('overview')).json().traffic.bytesPerSecond.at(-2), 100)
    api.clock.advance(60_000)
    assert.equal((await get('overview')).json().traffic.bytesPerSecond.at(-3), 200)
    assert.deepEqual((await get('overview', bob)).json().traffic.bytesPerSecond.at(-3), 0)
  })
})

describe('the search', () => {
  it('finds sites, events, addresses and exporters, of the caller alone', async () => {
    const found = async (q: string, who = ann) => {
      const {
        sites,
        events,
        addresses,
        exporters: known,
      } = (await get(`search?q=${encodeURIComponent(q)}`, who)).json()
      return [sites.length, events.length, addresses.length, known.length]
    }
    assert.deepEqual(await found('WWW.example'), [1, 1, 0, 0])
    assert.deepEqual(await found('192.0.2.10'), [1, 3, 1, 0])
    assert.deepEqual(await found('192.0.2.10', bob), [0, 1, 0, 0])
    assert.deepEqual(await found('198.51', admin), [0, 0, 0, 1])
    assert.deepEqual(await found('198.51'), [0, 0, 0, 0])
    const [{ id }] = (await get('events?last=30')).json().events
    assert.deepEqual(await found(id), [0, 1, 0, 0])
    assert.deepEqual(await found(id, bob), [0, 0, 0, 0])
  })

  it('has the site of that name before those of a group of that name', async () => {
    const carl = await api.addCaller('carl@example.net')
    const others = Array.from({ length: 9 }, (_, n) => `a${n}.example.net`)
    await api.store.addSites(carl.user.id, [...others, 'shop.example.net'], 1)
    const { id } = await api.store.addGroup(carl.user.id, 'Shop')
    await api.store.setGroup(carl.user.id, others, id)
    const { sites } = (await get('search?q=shop', carl)).json()
    assert.deepEqual(
      sites.map(({ host }: { host: string }) => host),
      ['shop.example.net', ...others.slice(0, 4)],
    )
  })

  it('finds events by other texts as well, and by these no site', async () => {
    const eva = await api.addCaller('eva@example.net')
    await api.store.addSites(eva.user.id, ['ntp.example.net'], 1)
    const labels = ['udp@attack@amp_flood_target-NTP', 'udp@attack@amp_flood_target-DNS', null]
    await addEvents(
      api.store,
      labels.map((label, n) => eventOf(eva.user.id, 20_000 + n, { label })),
    )
    const found = async (query: string) => {
      const { sites, events } = (await get(`search?${query}`, eva)).json()
      return [sites.length, events.map(({ attackType }: { attackType: string | null }) => attackType)]
    }
    assert.deepEqual(await found('q=NTP%20amplification'), [0, []])
    assert.deepEqual(await found('q=NTP%20amplification&qAlso=_target-ntp'), [0, [labels[0]]])
    assert.deepEqual(await found('q=spike&qAlso=unknown,_target-dns'), [0, [null, labels[1]]])
    assert.equal((await get(`search?q=a&qAlso=${'x,'.repeat(40)}`, eva)).statusCode, 400)
  })

  it('wants something to look for', async () => {
    for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(101)}`, '?q=a&q=b'])
      assert.equal((await get(`search${query}`)).statusCode, 400, query)
  })
})

it('the status tells when the service last found its own attack, and admins which checks fail, and since when', async () => {
  assert.equal((await get('status')).json().selfTest, null)
  tested = { atMs: startMs, seconds: 0.8765 }
  assert.deepEqual((await get('status')).json().selfTest, { at: '2026-01-15T12:00:00+00:00', seconds: 0.88 })
  health = {
    ready: false,
    checks: {
      store: { ok: false, isWarning: false, detail: 'the disk is full', sinceMs: startMs },
      listeners: { ok: true, isWarning: false, detail: '[::]:2055', sinceMs: null },
      backups: { ok: true, isWarning: true, detail: 'overdue', sinceMs: startMs },
    },
  }
  const since = '2026-01-15T12:00:00+00:00'
  const { ready, installation } = (await get('status', admin)).json()
  assert.equal(ready, false)
  assert.deepEqual(installation.checks, [
    { name: 'listeners', ok: true, warning: false, detail: '[::]:2055', since: null },
    { name: 'store', ok: false, warning: false, detail: 'the disk is full', since },
    { name: 'backups', ok: true, warning: true, detail: 'overdue', since },
  ])
  health = { ready: true, checks: {} }
})

it('the status tells the version to all, and of the installation to admins', async () => {
  const mine = (await get('status')).json()
  assert.deepEqual([mine.version, mine.ready, mine.installation], ['0.0.0', true, null])
  assert.equal(mine.uptimeSeconds, (api.clock.now() - startMs) / 1000)
  const { installation } = (await get('status', admin)).json()
  assert.deepEqual(installation.listeners, [{ protocol: 'netflow', host: '0.0.0.0', port: 2055 }])
  assert.equal(installation.retentionDays.events, 400)
  assert.ok(installation.storeBytes > 0)
  const crowded = { name: 'streams', size: 9, max: 10, gaveWay: 2, provenGaveWay: 1, holder: '192.0.2.1', holds: 8 }
  tables.push({ ...crowded, gaveWayMs: startMs, harmedMs: null })
  assert.deepEqual((await get('status', admin)).json().installation.tables, [
    {
      ...{ name: 'streams', used: 9, max: 10, gaveWay: 2, provenGaveWay: 1, crowdedBy: '192.0.2.1', holds: 8 },
      lastGaveWay: '2026-01-15T12:00:00+00:00',
    },
  ])
  const { id, email } = admin.user
  // One user, several together, what is nobody's, and nothing.
  for (const [holder, crowdedBy] of [
    [id, email],
    [`${id} gone`, `${email}, gone`],
    ['', null],
    [null, null],
  ]) {
    tables.splice(0, 1, { ...crowded, holder, gaveWayMs: startMs, harmedMs: null })
    assert.equal((await get('status', admin)).json().installation.tables[0].crowdedBy, crowdedBy)
  }
})
