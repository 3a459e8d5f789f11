import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileOverrides } from './sampling-overrides.ts'

test('of several rows one for the domain counts, then the longest prefix', () => {
  const { rateOf, linkBitsPerSecondOf } = compileOverrides([
    { exporter: '10.0.0.0/8', rate: 8 },
    { exporter: '10.1.0.0/16', rate: 16 },
    { exporter: '10.1.2.3', rate: 32 },
    { exporter: '10.1.2.3', linkBitsPerSecond: 1e10 },
    { exporter: '10.0.0.0/8', domain: 7, rate: 7 },
    { exporter: '2001:db8::/32', rate: 6 },
  ])
  assert.equal(rateOf('10.9.9.9', 0), 8)
  assert.equal(rateOf('10.1.9.9', 0), 16)
  assert.equal(rateOf('10.1.2.3', 0), 32)
  assert.equal(rateOf('10.1.2.3', 7), 7)
  assert.equal(rateOf('192.0.2.1', 7), 0)
  assert.equal(rateOf('2001:db8::1', 0), 6)
  assert.equal(linkBitsPerSecondOf('10.1.2.3', 0), 1e10)
  assert.equal(linkBitsPerSecondOf('10.1.2.4', 0), 0)
})

test('an IPv4 exporter is known by its address on a socket of both versions too', () => {
  assert.equal(compileOverrides([{ exporter: '10.0.0.0/8', rate: 8 }]).rateOf('::ffff:10.1.2.3', 0), 8)
})

test('without rows exporters count by what they tell', () => {
  assert.equal(compileOverrides([]).rateOf('10.1.2.3', 0), 0)
})
