import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  addressFrom,
  addressKey,
  compareAddresses,
  formatAddress,
  formatKey,
  parseAddress,
  parseKey,
} from './address.ts'
import {
  addressLength,
  contains,
  containsNetwork,
  firstAddress,
  formatNetwork,
  isSingle,
  keyRange,
  lastAddress,
  networkFrom,
  networkKey,
  networkOf,
  parseNetwork,
  parseNetworkOrAddress,
  prefixLength,
  reverseName,
  singleNetwork,
} from './network.ts'

const key = fc.nat(0xffffffff)
const length = fc.integer({ min: 0, max: addressLength })
const network = fc
  .tuple(key, length)
  .map(([around, bits]) => networkFrom({ network: networkOf(around, bits), length: bits }))

function required<Value>(value: Value | null): Value {
  assert.ok(value !== null)
  return value
}

describe('an address', () => {
  it('has one text and one key, in the same order', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const [first, second] = [addressFrom(a), addressFrom(b)]
        assert.equal(formatAddress(first), formatKey(a))
        assert.equal(addressKey(required(parseAddress(formatAddress(first)))), a)
        assert.equal(parseKey(formatKey(a)), a)
        assert.equal(Math.sign(compareAddresses(first, second)), Math.sign(a - b))
      }),
    )
    for (const text of ['', '1.2.3', '01.2.3.4', '1.2.3.256', '::1']) assert.equal(parseAddress(text), null, text)
  })
})

describe('a network', () => {
  it('survives a round trip through text and key', () => {
    fc.assert(
      fc.property(network, (each) => {
        assert.deepEqual(parseNetwork(formatNetwork(each)), each)
        assert.deepEqual(networkFrom(networkKey(each)), each)
      }),
    )
    assert.equal(parseNetwork('192.0.2.7'), null)
    assert.equal(formatNetwork(required(parseNetworkOrAddress('192.0.2.7'))), '192.0.2.7/32')
    assert.equal(formatNetwork(required(parseNetworkOrAddress('192.0.2.7/24'))), '192.0.2.0/24')
    assert.equal(parseNetworkOrAddress('192.0.2.7/33'), null)
  })

  it('contains what lies from its first to its last address', () => {
    fc.assert(
      fc.property(network, network, key, (each, other, at) => {
        const { first, last } = keyRange(each)
        assert.deepEqual([addressKey(firstAddress(each)), addressKey(lastAddress(each))], [first, last])
        assert.equal(last - first + 1, 2 ** (addressLength - prefixLength(each)))
        assert.equal(contains(each, addressFrom(at)), first <= at && at <= last)
        const inner = keyRange(other)
        assert.equal(containsNetwork(each, other), first <= inner.first && inner.last <= last)
      }),
    )
  })

  it('may be one address', () => {
    const single = singleNetwork(required(parseAddress('192.0.2.7')))
    assert.ok(isSingle(single) && !isSingle(required(parseNetwork('192.0.2.6/31'))))
    assert.equal(formatNetwork(single), '192.0.2.7/32')
  })

  it('has a name in the reverse DNS', () => {
    const rows: [text: string, name: string][] = [
      ['192.0.2.0/24', '2.0.192.in-addr.arpa'],
      ['192.0.2.7/32', '7.2.0.192.in-addr.arpa'],
      ['192.0.2.16/28', '16-28.2.0.192.in-addr.arpa'],
      ['255.254.253.128/25', '128-25.253.254.255.in-addr.arpa'],
    ]
    for (const [text, name] of rows) assert.equal(reverseName(required(parseNetwork(text))), name)
  })
})
