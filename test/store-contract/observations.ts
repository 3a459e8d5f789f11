// The contract's part on names that resolvers elsewhere were asked for.
import assert from 'node:assert/strict'
import type { NameOrAddress, SavedObservation } from '../../src/store/store.ts'
import type { StoreCase } from '../store-contract.ts'

const observation = (name: string, confirmedMs: number, more: Partial<SavedObservation> = {}): SavedObservation => ({
  name,
  address: 0xc000_0201,
  chain: ['cdn.example'],
  firstMs: 1,
  fromMs: 2,
  confirmedMs,
  ttlSeconds: 60,
  count: 3,
  source: 'dnstap',
  sensor: 'ns1',
  ...more,
})
const everything = { confirmedSinceMs: 0, max: 10_000 }

export const observationCases: StoreCase[] = [
  {
    name: 'the latest confirmation of an observation stays, with when it was first seen and how often at most',
    async run({ open }) {
      const store = await open()
      const other = observation('b.example', 100)
      await store.saveObservations([observation('a.example', 100), other])
      const later = observation('a.example', 200, {
        chain: [],
        firstMs: 150,
        fromMs: 150,
        count: 2,
        source: 'import',
        sensor: 'ns2',
      })
      await store.saveObservations([later])
      await store.saveObservations([
        observation('a.example', 100),
        observation('b.example', 90, { firstMs: 0, count: 9 }),
      ])
      Object.assign(other, { firstMs: 0, count: 9 })
      const kept = { ...later, firstMs: 1, count: 3 }
      assert.deepEqual(await (await open()).loadObservations(everything), [other, kept])
    },
  },
  {
    name: 'the observations confirmed last are read, in the order in which they were',
    async run({ open }) {
      const store = await open()
      const all = [1, 2, 3, 4].map((confirmedMs) => observation(`${9 - confirmedMs}.example`, confirmedMs))
      await store.saveObservations(all.toReversed())
      assert.deepEqual(await store.loadObservations({ confirmedSinceMs: 2, max: 10 }), all.slice(1))
      assert.deepEqual(await store.loadObservations({ confirmedSinceMs: 0, max: 2 }), all.slice(2))
    },
  },
  {
    name: 'bindings and observations are found by name and by address, those confirmed last first',
    async run({ open }) {
      const store = await open()
      const more = [
        observation('a.example', 3),
        observation('a.example', 5, { address: 7 }),
        observation('b.example', 4),
      ]
      await store.saveObservations(more)
      const found = async (asked: NameOrAddress, max = 9) =>
        (await store.observationsOf(asked, max)).map(({ confirmedMs }) => confirmedMs)
      assert.deepEqual(await found({ name: 'a.example' }), [5, 3])
      assert.deepEqual(await found({ address: 0xc000_0201 }), [4, 3])
      assert.deepEqual(await found({ address: 0xc000_0201 }, 1), [4])
      assert.deepEqual(await found({ name: 'c.example' }), [])
      assert.deepEqual(await store.observationsOf({ address: 7 }, 9), [more[1]])
      const bindings = more.map(({ firstMs: _, count: __, source: ___, sensor: ____, ...binding }) => binding)
      await store.saveBindings(bindings)
      assert.deepEqual(await store.bindingsOf({ name: 'a.example' }, 9), [bindings[1], bindings[0]])
      assert.deepEqual(await store.bindingsOf({ address: 0xc000_0201 }, 1), [bindings[2]])
    },
  },
  {
    name: 'observations that were not confirmed for long are forgotten, then those confirmed longest ago until no more than the bound are left',
    async run({ open }) {
      const store = await open()
      const numbers = Array.from({ length: 1_500 }, (_, number) => number)
      await store.saveObservations(numbers.map((number) => observation(`${number}.example`, number)))
      assert.equal(await store.pruneObservations({ confirmedBeforeMs: 400, max: 2_000 }), 400)
      assert.equal(await store.pruneObservations({ confirmedBeforeMs: 400, max: 700 }), 400)
      assert.equal(await store.pruneObservations({ confirmedBeforeMs: 400, max: 700 }), 0)
      const left = await store.loadObservations(everything)
      assert.deepEqual(
        left.map(({ confirmedMs }) => confirmedMs),
        numbers.slice(800),
      )
    },
  },
]
