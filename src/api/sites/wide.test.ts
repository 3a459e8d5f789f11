import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createTestApi, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { siteOf } from '../../../test/helpers/sites.ts'
import type { HostRecord } from '../../access/host-record.ts'
import { attribute } from '../../names/bindings/attribution.ts'
import { compileSites } from '../../names/bindings/site-index.ts'
import { parseKey } from '../../net/address.ts'
import { prefixLength } from '../../net/network.ts'

const wide = '198.51.96.0/20'
const first = parseKey('198.51.96.0') ?? Number.NaN
const addressOf = (n: number) => ({
  address: first + n,
  names: n === 5_000 ? ['www.example.com'] : [],
  sinceMs: null,
  confirmedMs: null,
  sharedWith: [],
  domains: 0,
  domainsOfOthers: 0,
  isOwn: true,
})
const sizeOf = (record: HostRecord) => ('network' in record ? 2 ** (32 - prefixLength(record.network)) : 0)

let api: TestApi
let admin: TestCaller
let holder: TestCaller
let other: TestCaller

before(async () => {
  api = await createTestApi({
    siteWatch: {
      addressesOf: (_userId, record) => {
        return { addresses: Array.from({ length: sizeOf(record) }, (_, n) => addressOf(n)), omitted: 0 }
      },
      mayWatch: () => true,
      suggestionsFor: () => [],
      lastDatagramMs: () => null,
    },
  })
  admin = await api.addCaller('admin@example.net', { role: 'admin', siteQuota: 300 })
  holder = await api.addCaller('holder@example.net', { allowed: { networks: ['198.51.0.0/16'], domains: [] } })
  other = await api.addCaller('other@example.net')
})
after(() => api.close())

const add = async ({ headers }: TestCaller, url: string, ...hosts: string[]) =>
  (await api.server.inject({ method: 'POST', url, headers, payload: { hosts } })).json()
const get = async ({ headers }: TestCaller, url: string) => (await api.server.inject({ url, headers })).json()
const hostsOf = async (caller: TestCaller) =>
  (await get(caller, '/open/site')).data.map(({ host }: { host: string }) => host)

it('a network shorter than a /24 is added by those who may, and under /open by nobody', async () => {
  const refused = { status: -1, success: [], error: [{ [wide]: 'The CIDR prefix must be >=24' }] }
  for (const caller of [admin, holder, other]) assert.deepEqual(await add(caller, '/open/site/add', wide), refused)
  for (const caller of [admin, holder]) {
    assert.deepEqual(await add(caller, '/api/v1/sites', '198.51.100.7/20'), {
      status: 1,
      success: ['198.51.100.7/20'],
      error: [],
    })
    assert.deepEqual(await hostsOf(caller), [wide])
  }
  const { status, error } = await add(other, '/api/v1/sites', wide, '192.0.2.0/24')
  assert.equal(status, 0)
  assert.match(error[0][wide], /shorter than a \/24/)
  assert.deepEqual(await hostsOf(other), ['192.0.2.0/24'])
  assert.match((await add(holder, '/api/v1/sites', '192.0.0.0/20')).error[0]['192.0.0.0/20'], /shorter than a \/24/)
  assert.deepEqual((await add(admin, '/api/v1/sites', '198.0.0.0/15')).error, [
    { '198.0.0.0/15': 'The CIDR prefix must be >=16' },
  ])
})

it('it is one row, and counts against the quota with its /24s', async () => {
  const { sites } = await get(admin, '/api/v1/sites')
  assert.deepEqual(
    sites.map(({ host, kind, addresses }: { host: string; kind: string; addresses: object }) => [
      host,
      kind,
      addresses,
    ]),
    [[wide, 'cidr', { count: 4_096, observable: 0 }]],
  )
  const refused = await add(admin, '/api/v1/sites', '10.1.0.0/16', '10.2.0.0/19')
  assert.deepEqual(refused.error, [{ '10.2.0.0/19': 'The quota of 300 sites is used up' }])
  assert.deepEqual(refused.success, ['10.1.0.0/16'])
})

it('pages end before their sites have too many addresses', async () => {
  const page = await get(admin, '/api/v1/sites')
  assert.deepEqual([page.sites.length, page.total], [1, 2])
  const next = await get(admin, `/api/v1/sites?cursor=${page.next}`)
  assert.deepEqual([next.sites.length, next.next], [1, null])
})

it('its report has those addresses that there is something to say of', async () => {
  const report = await get(admin, `/api/v1/sites/${encodeURIComponent('10.1.0.0/16')}`)
  assert.deepEqual([report.addresses.length, report.addressesOmitted], [1_024, 65_536 - 1_024])
  assert.deepEqual(report.addresses.at(-1).names, ['www.example.com'])
})

it('it is disabled, enabled and deleted as others are', async () => {
  for (const verb of ['disable', 'enable', 'delete'])
    assert.deepEqual(await add(holder, `/open/site/${verb}`, wide), { status: 1, success: [wide], error: [] })
  assert.deepEqual(await hostsOf(holder), [])
})

it('its addresses are attacked as those of any network, the longest first', () => {
  const sites = [wide, '198.51.100.0/24'].map((host) => siteOf('u', host))
  const bestFor = (n: number) =>
    attribute({ address: first + n, fromMs: startMs, toMs: startMs }, compileSites(sites), {
      asked: [],
      observed: [],
    })[0]?.site
  assert.deepEqual([bestFor(0), bestFor(4 * 256), bestFor(4_096)], [wide, '198.51.100.0/24', undefined])
})
