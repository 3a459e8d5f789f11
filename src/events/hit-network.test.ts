import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKey } from '../net/address.ts'
import { addressBits } from '../net/address-bits.ts'
import { allHit, hitNetwork, ownNetworks } from './hit-network.ts'

const at = (text: string) => parseKey(text) ?? Number.NaN
/** As events of older versions have them. */
const victims = (...texts: string[]) => ({
  victims: texts.map((text) => ({ address: at(text), packetsPerSecond: 2, bytesPerSecond: 200 })),
  networks: [],
})

test('the network that is hit holds the addresses of the owner’s sites, and no others count', () => {
  const all = victims('198.51.100.70', '198.51.100.71', '198.51.100.94', '198.51.101.3')
  const cases: [sites: string[], prefix: string | null, addresses?: number][] = [
    [['198.51.100.0/24'], '198.51.100.0/24', 3],
    [['198.51.100.64/29'], '198.51.100.0/24', 2],
    [['198.51.100.70'], null],
    [['www.example.com'], null],
    [['198.51.100.70', 'www.example.com', '198.51.100.94'], '198.51.100.0/24', 2],
    [['www.example.com', '198.51.101.3'], '198.51.100.0/23', 2],
  ]
  for (const [sites, prefix, addresses] of cases) {
    const network = hitNetwork({ sites, address: at('198.51.100.70') }, all)
    assert.deepEqual(network, prefix === null ? null : { prefix, addresses }, sites.join())
  }
})

test('an attack on one address is on no network', () => {
  const victim = { sites: ['198.51.100.0/24'], address: at('198.51.100.70') }
  assert.equal(hitNetwork(victim, victims()), null)
  assert.equal(hitNetwork(victim, victims('198.51.100.70')), null)
})

test('addresses that are hit and not listed count by their /24, for whose they are', () => {
  const first = at('198.51.100.0')
  const every = (network: number) => addressBits(Array.from({ length: 256 }, (_, i) => network + i))
  const networks = [0, 1, 2, 3].map((i) => {
    const network = first + 256 * i
    return { network, addresses: every(network), packetsPerSecond: 1_000 - i, bytesPerSecond: 60_000 }
  })
  const listed = [0, 1, 2, 3].map((i) => ({ address: first + 256 * i, packetsPerSecond: 10, bytesPerSecond: 600 }))
  const all = { victims: listed, networks }
  assert.equal(allHit(all).length, 1_024)

  const owner = { sites: ['198.51.100.0/24', '198.51.101.0/24', '198.51.102.0/30'], address: first }
  assert.deepEqual(hitNetwork(owner, all), { prefix: '198.51.100.0/22', addresses: 516 })
  assert.deepEqual(
    ownNetworks(owner, all).map(({ addresses, packetsPerSecond }) => [addresses.length, packetsPerSecond]),
    [
      [256, 1_000],
      [256, 999],
      [4, 10],
    ],
    'of a part of a /24 no more is told than of what is listed',
  )
  assert.deepEqual(ownNetworks({ sites: ['192.0.2.0/24'], address: at('192.0.2.1') }, all), [])
})
