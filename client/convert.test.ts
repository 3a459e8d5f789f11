import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatIpv4, parseIpv4 } from '../src/net/ipv4.ts'
import { formatTcpFlags } from '../src/net/tcp-flags.ts'
import { flagsFromItem, ipFromItem } from './convert.ts'

test('the examples of the interface', () => {
  assert.equal(ipFromItem(16843009), '1.1.1.1')
  assert.equal(ipFromItem(0), '0.0.0.0')
  assert.equal(ipFromItem(4294967295), '255.255.255.255')
  assert.equal(flagsFromItem(27), '...AP.SF')
  assert.equal(flagsFromItem(0), '........')
  assert.equal(flagsFromItem(255), 'CEUAPRSF')
})

test('addresses are those of the service, there and back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffffffff }), (address) => {
      assert.equal(ipFromItem(address), formatIpv4(address))
      assert.equal(parseIpv4(ipFromItem(address)), address)
    }),
  )
})

test('flags are those of the service', () => {
  for (let flags = 0; flags < 256; flags++) assert.equal(flagsFromItem(flags), formatTcpFlags(flags))
})
