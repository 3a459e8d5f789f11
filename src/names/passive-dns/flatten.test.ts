import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWithin } from '../../net/hostname.ts'
import type { PassiveRecord } from './cof.ts'
import { Flattening } from './flatten.ts'

const minute = 60_000
const wants = (name: string) => isWithin(name, 'example.com')

interface Given extends Partial<Omit<PassiveRecord, 'name'>> {
  at: [firstMinute: number, lastMinute: number]
}

function flattened(records: Record<string, Given | Given[]>, valuesMax?: number) {
  const flattening = new Flattening({
    source: 'import',
    wants,
    graceMs: 30 * minute,
    ...(valuesMax !== undefined && { valuesMax }),
  })
  for (const [name, given] of Object.entries(records)) {
    for (const { at, ...more } of [given].flat()) {
      const [firstMs, lastMs] = at.map((each) => each * minute)
      flattening.add({ name, addresses: [], targets: [], firstMs, lastMs, count: 1, sensor: '', ...more })
    }
  }
  const found = [...flattening.observations()].map(
    ({ name, chain, address, fromMs, confirmedMs }) =>
      `${[name, ...chain, address].join(' ')} ${fromMs / minute}-${confirmedMs / minute}`,
  )
  return { found: found.toSorted(), omitted: flattening.omitted, flattening }
}

describe('passive DNS put together', () => {
  it('is where the names of sites led, directly and by aliases, in whichever order the records come', () => {
    const { found } = flattened({
      'edge.example.net': { addresses: [1, 2], at: [0, 100] },
      'www.example.com': { targets: ['a.example.com'], at: [10, 90] },
      'a.example.com': { targets: ['edge.example.net'], at: [20, 200] },
      'shop.example.com': { addresses: [3], at: [5, 6] },
      'other.example.net': { addresses: [4], at: [0, 100] },
    })
    assert.deepEqual(found, [
      'a.example.com edge.example.net 1 20-100',
      'a.example.com edge.example.net 2 20-100',
      'shop.example.com 3 5-6',
      'www.example.com a.example.com edge.example.net 1 20-90',
      'www.example.com a.example.com edge.example.net 2 20-90',
    ])
  })

  it('holds together when its records were seen not too long one after the other', () => {
    const { found } = flattened({
      'www.example.com': { targets: ['edge.example.net'], at: [0, 10] },
      'edge.example.net': [
        { addresses: [1], at: [40, 40] },
        { addresses: [2], at: [41, 50] },
      ],
    })
    assert.deepEqual(found, ['www.example.com edge.example.net 1 40-40'])
  })

  it('is one time where the same was seen twice without a long break, and two where there was one', () => {
    const { found } = flattened({
      'www.example.com': [
        { addresses: [1], at: [0, 10] },
        { addresses: [1], at: [40, 60] },
        { addresses: [1], at: [100, 100] },
      ],
    })
    assert.deepEqual(found, ['www.example.com 1 0-60', 'www.example.com 1 100-100'])
  })

  it('follows no loop, nor chains that are too long', () => {
    const hops = Array.from({ length: 20 }, (_, i) => [
      `${i}.example.net`,
      { targets: [`${i + 1}.example.net`], at: [0, 1] },
    ])
    const { found } = flattened({
      'a.example.com': { targets: ['b.example.com'], at: [0, 1] },
      'b.example.com': { targets: ['a.example.com'], at: [0, 1] },
      'www.example.com': { targets: ['0.example.net'], at: [0, 1] },
      'short.example.com': { targets: ['6.example.net'], at: [0, 1] },
      ...Object.fromEntries(hops),
      '20.example.net': { addresses: [1], at: [0, 1] },
    })
    assert.deepEqual(
      found.map((each) => each.split(' ')[0]),
      ['short.example.com'],
    )
  })

  it('is bounded by name, in all and in the ways from a name, and the names of others do not crowd out those of sites', () => {
    const many = Array.from({ length: 300 }, (_, i) => i + 1)
    const one = flattened({ 'www.example.com': { addresses: many, at: [0, 1] } })
    assert.deepEqual([one.found.length, one.omitted], [256, 44])
    const others = Object.fromEntries(
      many.map((i) => [`${i}.example.net`, { addresses: [i], at: [0, 1] as [number, number] }]),
    )
    const all = flattened({ ...others, 'www.example.com': { addresses: [1], at: [0, 1] } }, 100)
    assert.deepEqual([all.found.length, all.omitted], [1, 200])
    // Each of 17 levels has eight ways on to the next: whoever goes each of them does not come to an end.
    const level = (i: number) => many.slice(0, 8).map((j) => `${i}-${j}.example.net`)
    const tree = Array.from({ length: 17 }, (_, i) =>
      level(i).map((name) => [name, { targets: level(i + 1), at: [0, 1] }]),
    )
    const wide = flattened({ 'www.example.com': { targets: level(0), at: [0, 1] }, ...Object.fromEntries(tree.flat()) })
    assert.deepEqual([wide.found.length, wide.omitted], [0, 1])
  })
})
