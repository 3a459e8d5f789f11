import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from 'dns-packet'
import { a, cname } from '../../../test/helpers/servers/dns-server.ts'
import { type DnstapGiven, dnsMessage, dnstapMessage, wireForm } from '../../../test/helpers/servers/dnstap-sender.ts'
import { formatKey } from '../../net/address.ts'
import { isWithin } from '../../net/hostname.ts'
import { readTold } from './answers.ts'
import { readDnstap } from './message.ts'

const www = 'www.example.com'
const wants = (name: string) => isWithin(name, 'example.com')

/** Addresses and chain that a message has; or what kind it is. */
function told(given: DnstapGiven): string {
  const message = readDnstap(dnstapMessage(given))
  if (message.kind !== 'response') return message.kind
  const answer = readTold(message, wants)
  if (answer.kind !== 'told') return answer.kind
  const { name, chain, addresses } = answer.told
  return [name, ...chain, addresses.map(formatKey).join(',')].join(' > ')
}

describe('what a dnstap message tells', () => {
  const edge = 'edge.example.net'
  const direct = [a(www, '192.0.2.1'), a(www, '192.0.2.2')]
  const aliased = [cname(www, edge), a(edge, '192.0.2.1')]
  const cases: [what: string, given: DnstapGiven, expected: string][] = [
    ['the addresses of the name', { name: www, answers: direct }, `${www} > 192.0.2.1,192.0.2.2`],
    ['a name in other case', { name: 'WWW.Example.COM', answers: direct }, `${www} > 192.0.2.1,192.0.2.2`],
    ['aliases, from one who is trusted', { name: www, answers: aliased }, `${www} > ${edge} > 192.0.2.1`],
    [
      'aliases of a server of others, as far as they lie in its zone',
      { name: www, answers: aliased, type: 'RESOLVER_RESPONSE', zone: 'example.com' },
      `${www} > ${edge} > `,
    ],
    [
      'all aliases of a server of both',
      { name: www, answers: aliased, type: 'RESOLVER_RESPONSE', zone: '' },
      `${www} > ${edge} > 192.0.2.1`,
    ],
    [
      'the name alone, of a server whose zone is not told',
      { name: www, answers: aliased, type: 'RESOLVER_RESPONSE' },
      `${www} > ${edge} > `,
    ],
    [
      'nothing of a name that was not asked',
      { name: www, answers: [a('mail.example.com', '192.0.2.9'), a(`x.${www}`, '192.0.2.9')] },
      'other',
    ],
    [
      'nothing of a name outside the zone',
      { name: www, answers: direct, type: 'RESOLVER_RESPONSE', zone: 'net' },
      'other',
    ],
    ['nothing of no site', { name: edge, answers: [a(edge, '192.0.2.1')] }, 'other'],
    ['no loop', { name: www, answers: [cname(www, 'a.example.com'), cname('a.example.com', www)] }, 'other'],
    ['no empty answer', { name: www, answers: [] }, 'other'],
  ]
  for (const type of ['AUTH_RESPONSE', 'FORWARDER_RESPONSE'] as const)
    cases.push([`an ${type}`, { name: www, answers: direct, type }, `${www} > 192.0.2.1,192.0.2.2`])
  for (const [what, given, expected] of cases) it(what, () => assert.equal(told(given), expected))

  it('other sections count for nothing', () => {
    const message = dnsMessage(www, [a(www, '192.0.2.9')])
    // The answer is an additional record now.
    message.writeUInt16BE(0, 6)
    message.writeUInt16BE(1, 10)
    const read = readTold({ type: 'CLIENT_RESPONSE', zone: null, response: message }, wants)
    assert.equal(read.kind, 'other')
  })

  it('a question, a failure and a truncated answer tell nothing', () => {
    const flagged = (flags: number) => {
      const message = dnsMessage(www, direct)
      message.writeUInt16BE(flags, 2)
      return readTold({ type: 'CLIENT_RESPONSE', zone: null, response: message }, wants).kind
    }
    assert.deepEqual([0x8000, 0x0000, 0x8002, 0x8003, 0x8200].map(flagged), [
      'told',
      'broken',
      'other',
      'other',
      'other',
    ])
  })

  it('a label with a dot in it is no two labels', () => {
    const message = dnsMessage('www-example.com', [a('www-example.com', '192.0.2.1')] satisfies Answer[])
    const dotted = Buffer.from(message.toString('latin1').replace('www-example', 'www.example'), 'latin1')
    assert.equal(readTold({ type: 'CLIENT_RESPONSE', zone: null, response: dotted }, wants).kind, 'other')
  })
})

describe('readDnstap', () => {
  it('never looks at who asked', () => {
    const given = { name: www, answers: [a(www, '192.0.2.1')], identity: 'ns1', zone: 'Example.com' }
    const shown = {
      kind: 'response',
      type: 'CLIENT_RESPONSE',
      identity: 'ns1',
      zone: wireForm('Example.com'),
      response: dnsMessage(www, given.answers),
    }
    for (const queryAddress of [[], [203, 0, 113, 5], Array(16).fill(0x20)].map((octets) => Buffer.from(octets)))
      assert.deepEqual(readDnstap(dnstapMessage({ ...given, queryAddress, queryPort: queryAddress.length })), shown)
  })

  it('tells who sends, unless that is no plain text', () => {
    const identity = (text: string) => {
      const message = readDnstap(dnstapMessage({ name: www, answers: [], identity: text }))
      return message.kind === 'response' ? message.identity : message.kind
    }
    assert.deepEqual(['ns1.example.net', 'x'.repeat(100), 'a\nb', ''].map(identity), [
      'ns1.example.net',
      'x'.repeat(64),
      '',
      '',
    ])
  })

  it('passes over questions, and tells what is no such message', () => {
    const whole = dnstapMessage({ name: www, answers: [] })
    const question = Buffer.from(whole)
    const typeAt = question.indexOf(Buffer.from([8, 6]))
    question[typeAt + 1] = 5
    assert.equal(readDnstap(question).kind, 'other')
    const broken = [Buffer.alloc(0), whole.subarray(0, whole.length - 3), Buffer.from('GET / HTTP/1.1')]
    assert.deepEqual(
      broken.map((octets) => readDnstap(octets).kind),
      ['broken', 'broken', 'broken'],
    )
  })
})
