import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { siteOf } from '../../../test/helpers/sites.ts'
import type { SiteLike } from '../../access/authority.ts'
import { parseKey } from '../../net/address.ts'
import { groupOf, scopeOf } from '../observe/scope.ts'
import { attribute, type Match, waysTo } from './attribution.ts'
import { type Binding, Bindings } from './bindings.ts'
import { compileSites } from './site-index.ts'
import { watchedAddresses } from './watched.ts'

const victim = '192.0.2.10'
const graceMs = 1_800_000
const hour = 3_600_000
const times = { graceMs, staleMs: hour }
const startMs = 10 * hour

const ip = (text: string) => parseKey(text) ?? -1
const sitesOf = (userId: string, ...hosts: string[]) => hosts.map((host) => siteOf(userId, host))

interface Told {
  name: string
  /** Told by a resolver elsewhere so often. */
  observed?: number
  address?: string
  chain?: string[]
  atMs?: number
}

function match(
  sites: SiteLike[],
  told: Told[],
  { address = victim, fromMs = startMs, toMs = startMs + 60_000 } = {},
): Match[] {
  const [asked, observed] = [new Bindings(times), new Bindings(times)]
  for (const { name, address = victim, chain = [], atMs = startMs - 1_000, observed: count = 0 } of told) {
    const resolved = { addresses: [ip(address)], chain, ttlSeconds: 60 }
    if (count === 0) asked.confirm(name, resolved, atMs)
    for (let i = 1; i <= count; i++) observed.confirm(name, resolved, atMs - 60_000 * (count - i))
  }
  const leading = { asked: asked.at(ip(address)), observed: observed.at(ip(address)) }
  return attribute({ address: ip(address), fromMs, toMs }, compileSites(sites), leading)
}

/** [site, domain] of one user's match. */
function best(hosts: string[], told: Told[]): [string, string] | null {
  const [found] = match(sitesOf('u', ...hosts), told)
  return found === undefined ? null : [found.site, found.domain]
}

