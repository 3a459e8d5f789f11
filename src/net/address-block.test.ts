import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressBlock, isLoopback } from './address-block.ts'

const lengths = { ipv4: 24, ipv6: 48 }

describe('the block of an address', () => {
  it('has the first bits of an address, of either family', () => {
    const cases = {
      '192.0.2.255': '192.0.2.0/24',
      '255.255.255.255': '255.255.255.0/24',
      '::ffff:192.0.2.7': '192.0.2.0/24',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
      '2001:db8:1:ffff::': '2001:db8:1::/48',
      'fe80::1%eth0': 'fe80::/48',
      '::1': '::/48',
      '': '',
      'unix:': 'unix:',
    }
    for (const [address, block] of Object.entries(cases)) assert.equal(addressBlock(address, lengths), block, address)
  })

  it('may have any length', () => {
    assert.equal(addressBlock('192.0.2.7', { ipv4: 32, ipv6: 64 }), '192.0.2.7/32')
    assert.equal(addressBlock('192.0.2.7', { ipv4: 0, ipv6: 64 }), '0.0.0.0/0')
    assert.equal(addressBlock('2001:db8:1:2ff::9', { ipv4: 32, ipv6: 56 }), '2001:db8:1:200::/56')
    assert.equal(addressBlock('2001:db8::9', { ipv4: 32, ipv6: 128 }), '2001:db8::9/128')
  })
})

it('knows the addresses by which only the machine itself is reached', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address), address)
  for (const address of ['128.0.0.1', '::2', '10.127.0.0', '']) assert.equal(isLoopback(address), false, address)
})
