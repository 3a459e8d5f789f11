import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { certificates } from '../../../test/helpers/servers/dns-server.ts'
import { TlsServer } from '../../../test/helpers/servers/tls-server.ts'
import { until } from '../../../test/helpers/until.ts'
import { ManualClock } from '../../clock.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import { networkFrom } from '../../net/network.ts'
import { mergeRanges } from '../../net/ranges.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { ObservedNames } from '../observe/observed-names.ts'
import type { Resolution } from '../resolve/resolver.ts'
import type { DiscoverySettings } from '../settings.ts'
import { Discovery } from './discovery.ts'

const minute = 60_000
const day = 24 * 60 * minute
const startMs = 1_800_000_000_000
const ip = (text: string) => parseKey(text) ?? -1

interface World {
  /** Addresses by name; `*.zone` for every other name of it. */
  addresses?: Record<string, string[] | 'failed'>
  /** Names by question: `example.com MX`. */
  targets?: Record<string, string[]>
  zones?: string[]
  watched?: [first: string, last: string][]
  spare?: number
  /** Addresses that names of the zones lead to, and where certificates are asked for there. */
  own?: string[]
  port?: number
}

function create(t: TestContext, world: World, settings: Partial<DiscoverySettings> = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = new ManualClock(startMs)
  const asked: string[] = []
  const included: SavedObservation[] = []
  const observed = new ObservedNames({ graceMs: 30 * minute, staleMs: day })
  observed.setScope({ names: new Set(), zones: new Set(['example.com']) })
  const resolve = async (name: string): Promise<Resolution> => {
    asked.push(name)
    const all: World['addresses'] = world.addresses ?? {}
    const found = all[name] ?? (name.endsWith('.example.com') ? all['*.example.com'] : undefined)
    if (found === undefined) return { kind: 'absent' }
    if (found === 'failed') return { kind: 'failed', reason: 'timeout' }
    return { kind: 'addresses', addresses: found.map(ip), chain: [], ttlSeconds: 60 }
  }
  const targets = async (name: string, type: string) => {
    asked.push(`${name} ${type}`)
    return world.targets?.[`${name} ${type}`] ?? []
  }
  const discovery = new Discovery({
    settings: { zones: 'daily', reverse: 'daily', certificates: 'off', ...settings },
    ...{ graceSeconds: 1_800, allowPrivate: true, clock, certificatePort: world.port ?? 9 },
    names: {
      observed,
      resolvers: [{ resolve, targets }],
      include: (given) => {
        const kept = given.filter(({ name }) => observed.isOfSite(name))
        included.push(...kept)
        for (const each of kept) observed.include(each, clock.now())
        return kept
      },
      get spareQuestions() {
        return world.spare ?? 1
      },
      watchedAddresses: () => mergeRanges((world.watched ?? []).map(([first, last]) => [ip(first), ip(last)])),
      wildcardZones: () => world.zones ?? [],
      ownAddressesBelow: () => (world.own ?? []).map(ip),
    },
  })
  discovery.start()
  t.after(() => discovery.stop())
  /** A number of ticks, each with its answers. */
  const pass = async (ticks = 200) => {
    for (let i = 0; i < ticks; i++) {
      t.mock.timers.tick(100)
      for (let turn = 0; turn < 4; turn++) await setImmediate()
    }
  }
  const found = () =>
    included
      .splice(0)
      .map(({ name, address }) => `${name} ${formatKey(address)}`)
      .toSorted()
  return { discovery, clock, pass, asked, found, observed }
}

