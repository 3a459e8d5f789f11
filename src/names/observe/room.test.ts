import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { ObservedNames } from './observed-names.ts'

const minute = 60_000
const sizeMax = 400
/** Each name with its address. */
const sizeOfOne = 2
const zones = ['ann.example', ...Array.from({ length: 40 }, (_, i) => `bob${i}.example`)]
const userOf = (group: string) => (group.includes('ann') ? 'ann' : 'bob')

function create() {
  const observed = new ObservedNames({ graceMs: 30 * minute, staleMs: 24 * 60 * minute, sizeMax })
  const setUsers = (of: (group: string) => string) => observed.setScope({ names: new Set(), zones: new Set(zones) }, of)
  setUsers(userOf)
  let told = 0
  const tell = (name: string, nowMs: number) => {
    const told1 = { name, chain: [], addresses: [++told], ttlSeconds: 60, source: 'dnstap' as const, sensor: 's' }
    return observed.take(told1, nowMs)
  }
  /** A name that lasts, as a zone says it. */
  const include = (name: string, nowMs: number) =>
    observed.include(
      {
        ...{ name, address: ++told, chain: [], ttlSeconds: 60, count: 1, source: 'zone', sensor: 'zone' },
        ...{ firstMs: nowMs - 2 * minute, fromMs: nowMs, confirmedMs: nowMs },
      },
      nowMs,
    )
  const known = (part: string) =>
    new Set(Array.from(observed.bindings.all(), ({ name }) => name).filter((name) => name.includes(part)))
  return { observed, setUsers, tell, include, known }
}

const namesOf = (zone: string, count: number) => Array.from({ length: count }, (_, i) => `n${i}.${zone}.example`)

it('keeps the names of one user while many zones of another fill it, though each of these is smaller', () => {
  const { observed, include, tell, known } = create()
  const own = namesOf('ann', 45)
  for (const name of own) tell(name, 0)
  for (let round = 0; round < 3; round++)
    for (let zone = 0; zone < 40; zone++) for (const name of namesOf(`bob${zone}`, 10)) include(name, round * minute)
  assert.equal(known('ann').size, own.length)
  const { size, max, gaveWay, provenGaveWay, holder, holds } = observed.crowding()
  assert.deepEqual([size <= max, provenGaveWay, holder], [true, 0, 'bob'])
  assert.deepEqual([gaveWay, holds], [observed.evicted.full, size - own.length * sizeOfOne])
  assert.ok(gaveWay > 0)
})

it('takes a new name of who has less, for which the largest zone of who has most gives one up', () => {
  const { include, tell, known } = create()
  for (const zone of ['bob0', 'bob1']) for (const name of namesOf(zone, zone === 'bob0' ? 40 : 200)) include(name, 0)
  const before = known('bob0').size
  for (const [i, name] of namesOf('ann', 40).entries()) (i < 20 ? include : tell)(name, minute)
  assert.deepEqual([known('ann').size, known('bob0').size], [40, before])
})

it('has those pay who grow, of two who have about as much', () => {
  const { include, tell, known } = create()
  for (let i = 0; i < 300; i++) {
    include(`n${i}.ann.example`, 0)
    include(`n${i}.bob${i % 40}.example`, 0)
  }
  const own = known('ann').size
  assert.ok(own >= sizeMax / sizeOfOne / 3)
  for (let i = 300; i < 1_000; i++) tell(`n${i}.bob${i % 40}.example`, 10 * minute)
  assert.equal(known('ann').size, own)
})

it('counts zones for their users of now', () => {
  const { observed, setUsers, include, known, tell } = create()
  for (let zone = 0; zone < 40; zone++) for (const name of namesOf(`bob${zone}`, 5)) include(name, 0)
  for (const name of namesOf('ann', 40)) tell(name, 0)
  assert.deepEqual([observed.crowding().holder, known('ann').size], ['bob', 40])
  setUsers(() => 'ann')
  assert.deepEqual([observed.crowding().holder, observed.crowding().holds], ['ann', observed.crowding().size])
  setUsers(userOf)
  for (const name of namesOf('bob0', 90)) tell(name, 0)
  assert.equal(known('ann').size, 40)
})

it('loses no name of who has less than half of an even share, whatever another has seen', () => {
  const step = fc.record({
    zone: fc.nat(39),
    from: fc.nat(400),
    count: fc.integer({ min: 1, max: 60 }),
    lasts: fc.boolean(),
    waits: fc.nat(20),
  })
  const own = namesOf('ann', Math.floor(sizeMax / 2 / 2 / sizeOfOne) - 1)
  const arrivals = fc.nat(10)
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), arrivals, (steps, arrival) => {
      const { observed, include, tell, known } = create()
      let nowMs = 10 * minute
      for (const [i, { zone, from, count, lasts, waits }] of steps.entries()) {
        if (i === arrival % steps.length) for (const name of own) tell(name, nowMs)
        nowMs += waits * 1_000
        for (let n = from; n < from + count; n++) (lasts ? include : tell)(`n${n}.bob${zone}.example`, nowMs)
      }
      assert.equal(known('ann').size, own.length)
      assert.ok(observed.size + observed.bindings.size <= sizeMax)
    }),
    { endOnFailure: true },
  )
})
