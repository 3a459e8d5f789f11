import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Schedule } from './schedule.ts'

function schedule(change: Partial<ConstructorParameters<typeof Schedule>[0]> = {}): Schedule {
  // 0.5: in the middle of the jitter, that is, none.
  return new Schedule({
    intervalMinMs: 30_000,
    intervalMaxMs: 300_000,
    closeIntervalMs: 10_000,
    namesMax: 1_000,
    closeMax: 100,
    random: () => 0.5,
    ...change,
  })
}

/** When the name is due again, to the second, having been asked at 0. */
function dueAfter(one: Schedule): number {
  for (let seconds = 0; seconds <= 1_000; seconds++) if (one.take(seconds * 1_000, 1).length === 1) return seconds
  return -1
}

describe('Schedule', () => {
  it('gives a new name at once, and once', () => {
    const one = schedule()
    one.setNames(new Set(['a.example']))
    assert.deepEqual(one.take(0, 10), ['a.example'])
    assert.deepEqual(one.take(1e12, 10), [])
  })

  for (const [ttl, expected] of [
    [0, 30],
    [30, 30],
    [77, 77],
    [300, 300],
    [86_400, 300],
  ]) {
    it(`asks again after ${expected} s for a TTL of ${ttl}`, () => {
      const one = schedule()
      one.setNames(new Set(['a.example']))
      one.take(0, 1)
      one.answered('a.example', 0, ttl)
      assert.equal(dueAfter(one), expected)
    })
  }

  it('spreads the times by a tenth', () => {
    for (const [random, expected] of [
      [0, 90],
      [0.999999, 110],
    ]) {
      const one = schedule({ random: () => random })
      one.setNames(new Set(['a.example']))
      one.take(0, 1)
      one.answered('a.example', 0, 100)
      assert.equal(dueAfter(one), expected)
    }
  })

  it('backs off while a name fails, and starts over when it is answered', () => {
    const one = schedule()
    one.setNames(new Set(['a.example']))
    one.take(0, 1)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      one.failed('a.example', 0)
      waits.push(dueAfter(one))
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 300, 300])
    assert.equal(one.failing, 1)
    one.absent('a.example', 0)
    assert.equal(one.failing, 0)
    assert.equal(dueAfter(one), 60)
    one.failed('a.example', 0)
    assert.equal(dueAfter(one), 5)
  })

  it('gives the new before the due, and the due in turn', () => {
    const one = schedule()
    one.setNames(new Set(['a.example', 'b.example']))
    for (const name of one.take(0, 10)) one.answered(name, 0, 30)
    one.setNames(new Set(['a.example', 'b.example', 'c.example']))
    assert.deepEqual(one.take(60_000, 1), ['c.example'])
    assert.deepEqual(one.take(60_000, 1), ['a.example'])
    one.answered('a.example', 60_000, 0)
    assert.deepEqual(one.take(120_000, 1), ['b.example'])
  })

  it('asks again at once for whoever is new to a name, also in a zone that is held back, and once', () => {
    const one = schedule()
    const names = Array.from({ length: 9 }, (_, i) => `n${i}.a.example`)
    one.setNames(new Set([...names, 'b.example']))
    for (const name of one.take(0, 10)) if (name === 'b.example') one.answered(name, 0, 300)
    for (const name of names) one.failed(name, 0)
    assert.deepEqual(one.take(1_000, 10), [])
    one.renew([names[3], 'b.example', 'unknown.example'])
    one.renew(['b.example'])
    assert.deepEqual(one.take(1_000, 10), [names[3], 'b.example'])
    // What is asked already is not asked twice.
    one.renew(['b.example'])
    assert.deepEqual(one.take(2_000, 10), [])
    assert.deepEqual([one.outcomeOf('b.example'), one.outcomeOf(names[3])], ['answered', 'failing'])
    one.answered('b.example', 2_000, 300)
    one.renew(['b.example'])
    one.setNames(new Set(names))
    assert.deepEqual(one.take(2_000, 10), [])
  })

  for (const [random, expected] of [
    [0, 10],
    [0.999999, 15],
  ]) {
    it(`asks closely every ${expected} s, at once to begin with, whatever the answer`, () => {
      const one = schedule({ random: () => random })
      one.setNames(new Set(['a.example', 'b.example']))
      for (const name of one.take(0, 2)) one.answered(name, 0, 300)
      one.setClose(['a.example', 'unknown.example'], 1_000)
      one.setClose(['a.example'], 1_000)
      assert.equal(one.close, 1)
      assert.deepEqual(one.take(1_000, 10), ['a.example'])
      for (const tell of [
        () => one.answered('a.example', 0, 300),
        () => one.absent('a.example', 0),
        () => one.failed('a.example', 0),
      ]) {
        tell()
        assert.equal(dueAfter(one), expected)
      }
      one.setClose([], 0)
      one.answered('a.example', 0, 100)
      assert.ok(dueAfter(one) > 80)
    })
  }

  it('asks closely before it asks the others, and turns away, and counts, names beyond its bound', () => {
    const one = schedule({ closeMax: 1 })
    one.setNames(new Set(['a.example', 'b.example', 'c.example']))
    for (const name of one.take(0, 3)) one.answered(name, 0, 0)
    one.setClose(['c.example', 'b.example', 'c.example', 'b.example'], 40_000)
    assert.deepEqual([one.close, one.closeRefused], [1, 1])
    assert.deepEqual(one.take(40_000, 2), ['c.example', 'a.example'])
  })

  it('says for which names a failure stands: where a zone is asked by one name, for all of them', () => {
    const one = schedule()
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.broken.example`)
    one.setNames(new Set([...names, 'a.fine.example']))
    const stands = one
      .take(0, 100)
      .filter((name) => name !== 'a.fine.example')
      .map((name) => [...one.failed(name, 0)].sort())
    assert.deepEqual(
      stands.slice(0, 7),
      names.slice(0, 7).map((name) => [name]),
    )
    // One failure of a moment is enough.
    assert.deepEqual(stands[7], names.toSorted())
    assert.deepEqual(
      stands.slice(8),
      names.slice(8).map((name) => [name]),
    )
    for (let nowMs = 5_000, probes = 0; probes < 3; nowMs += 1_000) {
      for (const name of one.take(nowMs, 100).filter((each) => names.includes(each))) {
        assert.deepEqual([...one.failed(name, nowMs)].sort(), names.toSorted())
        probes++
      }
    }
  })

  it('asks for a zone that fails by one name, ever more seldom, until it is answered', () => {
    const one = schedule()
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.broken.example`)
    one.setNames(new Set([...names, 'a.fine.example']))
    for (const name of one.take(0, 100)) {
      if (names.includes(name)) one.failed(name, 0)
      else one.answered(name, 0, 600)
    }
    assert.equal(one.zones.size, 1)
    const asked: number[] = []
    for (let seconds = 0; seconds <= 250; seconds++) {
      for (const name of one.take(seconds * 1_000, 100)) {
        asked.push(seconds)
        one.failed(name, seconds * 1_000)
      }
    }
    assert.deepEqual(asked, [5, 15, 35, 75, 155])
    const [name] = one.take(900_000, 1)
    assert.equal(one.lateMs(900_000), 600_000)
    one.answered(name, 900_000, 30)
    assert.equal(one.zones.size, 0)
    assert.equal(one.take(900_000, 100).length, 20)
  })

  it('asks closely, and for the first time, also in a zone that fails', () => {
    const one = schedule()
    one.setNames(new Set(Array.from({ length: 20 }, (_, i) => `n${i}.broken.example`)))
    for (const name of one.take(0, 100)) one.failed(name, 0)
    one.setClose(['n3.broken.example'], 0)
    one.setNames(new Set(['n3.broken.example', 'new.broken.example']))
    assert.deepEqual(one.take(0, 100), ['new.broken.example', 'n3.broken.example'])
  })

  it('forgets a name that is gone, also while its question is open', () => {
    const one = schedule()
    one.setNames(new Set(['a.example']))
    one.take(0, 1)
    one.setNames(new Set())
    one.answered('a.example', 0, 30)
    assert.equal(one.size, 0)
    assert.deepEqual(one.take(1e12, 1), [])
  })

  it('turns away, and counts, names beyond its bound', () => {
    const one = schedule({ namesMax: 2 })
    one.setNames(new Set(['a.example', 'b.example', 'c.example']))
    assert.deepEqual([one.size, one.refused], [2, 1])
    one.setNames(new Set(['c.example']))
    assert.deepEqual([one.size, one.refused], [1, 0])
  })
})
