import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type MmdbOptions, type MmdbValue, mmdbOf } from '../../test/helpers/encode/mmdb.ts'
import { address } from '../../test/helpers/flow-rows.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { GeoDatabases } from './databases.ts'
import { placeOf } from './place.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-geo-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

/** As an update puts it there. */
function put(bytes: Buffer, file = join(folder, `${files++}.mmdb`)): string {
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
  return file
}

async function geoOf(...given: string[]): Promise<GeoDatabases> {
  const geo = new GeoDatabases({ files: given, clock: new ManualClock(0), log: createLogger('silent') })
  await geo.look()
  return geo
}

const countries: [string, MmdbValue][] = [
  ['192.0.2.0/24', { country: { iso_code: 'DE', names: { en: 'Germany' } }, registered_country: { iso_code: 'US' } }],
  ['198.51.100.0/24', { registered_country: { iso_code: 'FR' } }],
  ['198.51.100.128/25', { country_code: 'NL' }],
]
const systems: [string, MmdbValue][] = [
  ['192.0.2.0/25', { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Net' }],
  ['198.51.100.0/24', { asn: 'AS64511', as_name: 'Other', country: 'Spain', country_code: 'ES' }],
]

describe('databases of countries and networks', () => {
  it('say where an address is, in every form of the tree, the first that says something', async () => {
    const forms: MmdbOptions[] = [
      { ipVersion: 4, recordSize: 24 },
      { ipVersion: 6, recordSize: 28 },
      { ipVersion: 4, recordSize: 32 },
    ]
    for (const form of forms) {
      const geo = await geoOf(put(mmdbOf(countries, form)), put(mmdbOf(systems, form)))
      const at = (text: string) => geo.placeOf(address(text))
      assert.deepEqual(at('192.0.2.1'), { country: 'DE', as: { number: 64_496, name: 'Example Net' } })
      assert.deepEqual(at('192.0.2.129'), { country: 'DE', as: null })
      assert.deepEqual(at('198.51.100.1'), { country: 'FR', as: { number: 64_511, name: 'Other' } })
      assert.deepEqual(at('198.51.100.200').country, 'NL')
      assert.deepEqual(at('203.0.113.1'), { country: null, as: null })
      assert.deepEqual([geo.isKnown, geo.counts.failures], [true, 0])
    }
  })

  it('are read again when they are replaced; a damaged or missing one leaves the one before in use', async () => {
    const file = put(mmdbOf(countries, { builtMs: 1_000_000 }))
    const geo = await geoOf(file)
    assert.deepEqual(
      geo.list().map(({ type, builtMs }) => [type, builtMs]),
      [['Test', 1_000_000]],
    )
    put(mmdbOf([['192.0.2.0/24', { country_code: 'JP' }]]), file)
    await geo.look()
    assert.equal(geo.placeOf(address('192.0.2.1')).country, 'JP')
    const whole = mmdbOf(countries)
    for (const broken of [Buffer.alloc(0), Buffer.from('no database'), whole.subarray(0, whole.length - 60)]) {
      put(broken, file)
      await geo.look()
      assert.equal(geo.placeOf(address('192.0.2.1')).country, 'JP')
    }
    assert.deepEqual([geo.counts.loads, geo.counts.failures], [2, 3])
    await geo.look()
    assert.equal(geo.counts.failures, 3, 'what was tried is not tried again')
    rmSync(file)
    await geo.look()
    assert.equal(geo.placeOf(address('192.0.2.1')).country, 'JP')
    put(whole, file)
    await geo.look()
    assert.equal(geo.placeOf(address('192.0.2.1')).country, 'DE')
  })

  it('that are not there know nothing, and may come later', async () => {
    assert.equal((await geoOf()).isKnown, false)
    const file = join(folder, 'later.mmdb')
    const geo = await geoOf(file)
    assert.deepEqual([geo.isKnown, geo.placeOf(1)], [false, { country: null, as: null }])
    put(mmdbOf(countries), file)
    await geo.look()
    assert.equal(geo.isKnown, true)
  })
})

it('a record is taken as far as it is one, whatever else is in it', () => {
  assert.deepEqual(placeOf({ country: 'US', asn: '15169', name: ' A\u0000\n\u202eB ' }), {
    country: 'US',
    as: { number: 15_169, name: 'A B' },
  })
  for (const odd of [null, 'DE', 1, [], { country: { iso_code: 'de' } }, { country_code: '<b>' }, { asn: -1 }])
    assert.deepEqual(placeOf(odd), { country: null, as: null })
  for (const asn of [0, 1.5, 2 ** 32, 'AS', 'ASx', Number.NaN, '99999999999'])
    assert.equal(placeOf({ asn }).as, null, String(asn))
  assert.equal(placeOf({ asn: 1, as_name: 'x'.repeat(1_000) }).as?.name.length, 100)
  assert.deepEqual(placeOf(Object.create({ country_code: 'DE' })), { country: null, as: null })
})
