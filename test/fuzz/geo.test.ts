import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { Database } from '../../src/geo/database.ts'
import { mmdbOf } from '../helpers/encode/mmdb.ts'
import { fuzz } from '../helpers/fuzz.ts'
import { fuzzMs, mutated, mutations } from './bytes.ts'

const good = ([24, 28, 32] as const).map((recordSize, n) =>
  mmdbOf(
    [
      ['192.0.2.0/24', { country: { iso_code: 'DE', names: { en: 'Germany' } } }],
      ['198.51.100.0/25', { asn: 'AS64511', as_name: 'Other', tags: ['a', true] }],
    ],
    { recordSize, ipVersion: n === 1 ? 6 : 4 },
  ),
)
const known = [0xc000_0201, 0xc633_6401]

it('damaged databases: an error, or a place that is one', () => {
  const property = fc.property(
    fc.constantFrom(...good),
    mutations,
    fc.array(fc.oneof(fc.constantFrom(...known), fc.nat(0xffff_ffff)), { maxLength: 8 }),
    (database, list, addresses) => {
      const read = attempt(() => new Database(Buffer.from(mutated(database, list))))
      if (read === null) return
      for (const address of addresses) {
        const place = attempt(() => read.placeOf(address))
        if (place === null) continue
        assert.ok(place.country === null || /^[A-Z]{2}$/.test(place.country))
        if (place.as === null) continue
        assert.ok(Number.isInteger(place.as.number) && place.as.number > 0 && place.as.number < 2 ** 32)
        assert.doesNotMatch(place.as.name, /[\p{C}\n]/u)
      }
    },
  )
  fuzz(property, fuzzMs())
})

/** Null: it threw an error. */
function attempt<Value>(work: () => Value): Value | null {
  try {
    return work()
  } catch (error) {
    assert.ok(error instanceof Error)
    return null
  }
}
