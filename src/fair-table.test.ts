import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { createRandom } from '../test/helpers/random.ts'
import { FairTable, type Place, type Used, UseOrder, unused } from './fair-table.ts'

const max = 64
const minuteMs = 60_000

/** A table of texts, and what is left of it. */
function table(provenMax = 0, idleMs?: number) {
  const gone: string[] = []
  const places = new Map<string, Place<string>>()
  const fair = new FairTable<string>({
    ...{ max, provenMax, ...(idleMs !== undefined && { idleMs }) },
    onGiveWay: (entry) => {
      gone.push(entry)
      places.delete(entry)
    },
  })
  const take = (entry: string, holder: string, { weight = 1, nowMs = 0 } = {}) => {
    const place = fair.take(entry, { holder, weight, nowMs })
    if (place !== null) places.set(entry, place)
    return place
  }
  return { fair, gone, places, take }
}

describe('a table that strangers fill', () => {
  it('is filled by anybody while it has room', () => {
    const { fair, gone, take } = table()
    for (let i = 0; i < max; i++) take(`${i}`, 'one')
    assert.deepEqual([fair.size, gone], [max, []])
  })

  it('makes room with what who holds most used longest ago', () => {
    const { fair, gone, places, take } = table()
    for (const name of ['a', 'b']) take(name, 'small')
    for (let i = 2; i < max; i++) take(`${i}`, 'large')
    fair.touch(places.get('2') as Place<string>, 1)
    take('c', 'small')
    take('d', 'new')
    assert.deepEqual(gone, ['3', '4'])
  })

  it('lets nothing that comes once push out what the same holder uses again', () => {
    const { fair, gone, places, take } = table()
    take('used', 'one')
    for (let i = 0; i < 3 * max; i++) {
      take(`${i}`, 'one', { nowMs: i })
      if (i % 50 === 0) fair.touch(places.get('used') as Place<string>, i)
    }
    assert.equal(gone.includes('used'), false)
    assert.equal(gone[0], '0')
  })

  it('lets who holds most pay for its own next entry', () => {
    const { gone, take } = table()
    for (const name of ['a', 'b']) take(name, 'small')
    for (let i = 0; i < 3 * max; i++) take(`${i}`, 'large')
    assert.equal(gone.includes('a') || gone.includes('b'), false)
  })

  it('refuses what is larger than itself, and takes nothing from anybody for it', () => {
    const { gone, take } = table()
    take('a', 'one')
    assert.equal(take('b', 'two', { weight: max + 1 }), null)
    assert.deepEqual(gone, [])
  })

  it('counts by weight', () => {
    const { fair, gone, take } = table()
    take('small', 'many', { weight: 8 })
    take('large', 'one', { weight: 48 })
    take('next', 'many', { weight: 16 })
    assert.deepEqual([gone, fair.size], [['large'], 24])
  })

  it('says who crowds it', () => {
    const { fair, take } = table()
    take('a', 'one')
    for (let i = 0; i < max + 5; i++) take(`${i}`, 'many')
    assert.deepEqual(fair.crowding(), { size: max, max, gaveWay: 6, provenGaveWay: 0, holder: 'many', holds: max - 1 })
  })

  it('never takes a place from who holds less than half of an even share', () => {
    const step = fc.record({ who: fc.nat(7), weight: fc.integer({ min: 1, max: 6 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const { places, take, gone } = table()
        const holders = new Set(['honest', ...steps.map(({ who }) => `${who}`)])
        // With this weight it holds at most half of what is an even share, whoever comes.
        const honest = Math.floor(max / holders.size / 2)
        if (honest > 0) take('honest', 'honest', { weight: honest })
        for (const [i, { who, weight }] of steps.entries()) take(`${i}`, `${who}`, { weight })
        assert.equal(gone.includes('honest'), false)
        const held = [...places.values()].reduce((sum, { weight }) => sum + weight, 0)
        assert.ok(held <= max)
      }),
    )
  })
})

describe('what has proved itself', () => {
  it('gives way to no newcomer, from however many holders', () => {
    const { fair, gone, take } = table(32)
    for (let i = 0; i < 32; i++) fair.prove(take(`honest ${i}`, `router ${i % 4}`) as Place<string>, 0)
    for (let i = 0; i < 1_000; i++) take(`${i}`, `forged ${i}`)
    assert.equal(
      gone.some((entry) => entry.startsWith('honest')),
      false,
    )
    assert.equal(fair.crowding().provenGaveWay, 0)
  })

  it('leaves room for newcomers, and takes no more than half of an even share from who came to it before', () => {
    const { fair, places, take } = table(32)
    for (let i = 0; i < 40; i++) fair.prove(take(`${i}`, 'large') as Place<string>, 0)
    assert.equal([...places.values()].filter(({ isProven }) => isProven).length, 32)
    assert.equal(fair.prove(take('other', 'small') as Place<string>, 0), true)
    assert.equal([...places.values()].filter(({ isProven }) => isProven).length, 32)
    assert.equal(places.get('0')?.isProven, false, 'it is a newcomer again, but still there')
  })

  it('gives way to no crowd of later ones with less each, unless it has a sixteenth of the room', () => {
    const { fair, places, take } = table(48)
    for (let i = 0; i < 3; i++) fair.prove(take(`honest ${i}`, 'router') as Place<string>, 0)
    for (let i = 0; i < 60; i++) fair.prove(take(`${i}`, `forged ${i}`) as Place<string>, 0)
    for (let i = 0; i < 3; i++) assert.equal(places.get(`honest ${i}`)?.isProven, true)
  })

  it('gives way to nobody who holds as much', () => {
    const { fair, take } = table(32)
    for (let i = 0; i < 32; i++) fair.prove(take(`${i}`, `${i}`) as Place<string>, 0)
    assert.equal(fair.prove(take('late', 'late') as Place<string>, 0), false)
  })

  it('passes its standing on when it was not used for long', () => {
    const { fair, places, take } = table(2, minuteMs)
    for (const name of ['a', 'b']) fair.prove(take(name, name) as Place<string>, 0)
    const late = take('late', 'late') as Place<string>
    assert.equal(fair.prove(late, minuteMs), false)
    fair.touch(places.get('a') as Place<string>, minuteMs)
    assert.equal(fair.prove(late, minuteMs + 1), true)
    assert.deepEqual([places.get('a')?.isProven, places.get('b')?.isProven], [true, false])
  })

  const adversary = (holders: number) =>
    fc.array(
      fc.record({
        act: fc.constantFrom('take', 'take', 'prove', 'prove', 'touch', 'leave'),
        who: fc.nat(holders - 1),
        which: fc.nat(max),
        weight: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 50, maxLength: 400, size: 'max' },
    )
  type Steps = ReturnType<typeof adversary> extends fc.Arbitrary<infer S> ? S : never

  /** Does to the table what one can who has as many names as the steps say. Gives the weight of what is proven, by `check`, after each. */
  function attack({ fair, places, take }: ReturnType<typeof table>, steps: Steps, check: (proven: number) => void) {
    for (const [i, { act, who, which, weight }] of steps.entries()) {
      const own = [...places].filter(([, { holder }]) => holder.startsWith('evil'))
      const [entry, place] = own[which % Math.max(1, own.length)] ?? []
      if (act === 'take' || entry === undefined || place === undefined)
        take(`${i}`, `evil ${who}`, { weight, nowMs: i })
      else if (act === 'prove') fair.prove(place, i)
      else if (act === 'touch') fair.touch(place, i)
      else {
        fair.leave(place)
        places.delete(entry)
      }
      check([...places.values()].reduce((sum, { isProven, weight }) => sum + (isProven ? weight : 0), 0))
    }
  }

  /** Parties with a sixteenth of the proven room each, all proven. */
  function honestTable(parties: number) {
    const made = table(provenRoom)
    const honest = Array.from({ length: parties * share }, (_, i) => {
      const place = made.take(`honest ${i}`, `router ${i % parties}`) as Place<string>
      assert.equal(made.fair.prove(place, 0), true)
      return place
    })
    return { ...made, honest }
  }
  const provenRoom = 48
  const share = provenRoom / 16

  it('keeps its place against whatever one with any number of names does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.constantFrom(1, 2, 5, 100).chain(adversary), (parties, steps) => {
        const made = honestTable(parties)
        attack(made, steps, (proven) => {
          assert.ok(proven <= provenRoom && made.fair.size <= max)
          assert.ok(made.honest.every(({ isProven }) => isProven))
        })
        assert.equal(
          made.gone.some((entry) => entry.startsWith('honest')),
          false,
        )
      }),
      // A long attack takes minutes to be made shorter.
      { endOnFailure: true },
    )
  })

  it('has room for a party that comes late, whatever one with a few names holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.constantFrom(1, 2, 4).chain(adversary), (parties, steps) => {
        const made = honestTable(parties)
        attack(made, steps, () => {})
        // As full as the adversary can make it.
        for (const [name, place] of made.places) if (made.places.has(name)) made.fair.prove(place, steps.length)
        for (let i = 0; i < share; i++) {
          const late = made.take(`late ${i}`, 'late', { nowMs: steps.length }) as Place<string>
          assert.equal(made.fair.prove(late, steps.length), true)
        }
        assert.ok(made.honest.every(({ isProven }) => isProven))
      }),
      { endOnFailure: true },
    )
  })

  it('leaves like any other', () => {
    const { fair, take } = table(32)
    const place = take('a', 'one') as Place<string>
    fair.prove(place, 0)
    fair.leave(place)
    fair.leave(place)
    assert.equal(fair.size, 0)
  })
})

