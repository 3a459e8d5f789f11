import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ancestors, canonicalHostname, isWithin } from './hostname.ts'

describe('canonicalHostname', () => {
  const cases: [text: string, name: string | null][] = [
    ['Example.COM.', 'example.com'],
    ['localhost', 'localhost'],
    ['_sip._udp.example.com', '_sip._udp.example.com'],
    ['faß.de', 'xn--fa-hia.de'],
    ['Ünïcode.example', 'xn--ncode-cta3g.example'],
    ['क्‍ष.example', 'xn--11b2ezcw70k.example'],
    [`${'a'.repeat(63)}.b`, `${'a'.repeat(63)}.b`],
    [`${'a'.repeat(64)}.b`, null],
    [`${'ü'.repeat(64)}.b`, null],
    [`${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}a`],
    [`${'a.'.repeat(126)}aa`, null],
    ['', null],
    ['.', null],
    ['a..b', null],
    ['-a.b', null],
    ['a-.b', null],
    ['a b.c', null],
    ['ü/b.c', null],
    ['ü%2e.c', null],
    ['ü\u202e.c', null],
    ['exam\u00adple.com', null],
  ]
  for (const [text, name] of cases) {
    it(`${JSON.stringify(text.slice(0, 30))} (${text.length}) -> ${name === null ? 'none' : 'name'}`, () => {
      assert.equal(canonicalHostname(text), name)
    })
  }

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.domain()), (text) => {
        const name = canonicalHostname(text)
        if (name !== null) assert.equal(canonicalHostname(name), name)
      }),
    )
  })
})

describe('names and zones', () => {
  it('a zone holds itself and what is below, by whole labels', () => {
    assert.ok(isWithin('example.com', 'example.com'))
    assert.ok(isWithin('a.b.example.com', 'example.com'))
    assert.ok(!isWithin('badexample.com', 'example.com'))
    assert.ok(!isWithin('com', 'example.com'))
  })

  it('ancestors come nearest first', () => {
    assert.deepEqual([...ancestors('a.b.c')], ['b.c', 'c'])
    assert.deepEqual([...ancestors('a')], [])
  })
})
