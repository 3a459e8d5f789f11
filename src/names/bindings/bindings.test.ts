import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Bindings } from './bindings.ts'

const minute = 60_000
const graceMs = 30 * minute
const staleMs = 24 * 60 * minute
const name = 'www.example.com'
const resolved = (...addresses: number[]) => ({ addresses, chain: ['edge.example'], ttlSeconds: 60 })

function live(bindings: Bindings, nowMs: number): number[] {
  return [...bindings.of(name)].filter(({ validToMs }) => validToMs > nowMs).map(({ address }) => address)
}

describe('Bindings', () => {
  it('keeps what rotates, until the grace period after its last confirmation', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    assert.equal(bindings.confirm(name, resolved(1, 2), 0), true)
    assert.equal(bindings.confirm(name, resolved(2, 3), minute), true)
    assert.equal(bindings.confirm(name, resolved(3), 2 * minute), false)
    assert.deepEqual(live(bindings, graceMs - 1), [1, 2, 3])
    assert.deepEqual(live(bindings, graceMs), [2, 3])
    assert.deepEqual(live(bindings, graceMs + minute), [3])
    assert.deepEqual(
      [...bindings.at(2)],
      [
        {
          name,
          address: 2,
          ...resolved(),
          addresses: undefined,
          fromMs: 0,
          firstMs: 0,
          count: 2,
          source: 'found',
          sensor: '',
          confirmedMs: minute,
          validToMs: graceMs + minute,
        },
      ].map(({ addresses: _, ...binding }) => binding),
    )
  })

  it('a TTL longer than the grace period counts instead', () => {
    const bindings = new Bindings({ graceMs: 0, staleMs })
    bindings.confirm(name, resolved(1), 0)
    assert.deepEqual(live(bindings, minute - 1), [1])
    assert.deepEqual(live(bindings, minute), [])
  })

  it('an address that comes back after its end begins again', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    bindings.confirm(name, resolved(1), 0)
    assert.equal(bindings.confirm(name, resolved(1), graceMs), true)
    assert.deepEqual(
      [...bindings.at(1)].map(({ fromMs }) => fromMs),
      [graceMs],
    )
  })

  it('failures hold what is live, and only so long; what had ended stays ended', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    bindings.confirm(name, resolved(1), 0)
    bindings.confirm(name, resolved(2), 29 * minute)
    for (let nowMs = 31 * minute; nowMs < 2 * staleMs; nowMs += 5 * minute) bindings.hold(name, nowMs)
    assert.deepEqual(live(bindings, staleMs), [2])
    assert.deepEqual(live(bindings, staleMs + graceMs + 30 * minute), [])
  })

  it('forgets a day after the end', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    bindings.confirm(name, resolved(1), 0)
    bindings.prune(graceMs + 24 * 60 * minute - 1)
    assert.equal(bindings.size, 1)
    bindings.prune(graceMs + 24 * 60 * minute)
    assert.equal(bindings.size, 0)
    assert.deepEqual([[...bindings.at(1)], [...bindings.of(name)]], [[], []])
  })

  it('bounds the addresses of a name: the longest unconfirmed goes', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    for (let i = 0; i < 300; i++) bindings.confirm(name, resolved(i), i)
    assert.deepEqual([bindings.size, bindings.evicted], [256, 44])
    assert.deepEqual([[...bindings.at(43)].length, [...bindings.at(44)].length], [0, 1])
  })

  it('takes up after a restart what was live at the end, however long ago, and nothing else', () => {
    const earlier = new Bindings({ graceMs, staleMs })
    earlier.confirm(name, resolved(1), 0)
    earlier.confirm(name, resolved(2), 40 * minute)
    const bindings = new Bindings({ graceMs, staleMs })
    bindings.load([...earlier.all()], 10 * 60 * minute)
    assert.deepEqual(live(bindings, 10 * 60 * minute), [2])
    assert.equal(bindings.size, 2)
    const late = new Bindings({ graceMs, staleMs })
    late.load([...earlier.all()], 40 * minute + staleMs)
    assert.deepEqual(live(late, 40 * minute + staleMs), [])
  })

  it('does not let what was saved override what is known, nor reach into the future', () => {
    const bindings = new Bindings({ graceMs, staleMs })
    bindings.confirm(name, resolved(1), 5)
    bindings.load([{ name, address: 1, chain: [], fromMs: 0, confirmedMs: 1, ttlSeconds: 1 }], 10)
    assert.deepEqual(
      [...bindings.at(1)].map(({ confirmedMs }) => confirmedMs),
      [5],
    )
    bindings.load([{ name, address: 2, chain: [], fromMs: 0, confirmedMs: 1e15, ttlSeconds: 1 }], 10)
    assert.deepEqual(
      [...bindings.at(2)].map(({ validToMs }) => validToMs),
      [10 + graceMs],
    )
  })

  describe('what is reported of other times', () => {
    const told = (fromMs: number, confirmedMs: number, more = {}) => ({
      ...{
        name,
        address: 1,
        chain: [],
        firstMs: fromMs,
        fromMs,
        confirmedMs,
        ttlSeconds: 0,
        count: 2,
        source: 'import' as const,
        sensor: 'file',
      },
      ...more,
    })
    const now = 100 * minute
    const timesAt = (bindings: Bindings) =>
      Array.from(bindings.at(1), (each) =>
        [each.firstMs, each.fromMs, each.confirmedMs, each.validToMs].map((ms) => ms / minute),
      )[0]

    it('is live when it was seen lately, else known while what ended is, else nothing', () => {
      const bindings = new Bindings({ graceMs, staleMs })
      assert.equal(bindings.include(told(now - 80 * minute, now - 20 * minute), now), true)
      assert.deepEqual(live(bindings, now), [1])
      assert.equal(bindings.include(told(0, minute, { address: 2 }), now), false)
      assert.deepEqual(live(bindings, now), [1])
      assert.equal(bindings.include(told(0, minute, { address: 3 }), now + 2 * 24 * 60 * minute), false)
      assert.deepEqual(
        [2, 3].map((address) => [...bindings.at(address)].length),
        [1, 0],
      )
    })

    it('goes on with what is known, whichever comes first, and twice is once', () => {
      const [early, late] = [
        told(10 * minute, 20 * minute),
        told(40 * minute, 90 * minute, { sensor: 'late', count: 1 }),
      ]
      for (const order of [
        [early, late],
        [late, early],
        [early, late, early, late],
      ]) {
        const bindings = new Bindings({ graceMs, staleMs })
        for (const each of order) bindings.include(each, now)
        assert.deepEqual(timesAt(bindings), [10, 10, 90, 120])
        assert.deepEqual(
          [...bindings.at(1)].map(({ sensor, count }) => [sensor, count]),
          [['late', 2]],
        )
      }
    })

    it('does not go on over a break', () => {
      const bindings = new Bindings({ graceMs, staleMs })
      bindings.include(told(0, minute), now)
      bindings.include(told(90 * minute, 95 * minute), now)
      assert.deepEqual(timesAt(bindings), [0, 90, 95, 125])
      bindings.include(told(minute, 2 * minute), now)
      assert.deepEqual(timesAt(bindings), [0, 90, 95, 125])
    })

    it('does not end what our resolvers have just confirmed', () => {
      const bindings = new Bindings({ graceMs, staleMs })
      bindings.confirm(name, resolved(1), now)
      bindings.include(told(0, 80 * minute), now)
      assert.deepEqual(timesAt(bindings), [0, 0, 100, 130])
    })
  })
})