interface Numbered extends Used<Numbered> {
  number: number
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const numbered = (count: number) => Array.from({ length: count }, (_, number): Numbered => ({ number, ...unused }))

it('knows what was added longest ago, whatever was added again, taken or moved to another order', () => {
  const random = createRandom(7)
  const orders = [new UseOrder<Numbered>(), new UseOrder<Numbered>()]
  const plain: Numbered[][] = [[], []]
  const entries = numbered(40)
  for (let step = 0; step < 20_000; step++) {
    const entry = entries[random(entries.length)]
    const at = random(2)
    const order = orders[at]
    const action = random(4)
    if (action < 2) {
      order.add(entry)
      for (const each of plain) if (each.includes(entry)) each.splice(each.indexOf(entry), 1)
      plain[at].push(entry)
    } else if (action === 2) {
      assert.equal(order.delete(entry), plain[at].includes(entry))
      plain[at] = plain[at].filter((each) => each !== entry)
    } else assert.equal(order.takeFirst(), plain[at].shift() ?? null)
    assert.equal(order.first, plain[at][0] ?? null)
    assert.equal(order.size, plain[at].length)
  }
})

it('has many take turns, round after round', () => {
  const order = new UseOrder<Numbered>()
  const entries = numbered(2_000)
  for (const entry of entries) order.add(entry)
  for (let i = 0; i < 20_001; i++) {
    assert.equal(order.first, entries[i % entries.length])
    if (order.first !== null) order.add(order.first)
  }
  assert.equal(order.size, entries.length)
})

it('keeps nothing of what was used before', () => {
  const order = new UseOrder<Numbered>()
  const entries = numbered(4)
  for (const entry of entries) order.add(entry)
  assert.equal(order.first, entries[0])
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heapUsed()
  for (let i = 0; i < 1_000_000; i++) order.add(entries[1 + (i % 3)])
  // With an iterator of a set that is kept, 38 MiB.
  assert.ok(heapUsed() - before < 4 * 2 ** 20)
  assert.equal(order.first, entries[0])
})
