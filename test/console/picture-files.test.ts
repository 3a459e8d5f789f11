import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../helpers/random.ts'
import { differenceFile, differing, indexedFile, type Picture, readPicture, reduced } from './picture-files.ts'

/** A white page with a dark box on it. */
function page(left: number, color: readonly number[] = [20, 24, 31]): Picture {
  const [width, height] = [240, 120]
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 40; y < 80; y++) for (let x = left; x < left + 60; x++) data.set(color, (y * width + x) * 4)
  return { width, height, data }
}

test('a picture that is kept is what was taken', () => {
  const small = reduced(page(60))
  assert.deepEqual([small.width, small.height], [240, 120])
  const kept = readPicture(indexedFile(small))
  assert.deepEqual(Buffer.compare(kept.data, small.data), 0)
  assert.equal(differing(kept, reduced(page(60))), 0)
})

test('what is moved, has another colour or another size differs', () => {
  const small = reduced(page(60))
  assert.ok(differing(small, reduced(page(64))) > 30)
  assert.ok(differing(small, reduced(page(60, [200, 55, 45]))) > 30)
  assert.equal(differing(small, { width: 1, height: 1, data: Buffer.alloc(4) }), Number.POSITIVE_INFINITY)
  assert.equal(differing(small, reduced(page(60, [22, 26, 33]))), 0)
  const shown = readPicture(differenceFile(small, reduced(page(64))))
  assert.deepEqual([shown.width, shown.height], [240, 120])
  assert.ok(differing(small, shown) > 0)
})

test('of many colours 256 are kept, a rare one that is unlike the others among them', () => {
  const random = createRandom(3)
  const [width, height] = [200, 200]
  const data = Buffer.from(Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? 255 : random(256))))
  for (let at = 0; at < data.length; at += 4) data[at + 1] = data[at]
  data.set([0, 255, 0, 255], 4 * 1_000)
  const small = reduced({ width, height, data })
  assert.deepEqual([...small.data.subarray(4 * 1_000, 4 * 1_000 + 3)], [0, 255, 0])
  const kept = readPicture(indexedFile(small))
  assert.equal(Buffer.compare(kept.data, small.data), 0)
})
