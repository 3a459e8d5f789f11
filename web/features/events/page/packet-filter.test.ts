import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecordedEvents } from '../../../../test/helpers/recorded-events/recorded.ts'
import { packetFilter } from './packet-filter.ts'

const recorded = new Map(readRecordedEvents().map(({ name, event }) => [name, event]))

const cases: Readonly<Record<string, string>> = {
  'NTP amplification': 'dst host 192.0.2.10 and udp src port 123',
  'SYN flood': 'dst host 192.0.2.10 and tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn',
  'UDP fragments': 'dst host 192.0.2.10 and ip[6:2] & 0x3fff != 0',
  'UDP flood from random ports': 'dst host 192.0.2.10 and udp',
  'GRE flood': 'dst host 192.0.2.10',
  'carpet: UDP to 25 addresses, one of them hit less': 'dst net 192.0.2.0/24 and udp',
  'carpet: NTP to 60 addresses': 'dst net 192.0.2.0/24 and udp src port 123',
  'who may not know the sources': 'dst host 192.0.2.10 and udp',
}

for (const [name, filter] of Object.entries(cases)) {
  test(`${name} is seen by ${filter}`, () => {
    const event = recorded.get(name)
    assert.ok(event)
    assert.equal(packetFilter(event), filter)
  })
}
