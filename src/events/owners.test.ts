import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf as report } from '../../test/helpers/reports.ts'
import type { Match } from '../names/bindings/attribution.ts'
import { hitBy, Owners } from './owners.ts'

const first = 0x0a000000
const matchOf = (userId: string, ...sites: string[]): Match => ({
  userId,
  site: sites[0],
  sites,
  domain: '',
  dns: [],
  sinceMs: 0,
})
const rates = { packetsPerSecond: 1, bytesPerSecond: 1 }

test('whoever is hit is found, also by an address that no report lists: some are looked at in each, and all at the end', () => {
  const networks = Array.from({ length: 40 }, (_, i) => {
    return { network: first + 256 * i, addresses: 'f'.repeat(64), ...rates }
  })
  const wide = { address: first, victims: [{ address: first, ...rates }], networks }
  assert.equal(hitBy(report(wide)).length, 40 * 256)
  const asked = new Set<number>()
  const match = (address: number) => {
    asked.add(address)
    if (address === first) return [matchOf('ann', '10.0.0.0')]
    return address === first + 256 * 39 + 7 ? [matchOf('bob', '10.0.39.7')] : []
  }
  const owners = new Owners()
  const usersOf = (given: Parameters<typeof report>[0]) =>
    owners.of(report({ ...wide, ...given }), match).map(({ userId }) => userId)
  assert.deepEqual(usersOf({}), ['ann'])
  assert.ok(asked.size < 5_000, `${asked.size}`)
  assert.deepEqual([usersOf({}), usersOf({})].flat().includes('bob'), true)
  assert.equal(asked.size, 40 * 256)
  assert.deepEqual(usersOf({ incident: 'i2', phase: 'ended' }), ['ann', 'bob'])
})

test('an attack on several addresses of a network is named after the network, not after one of them', () => {
  const networks = ['10.0.0.0/24', '10.0.0.0/28']
  const match = (address: number) => [
    matchOf('ann', ...(address === first + 1 ? ['10.0.0.1'] : []), ...networks.toReversed()),
  ]
  const victims = [1, 2, 3].map((i) => ({ address: first + i, ...rates }))
  const [several] = new Owners().of(report({ victims }), match)
  assert.deepEqual([several.site, several.address], ['10.0.0.0/28', first + 1])
  assert.deepEqual(several.sites, ['10.0.0.0/28', '10.0.0.0/24', '10.0.0.1'])
  const [one] = new Owners().of(report(), match)
  assert.deepEqual([one.site, one.address], ['10.0.0.1', first + 1])
})