describe('attribute', () => {
  const www = { name: 'www.example.com' }
  const apex = { name: 'example.com' }
  const aliased = { name: 'shop.example.com', chain: ['shop.cdn.example.net', 'e1.cdn.example.net'] }
  const cases: [what: string, hosts: string[], told: Told[], expected: [string, string] | null][] = [
    [
      'an address before everything',
      ['192.0.2.0/24', victim, 'www.example.com', '*.example.com'],
      [www],
      [victim, 'www.example.com'],
    ],
    [
      'the longest range',
      ['192.0.2.0/24', '192.0.2.8/29', '192.0.2.0/28', 'www.example.com'],
      [www],
      ['192.0.2.8/29', 'www.example.com'],
    ],
    ['a name before a wildcard', ['*.example.com', 'www.example.com'], [www], ['www.example.com', 'www.example.com']],
    ['the longest wildcard', ['*.example.com', '*.www.example.com'], [www], ['*.www.example.com', 'www.example.com']],
    ['no name: an empty domain', [victim], [], [victim, '']],
    ['another name of the user for a range', ['192.0.2.0/24', 'example.com'], [apex], ['192.0.2.0/24', 'example.com']],
    ['a wildcard holds the own name of its zone', ['*.example.com'], [apex], ['*.example.com', 'example.com']],
    ['a wildcard holds www', ['*.example.com'], [www], ['*.example.com', 'www.example.com']],
    [
      'a wildcard holds alias targets of own names',
      ['shop.example.com', '*.cdn.example.net'],
      [aliased],
      ['shop.example.com', 'shop.example.com'],
    ],
    [
      'a wildcard holds what somebody was seen to ask for',
      ['*.example.com'],
      [{ name: 'shop.example.com', observed: 1 }],
      ['*.example.com', 'shop.example.com'],
    ],
    [
      'a registered name may be seen, too',
      ['www.example.com'],
      [{ ...www, observed: 1 }],
      ['www.example.com', 'www.example.com'],
    ],
    ['what was seen is nothing to whoever has no site above it', ['www.example.com'], [{ ...apex, observed: 5 }], null],
    [
      'of names as recent, what is reported more often',
      ['*.example.com'],
      [www, { name: 'a.example.com', observed: 2 }, { name: 'shop.example.com', observed: 3 }],
      ['*.example.com', 'shop.example.com'],
    ],
    [
      'the name that was asked for, not its alias target',
      ['*.example.com'],
      [
        { name: 'shop.example.com', chain: ['e.example.com'], observed: 1 },
        { name: 'e.example.com', observed: 2 },
      ],
      ['*.example.com', 'shop.example.com'],
    ],
    [
      'for an address, too, what the user registered',
      [victim, 'www.example.com', '*.example.com'],
      [www, { name: 'shop.example.com', observed: 9 }],
      [victim, 'www.example.com'],
    ],
    [
      'a name that was seen once is not preferred',
      ['*.example.com'],
      [www, { name: 'a.example.com', observed: 1 }],
      ['*.example.com', 'www.example.com'],
    ],
    [
      'a name seen during the attack before one of long ago',
      ['*.example.com'],
      [
        { name: 'old.example.com', observed: 9, atMs: startMs - 1_500_000 },
        { name: 'a.example.com', observed: 1 },
      ],
      ['*.example.com', 'a.example.com'],
    ],
    ['nobody asked for this name', ['www.example.com'], [{ name: 'mail.example.com' }], null],
    ['not the victim', ['192.0.3.0/24', '192.0.2.11', 'www.example.com'], [], null],
    [
      'the shorter of equally recent names',
      ['a.example.com', 'www.example.com'],
      [www, { name: 'a.example.com' }],
      ['a.example.com', 'a.example.com'],
    ],
    [
      'the more recent of names',
      ['a.example.com', 'www.example.com'],
      [www, { name: 'a.example.com', atMs: startMs - 1_500_000 }],
      ['www.example.com', 'www.example.com'],
    ],
  ]
  for (const [what, hosts, told, expected] of cases) {
    it(what, () => {
      assert.deepEqual(best(hosts, told), expected)
    })
  }

  it('an alias target matches a wildcard longer than that of the name itself', () => {
    const [found] = match(sitesOf('u', '*.example.com', '*.cdn.example.net'), [{ ...aliased, name: 'www.example.com' }])
    assert.deepEqual([found.site, found.domain], ['*.cdn.example.net', 'e1.cdn.example.net'])
  })

  it('shows the alias, what it leads to, and the time of the last confirmation', () => {
    const [found] = match(sitesOf('u', 'shop.example.com'), [aliased])
    const at = startMs - 1_000
    assert.deepEqual(found.dns, [
      { domain: 'shop.example.com', a: { [victim]: at }, cname: { 'shop.cdn.example.net': at } },
      { domain: 'e1.cdn.example.net', a: { [victim]: at }, cname: {} },
      { domain: 'shop.cdn.example.net', a: { [victim]: at }, cname: { 'e1.cdn.example.net': at } },
    ])
  })

  it('counts a name up to the grace period before the attack, and from when it led there', () => {
    const sites = sitesOf('u', 'www.example.com')
    const at = (atMs: number) => match(sites, [{ ...www, atMs }]).length
    assert.equal(at(startMs - graceMs), 1)
    assert.equal(at(startMs - graceMs - 1), 0)
    assert.equal(at(startMs + 60_000), 1)
    assert.equal(at(startMs + 60_001), 0)
  })

  it('gives each user one match, with names of their own only', () => {
    const sites = [
      ...sitesOf('a', 'secret.example.com', victim),
      ...sitesOf('b', '*.example.com'),
      ...sitesOf('c', '192.0.2.0/24'),
    ]
    const found = match(sites, [{ name: 'secret.example.com' }, www])
    assert.deepEqual(
      found.map(({ userId, site, domain, dns }) => [userId, site, domain, dns.map((each) => each.domain)]),
      [
        ['a', victim, 'secret.example.com', ['secret.example.com']],
        ['b', '*.example.com', 'www.example.com', ['www.example.com']],
        ['c', '192.0.2.0/24', '', []],
      ],
    )
  })

  it('a name gives a user no address outside the networks that the user is allowed', () => {
    const sites = sitesOf('u', 'www.example.com', victim)
    const bindings = new Bindings(times)
    const addresses = [ip(victim), ip('198.51.100.1')]
    bindings.confirm('www.example.com', { addresses, chain: [], ttlSeconds: 60 }, startMs)
    const allowed = (networks: string[]) => [{ id: 'u', allowed: { networks, domains: ['example.com'] } }]
    const seen = (networks: string[]) => {
      const index = compileSites(sites, allowed(networks))
      const found = addresses.filter(
        (address) =>
          attribute({ address, fromMs: startMs, toMs: startMs }, index, { asked: bindings.at(address), observed: [] })
            .length > 0,
      )
      assert.deepEqual(
        [...watchedAddresses(index, { asked: bindings, observed: new Bindings(times) }, startMs).ranges].filter(
          (_, i) => i % 2 === 0,
        ),
        found,
      )
      return found.length
    }
    assert.deepEqual([seen(['192.0.2.0/24']), seen([]), seen(['203.0.113.0/24'])], [1, 2, 0])
  })

  it('leaves out sites that can not be read or are no longer allowed', () => {
    const users = [{ id: 'u', allowed: { networks: [], domains: ['example.com'] } }]
    const index = compileSites(sitesOf('u', 'www.example.com', 'www.example.net', victim, '*.com'), users)
    assert.deepEqual([[...index.roots.keys()], index.ranges.length, index.skipped], [['www.example.com'], 0, 3])
  })

  it('bounds the evidence', () => {
    const names = Array.from({ length: 200 }, (_, i) => `n${i}.example.com`)
    const [found] = match(
      sitesOf('u', ...names),
      names.map((name) => ({ name })),
    )
    assert.equal(found.dns.length, 50)
    assert.equal(found.dns[0].domain, found.domain)
  })
})

