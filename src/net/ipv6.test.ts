import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatIpv6, parseIpv6 } from './ipv6.ts'

test('an address is read in every form, and written in one', () => {
  const forms = [
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:192.0.2.1', '::ffff:c000:201'],
    ['fe80::1%eth0', 'fe80::1'],
  ]
  for (const [text, canonical] of forms) {
    const octets = parseIpv6(text)
    assert.ok(octets !== null, text)
    assert.equal(octets.length, 16)
    assert.equal(formatIpv6(new DataView(octets.buffer), 0), canonical)
  }
  for (const text of ['', ':', '1:2', '192.0.2.1', '::1::', 'x::1', '%eth0']) assert.equal(parseIpv6(text), null, text)
})

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (octets) => {
      assert.deepEqual(parseIpv6(formatIpv6(new DataView(octets.buffer), 0)), octets)
    }),
  )
})
