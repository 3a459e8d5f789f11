import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseKey } from '../../net/address.ts'
import { cofRecords, readCof, type Sighting } from './cof.ts'

const ip = (text: string) => parseKey(text) ?? -1
const fields = { rrname: 'www.example.com', rrtype: 'A', rdata: '192.0.2.1', time_first: 1_000, time_last: 2_000 }
const record = {
  name: 'www.example.com',
  addresses: [ip('192.0.2.1')],
  targets: [],
  firstMs: 1_000_000,
  lastMs: 2_000_000,
  count: 1,
  sensor: '',
}
const read = (change: object) => readCof(JSON.stringify({ ...fields, ...change }))

describe('a line of passive DNS', () => {
  it('is a record', () => {
    assert.deepEqual(read({}), { kind: 'record', record })
    const wanted: [change: object, record: object][] = [
      [{ rrname: 'WWW.Example.com.' }, {}],
      [{ rrname: '*.example.com' }, { name: '*.example.com' }],
      [{ rrtype: 'a' }, {}],
      [{ rrtype: '1' }, {}],
      [{ rrtype: 1 }, {}],
      [{ rdata: ['192.0.2.1', '192.0.2.2'] }, { addresses: [ip('192.0.2.1'), ip('192.0.2.2')] }],
      [
        { rrtype: 'CNAME', rdata: 'Edge.example.net.' },
        { addresses: [], targets: ['edge.example.net'] },
      ],
      [
        { rrtype: 5, rdata: ['a.example', 'b.example'] },
        { addresses: [], targets: ['a.example', 'b.example'] },
      ],
      [
        { time_first_ms: 1_000_500, time_last_ms: 2_000_500 },
        { firstMs: 1_000_500, lastMs: 2_000_500 },
      ],
      [{ time_first: '1000', time_last: '2000' }, {}],
      [
        { count: 17, sensor_id: 'ns1.example/a b' },
        { count: 17, sensor: 'ns1.example/a b' },
      ],
      [{ sensor_id: 'a\u001b[2Jb' }, { sensor: 'a__2Jb' }],
      [{ bailiwick: 'example.com.' }, {}],
      [{ bailiwick: '.' }, {}],
      [{ origin: 'https://pdns.example/', more: {} }, {}],
    ]
    for (const [change, more] of wanted)
      assert.deepEqual(read(change), { kind: 'record', record: { ...record, ...more } }, JSON.stringify(change))
  })

  it('of a zone file lasts, however lately it was first seen', () => {
    const { time_first: _, time_last: __, ...rest } = fields
    const line = (first: number) => JSON.stringify({ ...rest, zone_time_first: first, zone_time_last: 2_000 })
    const firstMs = (first: number) => {
      const given = readCof(line(first))
      return given.kind === 'record' ? given.record.firstMs : null
    }
    assert.deepEqual([firstMs(2_000), firstMs(1_999), firstMs(1_000)], [1_940_000, 1_940_000, 1_000_000])
  })

  it('of another type, or of no name that a host has, is passed over', () => {
    for (const change of [
      { rrtype: 'AAAA', rdata: '2001:db8::1' },
      { rrtype: '16', rdata: 'text' },
      { rrtype: 65_534 },
      { rrname: 'a b.example.com' },
      { rrname: '*.*.example.com' },
      { rrtype: 'CNAME', rdata: 'no name' },
      { bailiwick: 'example.net' },
    ])
      assert.deepEqual(read(change), { kind: 'other' }, JSON.stringify(change))
  })

  it('is broken, with the reason', () => {
    const reasons: [change: object, reason: RegExp][] = [
      [{ rrname: 7 }, /rrname/],
      [{ rrtype: null }, /rrtype/],
      [{ rdata: { a: 1 } }, /rdata/],
      [{ rdata: ['192.0.2.1', 5] }, /rdata/],
      [{ rdata: '192.0.2.256' }, /IPv4/],
      [{ time_first: undefined }, /time_first/],
      [{ time_first: '2017-03-08' }, /time_first/],
      [{ time_first: -1 }, /time_first/],
      [{ time_last: 1e300 }, /time_last/],
      [{ time_first: 2_001 }, /later/],
      [{ count: -1 }, /count/],
      [{ sensor_id: 5 }, /sensor_id/],
    ]
    for (const [change, reason] of reasons) {
      const given = read(change)
      assert.equal(given.kind, 'broken', JSON.stringify(change))
      if (given.kind === 'broken') assert.match(given.reason, reason)
    }
    for (const line of ['', 'x', '[]', 'null', '"A"', '{"rrname":']) assert.equal(readCof(line).kind, 'broken', line)
  })
})

describe('what is known, as passive DNS', () => {
  const sighting: Sighting = {
    name: 'www.example.com',
    address: ip('192.0.2.1'),
    chain: ['edge.example.net'],
    firstMs: 1_999,
    confirmedMs: 5_000,
    count: 3,
    sensor: '',
  }

  it('is a record for each alias, and one for the address, each once', () => {
    const other = { ...sighting, name: 'shop.example.com', firstMs: 900, confirmedMs: 4_000, count: null }
    const edge = { rrname: 'edge.example.net', rrtype: 'A', rdata: '192.0.2.1' }
    const alias = { rrtype: 'CNAME', rdata: 'edge.example.net' }
    assert.deepEqual(cofRecords([sighting, other]), [
      { rrname: 'www.example.com', ...alias, time_first: 1, time_last: 5, count: 3 },
      { ...edge, time_first: 0, time_last: 5, count: 3 },
      { rrname: 'shop.example.com', ...alias, time_first: 0, time_last: 4 },
    ])
  })

  it('reads as what it was made of', () => {
    const [alias, address] = cofRecords([{ ...sighting, sensor: 'ns1' }]).map((each) => readCof(JSON.stringify(each)))
    const common = { firstMs: 1_000, lastMs: 5_000, count: 3, sensor: 'ns1' }
    const aliasRecord = { name: 'www.example.com', addresses: [], targets: ['edge.example.net'], ...common }
    assert.deepEqual(alias, { kind: 'record', record: aliasRecord })
    const addressRecord = { name: 'edge.example.net', addresses: [sighting.address], targets: [], ...common }
    assert.deepEqual(address, { kind: 'record', record: addressRecord })
  })
})
