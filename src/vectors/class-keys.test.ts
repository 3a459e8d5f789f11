import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClassKeys, matchOf } from './class-keys.ts'
import { vectors } from './vectors.ts'

test('every class has a key of its own, which finds it in another order of the table', () => {
  const keys = new ClassKeys(vectors)
  const reversed = new ClassKeys(vectors.toReversed())
  for (let trafficClass = 0; trafficClass <= vectors.length; trafficClass++) {
    const key = keys.keyOf(trafficClass)
    assert.ok(Number.isInteger(key) && key >= 0 && key < 2 ** 32)
    assert.equal(keys.classOf(key), trafficClass)
    assert.equal(reversed.classOf(key), trafficClass === 0 ? 0 : vectors.length + 1 - trafficClass)
  }
  assert.equal(keys.classOf(0xffff_ffff), null)
})

test('a key says which packets it names, but for peers', () => {
  const keys = new ClassKeys(vectors)
  for (const [row, { match }] of vectors.entries()) {
    const { notPeers: _, ...named } = match
    assert.deepEqual(matchOf(keys.keyOf(row + 1)), named)
  }
  assert.deepEqual([matchOf(0), matchOf(0xff00_0000)], [null, null])
})
