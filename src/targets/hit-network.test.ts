import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIpv4 } from '../net/ipv4.ts'
import { hitNetwork } from './hit-network.ts'

const at = (text: string) => parseIpv4(text) ?? Number.NaN
const victims = (...texts: string[]) => texts.map((text) => ({ address: at(text) }))

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
  assert.equal(hitNetwork(victim, []), null)
  assert.equal(hitNetwork(victim, victims('198.51.100.70')), null)
})
