import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Answer, type DecodedPacket, decode, encode } from 'dns-packet'
import { cname } from '../../../test/helpers/servers/dns-server.ts'
import { readTargets } from './target-answer.ts'

const zone = 'example.com'
const packet = (answers: Answer[], flags = 0): DecodedPacket =>
  decode(encode({ type: 'response', id: 1, flags, questions: [{ type: 'NS', name: zone }], answers }))
const common = { class: 'IN', ttl: 60 } as const
const soaData = {
  mname: 'NS1.example.com',
  rname: 'h.example.com',
  serial: 1,
  refresh: 1,
  retry: 1,
  expire: 1,
  minimum: 1,
}

it('the names that records name are those of the name that was asked, and of the type', () => {
  const answers: Answer[] = [
    { ...common, type: 'NS', name: 'Example.com', data: 'ns1.example.com' },
    { ...common, type: 'NS', name: zone, data: 'NS2.example.net.' },
    { ...common, type: 'NS', name: 'example.org', data: 'ns3.example.com' },
    { ...common, type: 'MX', name: zone, data: { preference: 10, exchange: 'mail.example.com' } },
    { ...common, type: 'SRV', name: zone, data: { port: 1, target: 'sip.example.com' } },
    { ...common, type: 'SOA', name: zone, data: soaData },
  ]
  assert.deepEqual(readTargets(packet(answers), zone, 'NS'), ['ns1.example.com', 'ns2.example.net'])
  assert.deepEqual(readTargets(packet(answers), zone, 'MX'), ['mail.example.com'])
  assert.deepEqual(readTargets(packet(answers), zone, 'SRV'), ['sip.example.com'])
  assert.deepEqual(readTargets(packet(answers), zone, 'SOA'), ['ns1.example.com'])
  assert.deepEqual(readTargets(packet(answers), zone, 'PTR'), [])
})

it('a reverse name may be an alias, and leads into no loop', () => {
  const [name, alias] = ['1.2.0.192.in-addr.arpa', '1.0-31.2.0.192.in-addr.arpa']
  const pointer: Answer = { ...common, type: 'PTR', name: alias, data: 'mail.example.com' }
  assert.deepEqual(readTargets(packet([cname(name, alias), pointer]), name, 'PTR'), ['mail.example.com'])
  assert.deepEqual(readTargets(packet([cname(name, alias), cname(alias, name)]), name, 'PTR'), [])
})

it('a name that is not there has none, a failure says nothing, and there are not too many', () => {
  assert.deepEqual(
    [3, 2].map((rcode) => readTargets(packet([], rcode), zone, 'NS')),
    [[], null],
  )
  const many = Array.from(
    { length: 40 },
    (_, i): Answer => ({ ...common, type: 'NS', name: zone, data: `n${i}.example.com` }),
  )
  assert.equal(readTargets(packet(many), zone, 'NS')?.length, 32)
})
