import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readZoneFile } from './zone-file.ts'

const recordsOf = (text: string, origin: string | null = 'example.com') =>
  [...readZoneFile(text, origin)].map((entry) =>
    entry.kind === 'broken'
      ? `${entry.line}: ${entry.reason}`
      : [entry.name, entry.ttlSeconds, entry.type, entry.value].join(' '),
  )

describe('a zone file', () => {
  it('has its records by owner, with what stands for the one before, for the zone and for the zone written last', () => {
    const text = `$TTL 1h
@\tIN SOA ns hostmaster ( 1 ; serial
      3600 600 86400
      60 )
   NS ns
ns 300 IN A 192.0.2.1
   IN 5m A 192.0.2.2
www CNAME @
   A 192.0.2.9
*  1W2D CNAME www.example.net.
txt TXT "a;b (" ; a comment ( "
A A 192.0.2.3
1 A 192.0.2.4 (
 )
$ORIGIN sub
x A 192.0.2.5
$ORIGIN .
y.example.com A 192.0.2.6
`
    assert.deepEqual(recordsOf(text), [
      'example.com 3600 SOA ',
      'example.com 3600 NS ',
      'ns.example.com 300 A 192.0.2.1',
      'ns.example.com 300 A 192.0.2.2',
      'www.example.com 3600 CNAME example.com',
      'www.example.com 3600 A 192.0.2.9',
      '*.example.com 777600 CNAME www.example.net',
      'txt.example.com 3600 TXT ',
      'a.example.com 3600 A 192.0.2.3',
      '1.example.com 3600 A 192.0.2.4',
      'x.sub.example.com 3600 A 192.0.2.5',
      'y.example.com 3600 A 192.0.2.6',
    ])
  })

  it('needs no origin when it says it, or when its names are whole', () => {
    assert.deepEqual(recordsOf('www A 192.0.2.1\nwww.example.com. A 192.0.2.1', null), [
      '1: The name is relative, and there is no $ORIGIN',
      'www.example.com 0 A 192.0.2.1',
    ])
    assert.deepEqual(recordsOf('$ORIGIN example.org.\r\nwww A 192.0.2.1\r\n', null), ['www.example.org 0 A 192.0.2.1'])
  })

  it('has names that no host has, and is read on past what can not be', () => {
    const text = `a\\046b A 192.0.2.1
$INCLUDE /etc/passwd
$GENERATE 1-9 host$ A 192.0.2.$
x TXT "no end
y CH A 192.0.2.1
z
$TTL soon
$ORIGIN a b.
last A 192.0.2.2
 ( A 192.0.2.3`
    assert.deepEqual(recordsOf(text), [
      ' 0 A 192.0.2.1',
      '2: $INCLUDE is not followed: import the other file for itself',
      '3: $GENERATE is not known',
      '4: A quotation mark or a backslash has no end',
      '5: The record is not of class IN',
      '6: The record has no type',
      '7: $TTL must be a time in seconds, or like 1h30m',
      'last.a.example.com 0 A 192.0.2.2',
      '10: A parenthesis is not closed',
    ])
    assert.deepEqual(recordsOf('  A 192.0.2.1'), ['1: The first record has no owner'])
    assert.deepEqual(recordsOf(') A 192.0.2.1'), ['1: A parenthesis is closed that was not opened'])
    assert.deepEqual(recordsOf(`a A ${'x '.repeat(1_001)}`), ['1: It has more than 1000 words'])
  })
})
