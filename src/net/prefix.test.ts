import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contains, formatPrefix, lastAddress, networkOf, parsePrefix } from './prefix.ts'

const address = fc.nat(0xffffffff)
const length = fc.integer({ min: 0, max: 32 })

describe('prefix', () => {
  it('clears host bits', () => {
    assert.deepEqual(parsePrefix('1.1.1.1/24'), { network: 0x01010100, length: 24 })
    assert.deepEqual(parsePrefix('255.255.255.255/0'), { network: 0, length: 0 })
    assert.deepEqual(parsePrefix('255.255.255.255/32'), { network: 0xffffffff, length: 32 })
  })

  it('refuses what is no strict prefix', () => {
    for (const text of [
      '',
      '/',
      '1.1.1.1',
      '1.1.1.1/',
      '/24',
      '1.1.1.1/33',
      '1.1.1.1/024',
      '1.1.1/24',
      '01.1.1.1/24',
      '1.1.1.1/24 ',
    ]) {
      assert.equal(parsePrefix(text), null, text)
    }
  })

  it('survives a round trip through text', () => {
    fc.assert(
      fc.property(address, length, (a, l) => {
        const prefix = { network: networkOf(a, l), length: l }
        assert.deepEqual(parsePrefix(formatPrefix(prefix)), prefix)
      }),
    )
  })

  it('contains exactly its range', () => {
    fc.assert(
      fc.property(address, length, address, (a, l, other) => {
        const prefix = { network: networkOf(a, l), length: l }
        assert.ok(contains(prefix, a))
        assert.equal(contains(prefix, other), prefix.network <= other && other <= lastAddress(prefix))
      }),
    )
  })
})
