import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatIpv4, parseIpv4 } from './ipv4.ts'

describe('ipv4', () => {
  it('reads and writes', () => {
    assert.equal(parseIpv4('1.1.1.1'), 16_843_009)
    assert.equal(formatIpv4(0xffffffff), '255.255.255.255')
  })

  it('survives a round trip', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (address) => {
        assert.equal(parseIpv4(formatIpv4(address)), address)
      }),
    )
  })

  it('refuses whatever it would not write', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0125. +x'), maxLength: 16 })
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        const address = parseIpv4(text)
        if (address !== null) assert.equal(formatIpv4(address), text)
      }),
    )
    for (const text of [
      '',
      '1',
      '1.1',
      '1.1.1',
      '1.1.1.1.1',
      '01.1.1.1',
      '1.1.1.256',
      '1.1.1.1\n',
      '１.1.1.1',
      '1.1.1.-1',
    ]) {
      assert.equal(parseIpv4(text), null, text)
    }
  })
})
