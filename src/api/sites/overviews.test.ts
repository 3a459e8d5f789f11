import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, eventOf, noTargets, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import type { TargetQuery, TargetRates } from '../../detect/targets/target-state.ts'
import { AppError } from '../../errors.ts'

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let isBusy = false
const asked: TargetQuery[] = []
const web = 0xc000020a
const addressOf = (n: number, isOwn = true) => ({
  address: web + n,
  names: [],
  sinceMs: startMs + n,
  confirmedMs: startMs,
  sharedWith: [],
  domains: 1,
  domainsOfOthers: 0,
  isOwn,
})
const rates: TargetRates = { packets: 30, bytes: 3_000, flows: 3, normal: 10, learnt: 1 }

before(async () => {
  api = await createTestApi({
    siteWatch: {
      addressesOf: (userId, { host }) =>
        userId === ann.user.id && host === 'www.example.com'
          ? { addresses: [addressOf(0), addressOf(1), addressOf(2), addressOf(3, false)], omitted: 1 }
          : { addresses: [], omitted: 0 },
      mayWatch: () => true,
      suggestionsFor: () => [],
      lastDatagramMs: () => null,
    },
    targets: {
      ...noTargets,
      stateOf: () => Promise.reject(new Error('not asked')),
      ratesOf: async (given) => {
        if (isBusy) throw new AppError('DETECTION_BUSY', 'secret')
        asked.push(...given)
        return given.map((_, i) => (i === 0 ? rates : i === 1 ? { ...rates, normal: null, learnt: 0.5 } : null))
      },
      waysTo: () => [],
    },
  })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  await api.store.addSites(ann.user.id, ['www.example.com', '*.example.org', '192.0.2.0/24', '198.51.100.7'], startMs)
  await api.store.setEnabled(ann.user.id, ['198.51.100.7'], false)
  await api.store.addSites(bob.user.id, ['bob.example.com'], startMs)
  await addEvents(api.store, [
    eventOf(ann.user.id, 1, { site: '198.51.100.7', sites: ['198.51.100.7', 'www.example.com'], endMs: null }),
  ])
  await addEvents(api.store, [eventOf(bob.user.id, 2, { site: 'www.example.com', endMs: null })])
})
after(() => api.close())

const get = async (query: string, { headers } = ann) => api.server.inject({ url: `/api/v1/sites${query}`, headers })
const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, { headers } = ann) =>
  api.server.inject(payload === undefined ? { method, url, headers } : { method, url, headers, payload })
const hostsOf = (answer: { json(): { sites: { host: string }[] } }) => answer.json().sites.map(({ host }) => host)

describe('the list of sites', () => {
  it('has what goes on at each, at the addresses of the caller', async () => {
    api.clock.set(startMs + 600_000)
    const minute = startMs / 1000
    await api.store.appendSeries([
      { address: web, minute: minute + 60, bytes: 1, packets: 1, flows: 1 },
      { address: web + 1, minute: minute - 60, bytes: 1, packets: 1, flows: 1 },
      { address: web + 3, minute: minute + 60, bytes: 1, packets: 1, flows: 1 },
    ])
    const [site] = (await get('?q=WWW.')).json().sites
    assert.deepEqual(
      asked,
      [0, 1, 2].map((n) => ({ address: web + n, knownFromMs: startMs + n })),
    )
    const { lastEvent, addedAt, ...rest } = site
    // The event is named after the address that the name led to.
    assert.equal(lastEvent.state, 'open')
    assert.deepEqual(rest, {
      host: 'www.example.com',
      kind: 'fqdn',
      isEnabled: true,
      group: null,
      addresses: { count: 5, observable: 1 },
      rates: { bytesPerSecond: 6_000, packetsPerSecond: 60, flowsPerSecond: 6 },
      deviation: 3,
      learnt: 0.75,
      openEvents: 1,
    })
  })

  it('goes page by page, and by state', async () => {
    const first = await get('?limit=3')
    assert.deepEqual(hostsOf(first), ['*.example.org', '192.0.2.0/24', '198.51.100.7'])
    assert.equal(first.json().total, 4)
    const second = await get(`?limit=3&cursor=${first.json().next}`)
    assert.deepEqual([hostsOf(second), second.json().next], [['www.example.com'], null])
    assert.deepEqual(hostsOf(await get('?enabled=false')), ['198.51.100.7'])
    assert.deepEqual(hostsOf(await get('', bob)), ['bob.example.com'])
  })

  it('is there while the detector does not answer', async () => {
    isBusy = true
    const [site] = (await get('?q=www')).json().sites
    isBusy = false
    assert.deepEqual([site.rates, site.deviation, site.learnt, site.openEvents], [null, null, null, 1])
  })

  it('refuses what it does not understand', async () => {
    for (const query of ['?limit=0', '?limit=101', '?enabled=yes', '?cursor=!', `?q=${'x'.repeat(101)}`, '?q=a&q=b'])
      assert.equal((await get(query)).statusCode, 400, query)
  })
})

describe('groups', () => {
  it('are filled, shown in both lists, renamed and deleted', async () => {
    const { id } = (await send('POST', '/api/v1/groups', { name: ' Shops ' })).json()
    const put = await send('PATCH', '/api/v1/sites', { hosts: ['WWW.example.com', 'bob.example.com'], groupId: id })
    assert.deepEqual(put.json(), { status: 0, success: ['WWW.example.com'], error: ['bob.example.com'] })
    assert.equal((await send('PATCH', `/api/v1/groups/${id}`, { name: 'Läden' })).json().siteCount, 1)
    assert.deepEqual(hostsOf(await get(`?group=${id}`)), ['www.example.com'])
    assert.deepEqual(hostsOf(await get('?group=none')).length, 3)
    const open = (await api.server.inject({ url: '/open/site', headers: ann.headers })).json().data
    const site = open.find(({ host }: { host: string }) => host === 'www.example.com')
    assert.deepEqual([site.group_id, site.group_name], [id, 'Läden'])
    assert.equal((await send('POST', '/api/v1/groups', { name: 'läden' })).statusCode, 409)
    assert.equal((await send('DELETE', `/api/v1/groups/${id}`)).statusCode, 200)
    assert.deepEqual(hostsOf(await get('?group=none')).length, 4)
  })

  it('are their user’s alone', async () => {
    const { id } = (await send('POST', '/api/v1/groups', { name: 'Mine' })).json()
    assert.deepEqual((await api.server.inject({ url: '/api/v1/groups', headers: bob.headers })).json(), { groups: [] })
    assert.equal((await send('PATCH', `/api/v1/groups/${id}`, { name: 'x' }, bob)).statusCode, 404)
    assert.equal((await send('DELETE', `/api/v1/groups/${id}`, undefined, bob)).statusCode, 404)
    const put = { hosts: ['bob.example.com'], groupId: id }
    assert.equal((await send('PATCH', '/api/v1/sites', put, bob)).statusCode, 404)
    assert.equal((await send('POST', '/api/v1/groups', { name: 'Mine' }, bob)).statusCode, 200)
  })

  it('have plain names', async () => {
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(101)])
      assert.equal((await send('POST', '/api/v1/groups', { name })).statusCode, 400, name)
  })
})
