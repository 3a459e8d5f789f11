import assert from 'node:assert/strict'
import { it } from 'node:test'
import { siteOf } from '../../../test/helpers/sites.ts'
import type { Policy } from '../../access/policy.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import { Bindings } from './bindings.ts'
import { compileSites } from './site-index.ts'
import { ownAddressesBelow } from './watched.ts'

const minute = 60_000
const options = { graceMs: 30 * minute, staleMs: 60 * minute }

it('the addresses below a zone are those of a user who has it as a site', () => {
  const [asked, observed] = [new Bindings(options), new Bindings(options)]
  const lead = (bindings: Bindings, name: string, address: string) =>
    bindings.confirm(name, { addresses: [parseKey(address) ?? -1], chain: [], ttlSeconds: 60 }, minute)
  lead(asked, 'example.com', '192.0.2.1')
  lead(observed, 'shop.example.com', '192.0.2.2')
  lead(observed, 'shop.example.com', '198.51.100.1')
  lead(observed, 'edge.example.com', '203.0.113.1')
  lead(observed, 'www.notexample.com', '192.0.2.3')
  const users = [
    { id: 'ann', allowed: { networks: ['192.0.2.0/24'], domains: ['example.com'] } },
    { id: 'bob', allowed: { networks: ['198.51.100.0/24'], domains: [] } },
  ]
  const below = (policy: Policy, zone: string, nowMs = 2 * minute) => {
    const sites = [siteOf('ann', '*.example.com')]
    const index = compileSites(sites, users, { access: { policy, sharedNetworks: [], sharedDomains: 3 } })
    return ownAddressesBelow(zone, index, { asked, observed }, nowMs).map(formatKey)
  }
  assert.deepEqual(below('assigned', 'example.com'), ['192.0.2.1', '192.0.2.2'])
  assert.deepEqual(below('assigned', 'notexample.com'), [])
  assert.deepEqual(below('assigned', 'example.com', 31 * minute), [])
})
