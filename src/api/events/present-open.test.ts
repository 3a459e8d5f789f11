import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { completed } from '../../../test/helpers/events.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { noStatistics } from '../../detect/incidents/incident-report.ts'
import type { EventDetail, Site } from '../../store/store.ts'
import { presentAdded, presentChanged, presentEvent, presentEventDetail, presentSite } from './present-open.ts'

const site: Site = {
  userId: 'u',
  host: '*.example.com',
  record: null,
  enabled: false,
  watchedMs: 0,
  createdMs: Date.UTC(2017, 2, 8, 10, 9, 18, 999),
  groupId: null,
  groupName: '',
}

const entry = (item: number, flows: number, bytes = 100) => ({ item, flows, packets: 7, bytes, protocols: [6, 17] })

const event: EventDetail = completed({
  id: '58bfd7ae1f0a4b3c9d2e6f70',
  userId: 'u',
  incident: 'secret-incident',
  createdMs: Date.UTC(2017, 2, 8, 10, 9, 18),
  address: 0xc000020a,
  site: '192.0.2.0/24',
  sites: ['192.0.2.0/24'],
  domain: 'www.example.com',
  view: 'all',
  label: 'udp@attack@amp_flood_target-NTP',
  bytesPerSecond: 1_000.5,
  packetsPerSecond: 10,
  flowsPerSecond: 1 / 3,
  deviation: 12.345,
  startMs: 1,
  lastMs: 2,
  endMs: null,
  isTest: false,
  network: null,
  peak: { bytesPerSecond: 1, packetsPerSecond: 1, flowsPerSecond: 1, atMs: 1 },
  why: [],
  vectors: [],
  victims: [],
  networks: [],
  followed: null,
  course: null,
  statistics: {
    ...noStatistics,
    destinationPort: [entry(80, 1), entry(443, 9), entry(53, 5)],
    sourcePort: [],
    sourceAddress: [entry(16_843_009, 1), entry(-1, 2)],
    protocol: [entry(17, 3)],
    flags: [entry(27, 2, 1), entry(2, 2, 5), entry(1, 2, 5)],
  },
  dns: [
    {
      domain: 'www.example.com',
      a: { '192.0.2.10': Date.UTC(2017, 2, 8) },
      cname: JSON.parse('{"__proto__": 1488931200000}'),
    },
  ],
})

describe('a site', () => {
  it('has the six fields of the contract', () => {
    assert.deepEqual(presentSite(site, 'Ann@Example.com'), {
      create_time: '2017-03-08T10:09:18+00:00',
      group_id: null,
      group_name: '',
      host: '*.example.com',
      is_enable: false,
      user_email: 'Ann@Example.com',
    })
  })
})

const fields = {
  _id: '58bfd7ae1f0a4b3c9d2e6f70',
  cts: '2017-03-08T10:09:18+00:00',
  curavg_bps: 60_030,
  curavg_flows: 20,
  curavg_pps: 600,
  deviate: 12.35,
  ip: '192.0.2.10',
  domain: 'www.example.com',
  site: '192.0.2.0/24',
}

describe('an event', () => {
  it('has the fields of the contract, rates by the minute', () => {
    assert.deepEqual(presentEvent(event), { ...fields, attack_type: 'udp@attack@amp_flood_target-NTP' })
  })

  it('has no attack_type when it is unknown', () => {
    assert.deepEqual(presentEvent({ ...event, label: null }), fields)
    assert.ok(!('attack_type' in presentEvent({ ...event, label: null })))
  })

  it('has numbers even where there is none', () => {
    const wire = presentEvent({ ...event, bytesPerSecond: Number.NaN, deviation: Number.POSITIVE_INFINITY })
    assert.deepEqual([wire.curavg_bps, wire.deviate], [0, 0])
  })
})

describe('a detail', () => {
  const wire = presentEventDetail(event)
  const items = (list: { Item: number }[]) => list.map(({ Item }) => Item)

  it('has the fields of the contract and no others', () => {
    const lists = ['dac', 'dstport', 'srcport', 'srcip', 'proto', 'flags']
    assert.deepEqual(Object.keys(wire).sort(), [...Object.keys(fields), ...lists].sort())
    assert.ok(Value.Check(endpoints.getEvent.shapes.response, { data: wire }))
  })

  it('orders statistics by Flows, largest first', () => {
    assert.deepEqual(items(wire.dstport), [443, 53, 80])
    assert.deepEqual(items(wire.flags), [1, 2, 27])
  })

  it('has addresses as unsigned numbers', () => {
    assert.deepEqual(items(wire.srcip), [4_294_967_295, 16_843_009])
  })

  it('has entries with protocols as members', () => {
    assert.deepEqual(wire.proto, [{ Item: 17, Bytes: 100, Flows: 3, Packets: 7, Prots: { '6': {}, '17': {} } }])
  })

  it('has DNS snapshots with date-times, whatever the names', () => {
    assert.equal(
      JSON.stringify(wire.dac),
      '[{"domain":"www.example.com","a":{"192.0.2.10":"2017-03-08T00:00:00+00:00"},"cname":{"__proto__":"2017-03-08T00:00:00+00:00"}}]',
    )
  })
})

describe('outcomes', () => {
  const done = { spelling: 'A.example', reason: null }
  const failed = { spelling: '__proto__', reason: 'No' }

  it('have the verdict of the whole', () => {
    assert.deepEqual(
      [[done], [done, failed], [failed]].map((outcomes) => presentChanged(outcomes).status),
      [1, 0, -1],
    )
  })

  it('of an addition have an object a rejected host, of a change a text', () => {
    assert.equal(
      JSON.stringify(presentAdded([done, failed])),
      '{"status":0,"success":["A.example"],"error":[{"__proto__":"No"}]}',
    )
    assert.deepEqual(presentChanged([failed]), { status: -1, success: [], error: ['__proto__'] })
  })
})
