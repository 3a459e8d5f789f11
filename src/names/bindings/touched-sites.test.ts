import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteOf } from '../../../test/helpers/sites.ts'
import { parseKey } from '../../net/address.ts'
import { attribute } from './attribution.ts'
import { Bindings } from './bindings.ts'
import { compileSites } from './site-index.ts'

const victim = '192.0.2.10'
const minute = 60_000
const startMs = 600 * minute
const times = { graceMs: 30 * minute, staleMs: 60 * minute }

const ip = (text: string) => parseKey(text) ?? -1
const sitesOf = (userId: string, hosts: readonly string[]) => hosts.map((host) => siteOf(userId, host))

interface Led {
  name: string
  address?: string
  chain?: string[]
  isObserved?: boolean
  atMs?: number
}

/** What an attack on the victim touches of the first user's sites. */
function touched(sites: ReturnType<typeof sitesOf>, led: readonly Led[]): string[] {
  const [asked, observed] = [new Bindings(times), new Bindings(times)]
  for (const { name, address = victim, chain = [], isObserved = false, atMs = startMs - 1_000 } of led)
    (isObserved ? observed : asked).confirm(name, { addresses: [ip(address)], chain, ttlSeconds: 60 }, atMs)
  const leading = { asked: asked.at(ip(victim)), observed: observed.at(ip(victim)) }
  const attack = { address: ip(victim), fromMs: startMs, toMs: startMs + minute }
  return attribute(attack, compileSites(sites), leading)[0].sites
}

test('an attack touches every site of the user that holds the address or has a name that led there, the best first', () => {
  const hosts = [victim, '192.0.2.0/24', '192.0.2.0/28', '198.51.100.0/24', '*.example.com', '*.shop.example.com']
  const names = ['www.example.com', 'idle.example.com', '*.cdn.example.net', '*.example.org']
  const led = [
    { name: 'www.example.com' },
    { name: 'a.shop.example.com', isObserved: true },
    { name: 'www.example.org', address: '198.51.100.1' },
    { name: 'idle.example.com', atMs: startMs - 4 * times.graceMs },
    { name: 'x.example.com', chain: ['e1.cdn.example.net'], isObserved: true },
  ]
  assert.deepEqual(
    touched([...sitesOf('u', [...hosts, ...names]), ...sitesOf('v', ['*.example.com', 'v.example'])], led),
    [
      victim,
      ...[
        '*.cdn.example.net',
        '*.example.com',
        '*.shop.example.com',
        '192.0.2.0/24',
        '192.0.2.0/28',
        'www.example.com',
      ],
    ],
  )
})

test('more names than are shown as evidence count, up to a bound', () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `n${i}.example.com`)
  const led = many.map((name) => ({ name }))
  assert.equal(touched(sitesOf('u', many.slice(0, 900)), led).length, 900)
  assert.equal(touched(sitesOf('u', many), led).length, 1_000)
})