describe('names found by asking', () => {
  it('are those of the servers of a zone, its services and the usual ones, once a day', async (t) => {
    const { pass, found, asked, clock } = create(t, {
      zones: ['example.com'],
      addresses: {
        'mail.example.com': ['192.0.2.1'],
        'mx.in.example.com': ['192.0.2.2'],
        'pbx.example.com': ['192.0.2.3'],
      },
      targets: {
        'example.com MX': ['mx.in.example.com', 'mx.example.net'],
        '_sip._tcp.example.com SRV': ['pbx.example.com'],
      },
    })
    await pass()
    assert.deepEqual(found(), [
      'mail.example.com 192.0.2.1',
      'mx.in.example.com 192.0.2.2',
      'pbx.example.com 192.0.2.3',
    ])
    assert.ok(!asked.includes('mx.example.net'))
    const once = asked.length
    await pass()
    assert.equal(asked.length, once)
    clock.advance(day)
    await pass()
    assert.ok(asked.length > once)
  })

  it('are not what any name leads to', async (t) => {
    const addresses = {
      '*.example.com': ['192.0.2.9'],
      'mail.example.com': ['192.0.2.1'],
      'ftp.example.com': ['192.0.2.9'],
    }
    const { pass, found, asked } = create(t, { zones: ['example.com'], addresses })
    await pass()
    assert.deepEqual(found(), ['*.example.com 192.0.2.9', 'mail.example.com 192.0.2.1'])
    assert.match(asked[0], /^[0-9a-f]{16}\.example\.com$/)
  })

  it('are those that the reverse DNS has for watched addresses, where they lead back', async (t) => {
    const world: World = {
      watched: [
        ['192.0.2.0', '192.0.2.3'],
        ['198.51.100.7', '198.51.100.7'],
      ],
      addresses: {
        'mail.example.com': ['192.0.2.1'],
        'mail.example.net': ['192.0.2.1', '192.0.2.2'],
        'lie.example.com': ['203.0.113.1'],
      },
      targets: {
        '1.2.0.192.in-addr.arpa PTR': ['mail.example.com', 'mail.example.net'],
        '2.2.0.192.in-addr.arpa PTR': ['lie.example.com'],
        '7.100.51.198.in-addr.arpa PTR': ['mail.example.com'],
      },
    }
    const { watched = [] } = world
    const { pass, found, discovery, clock, asked } = create(t, world)
    world.watched = []
    await pass(10)
    world.watched = watched
    await pass()
    assert.equal(discovery.counts.addresses, 5)
    assert.deepEqual(found(), ['mail.example.com 192.0.2.1'])
    const suggested = discovery.suggestions.of(networkFrom({ network: ip('192.0.2.0'), length: 24 }))
    assert.deepEqual(
      suggested.map(({ name }) => name),
      ['mail.example.com', 'mail.example.net'],
    )
    world.zones = ['example.net']
    await pass()
    assert.ok(asked.slice(asked.indexOf('example.net NS')).includes('mail.example.net'))
    world.zones = []
    world.watched = [['192.0.2.2', '192.0.2.5']]
    await pass()
    assert.equal(discovery.counts.addresses, 7)
    clock.advance(day)
    await pass()
    assert.equal(discovery.counts.addresses, 11)
    clock.advance(2 * day)
    world.targets = {}
    await pass()
    assert.equal(discovery.suggestions.size, 0)
  })

  it('are those that certificates show at addresses of the zone, where they lead back', async (t) => {
    const server = await new TlsServer(readFileSync(certificates.names, 'utf8')).start()
    t.after(() => server.stop())
    const world: World = {
      ...{ zones: ['example.com'], own: ['127.0.0.1'], port: server.port },
      addresses: {
        'mail.example.com': ['127.0.0.1', '127.0.0.2'],
        'shop.example.com': ['127.0.0.1'],
        'lie.example.com': ['203.0.113.1'],
      },
    }
    const { clock, pass, found, discovery } = create(t, world, { zones: 'off', reverse: 'off', certificates: 'daily' })
    await pass(5)
    assert.deepEqual(server.askedFor, [])
    clock.advance(10 * minute)
    await until('the certificate', async () => {
      await pass(2)
      return discovery.certificates.counts.read === 1
    })
    await pass(5)
    assert.deepEqual(found(), [
      'mail.example.com 127.0.0.1',
      'mail.example.com 127.0.0.2',
      'shop.example.com 127.0.0.1',
    ])
    const { foreign, broken } = discovery.certificates.counts
    assert.deepEqual([discovery.counts.shown, discovery.counts.misled, foreign, broken], [2, 3, 2, 5])
    assert.deepEqual(server.askedFor, ['example.com'])
  })

  it('are none where that is off, and nothing is asked while names wait for their turn', async (t) => {
    const world: World = { zones: ['example.com'], watched: [['192.0.2.0', '192.0.2.3']] }
    const off = create(t, world, { zones: 'off', reverse: 'off' })
    await off.pass()
    assert.deepEqual(off.asked, [])
    off.discovery.stop()
    t.mock.timers.reset()
    const busy = create(t, { ...world, spare: 0 })
    await busy.pass()
    assert.deepEqual(busy.asked, [])
  })
})

describe('names that others report', () => {
  const told = (name: string, minutes: number): SavedObservation => ({
    ...{ name, address: ip('192.0.2.1'), chain: [], ttlSeconds: 60, count: 1, source: 'dnstap', sensor: 's' },
    ...{ firstMs: startMs - minutes * minute, fromMs: startMs - minutes * minute, confirmedMs: startMs },
  })
  const liveAt = (observed: ObservedNames, ms: number) =>
    Array.from(observed.bindings.all())
      .filter(({ validToMs }) => validToMs > ms)
      .map(({ name }) => name)
      .toSorted()

  it('are asked for before they are given up, if they last', async (t) => {
    const { pass, clock, asked, observed, discovery } = create(t, {
      addresses: { 'there.example.com': ['192.0.2.1'], 'down.example.com': 'failed', '*.example.com': [] },
    })
    for (const name of ['there', 'gone', 'down', '*']) observed.include(told(`${name}.example.com`, 5), startMs)
    observed.include(told('once.example.com', 0), startMs)
    await pass(2)
    assert.equal(asked.length, 0)
    clock.advance(25 * minute)
    await pass(10)
    const drawn = asked.filter((name) => /^[0-9a-f]{16}\.example\.com$/.test(name))
    assert.equal(drawn.length, 1)
    assert.deepEqual(asked.filter((name) => !drawn.includes(name)).toSorted(), [
      'down.example.com',
      'gone.example.com',
      'there.example.com',
    ])
    assert.deepEqual([discovery.counts.followed, asked.some((name) => name.startsWith('once'))], [4, false])
    assert.deepEqual(liveAt(observed, startMs + 40 * minute), ['down.example.com', 'there.example.com'])
  })
})
