import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExporterPlaces } from './exporter-places.ts'

describe('exporter places', () => {
  it('has each address once, whatever its streams, and starts again with each slot', () => {
    const places = new ExporterPlaces((stream) => ['192.0.2.1', '192.0.2.2', '192.0.2.1', ''][stream])
    assert.deepEqual(
      [0, 1, 2, 3].map((stream) => places.placeOf(stream)),
      [1, 2, 1, 0],
    )
    assert.deepEqual(places.take(), ['', '192.0.2.1', '192.0.2.2'])
    assert.equal(places.placeOf(1), 1)
    assert.deepEqual(places.take(), ['', '192.0.2.2'])
  })

  it('has as many as a column can tell; others share the first place', () => {
    const places = new ExporterPlaces((stream) => String(stream))
    for (let stream = 0; stream < 70_000; stream++) {
      assert.equal(places.placeOf(stream), stream + 1 < 1 << 16 ? stream + 1 : 0)
    }
    assert.equal(places.take().length, 1 << 16)
  })
})
