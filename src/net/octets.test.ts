import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOctets, parseOctets } from './octets.ts'

test('an address of either version is read from octets as it is written to them', () => {
  for (const [text, version] of [
    ['192.0.2.129', 4],
    ['255.255.255.254', 4],
    ['2001:db8::1', 6],
  ] as const) {
    const octets = parseOctets(text)
    assert.ok(octets !== null)
    assert.equal(octets.length, version === 4 ? 4 : 16)
    assert.equal(formatOctets(new DataView(octets.buffer, octets.byteOffset), 0, version), text)
  }
  assert.equal(parseOctets('192.0.2'), null)
})
