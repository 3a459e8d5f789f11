import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { addressBits, addressesIn, hasAddress } from './address-bits.ts'

const network = 0xc0000200

it('addresses of a /24 are the same after they were text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 255 })), (places) => {
      const sorted = places.toSorted((a, b) => a - b).map((place) => network + place)
      const bits = addressBits(places.map((place) => network + place))
      assert.match(bits, /^[0-9a-f]{64}$/)
      assert.deepEqual(addressesIn(network, bits), sorted)
      for (let place = 0; place < 256; place++) assert.equal(hasAddress(bits, network + place), places.includes(place))
    }),
  )
})

it('what is no such text has no addresses', () => {
  assert.deepEqual([addressesIn(network, ''), addressesIn(network, 'zz'), hasAddress('', network)], [[], [], false])
  assert.equal(addressesIn(network, 'f'.repeat(100)).length, 256)
})
