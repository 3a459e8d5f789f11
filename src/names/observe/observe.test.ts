// What `Names` makes of names that resolvers elsewhere were asked for: tests of their own, without a resolver.
import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { Value } from 'typebox/value'
import { siteOf } from '../../../test/helpers/sites.ts'
import { requireHostRecord } from '../../access/host-record.ts'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import { bindingsOf } from '../bindings/watched.ts'
import { Names, type NamesOptions } from '../names.ts'
import { namesSettings } from '../settings.ts'

const minute = 60_000
const startMs = 1_000 * minute
const shop = 'shop.example.com'
const ip = (text: string) => parseKey(text) ?? -1

describe('names that others ask for', { concurrency: false }, () => {
  /** Names that ask nobody; `settle` lets a second pass. */
  function create(t: { after: (end: () => void) => void }, given: Partial<NamesOptions> = {}) {
    const clock = new ManualClock(startMs)
    const settings = { ...Value.Create(namesSettings), resolvers: ['127.0.0.1:1'], queriesPerSecond: 1 }
    mock.timers.enable({ apis: ['setInterval'] })
    const names = new Names({ settings, clock, log: createLogger('silent'), random: () => 0.5, ...given })
    t.after(() => {
      names.stop()
      mock.timers.reset()
    })
    names.start()
    const settle = () => mock.timers.tick(1_000)
    const watched = () => [...names.watchedAddresses()].filter((_, i) => i % 2 === 0).map(formatKey)
    const tell = (name: string, ...addresses: string[]) =>
      names.observe({ name, chain: [], addresses: addresses.map(ip), ttlSeconds: 60, source: 'dnstap', sensor: 's' })
    return { names, clock, settle, watched, tell }
  }
  const sites = (...hosts: string[]) => hosts.map((host) => siteOf('u', host))

  it('are watched when they are of a site, and have their events', (t) => {
    const { names, clock, settle, watched, tell } = create(t)
    names.setSites(sites('*.example.com'))
    assert.deepEqual([names.wants(shop), names.wants('shop.example.net')], [true, false])
    tell(shop, '192.0.2.1')
    tell('shop.example.net', '192.0.2.2')
    settle()
    assert.deepEqual(watched(), ['192.0.2.1'])
    const attack = { address: ip('192.0.2.1'), fromMs: startMs, toMs: startMs }
    const [{ site, domain, dns }] = names.attribute(attack)
    assert.deepEqual([site, domain], ['*.example.com', shop])
    assert.deepEqual(dns, [{ domain: shop, a: { '192.0.2.1': startMs }, cname: {} }])
    assert.deepEqual(names.waysTo('u', ip('192.0.2.1')), [{ site: '*.example.com', sinceMs: startMs }])
    clock.advance(30 * minute)
    settle()
    assert.deepEqual(watched(), [])
    names.setSites([])
    assert.deepEqual([names.observed.size, names.attribute(attack)], [0, []])
  })

  it('take room of the users of their zones', (t) => {
    const { names, tell } = create(t)
    names.setSites([siteOf('u', '*.example.com'), siteOf('v', '*.example.com'), siteOf('v', '*.example.net')])
    for (const name of [shop, 'a.example.net', 'b.example.net']) tell(name, '192.0.2.1')
    assert.deepEqual([names.observed.crowding().holder, names.observed.crowding().holds], ['v', 4])
    names.setSites([siteOf('u', '*.example.com'), siteOf('v', shop)])
    assert.deepEqual([names.observed.crowding().holder, names.observed.crowding().holds], ['u v', 2])
  })

  it('do not make another watch list for an address that is in it', (t) => {
    const { names, settle, watched, tell } = create(t)
    let changes = 0
    names.setSites(sites('*.example.com', '*.example.net'))
    names.onChange(() => changes++)
    tell(shop, '192.0.2.1')
    settle()
    for (let i = 0; i < 100; i++) tell(`n${i}.example.com`, '192.0.2.1')
    settle()
    tell('a.example.net', '192.0.2.1', '192.0.2.3')
    settle()
    assert.deepEqual([changes, watched()], [2, ['192.0.2.1', '192.0.2.3']])
  })

  it('lead into the networks that a user is allowed, and to public hosts', (t) => {
    const { names, settle, watched, tell } = create(t)
    const users = [{ id: 'u', allowed: { networks: ['192.0.2.0/24'], domains: ['example.com'] } }]
    names.setSites(sites('*.example.com'), users)
    assert.equal(tell(shop, '192.0.2.1', '198.51.100.1', '10.0.0.1', '127.0.0.1', '224.0.0.1'), 2)
    assert.equal(tell('private.example.com', '10.0.0.1'), 0)
    settle()
    assert.deepEqual([watched(), names.discarded, names.observed.size], [['192.0.2.1'], 4, 1])
    assert.deepEqual(names.attribute({ address: ip('198.51.100.1'), fromMs: startMs, toMs: startMs }), [])
  })

  it('stand for host records that have settings of their own', (t) => {
    const configured = ['*.example.net', 'www.example.com'].map(requireHostRecord)
    const { names, settle, watched, tell } = create(t, { configured })
    names.setSites([])
    tell('a.example.net', '192.0.2.1')
    settle()
    assert.deepEqual([names.configuredAddresses(), watched()], [[[ip('192.0.2.1')], []], []])
    tell('b.example.net', '192.0.2.2')
    settle()
    assert.deepEqual(names.configuredAddresses()[0], [ip('192.0.2.1'), ip('192.0.2.2')])
  })

  it('are imported where they are of a site: lately seen ones are watched, old ones have the attacks of their time', (t) => {
    const { names, settle, watched } = create(t)
    names.setSites(sites('*.example.com'))
    const past = (name: string, address: string, minutesAgo: number) => {
      const atMs = startMs - minutesAgo * minute
      const times = { firstMs: atMs - minute, fromMs: atMs - minute, confirmedMs: atMs }
      return {
        ...{
          name,
          address: ip(address),
          chain: [],
          ttlSeconds: 0,
          count: 1,
          source: 'import' as const,
          sensor: 'file',
        },
        ...times,
      }
    }
    const given = [
      past(shop, '192.0.2.1', 5),
      past('old.example.com', '192.0.2.2', 200),
      past('ancient.example.com', '192.0.2.3', 9_000),
      past('shop.example.net', '192.0.2.4', 5),
      past('inner.example.com', '10.0.0.1', 5),
      past('*.example.com', '192.0.2.5', 5),
    ]
    const kept = names.include(given)
    assert.deepEqual(
      kept.map(({ name }) => name),
      [shop, 'old.example.com', 'ancient.example.com', '*.example.com'],
    )
    settle()
    assert.deepEqual(watched(), ['192.0.2.1', '192.0.2.5'])
    assert.deepEqual([names.observed.size, names.discarded], [3, 1])
    const domainAt = (address: string, minutesAgo: number) => {
      const atMs = startMs - minutesAgo * minute
      return names.attribute({ address: ip(address), fromMs: atMs, toMs: atMs }).map(({ domain }) => domain)
    }
    assert.deepEqual(domainAt('192.0.2.2', 190), ['old.example.com'])
    assert.deepEqual([domainAt('192.0.2.2', 160), domainAt('192.0.2.2', 210)], [[], []])
    names.include([past('a.example.com', '192.0.2.5', 5)])
    assert.deepEqual(domainAt('192.0.2.5', 5), ['a.example.com'])
    assert.deepEqual(
      bindingsOf(
        { asked: names.bindings, observed: names.observed.bindings },
        { address: ip('192.0.2.5') },
      ).observed.map(({ name }) => name),
      ['*.example.com', 'a.example.com'],
    )
    const binding = { name: shop, address: ip('192.0.2.1'), confirmedMs: startMs }
    assert.deepEqual(
      [names.mayShow('u', binding, false), names.mayShow('u', binding, true), names.mayShow('v', binding, false)],
      [true, false, false],
    )
  })

  it('are the wildcard record that leads them where they were seen once, and stay themselves where they last', (t) => {
    const { names, clock, tell } = create(t)
    names.setSites(sites('*.example.com', 'own.example.com'))
    tell('*.example.com', '192.0.2.1')
    tell(shop, '192.0.2.1')
    clock.advance(2 * minute)
    for (const name of [shop, 'x1.example.com', 'x2.deep.example.com', 'own.example.com', '*.example.com'])
      tell(name, '192.0.2.1')
    const attack = { address: ip('192.0.2.1'), fromMs: clock.now(), toMs: clock.now() }
    const [{ domain, dns }] = names.attribute(attack)
    assert.equal(domain, 'own.example.com')
    assert.deepEqual(dns.map(({ domain: each }) => each).toSorted(), ['*.example.com', 'own.example.com', shop])
    names.setSites(sites('*.example.com'))
    assert.equal(names.attribute(attack)[0].domain, shop)
  })
})
