import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { siteOf } from '../../../test/helpers/sites.ts'
import type { UserLike } from '../../access/authority.ts'
import { requireHostRecord } from '../../access/host-record.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import { Bindings } from './bindings.ts'
import { type SiteAddress, siteAddresses } from './site-addresses.ts'
import { compileSites } from './site-index.ts'

const graceMs = 1_800_000
const nowMs = 10 * graceMs

const told = {
  'www.example.com': ['192.0.2.1', '192.0.2.2'],
  'example.com': ['192.0.2.1'],
  'www.example.org': ['192.0.2.1'],
  'other.example.net': ['192.0.2.2'],
}
const sites = [
  siteOf('ann', 'www.example.com'),
  siteOf('ann', '*.example.com'),
  siteOf('ann', 'www.example.org'),
  siteOf('ann', '192.0.2.0/30'),
  siteOf('ann', '192.0.2.0/31'),
  siteOf('bob', 'other.example.net'),
  siteOf('eve', '*.example.org'),
]

/** What a site of the user stands for, in short: address, names, other domains. */
function addressesOf(userId: string, host: string, users: UserLike[] = [], atMs = nowMs): string[] {
  const addresses = reportOf(userId, host, users, atMs)
  return addresses.map(({ address, names, sharedWith }) => [formatKey(address), names, sharedWith].join('|'))
}

function countsOf(userId: string, host: string): string[] {
  const addresses = reportOf(userId, host, [], nowMs)
  return addresses.map(({ address, domains, domainsOfOthers }) => `${formatKey(address)} ${domains}+${domainsOfOthers}`)
}

function reportOf(userId: string, host: string, users: UserLike[], atMs: number): SiteAddress[] {
  const bindings = new Bindings({ graceMs, staleMs: graceMs })
  for (const [name, addresses] of Object.entries(told)) {
    const resolved = { addresses: addresses.map((each) => parseKey(each) ?? -1), chain: [], ttlSeconds: 60 }
    bindings.confirm(name, resolved, nowMs - 1_000)
  }
  const record = requireHostRecord(host)
  const observed = new Bindings({ graceMs, staleMs: graceMs })
  for (const [name, address] of [
    ['shop.example.com', '192.0.2.9'],
    ['blog.example.org', '192.0.2.9'],
  ]) {
    observed.confirm(name, { addresses: [parseKey(address) ?? -1], chain: [], ttlSeconds: 60 }, nowMs - 1_000)
  }
  const index = compileSites(sites, users)
  const known = { asked: bindings, observed }
  const { addresses, omitted } = siteAddresses(
    { userId, record, site: { createdMs: 0, watchedMs: 0 }, nowMs: atMs },
    index,
    known,
  )
  assert.equal(omitted, 0)
  return addresses
}