it('what is confirmed after the attack is evidence up to its end, and no later', () => {
  const later = { name: 'www.example.com', chain: ['www.cdn.example.net'], atMs: startMs - 1_000 }
  const told = [later, { ...later, atMs: startMs + 753_000 }]
  const [{ dns }] = match(sitesOf('u', 'www.example.com'), told, { toMs: startMs + 180_000 })
  const end = startMs + 180_000
  const [own] = dns.filter(({ domain }) => domain === 'www.example.com')
  assert.deepEqual([own.a, own.cname], [{ [victim]: end }, { 'www.cdn.example.net': end }])
})

it('of tens of thousands of names that lead there, those that count are found', () => {
  const observed = new Bindings(times)
  const sites = [...sitesOf('u', '*.example.com', '*.example.net'), ...sitesOf('other', '*.example.com')]
  const index = compileSites(sites)
  const confirm = (name: string, atMs: number) =>
    observed.confirm(name, { addresses: [ip(victim)], chain: [], ttlSeconds: 60 }, atMs)
  for (const atMs of [startMs - 120_000, startMs]) confirm('a-long-name-that-lasts.example.com', atMs)
  for (let i = 0; i < 10_000; i++) for (const zone of ['com', 'net']) confirm(`${i}.example.${zone}`, startMs)
  const attack = { address: ip(victim), fromMs: startMs, toMs: startMs + 60_000 }
  const matches = attribute(attack, index, { asked: [], observed: observed.at(ip(victim)) })
  assert.deepEqual(
    matches.map(({ userId, domain, dns }) => [userId, domain, dns.length]),
    [
      ['other', 'a-long-name-that-lasts.example.com', 50],
      ['u', 'a-long-name-that-lasts.example.com', 50],
    ],
  )
})

it('every site of a user leads to its addresses, by name since the first answer that said so', () => {
  const bindings = new Bindings(times)
  const confirm = (name: string, chain: string[], atMs: number) =>
    bindings.confirm(name, { addresses: [ip(victim)], chain, ttlSeconds: 60 }, atMs)
  confirm('www.example.com', [], startMs - 2_000)
  confirm('www.example.com', [], startMs)
  confirm('shop.example.com', ['www.example.com'], startMs - 3_000)
  confirm('mail.example.com', [], startMs + 1_000)
  const others = sitesOf('other', '192.0.2.8/29', 'shop.example.com')
  const own = sitesOf('u', '192.0.2.0/24', victim, '192.0.2.11', 'www.example.com', 'mail.example.com')
  const index = compileSites([...others, ...own])
  const at = (userId: string) =>
    waysTo({ address: ip(victim), atMs: startMs, userId }, index, { asked: bindings.at(ip(victim)), observed: [] })
  assert.deepEqual(at('u'), [
    { site: victim, sinceMs: 0 },
    { site: '192.0.2.0/24', sinceMs: 0 },
    { site: 'www.example.com', sinceMs: startMs - 2_000 },
  ])
  assert.deepEqual(at('nobody'), [])
})