describe('a user with names that lead to very many addresses', () => {
  const holdersOf = (of: string) =>
    of.startsWith('shared') ? ['evil', 'ann'] : [of.endsWith('.evil.example') ? 'evil' : 'ann']
  const flood = (bindings: Bindings) => {
    for (let i = 0; i < 40; i++) {
      const addresses = Array.from({ length: 100 }, (_, address) => 1_000 + i * 100 + address)
      bindings.confirm(`${i}.evil.example`, resolved(...addresses), minute)
    }
  }

  it('takes no place of others, neither of what they have nor of what they get', () => {
    const bindings = new Bindings({ graceMs, staleMs, holdersOf, bindingsMax: 1_000 })
    bindings.confirm(name, resolved(1, 2), 0)
    bindings.confirm('shared.example', resolved(3), 0)
    flood(bindings)
    assert.equal(bindings.size, 1_000)
    bindings.confirm('new.example', resolved(4), minute)
    bindings.confirm(name, resolved(5), minute)
    assert.deepEqual(live(bindings, minute), [1, 2, 5])
    for (const address of [1, 2, 3, 4, 5]) assert.equal(bindings.has(address), true, `${address}`)
    assert.deepEqual([bindings.crowdedOut.has(name), bindings.crowdedOut.has('0.evil.example')], [false, true])
    const { holder, gaveWay } = bindings.crowding()
    assert.deepEqual([holder, gaveWay], ['evil', 3_005])
  })

  it('takes none either when it is known later than what was saved', () => {
    let known = false
    const late = (of: string) => (known ? holdersOf(of) : [])
    const bindings = new Bindings({ graceMs, staleMs, holdersOf: late, bindingsMax: 1_000 })
    flood(bindings)
    bindings.confirm(name, resolved(1, 2), minute)
    known = true
    bindings.confirm(name, resolved(1, 2), minute)
    flood(bindings)
    assert.deepEqual(live(bindings, minute), [1, 2])
    assert.equal(bindings.crowding().holder, 'evil')
  })

  it('is told which names are without an address, until all that they lead to is known', () => {
    const bindings = new Bindings({ graceMs, staleMs, holdersOf, bindingsMax: 1_000 })
    flood(bindings)
    const first = '0.evil.example'
    assert.deepEqual([bindings.crowdedOut.has(first), bindings.crowdedOut.has('30.evil.example')], [true, false])
    bindings.confirm(first, resolved(...Array.from({ length: 1_100 }, (_, address) => address)), minute)
    assert.equal(bindings.crowdedOut.has('30.evil.example'), true)
    bindings.confirm(first, resolved(1_000, 1_001), minute)
    assert.equal(bindings.crowdedOut.has(first), false)
    bindings.forget('30.evil.example')
    assert.equal(bindings.crowdedOut.has('30.evil.example'), false)
  })

  it('keeps the addresses that were confirmed last', () => {
    const bindings = new Bindings({ graceMs, staleMs, holdersOf, bindingsMax: 1_000 })
    flood(bindings)
    assert.equal(bindings.has(1_000), false)
    assert.equal(bindings.has(1_000 + 39 * 100 + 99), true)
  })
})