describe('siteAddresses', () => {
  it('of a name are those that it leads to, with the own domains that lead there too', () => {
    assert.deepEqual(addressesOf('ann', 'www.example.com'), [
      '192.0.2.1|www.example.com|example.org',
      '192.0.2.2|www.example.com|',
    ])
  })

  it('say how many registered domains lead to each: the user’s, and those of others', () => {
    const counts = (userId: string, host: string) => countsOf(userId, host).join(' ')
    assert.equal(counts('ann', 'www.example.com'), '192.0.2.1 2+0 192.0.2.2 1+1')
    assert.equal(counts('bob', 'other.example.net'), '192.0.2.2 1+1')
    assert.equal(counts('ann', '192.0.2.0/31'), '192.0.2.0 0+0 192.0.2.1 2+0')
  })

  it('of a wildcard are those of the names below it', () => {
    assert.deepEqual(addressesOf('ann', '*.example.com'), [
      '192.0.2.1|example.com,www.example.com|example.org',
      '192.0.2.2|www.example.com|',
      '192.0.2.9|shop.example.com|',
    ])
  })

  it('of a wildcard are also those of names that were learnt', () => {
    assert.deepEqual(addressesOf('eve', '*.example.org'), ['192.0.2.1|www.example.org|', '192.0.2.9|blog.example.org|'])
  })

  it('of a network are all of it, with the names of the user', () => {
    assert.deepEqual(addressesOf('ann', '192.0.2.0/30'), [
      '192.0.2.0||',
      '192.0.2.1|example.com,www.example.com,www.example.org|',
      '192.0.2.2|www.example.com|',
      '192.0.2.3||',
    ])
  })

  it('of another user say nothing', () => {
    assert.deepEqual(addressesOf('bob', 'www.example.com'), [])
    assert.deepEqual(addressesOf('bob', 'other.example.net'), ['192.0.2.2|other.example.net|'])
  })

  it('are no more than the user may watch, and only while the name leads there', () => {
    const ann = { id: 'ann', allowed: { networks: ['192.0.2.2'], domains: ['example.com'] } }
    assert.deepEqual(addressesOf('ann', 'www.example.com', [ann]), ['192.0.2.2|www.example.com|'])
    assert.deepEqual(addressesOf('ann', 'www.example.com', [], nowMs + graceMs), [])
  })

  it('of a wildcard are also those of names that a name of the user is an alias of', () => {
    const asked = new Bindings({ graceMs, staleMs: graceMs })
    const chain = ['edge.example.org', 'pop.example.org', 'pop.example.net']
    asked.confirm('www.example.com', { addresses: [0xc000_0201], chain, ttlSeconds: 60 }, nowMs)
    const known = { asked, observed: new Bindings({ graceMs, staleMs: graceMs }) }
    const record = requireHostRecord('*.example.org')
    const shownTo = (userId: string) => {
      const index = compileSites([...sites, siteOf('ann', '*.example.org')])
      const { addresses } = siteAddresses({ userId, record, site: { createdMs: 0, watchedMs: 0 }, nowMs }, index, known)
      return addresses.map(({ address, names, sharedWith }) => [formatKey(address), names, sharedWith].join('|'))
    }
    assert.deepEqual(shownTo('ann'), ['192.0.2.1|edge.example.org,pop.example.org|example.com'])
    // The name is not hers.
    assert.deepEqual(shownTo('eve'), [])
  })

  it('tell nothing of the time before the site was added', () => {
    const asked = new Bindings({ graceMs, staleMs: graceMs })
    for (const atMs of [0, 1, 2, 3].map((n) => nowMs + n * 60_000))
      asked.confirm('www.example.com', { addresses: [1], chain: [], ttlSeconds: 60 }, atMs)
    const known = { asked, observed: new Bindings({ graceMs, staleMs: graceMs }) }
    const record = requireHostRecord('www.example.com')
    const atMs = nowMs + 200_000
    const times = [nowMs - 1, nowMs + 90_000, atMs].map((addedMs) => {
      const [{ sinceMs, confirmedMs }] = siteAddresses(
        { userId: 'ann', record, site: { createdMs: addedMs, watchedMs: addedMs }, nowMs: atMs },
        compileSites(sites),
        known,
      ).addresses
      return [sinceMs, confirmedMs]
    })
    assert.deepEqual(times, [
      [nowMs, nowMs + 180_000],
      [nowMs + 90_000, nowMs + 180_000],
      [atMs, atMs],
    ])
  })

  it('are bounded', () => {
    const bindings = new Bindings({ graceMs, staleMs: graceMs })
    for (const [i, name] of ['example.com', 'www.example.com'].entries()) {
      const addresses = Array.from({ length: 200 }, (_, k) => 0xc000_0200 + i * 200 + k)
      bindings.confirm(name, { addresses, chain: [], ttlSeconds: 60 }, nowMs)
    }
    const observed = new Bindings({ graceMs, staleMs: graceMs })
    for (let i = 0; i < 600; i++) {
      observed.confirm(`n${i}.example.com`, { addresses: [0xc000_0200], chain: [], ttlSeconds: 60 }, nowMs + i)
    }
    const known = { asked: bindings, observed }
    const record = requireHostRecord('*.example.com')
    const found = siteAddresses(
      { userId: 'ann', record, site: { createdMs: 0, watchedMs: 0 }, nowMs },
      compileSites(sites),
      known,
    )
    assert.deepEqual([found.addresses.length, found.omitted], [256, 144])
    const [{ names, confirmedMs }] = found.addresses
    assert.deepEqual([names.length, names[0], confirmedMs], [20, 'example.com', nowMs + 599])
  })
})
