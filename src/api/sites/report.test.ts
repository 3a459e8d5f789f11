import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { createIsShared } from '../../access/shared-addresses.ts'
import { SiteReport } from '../../contract/sites/report.ts'
import type { SiteAddress } from '../../names/bindings/site-addresses.ts'
import { keyRange } from '../../net/network.ts'

const hour = 3_600_000
const day = 24 * hour
const www = 'www.example.com'
const [seen, unseen, unowned] = [address('192.0.2.10'), address('198.51.100.10'), address('203.0.113.10')]

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let sinceMs = 0
let lastDatagramMs: number | null = startMs
const asked: string[] = []
let given: SiteAddress[] | null = null

const leading = (of: number, sharedWith: string[] = []): SiteAddress => ({
  address: of,
  names: [www],
  sinceMs,
  confirmedMs: startMs - 5_000,
  sharedWith,
  domains: sharedWith.length + 1,
  domainsOfOthers: 3,
  isOwn: of !== unowned,
})

before(async () => {
  api = await createTestApi({
    siteWatch: {
      addressesOf: (userId, record) => {
        asked.push(record.host)
        return userId === ann.user.id
          ? { addresses: given ?? [leading(seen), leading(unseen, ['example.org'])], omitted: 3 }
          : { addresses: [], omitted: 0 }
      },
      mayWatch: () => true,
      suggestionsFor: (_userId, network) => [
        { name: 'mail.example.com', address: keyRange(network).first + 7, confirmedMs: startMs },
      ],
      lastDatagramMs: () => lastDatagramMs,
    },
  })
  ann = await api.addCaller('ann@example.net', { scopes: ['read'] })
  bob = await api.addCaller('bob@example.net', { scopes: ['read'] })
  await api.store.addSites(ann.user.id, [www, '192.0.2.0/24'], startMs - 2 * day)
  await api.store.addSites(ann.user.id, ['off.example.com'], startMs - 2 * day)
  await api.store.setEnabled(ann.user.id, ['off.example.com'], false)
  const minute = (startMs - hour) / 1_000
  await api.store.appendSeries([{ address: seen, minute, bytes: 1, packets: 1, flows: 1 }])
})
after(() => api.close())
beforeEach(() => {
  given = null
  sinceMs = startMs - 2 * day
  lastDatagramMs = startMs
})

async function get(host: string, caller = ann) {
  return api.server.inject({ url: `/api/v1/sites/${encodeURIComponent(host)}`, headers: caller.headers })
}

async function trafficOf(host = www): Promise<string[]> {
  const { addresses }: SiteReport = (await get(host)).json()
  return addresses.map(({ traffic }) => traffic)
}

describe('what is known of a site', () => {
  it('is where it leads, and which of that is seen in flows', async () => {
    const answer = await get('WWW.example.com')
    assert.equal(answer.statusCode, 200)
    const site = answer.json()
    assert.ok(Value.Check(SiteReport, site), JSON.stringify([...Value.Errors(SiteReport, site)]))
    const common = {
      names: [www],
      since: '2026-01-13T12:00:00+00:00',
      confirmedAt: '2026-01-15T11:59:55+00:00',
      isOwn: true,
      isShared: false,
      domainsOfOthers: null,
    }
    assert.deepEqual(site, {
      host: www,
      isEnabled: true,
      addedAt: '2026-01-13T12:00:00+00:00',
      isWatched: true,
      proof: null,
      addresses: [
        {
          address: '192.0.2.10',
          ...common,
          traffic: 'seen',
          lastTrafficAt: '2026-01-15T11:00:00+00:00',
          sharedWith: [],
        },
        { address: '198.51.100.10', ...common, traffic: 'none', lastTrafficAt: null, sharedWith: ['example.org'] },
      ],
      addressesOmitted: 3,
      suggestedNames: [],
    })
  })

  it('says nothing of what is not watched for a day, nor while exporters tell of nothing', async () => {
    sinceMs = startMs - day + 1
    assert.deepEqual(await trafficOf(), ['seen', 'unknown'])
    sinceMs = startMs - day
    assert.deepEqual(await trafficOf(), ['seen', 'none'])
    for (const ms of [null, startMs - hour]) {
      lastDatagramMs = ms
      assert.deepEqual(await trafficOf(), ['seen', 'unknown'])
    }
  })

  it("says nothing of traffic from before the address was one of the caller's", async () => {
    sinceMs = startMs - hour + 1
    assert.deepEqual(await trafficOf(), ['unknown', 'unknown'])
  })

  it('suggests names that lead to a network, and are of no site', async () => {
    const { suggestedNames }: SiteReport = (await get('192.0.2.0/24')).json()
    assert.deepEqual(suggestedNames, [
      { name: 'mail.example.com', address: '192.0.2.7', confirmedAt: '2026-01-15T12:00:00+00:00' },
    ])
  })

  it('is asked for with any host record, and of a disabled site there are no addresses', async () => {
    assert.equal((await get('192.0.2.7/24')).json().host, '192.0.2.0/24')
    asked.length = 0
    const off: SiteReport = (await get('off.example.com')).json()
    assert.deepEqual([off.isEnabled, off.addresses, asked], [false, [], []])
  })

  it('marks addresses that many share: by own names and the operator’s word, and for admin by all names', async () => {
    const sharedOf = async (headers: Record<string, string>) => {
      const { addresses }: SiteReport = (await api.server.inject({ url: `/api/v1/sites/${www}`, headers })).json()
      return addresses.map(({ isShared, domainsOfOthers }) => [isShared, domainsOfOthers])
    }
    await api.store.updateUser(ann.user.id, { role: 'admin' })
    const admin = await api.addCaller('ann@example.net', { scopes: ['read', 'admin'] })
    assert.deepEqual(await sharedOf(ann.headers), [
      [false, null],
      [false, null],
    ])
    assert.deepEqual(await sharedOf(admin.headers), [
      [true, 3],
      [true, 3],
    ])
    const isShared = createIsShared({ policy: 'single', sharedNetworks: ['192.0.2.0/28'], sharedDomains: 2 })
    assert.deepEqual([isShared(seen, 1), isShared(unseen, 2), isShared(unseen, 3)], [true, false, true])
  })

  it('tells no traffic of an address that is not the caller’s', async () => {
    given = [leading(unowned)]
    await api.store.appendSeries([
      { address: unowned, minute: (startMs - hour) / 1_000, bytes: 1, packets: 1, flows: 1 },
    ])
    const { addresses }: SiteReport = (await get(www)).json()
    assert.deepEqual(
      addresses.map(({ isOwn, traffic, lastTrafficAt }) => [isOwn, traffic, lastTrafficAt]),
      [[false, 'unknown', null]],
    )
  })

  it('is nothing for anybody else, nor of what is no site', async () => {
    const answers = await Promise.all([get(www, bob), get('none.example.com'), get('no host'), get('*.example.com')])
    for (const answer of answers) assert.equal(answer.statusCode, 404)
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
  })
})
