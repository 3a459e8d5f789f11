import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addressFrom, formatKey } from '../net/address.ts'
import { contains, keyRange, networkFrom } from '../net/network.ts'
import {
  compileAllowed,
  parseHostRecord,
  parseOpenHostRecord,
  quotaOf,
  type Refusal,
  readHostRecord,
  refusals,
} from './host-record.ts'

/** Every form that is accepted: given text, canonical form, kind. */
const accepted: [text: string, host: string, kind: string][] = [
  ['example.com', 'example.com', 'fqdn'],
  ['WWW.Example.COM.', 'www.example.com', 'fqdn'],
  ['_dmarc.example.com', '_dmarc.example.com', 'fqdn'],
  ['1and1.example', '1and1.example', 'fqdn'],
  ['a.b', 'a.b', 'fqdn'],
  ['co.uk', 'co.uk', 'fqdn'],
  ['Bücher.example', 'xn--bcher-kva.example', 'fqdn'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'fqdn'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah', 'fqdn'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`, 'fqdn'],
  ['*.example.com', '*.example.com', 'wildcard'],
  ['*.EXAMPLE.co.uk.', '*.example.co.uk', 'wildcard'],
  ['*.shop.intranet', '*.shop.intranet', 'wildcard'],
  ['*.someone.github.io', '*.someone.github.io', 'wildcard'],
  ['1.1.1.1', '1.1.1.1', 'ipv4'],
  ['0.0.0.0', '0.0.0.0', 'ipv4'],
  ['255.255.255.255', '255.255.255.255', 'ipv4'],
  ['1.1.1.1/32', '1.1.1.1', 'ipv4'],
  ['1.1.1.1/24', '1.1.1.0/24', 'cidr'],
  ['1.1.1.129/25', '1.1.1.128/25', 'cidr'],
  ['192.0.2.7/31', '192.0.2.6/31', 'cidr'],
]

const refused: [text: string, refusal: Refusal][] = [
  ['', 'empty'],
  ['x'.repeat(1_001), 'tooLong'],
  [`${'abcdefgh.'.repeat(28)}example`, 'tooLong'],
  [`*.${'a.'.repeat(125)}aa`, 'tooLong'],
  [' example.com', 'space'],
  ['example.com\n', 'space'],
  ['exam\u00a0ple.com', 'space'],
  ['exam\0ple.com', 'hidden'],
  ['exam\u00adple.com', 'hidden'],
  ['\u202emoc.elpmaxe', 'hidden'],
  ['exam\u200bple.com', 'hidden'],
  ['\ud800.com', 'hidden'],
  ['https://example.com/', 'url'],
  ['2001:db8::1', 'ipv6'],
  ['2001:db8::/32', 'ipv6'],
  ['[::1]:443', 'ipv6'],
  ['::ffff:1.2.3.4', 'ipv6'],
  ['root@example.com', 'email'],
  ['example.com:443', 'port'],
  ['1.1.1.1:80', 'port'],
  ['example.com/24', 'path'],
  ['example.com/index', 'path'],
  ['/24', 'path'],
  ['1.1.1.1/23', 'shortPrefix'],
  ['1.1.1.1/8', 'shortPrefix'],
  ['0.0.0.0/0', 'shortPrefix'],
  ['1.1.1.1/33', 'prefix'],
  ['1.1.1.1/', 'prefix'],
  ['1.1.1.1/024', 'prefix'],
  ['1.1.1.1/-1', 'prefix'],
  ['1.1.1.1/24/24', 'prefix'],
  ['1.1.1.1/255.255.255.0', 'prefix'],
  ['1.1/24', 'addressParts'],
  ['1.1.1.256/24', 'octet'],
  ['1.1', 'addressParts'],
  ['1', 'addressParts'],
  ['16843009', 'addressParts'],
  ['1.1.1.1.1', 'addressParts'],
  ['1.1.1.1.', 'addressParts'],
  ['1..1.1', 'addressParts'],
  ['010.1.1.1', 'leadingZero'],
  ['1.1.1.01', 'leadingZero'],
  ['1.1.1.256', 'octet'],
  ['1.1.1.99999999999999999999', 'octet'],
  ['0x7f.0.0.1', 'lastLabel'],
  ['0x7f.1.1.0x1', 'lastLabel'],
  ['1.1.1.1a', 'lastLabel'],
  ['example.123', 'lastLabel'],
  ['１.１.１.１', 'lastLabel'],
  ['1.1.1.１', 'lastLabel'],
  ['*', 'wildcardPlace'],
  ['*example.com', 'wildcardPlace'],
  ['www.*.com', 'wildcardPlace'],
  ['*.*.example.com', 'wildcardPlace'],
  ['*.1.1.1', 'wildcardAddress'],
  ['*.com', 'publicSuffix'],
  ['*.co.uk', 'publicSuffix'],
  ['*.CO.UK.', 'publicSuffix'],
  ['*.github.io', 'publicSuffix'],
  ['*.xn--p1ai', 'publicSuffix'],
  ['*.intranet', 'singleLabel'],
  ['*.', 'emptyLabel'],
  ['localhost', 'singleLabel'],
  ['com.', 'singleLabel'],
  ['.example.com', 'emptyLabel'],
  ['example..com', 'emptyLabel'],
  ['example.com..', 'emptyLabel'],
  [`${'a'.repeat(64)}.example`, 'labelLength'],
  ['-a.example', 'hyphen'],
  ['a-.example', 'hyphen'],
  ['exam!ple.com', 'characters'],
  ['exam%70le.com', 'characters'],
  ['ü%41.com', 'characters'],
  ['ü.com／path', 'characters'],
  ['<script>.com', 'characters'],
  ["a';--.com", 'characters'],
]

/** Where larger networks are taken. */
const refusedAnywhere: [string, Refusal][] = [
  ['1.1.1.1/15', 'wideShortPrefix'],
  ['1.1.1.1/33', 'widePrefix'],
]

describe('parseOpenHostRecord', () => {
  for (const [text, host, kind] of accepted) {
    it(`accepts ${text}`, () => {
      const record = parseOpenHostRecord(text)
      assert.ok(record.ok)
      assert.deepEqual([record.host, record.kind], [host, kind])
    })
  }

  for (const [text, refusal] of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}: ${refusal}`, () => {
      assert.deepEqual(parseOpenHostRecord(text), { ok: false, reason: refusals[refusal] })
    })
  }

  it('has an example of every refusal', () => {
    const shown = new Set([...refused, ...refusedAnywhere].map(([, refusal]) => refusal))
    assert.deepEqual(
      Object.keys(refusals).filter((refusal) => !shown.has(refusal as Refusal)),
      [],
    )
  })

  it('takes a network from a /16 on where any site is read', () => {
    for (const [text, refusal] of refusedAnywhere)
      assert.deepEqual(parseHostRecord(text), { ok: false, reason: refusals[refusal] }, text)
    const record = parseHostRecord('10.1.2.131/20')
    const network = networkFrom({ network: 0x0a010000, length: 20 })
    assert.deepEqual(record, { ok: true, kind: 'cidr', host: '10.1.0.0/20', network })
    assert.deepEqual(
      ['10.1.0.0/16', '10.1.0.0/23', '10.1.0.0/24', '10.1.0.1', 'example.com'].map(quotaOf),
      [256, 2, 1, 1, 1],
    )
  })

  it('gives an address and a network as networks, host bits cleared', () => {
    const record = parseOpenHostRecord('10.1.2.131/26')
    const network = networkFrom({ network: 0x0a010280, length: 26 })
    assert.deepEqual(record, { ok: true, kind: 'cidr', host: '10.1.2.128/26', network })
    const address = networkFrom({ network: 0x0a010283, length: 32 })
    assert.deepEqual(readHostRecord('10.1.2.131/32'), { kind: 'ipv4', host: '10.1.2.131', network: address })
  })

  it('is idempotent, whatever the text', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'a1.-_*/:@ü。１xn0２５ﬁ\u200d%') })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), almost, fc.domain(), fc.ipV4()), (text) => {
        const record = parseOpenHostRecord(text)
        if (!record.ok) return
        assert.deepEqual(parseOpenHostRecord(record.host), record)
        assert.match(record.host, /^[a-z0-9._*/-]{1,255}$/)
      }),
      { numRuns: 3_000 },
    )
  })

  it('accepts every address, and every network from /24 on, with host bits cleared', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (address, length) => {
        const record = parseOpenHostRecord(`${formatKey(address)}/${length}`)
        if (length < 24) {
          assert.deepEqual(record, { ok: false, reason: 'The CIDR prefix must be >=24' })
          return
        }
        assert.ok(record.ok && (record.kind === 'ipv4' || record.kind === 'cidr'))
        const { first, last } = keyRange(record.network)
        assert.ok(contains(record.network, addressFrom(address)))
        assert.deepEqual([last - first + 1, first % 2 ** (32 - length)], [2 ** (32 - length), 0])
      }),
    )
  })

  it('reads hostile text in linear time', () => {
    for (const unit of ['a.', '-', '*.', '1.', ':', '[', 'ü', '\u0301', '/', '0x']) {
      assert.equal(parseOpenHostRecord(unit.repeat(500_000)).ok, false)
    }
  })
})

describe('compileAllowed', () => {
  const allowed = {
    networks: ['192.0.2.0/24', '10.0.0.0/8', '203.0.113.7', 'nonsense'],
    domains: ['example.com', '*.Example.net.'],
  }
  const cases: [host: string, expected: boolean][] = [
    ['192.0.2.200', true],
    ['192.0.2.0/25', true],
    ['10.200.0.0/24', true],
    ['203.0.113.7', true],
    ['203.0.113.6/31', false],
    ['192.0.3.1', false],
    ['example.com', true],
    ['www.example.com', true],
    ['*.shop.example.com', true],
    ['*.example.net', true],
    ['example.net', true],
    ['badexample.com', false],
    ['example.org', false],
  ]
  for (const [host, expected] of cases) {
    it(`${expected ? 'allows' : 'refuses'} ${host}`, () => {
      const record = parseOpenHostRecord(host)
      assert.ok(record.ok)
      assert.equal(compileAllowed(allowed)(record), expected)
    })
  }

  it('allows anything without a list, and nothing with an empty one', () => {
    const record = parseOpenHostRecord('192.0.2.1')
    assert.ok(record.ok)
    assert.equal(compileAllowed(null)(record), true)
    assert.equal(compileAllowed({ networks: [], domains: [] })(record), false)
  })
})
