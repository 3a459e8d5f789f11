import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readCof } from '../../src/names/passive-dns/cof.ts'
import { Flattening } from '../../src/names/passive-dns/flatten.ts'
import { linesOf } from '../../src/names/passive-dns/lines.ts'
import { chainMax } from '../../src/names/resolve/answer.ts'
import { readZoneFile } from '../../src/names/zones/zone-file.ts'
import { isWithin } from '../../src/net/hostname.ts'
import { fuzz, fuzzRuns } from '../helpers/fuzz.ts'
import { fuzzMs, mutated, mutations } from './bytes.ts'

const name = /^(\*\.)?[a-z0-9._-]{1,253}$/
const words = fc.constantFrom(
  'a.example.com',
  'b.example.com',
  'edge.example.net',
  '192.0.2.1',
  '',
  '*',
  '\\',
  'x'.repeat(300),
)
const anyValue = fc.oneof(words, fc.array(words, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }))
const times = fc.oneof(fc.nat(5_000), fc.double(), fc.constantFrom('7', '', null))

function check(line: string): string {
  const read = readCof(line)
  if (read.kind !== 'record') return read.kind
  const { record } = read
  assert.match(record.name, name)
  for (const target of record.targets) assert.match(target, name)
  for (const address of record.addresses) assert.ok(Number.isInteger(address) && address >= 0 && address < 2 ** 32)
  assert.ok(Number.isInteger(record.firstMs) && record.firstMs >= 0 && record.firstMs <= record.lastMs)
  assert.ok(Number.isSafeInteger(record.count) && record.count >= 0)
  assert.match(record.sensor, /^[\w .:/@-]{0,64}$/)
  return read.kind
}

it('hostile lines of passive DNS: a record within its bounds, or none', () => {
  const line = fc.record(
    {
      ...{ rrname: anyValue, rrtype: fc.oneof(fc.constantFrom('A', 'CNAME', 1, '5'), anyValue), rdata: anyValue },
      ...{ time_first: times, time_last: times, time_first_ms: times, time_last_ms: times },
      ...{ zone_time_first: times, zone_time_last: times, count: times, sensor_id: anyValue, bailiwick: anyValue },
    },
    { requiredKeys: ['rrname', 'rrtype', 'rdata'] },
  )
  fuzz(
    fc.property(line, (given) => void check(JSON.stringify(given))),
    fuzzMs(),
  )
  const good = Buffer.from('{"rrname":"a.example.com","rrtype":"A","rdata":"192.0.2.1","time_first":1,"time_last":2}')
  assert.equal(check(good.toString()), 'record')
  fuzz(
    fc.property(mutations, (list) => void check(Buffer.from(mutated(Uint8Array.from(good), list)).toString())),
    fuzzMs(),
  )
})

it('hostile streams: the same lines however the octets come', async () => {
  const property = fc.asyncProperty(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.nat(200), { maxLength: 8 }),
    async (octets, cuts) => {
      const whole = octets.map((octet) => (octet % 4 === 0 ? 0x0a : octet))
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
      async function* parts() {
        for (let i = 1; i < places.length; i++) yield whole.subarray(places[i - 1], places[i])
      }
      const lines = (await Array.fromAsync(linesOf(parts()))).flat()
      const text = Buffer.from(whole).toString('utf8')
      assert.deepEqual(lines, text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined))
    },
  )
  await fc.assert(property, { numRuns: fuzzRuns * 1_000 })
})

it('hostile records: what is put together holds together', () => {
  const owner: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e.example.com', 'f.example.com')
  const record = fc.record({
    ...{ name: owner, addresses: fc.array(fc.nat(3), { maxLength: 2 }), targets: fc.array(owner, { maxLength: 3 }) },
    ...{ firstMs: fc.nat(20), more: fc.nat(20) },
  })
  const property = fc.property(fc.array(record, { maxLength: 25 }), (given) => {
    const flattening = new Flattening({
      source: 'import',
      wants: (each) => isWithin(each, 'example.com'),
      graceMs: 5,
      valuesMax: 20,
    })
    const records = given.map(({ more, ...each }) => ({ ...each, lastMs: each.firstMs + more, count: 1, sensor: '' }))
    for (const each of records) flattening.add(each)
    for (const { name: first, chain, address, fromMs, confirmedMs } of flattening.observations()) {
      const path = [first, ...chain]
      assert.ok(isWithin(first, 'example.com') && chain.length <= chainMax && new Set(path).size === path.length)
      assert.ok(fromMs <= confirmedMs)
      path.forEach((each, i) => {
        const isLast = i + 1 === path.length
        const told = records.some(
          (one) => one.name === each && (isLast ? one.addresses.includes(address) : one.targets.includes(path[i + 1])),
        )
        assert.ok(told, `${each} in ${path.join(' ')}`)
      })
    }
  })
  fuzz(property, fuzzMs())
})

it('hostile zone files: records and reasons, and never much of either', () => {
  const piece = fc.constantFrom(
    ...[
      '\n',
      ' ',
      '\t',
      '(',
      ')',
      '"',
      ';',
      '\\',
      '\\046',
      '@',
      '*',
      '.',
      'a',
      'www',
      'A',
      'IN',
      'CNAME',
      'TXT',
      '300',
      '1h',
      '192.0.2.1',
    ],
    ...['$ORIGIN', '$TTL', '$INCLUDE', 'example.net.', '\r\n', '\u0000', 'é'],
  )
  const property = fc.property(
    fc.array(piece, { maxLength: 80 }),
    fc.constantFrom(null, 'example.com'),
    (pieces, origin) => {
      const text = pieces.join('')
      const entries = [...readZoneFile(text, origin)]
      assert.ok(entries.length <= text.split('\n').length)
      for (const entry of entries) {
        assert.ok(entry.line >= 1 && entry.line <= text.split('\n').length)
        if (entry.kind === 'broken') assert.ok(entry.reason.length < 120)
        else if (entry.name !== null) assert.match(entry.name, name)
      }
    },
  )
  fuzz(property, fuzzMs())
})

// What is done again from each line on would take hours: the limit of the run ends it.
it('a zone file of open quotes and parentheses is read in one go, as one entry', () => {
  for (const text of [
    '"'.repeat(1e6),
    '"\\'.repeat(5e5),
    `a A ${'1h'.repeat(5e5)}x`,
    '('.repeat(1e6),
    `a (${'x\n'.repeat(5e5)}`,
  ]) {
    const entries = [...readZoneFile(text, 'example.com')]
    assert.equal(entries.length, 1, text.slice(0, 10))
  }
})
