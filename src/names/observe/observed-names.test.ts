import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SavedObservation } from '../bindings/bindings.ts'
import { type ObservedAnswer, ObservedNames, type ObservedNamesOptions } from './observed-names.ts'
import type { Scope } from './scope.ts'

const minute = 60_000
const graceMs = 30 * minute
const scope: Scope = { names: new Set(['www.example.com']), zones: new Set(['example.com', 'shop.example.com']) }

function create(options: Partial<ObservedNamesOptions> = {}, given: Scope = scope): ObservedNames {
  const observed = new ObservedNames({ graceMs, staleMs: 24 * 60 * minute, ...options })
  observed.setScope(given)
  return observed
}

const tell = (name: string, addresses: number[], more: Partial<ObservedAnswer> = {}): ObservedAnswer => ({
  name,
  addresses,
  chain: [],
  ttlSeconds: 60,
  source: 'dnstap',
  sensor: 's',
  ...more,
})
/** The names that lead to the address, with their aliases. */
const at = (observed: ObservedNames, address: number) =>
  Array.from(observed.bindings.at(address), ({ name, chain }) => [name, ...chain].join(' > ')).toSorted()

describe('ObservedNames', () => {
  it('takes names at and below sites, and no others', () => {
    const observed = create()
    const names = ['example.com', 'a.example.com', 'b.a.example.com', 'www.example.com', 'x.example.net', 'com']
    assert.deepEqual(
      names.map((name) => observed.wants(name)),
      [true, true, true, true, false, false],
    )
    for (const name of names) observed.take(tell(name, [1]), 0)
    assert.deepEqual(at(observed, 1), ['a.example.com', 'b.a.example.com', 'example.com', 'www.example.com'])
  })

  it('has each in passive-DNS form', () => {
    const observed = create()
    observed.take(tell('a.example.com', [1], { chain: ['e.example.net'] }), 5)
    observed.take(tell('a.example.com', [1], { chain: ['f.example.net'], ttlSeconds: 30, sensor: 't' }), minute)
    assert.deepEqual(
      [...observed.bindings.all()],
      [
        {
          ...{
            name: 'a.example.com',
            address: 1,
            chain: ['f.example.net'],
            ttlSeconds: 30,
            source: 'dnstap',
            sensor: 't',
            count: 2,
          },
          ...{ firstMs: 5, fromMs: 5, confirmedMs: minute, validToMs: minute + graceMs },
        },
      ],
    )
  })

  it('tells for which names an address has become live', () => {
    const observed = create()
    const path = { chain: ['e.example.net', 'www.example.com'] }
    assert.deepEqual(observed.take(tell('a.example.com', [1, 2], path), 0), ['a.example.com', 'www.example.com'])
    assert.deepEqual(observed.take(tell('a.example.com', [1]), minute), [])
    assert.deepEqual(observed.take(tell('www.example.com', [1, 3]), minute), ['www.example.com'])
    assert.deepEqual(observed.take(tell('a.example.com', [1]), minute + graceMs), ['a.example.com'])
  })

  it('names on the way that are of sites lead there, too', () => {
    const observed = create()
    observed.take(tell('a.example.com', [1], { chain: ['e.example.net', 'b.example.com'] }), 0)
    assert.deepEqual(at(observed, 1), ['a.example.com > e.example.net > b.example.com', 'b.example.com'])
  })

  it('puts together what several answers tell of one chain', () => {
    const observed = create()
    observed.take(tell('a.example.com', [], { chain: ['e.example.net'] }), 0)
    assert.equal(observed.wants('e.example.net'), true)
    observed.take(tell('e.example.net', [], { chain: ['f.example.org'] }), 0)
    assert.deepEqual(observed.take(tell('f.example.org', [1]), 0), ['a.example.com'])
    const whole = 'a.example.com > e.example.net > f.example.org'
    assert.deepEqual(at(observed, 1), [whole])
    // The first alias told again changes nothing about the rest.
    observed.take(tell('a.example.com', [], { chain: ['e.example.net'] }), minute)
    observed.take(tell('f.example.org', [2]), minute)
    assert.deepEqual(at(observed, 2), [whole])
    // It leads elsewhere now.
    observed.take(tell('a.example.com', [3]), 2 * minute)
    observed.take(tell('f.example.org', [4]), 2 * minute)
    assert.deepEqual([at(observed, 3), at(observed, 4)], [['a.example.com'], []])
    assert.equal(observed.wants('f.example.org'), false)
  })

  it('a name that comes to lead where others do leads there at once, while the TTL lasts', () => {
    const observed = create()
    const target = tell('e.example.net', [1], { ttlSeconds: 60 })
    observed.take(tell('a.example.com', [], { chain: ['e.example.net'] }), 0)
    observed.take(target, 0)
    assert.deepEqual(observed.take(tell('b.example.com', [], { chain: ['e.example.net'] }), minute - 1), [
      'b.example.com',
    ])
    assert.deepEqual(observed.take(tell('c.example.com', [], { chain: ['e.example.net'] }), minute), [])
    assert.deepEqual(at(observed, 1), ['a.example.com > e.example.net', 'b.example.com > e.example.net'])
    observed.take(tell('e.example.net', [], { chain: ['f.example.net'] }), minute)
    observed.take(tell('f.example.net', [2]), minute)
    observed.take(tell('d.example.com', [], { chain: ['e.example.net'] }), minute)
    assert.deepEqual(at(observed, 2).at(-1), 'd.example.com > e.example.net > f.example.net')
  })

  it('what a target leads to is passed on to its names once a second', () => {
    const observed = create()
    observed.take(tell('a.example.com', [], { chain: ['e.example.net'] }), 0)
    const countAt = (nowMs: number) => {
      observed.take(tell('e.example.net', [1]), nowMs)
      return [...observed.bindings.at(1)].map(({ count }) => count)
    }
    assert.deepEqual([0, 999, 1_000].map(countAt), [[1], [1], [2]])
  })

  it('an alias that was not confirmed for long says nothing any more', () => {
    const observed = create()
    observed.take(tell('a.example.com', [], { chain: ['e.example.net'] }), 0)
    observed.take(tell('e.example.net', [1]), graceMs)
    assert.deepEqual(at(observed, 1), [])
    assert.equal(observed.wants('e.example.net'), false)
  })

  it('counts chains that are loops or too long', () => {
    const observed = create()
    const names = Array.from({ length: 20 }, (_, i) => `${i}.example.net`)
    observed.take(tell('a.example.com', [], { chain: names.slice(0, 10) }), 0)
    observed.take(tell('9.example.net', [1], { chain: names.slice(10) }), 0)
    observed.take(tell('9.example.net', [1], { chain: ['0.example.net'] }), 1_000)
    assert.deepEqual([observed.broken, at(observed, 1)], [2, []])
  })

  it('bounds the addresses of a name', () => {
    const observed = create()
    for (let i = 0; i < 300; i++) observed.take(tell('a.example.com', [i]), i)
    assert.deepEqual([observed.bindings.size, observed.bindings.evicted], [256, 44])
  })

  it('of a zone with too many names gives up those seen once, the oldest first; those that last, last', () => {
    const observed = create({ namesPerGroupMax: 10 })
    for (const nowMs of [0, minute]) for (let i = 0; i < 5; i++) observed.take(tell(`real${i}.example.com`, [i]), nowMs)
    for (let i = 0; i < 1_000; i++) observed.take(tell(`made-up${i}.example.com`, [9]), minute + i)
    observed.take(tell('www.example.com', [0]), minute)
    for (let i = 0; i < 5; i++) assert.ok(at(observed, i).includes(`real${i}.example.com`))
    assert.deepEqual(
      at(observed, 9),
      [995, 996, 997, 998, 999].map((i) => `made-up${i}.example.com`),
    )
    assert.deepEqual([observed.size, observed.evicted], [11, { zone: 995, full: 0 }])
  })

  it('leaves room for what is new where all others last', () => {
    const observed = create({ namesPerGroupMax: 10 })
    for (const nowMs of [0, minute])
      for (let i = 0; i < 10; i++) observed.take(tell(`real${i}.example.com`, [i]), nowMs + i)
    for (let nowMs = 2 * minute; nowMs <= 3 * minute; nowMs += minute)
      observed.take(tell('new.example.com', [99]), nowMs)
    assert.deepEqual([at(observed, 99), observed.size], [['new.example.com'], 10])
    assert.deepEqual(
      [at(observed, 0), at(observed, 8), at(observed, 9)],
      [['real0.example.com'], [], ['real9.example.com']],
    )
  })

  /** What a zone with `count` names says about them: that they last. */
  const zoneTold = (count: number, atMs: number): SavedObservation[] =>
    Array.from({ length: count }, (_, i) => ({
      ...{
        name: `n${i}.example.com`,
        address: i,
        chain: [],
        ttlSeconds: 60,
        count: 1,
        source: 'zone' as const,
        sensor: 'zone example.com',
      },
      ...{ firstMs: atMs - minute, fromMs: atMs, confirmedMs: atMs },
    }))
  const known = (observed: ObservedNames) => new Set(Array.from(observed.bindings.all(), ({ name }) => name))

  it('of a zone with more names that last than there is room for, the same stay known', () => {
    const observed = create({ namesPerGroupMax: 100 })
    for (const each of zoneTold(300, minute)) observed.include(each, minute)
    const first = known(observed)
    assert.deepEqual([first.size, observed.outweighed], [100, 200])
    for (let atMs = 2 * minute; atMs < 300 * minute; atMs += minute) {
      let hasBegun = false
      for (const each of zoneTold(300, atMs)) hasBegun ||= observed.include(each, atMs)
      assert.ok(!hasBegun)
    }
    assert.deepEqual(known(observed), first)
    assert.deepEqual(observed.evicted, { zone: 0, full: 0 })
  })

  it('and of those, the ones that are asked for, or to whose addresses there is traffic, come to be known', () => {
    const observed = create({ namesPerGroupMax: 100 })
    const tellAll = (atMs: number) => {
      for (const each of zoneTold(300, atMs)) observed.include(each, atMs)
    }
    const asked = Array.from({ length: 20 }, (_, i) => `n${250 + i}.example.com`)
    for (let atMs = minute; atMs < 60 * minute; atMs += minute) {
      if (atMs % (15 * minute) === minute) tellAll(atMs)
      for (const name of asked) observed.take(tell(name, [Number(name.slice(1, 4))]), atMs)
    }
    assert.ok(asked.every((name) => known(observed).has(name)))
    const busy = [...known(observed)].slice(0, 30).map((name) => Number(name.slice(1).split('.')[0]))
    const [unknown] = [299]
    observed.noteTraffic([...busy, unknown], 60 * minute)
    observed.take(tell('www.example.com', [unknown]), 60 * minute)
    observed.noteTraffic([unknown], 60 * minute)
    for (let atMs = 61 * minute; atMs < 200 * minute; atMs += 15 * minute) tellAll(atMs)
    assert.ok([...asked, `n${unknown}.example.com`].every((name) => known(observed).has(name)))
    assert.equal(observed.size, 101)
  })

  it('a name that was asked for long ago gives way to one that is asked for now', () => {
    const observed = create({ namesPerGroupMax: 10 })
    const ask = (from: number, to: number, atMs: number) => {
      for (let i = from; i < to; i++) observed.take(tell(`real${i}.example.com`, [i]), atMs)
    }
    for (let atMs = 0; atMs < 60 * minute; atMs += minute) ask(0, 8, atMs)
    for (let atMs = 600 * minute; atMs < 610 * minute; atMs += minute) ask(8, 10, atMs)
    for (let i = 0; i < 100; i++) observed.take(tell(`made-up${i}.example.com`, [99]), 610 * minute)
    const lasting = [...known(observed)].filter((name) => name.startsWith('real'))
    assert.equal(lasting.length, 8)
    assert.ok(lasting.includes('real8.example.com') && lasting.includes('real9.example.com'))
  })

  it('zones that share the room in all come to rest', () => {
    const zones = ['a', 'b', 'c', 'd'].map((label) => `${label}.example`)
    const observed = create({ sizeMax: 1_000 }, { names: new Set(), zones: new Set(zones) })
    const tellAll = (atMs: number) => {
      for (const zone of zones) {
        const count = zone.startsWith('a') ? 20 : 400
        for (const each of zoneTold(count, atMs)) {
          observed.include({ ...each, name: each.name.replace('example.com', zone) }, atMs)
        }
      }
    }
    for (let atMs = minute; atMs < 10 * minute; atMs += minute) tellAll(atMs)
    const first = known(observed)
    const { full } = observed.evicted
    for (let atMs = 10 * minute; atMs < 100 * minute; atMs += minute) tellAll(atMs)
    assert.deepEqual([known(observed), observed.evicted.full], [first, full])
    assert.ok(observed.size + observed.bindings.size <= 1_000)
    assert.equal([...first].filter((name) => name.endsWith('a.example')).length, 20)
  })

  it('when there are too many in all, the largest zone gives way', () => {
    const observed = create({ sizeMax: 100 })
    observed.take(tell('a.shop.example.com', [1]), 0)
    for (let i = 0; i < 500; i++) observed.take(tell(`${i}.example.com`, [i, i + 1]), i)
    assert.deepEqual(at(observed, 1).at(-1), 'a.shop.example.com')
    assert.deepEqual([observed.size + observed.bindings.size <= 100, observed.evicted], [true, { zone: 0, full: 468 }])
  })

  it('follows the sites: what is of none any more is forgotten, the rest is where it belongs now', () => {
    const observed = create({ namesPerGroupMax: 4 })
    for (let i = 0; i < 4; i++) observed.take(tell(`${i}.example.com`, [1]), 0)
    for (let i = 0; i < 2; i++) observed.take(tell(`${i}.shop.example.com`, [2]), 0)
    observed.take(tell('www.example.com', [3]), 0)
    observed.setScope({ names: new Set(), zones: new Set(['shop.example.com']) })
    assert.deepEqual([at(observed, 1), at(observed, 2).length, at(observed, 3)], [[], 2, []])
    observed.setScope({ names: new Set(), zones: new Set(['example.com']) })
    for (let i = 0; i < 3; i++) observed.take(tell(`${i}.example.com`, [1]), 1)
    assert.deepEqual([at(observed, 1).length, at(observed, 2)], [3, ['1.shop.example.com']])
  })

  it('knows after a restart those that last, as far as they are still of sites', () => {
    const observed = create()
    for (const nowMs of [0, minute])
      for (const name of ['a', 'b.shop']) observed.take(tell(`${name}.example.com`, [1]), nowMs)
    observed.take(tell('once.example.com', [1]), minute)
    const saved = structuredClone(observed.save(0))
    assert.deepEqual([saved.length, observed.save(minute + 1)], [2, []])
    const next = create({ namesPerGroupMax: 2 }, { names: new Set(), zones: new Set(['shop.example.com']) })
    const nowMs = 120 * minute
    next.load(saved, nowMs)
    assert.deepEqual([at(next, 1), next.size], [['b.shop.example.com'], 1])
    const [{ firstMs, count, validToMs }] = next.bindings.at(1)
    assert.deepEqual([firstMs, count, validToMs], [0, 2, nowMs + graceMs])
    // It still outlives what is seen once.
    for (let i = 0; i < 9; i++) next.take(tell(`${i}.shop.example.com`, [2]), nowMs)
    assert.deepEqual(at(next, 1), ['b.shop.example.com'])
  })

  it('forgets what ended long ago', () => {
    const observed = create()
    observed.take(tell('a.example.com', [1]), 0)
    observed.take(tell('b.example.com', [], { chain: ['e.example.net'] }), 0)
    observed.prune(graceMs)
    assert.deepEqual([observed.size, observed.wants('e.example.net')], [1, false])
    observed.prune(graceMs + 24 * 60 * minute)
    assert.equal(observed.size, 0)
  })
})
