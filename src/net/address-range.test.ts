import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddressRange } from './address-range.ts'

test('an address or a prefix of either version is taken, and nothing that is neither', () => {
  const wrong = [
    ...['', ' ', 'router', '192.0.2', '192.0.2.1/33', '192.0.2.1/', '192.0.2.1/08', '192.0.2.1/-1', '192.0.2.1/24/2'],
    ...['2001:db8::/129', 'fe80::1%eth0', '192.0.2.1 ', '192.0.2.1-5'],
  ]
  assert.deepEqual(
    wrong.filter((text) => parseAddressRange(text) !== null),
    [],
  )
  assert.deepEqual(['0.0.0.0/0', '::/0', '192.0.2.1/32', '::1'].map(parseAddressRange), [
    { address: '0.0.0.0', length: 0, family: 'ipv4' },
    { address: '::', length: 0, family: 'ipv6' },
    { address: '192.0.2.1', length: 32, family: 'ipv4' },
    { address: '::1', length: null, family: 'ipv6' },
  ])
})
