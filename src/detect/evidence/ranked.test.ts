import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../test/helpers/random.ts'
import { ranked } from './ranked.ts'

test('each rank has the value that sorting gives it', () => {
  const random = createRandom(7)
  for (const below of [3, 70_000, 2 ** 32]) {
    const values = Uint32Array.from({ length: 300 }, () => random(below))
    const sorted = values.toSorted()
    for (let rank = 0; rank < values.length; rank++) assert.equal(ranked(values, rank), sorted[rank])
  }
})

test('the greatest value is found', () => {
  assert.equal(ranked(Uint32Array.of(2 ** 32 - 1, 0, 65_536), 2), 2 ** 32 - 1)
})
