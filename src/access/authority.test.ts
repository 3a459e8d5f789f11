import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { siteOf } from '../../test/helpers/sites.ts'
import { parseKey } from '../net/address.ts'
import { parseNetwork } from '../net/network.ts'
import { Authority, type Claim, type Scope, type SiteLike, type UserLike, type View } from './authority.ts'
import { requireHostRecord } from './host-record.ts'
import type { Policy } from './policy.ts'

const ip = (text: string) => parseKey(text) ?? -1
const networkScope = (text: string): Scope => {
  const network = parseNetwork(text)
  assert.ok(network)
  return { kind: 'network', network }
}
const missingSinceMs = 1_000
const claim = (userId: string, scope: Scope): Claim => ({ userId, scope, missingSinceMs: null })
const weakClaim = (userId: string, scope: Scope): Claim => ({ userId, scope, missingSinceMs })
const hostScope = (name: string): Scope => ({ kind: 'host', name })
const domainScope = (name: string): Scope => ({ kind: 'domain', name })

interface Given {
  policy?: Policy
  users?: UserLike[]
  sites?: SiteLike[]
  claims?: Claim[]
  shared?: string[]
}

function authority({ policy = 'assigned', users = [], sites = [], claims = [], shared = [] }: Given): Authority {
  return new Authority({ users, sites, claims, access: { policy, sharedNetworks: shared, sharedDomains: 3 } })
}

const ann: UserLike = { id: 'ann', allowed: { networks: ['192.0.2.0/24'], domains: ['example.com'] } }
const bob: UserLike = { id: 'bob', allowed: { networks: ['198.51.100.0/25'], domains: ['example.net'] } }
const [hers, his, nobodys, pooled] = ['192.0.2.7', '198.51.100.7', '203.0.113.7', '203.0.113.200'].map(ip)
const shared = ['203.0.113.128/25']

describe('what a user is shown of an address that a name leads to', () => {
  const rows: [policy: Policy, own: View | null, anothers: View | null, nobodys: View | null, pool: View | null][] = [
    ['assigned', 'all', null, 'totals', 'totals'],
    ['verified', 'all', null, 'totals', 'totals'],
    // As before there were policies: the networks that the operator gave are a limit.
    ['single', 'all', null, null, null],
    ['open', 'all', null, null, null],
  ]
  for (const [policy, ...expected] of rows) {
    it(`under ${policy}`, () => {
      const rights = authority({ policy, users: [ann, bob], shared })
      const views = [hers, his, nobodys, pooled].map((address) => rights.viewOf('ann', address))
      assert.deepEqual(views, expected)
    })
  }

  it('is all under single and open when the operator named no networks', () => {
    for (const policy of ['single', 'open'] as const) {
      const rights = authority({ policy, users: [bob, { id: 'ann', allowed: { networks: [], domains: [] } }] })
      assert.deepEqual([rights.viewOf('ann', his), rights.viewOf('stranger', his)], ['all', 'all'])
      assert.ok(rights.mayKnowSources('ann', [hers, his]))
    }
  })

  it('is the totals in a shared network even where it is somebody else’s', () => {
    const rights = authority({ users: [ann, bob], shared: ['198.51.100.0/26'] })
    assert.deepEqual([rights.viewOf('ann', his), rights.viewOf('bob', his)], ['totals', 'all'])
  })

  it('follows the policy of the user before that of the installation', () => {
    const trusting = authority({ policy: 'single', users: [{ ...ann, policy: 'assigned' }, bob] })
    assert.equal(trusting.viewOf('ann', nobodys), 'totals')
    const strict = authority({ users: [ann, { id: 'root', allowed: null, policy: 'single' }] })
    assert.equal(strict.viewOf('root', hers), 'all')
    assert.equal(strict.viewOf('stranger', hers), null)
  })

  it('is nothing of the address sites of a user who is trusted with anything', () => {
    const root: UserLike = { id: 'root', allowed: null, policy: 'single' }
    const sites = [siteOf('root', '203.0.113.0/28')]
    assert.equal(authority({ users: [ann, root], sites }).viewOf('ann', nobodys), null)
    const anybody: UserLike = { id: 'root', allowed: null, policy: 'open' }
    assert.equal(authority({ users: [ann, anybody], sites }).viewOf('ann', nobodys), 'totals')
  })

  it('lets the sources be known where every address that is hit is the user’s', () => {
    const rights = authority({ users: [ann, bob], shared })
    assert.ok(rights.mayKnowSources('ann', [hers, hers + 1]))
    for (const other of [his, nobodys, pooled]) assert.ok(!rights.mayKnowSources('ann', [hers, other]))
  })

  it('lists an address whosever it is, for a name says where it leads', () => {
    const rights = authority({ users: [ann, bob] })
    assert.ok([hers, his, nobodys].every((address) => rights.mayBeListed('ann', address)))
    assert.ok(!authority({ policy: 'single', users: [ann, bob] }).mayBeListed('ann', nobodys))
  })
})

