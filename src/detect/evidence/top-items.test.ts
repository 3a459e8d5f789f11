import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ListMemory } from './list-memory.ts'
import { TopItems } from './top-items.ts'

function topOf(stream: number[], placesMax: number) {
  const top = new TopItems(placesMax, new ListMemory(1 << 20))
  for (const item of stream) top.add(item, 1, 2, 100, 1)
  return top
}

const countOf = (stream: number[], item: number) => stream.filter((other) => other === item).length

describe('top items', () => {
  it('is exact while it has a place for every item', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 }), (stream) => {
        const top = topOf(stream, 64)
        assert.equal(top.size, new Set(stream).size)
        for (let row = 0; row < top.size; row++) {
          assert.equal(top.flows(row), countOf(stream, top.item(row)))
          assert.equal(top.packets(row), 2 * top.flows(row))
        }
      }),
    )
  })

  it('never counts too much, and never loses an item heavier than its cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.nat(500).map((x) => Math.floor(x ** 2 / 500)),
          { maxLength: 2_000 },
        ),
        (stream) => {
          const top = topOf(stream, 32)
          assert.ok(top.size <= 32)
          const rows = new Map(Array.from({ length: top.size }, (_, row) => [top.item(row), row]))
          for (const item of new Set(stream)) {
            const row = rows.get(item)
            const count = countOf(stream, item)
            if (row === undefined) assert.ok(count <= top.cut, `${item} with ${count} is lost, the cut is ${top.cut}`)
            else assert.ok(top.flows(row) <= count && top.flows(row) >= count - top.cut)
          }
        },
      ),
    )
  })

  it('orders by flows, then packets, then item', () => {
    const top = new TopItems(16, new ListMemory(0))
    top.add(5, 1, 1, 1, 0)
    top.add(4, 1, 1, 1, 0)
    top.add(9, 1, 3, 1, 0)
    top.add(1, 2, 1, 1, 0)
    assert.deepEqual(
      top.heaviest(3).map((row) => top.item(row)),
      [1, 9, 4],
    )
  })

  it('gives the heaviest of any number, in order', () => {
    const flows = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 100 })
    fc.assert(
      fc.property(flows, fc.nat(60), (given, count) => {
        const top = new TopItems(128, new ListMemory(1 << 10))
        given.forEach((each, item) => {
          top.add(item, each, 1, 1, 0)
        })
        const expected = given.map((each, item) => ({ each, item })).sort((a, b) => b.each - a.each || a.item - b.item)
        assert.deepEqual(
          top.heaviest(count).map((row) => top.item(row)),
          expected.slice(0, count).map(({ item }) => item),
        )
      }),
    )
  })

  it('takes places from a common store and gives them back', () => {
    const places = new ListMemory(20)
    const top = new TopItems(1_024, places)
    for (let item = 0; item < 40; item++) top.add(item, 1, 1, 1, 0)
    assert.equal(top.capacity, 16)
    assert.equal(places.left, 8)
    assert.ok(places.dropped >= 24)
    top.release()
    assert.equal(places.left, 20)
    assert.equal(top.size, 0)
  })

  it('takes places from a longer list when there are no others, and that list keeps its heavy items', () => {
    const places = new ListMemory(1_020)
    const long = new TopItems(1_024, places)
    for (let item = 0; item < 1_024; item++) long.add(item, item < 100 ? 2 : 1, 1, 1, 0)
    const short = new TopItems(1_024, places)
    for (let item = 0; item < 256; item++) short.add(item, 1, 1, 1, 0)
    assert.equal(short.size, 256)
    assert.equal(short.cut, 0)
    assert.equal(long.capacity, 512)
    const kept = new Set(long.heaviest(100).map((row) => long.item(row)))
    for (let item = 0; item < 100; item++) assert.ok(kept.has(item))
    // As long as each other, neither takes from the other any more.
    for (let item = 0; item < 2_000; item++) short.add(item, 1, 1, 1, 0)
    assert.equal(short.capacity, 512)
    assert.equal(long.capacity, 512)
    for (const list of [long, short]) list.release()
    assert.equal(places.left, 1_020)
  })

  it('says so before it drops items', () => {
    let told = 0
    const top = new TopItems(8, new ListMemory(100), () => told++)
    for (let item = 0; item < 8; item++) top.add(item, 1, 1, 1, 0)
    assert.equal(told, 0)
    top.add(8, 1, 1, 1, 0)
    assert.equal(told, 1)
  })
})
