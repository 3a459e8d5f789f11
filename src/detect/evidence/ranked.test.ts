import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../test/helpers/random.ts'
import { ranked } from './ranked.ts'

test('each rank has the value that sorting gives it', () => {
  const random = createRandom(7)
  for (const below of [3, 70_000, 2 ** 32]) {
    for (const length of [300, 5_000]) {
      const values = Uint32Array.from({ length }, () => random(below))
      const sorted = values.toSorted()
      for (let rank = 0; rank < length; rank += length / 100) assert.equal(ranked(values, rank), sorted[rank])
    }
  }
})

test('the greatest value is found', () => {
  const values = new Uint32Array(5_000)
  values.set([65_536, 2 ** 32 - 1])
  assert.deepEqual([ranked(values, 4_997), ranked(values, 4_998), ranked(values, 4_999)], [0, 65_536, 2 ** 32 - 1])
})