describe('two users, any sites and names', () => {
  const address = fc.constantFrom(victim, '192.0.2.11', '198.51.100.1')
  const name = fc.constantFrom(
    'example.com',
    'www.example.com',
    'a.example.com',
    'b.a.example.com',
    'example.net',
    'cdn.example.net',
  )
  const host = fc.oneof(
    address,
    fc.constantFrom('192.0.2.0/24', '192.0.2.8/29'),
    name,
    name.map((each) => `*.${each}`),
  )
  const site = fc.tuple(fc.constantFrom('a', 'b'), host).map(([userId, each]) => siteOf(userId, each))
  const binding: fc.Arbitrary<Binding> = fc
    .record({
      name,
      address: address.map(ip),
      chain: fc.uniqueArray(name, { maxLength: 3 }),
      confirmedMs: fc.nat(100),
      ttlSeconds: fc.constant(0),
    })
    .map((each) => ({ ...each, fromMs: each.confirmedMs, validToMs: each.confirmedMs + 10 }))
    .map((each) => ({ ...each, firstMs: each.fromMs, count: 1, source: 'found', sensor: '' }))
  const knownOf = (all: Binding[], nowMs: number): Bindings => {
    const known = new Bindings({ graceMs: 20, staleMs: 1 })
    for (const each of all.toSorted((a, b) => a.confirmedMs - b.confirmedMs))
      if (each.confirmedMs <= nowMs) known.confirm(each.name, { ...each, addresses: [each.address] }, each.confirmedMs)
    return known
  }
  const attack = fc.record({ address: address.map(ip), fromMs: fc.nat(60), toMs: fc.integer({ min: 60, max: 120 }) })
  const world = fc.record({
    sites: fc.array(site, { maxLength: 12 }),
    asked: fc.array(binding, { maxLength: 12 }),
    observed: fc.array(binding, { maxLength: 12 }),
    attack,
  })

  it('what one is told does not depend on what the other has', () => {
    fc.assert(
      fc.property(world, ({ sites, asked, observed, attack }) => {
        const here = (bindings: Binding[]) => bindings.filter((each) => each.address === attack.address)
        const leading = { asked: here(asked), observed: here(observed) }
        const together = attribute(attack, compileSites(sites), leading)
        assert.equal(new Set(together.map(({ userId }) => userId)).size, together.length)
        for (const userId of ['a', 'b']) {
          const alone = compileSites(sites.filter((each) => each.userId === userId))
          const scope = scopeOf(alone)
          // What there would have been, had this user been the only one.
          const own = {
            asked: leading.asked.filter((each) => alone.roots.has(each.name)),
            observed: leading.observed.filter((each) => groupOf(scope, each.name) !== null),
          }
          assert.deepEqual(
            together.filter((each) => each.userId === userId),
            attribute(attack, alone, own),
          )
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('whoever has a match has the site; the site holds the address or the domain', () => {
    fc.assert(
      fc.property(world, ({ sites, asked, observed, attack }) => {
        const here = (bindings: Binding[]) => bindings.filter((each) => each.address === attack.address)
        const leading = { asked: here(asked), observed: here(observed) }
        for (const { userId, site, sites: touched, domain, dns } of attribute(attack, compileSites(sites), leading)) {
          assert.equal(touched[0], site)
          for (const each of touched) assert.ok(sites.some(({ userId: of, host }) => of === userId && host === each))
          if (site.startsWith('*.')) assert.ok(domain === site.slice(2) || domain.endsWith(site.slice(1)))
          else if (/[a-z]/.test(site)) assert.equal(domain, site)
          if (domain !== '') assert.equal(dns[0].domain, domain)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('an address is watched just when an attack on it now would have a match', () => {
    fc.assert(
      fc.property(world, ({ sites, asked, observed }) => {
        const nowMs = 50
        const index = compileSites(sites)
        const known = { asked: knownOf(asked, nowMs), observed: knownOf(observed, nowMs) }
        const { ranges } = watchedAddresses(index, known, nowMs)
        for (const text of [victim, '192.0.2.11', '198.51.100.1', '203.0.113.1']) {
          const address = ip(text)
          const watched = ranges.some((first, i) => i % 2 === 0 && first <= address && address <= ranges[i + 1])
          const atMs = nowMs + 1
          const leading = { asked: known.asked.at(address), observed: known.observed.at(address) }
          const matches = attribute({ address, fromMs: atMs, toMs: atMs }, index, leading)
          assert.equal(matches.length > 0, watched, text)
          for (const userId of ['a', 'b']) {
            const ways = waysTo({ address, atMs, userId }, index, leading)
            const match = matches.find((each) => each.userId === userId)
            assert.equal(ways.length > 0, match !== undefined)
            assert.ok(match === undefined || ways.some(({ site }) => site === match.site))
            for (const { site } of ways) assert.ok(match?.sites.includes(site))
          }
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