describe('which host records are a user’s to watch', () => {
  const watchedSince = (addedMs: number, rights: Authority, userId: string, ...hosts: string[]) =>
    hosts.filter((host) => {
      return rights.mayWatch(userId, requireHostRecord(host), addedMs)
    })
  const watched = (rights: Authority, userId: string, ...hosts: string[]) => watchedSince(0, rights, userId, ...hosts)
  const hosts = ['192.0.2.7', '192.0.2.0/24', '198.51.100.0/24', 'www.example.com', '*.example.com', 'www.example.net']

  it('are those within what the operator gave, or none', () => {
    const rights = authority({ users: [ann, bob, { id: 'eve', allowed: null }] })
    assert.deepEqual(watched(rights, 'ann', ...hosts), [
      '192.0.2.7',
      '192.0.2.0/24',
      'www.example.com',
      '*.example.com',
    ])
    assert.deepEqual(watched(rights, 'bob', ...hosts), ['www.example.net'])
    assert.deepEqual(watched(rights, 'eve', ...hosts), [])
    assert.deepEqual(watched(authority({ policy: 'single' }), 'eve', ...hosts), hosts)
  })

  it('are those within what the user proved', () => {
    const proved = (scope: Scope) =>
      watched(authority({ policy: 'verified', claims: [claim('eve', scope)] }), 'eve', ...hosts)
    assert.deepEqual(proved(networkScope('192.0.2.0/24')), ['192.0.2.7', '192.0.2.0/24'])
    assert.deepEqual(proved(networkScope('192.0.2.7/32')), ['192.0.2.7'])
    assert.deepEqual(proved(networkScope('198.51.100.0/25')), [])
    assert.deepEqual(proved(hostScope('www.example.com')), ['www.example.com'])
    assert.deepEqual(proved(hostScope('example.com')), [])
    assert.deepEqual(proved(domainScope('example.com')), ['www.example.com', '*.example.com'])
    assert.deepEqual(proved(domainScope('www.example.com')), ['www.example.com'])
  })

  it('by a weak claim, are those that nobody else has a stronger one of, whole or in part', () => {
    const of = (scope: Scope, ...others: Claim[]) =>
      watched(authority({ policy: 'verified', claims: [weakClaim('eve', scope), ...others] }), 'eve', ...hosts)
    const slash24 = networkScope('192.0.2.0/24')
    assert.deepEqual(of(slash24), ['192.0.2.7', '192.0.2.0/24'])
    assert.deepEqual(of(slash24, weakClaim('bob', slash24)), ['192.0.2.7', '192.0.2.0/24'])
    assert.deepEqual(of(slash24, claim('bob', slash24)), [])
    assert.deepEqual(of(slash24, claim('bob', networkScope('192.0.2.128/25'))), ['192.0.2.7'])
    assert.deepEqual(of(slash24, claim('eve', slash24), claim('bob', slash24)), ['192.0.2.7', '192.0.2.0/24'])
    const domain = domainScope('example.com')
    assert.deepEqual(of(domain, claim('bob', hostScope('www.example.com'))), ['*.example.com'])
    assert.deepEqual(of(domain, claim('bob', domain)), [])
  })

  it('by a weak claim, are those that were there before it was weak', () => {
    for (const scope of [networkScope('192.0.2.0/24'), domainScope('example.com')]) {
      const weak = authority({ policy: 'verified', claims: [weakClaim('eve', scope)] })
      const before = watchedSince(missingSinceMs - 1, weak, 'eve', ...hosts)
      assert.equal(before.length, 2)
      assert.deepEqual(watchedSince(missingSinceMs, weak, 'eve', ...hosts), [])
      const also = authority({ policy: 'verified', claims: [weakClaim('eve', scope), claim('eve', scope)] })
      assert.deepEqual(watchedSince(missingSinceMs, also, 'eve', ...hosts), before)
    }
    // What was to be known of an address still is: it says nothing of which sites were added when.
    const weak = authority({ policy: 'verified', claims: [weakClaim('eve', networkScope('192.0.2.0/24'))] })
    assert.equal(weak.viewOf('eve', hers), 'all')
  })
})
