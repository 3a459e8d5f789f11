// Traffic of one class is kept once, as that class and as all traffic: nothing must show it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type CounterColumns, createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { addressLength } from '../../net/network.ts'
import { createBaselineRows } from '../normal/baseline.ts'
import { createSeasonRows } from '../normal/season.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { ringSeconds } from '../rates/rates.ts'
import { Target } from './target.ts'

const start = 1_800_000_000
const classes = [1, 2, 3]
type Spell = { from: number; seconds: number; packets: number }
const spell = fc.record({
  from: fc.integer({ min: 0, max: 60 }),
  seconds: fc.integer({ min: 1, max: 40 }),
  packets: fc.integer({ min: 1, max: 1_000 }),
})
/** What comes after some seconds, of each class; and whether the target then gives memory back. */
const step = fc.record({
  afterSeconds: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(2 * ringSeconds)),
  byClass: fc.array(fc.option(spell), { minLength: classes.length, maxLength: classes.length }),
  releases: fc.boolean(),
  startsOver: fc.boolean(),
})

/** The rows of a spell, of whichever class: it begins, and is over. */
function rowsOf({ from, seconds, packets }: Spell, second: number): CounterColumns {
  const columns = createCounterColumns(2)
  columns.rows = 2
  columns.second.set([second + from, second + from + seconds])
  for (const [i, sign] of [1, -1].entries()) {
    columns.packets[i] = sign * packets
    columns.bytes[i] = sign * packets * 100
    columns.flows[i] = sign
    columns.observed[i] = sign * packets
  }
  columns.sources[0] = columns.ports[0] = 1 << (packets % 28)
  return columns
}

function createTarget() {
  const memory = { rates: new RatePages(1_000), baselines: createBaselineRows(), seasons: createSeasonRows() }
  const target = new Target({ memory, address: 1, length: addressLength, priorOf: () => 0 }, start)
  return { memory, target }
}

const whole = { from: 0, to: 2 }

it('gives the same of each class and of all traffic as two rings would', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [once, twice] = [createTarget(), createTarget()]
      let second = start
      for (const { afterSeconds, byClass, releases, startsOver } of steps) {
        second += afterSeconds
        const spells = byClass.flatMap((each, i) => (each === null ? [] : [{ ...each, trafficClass: classes[i] }]))
        for (const each of spells) {
          const rows = rowsOf(each, second)
          twice.target.raise(each.trafficClass, rows, whole)
          twice.target.raiseTotal(rows, whole)
          if (spells.length === 1) once.target.raiseAlone(each.trafficClass, rows, whole)
          else {
            once.target.raise(each.trafficClass, rows, whole)
            once.target.raiseTotal(rows, whole)
          }
        }
        for (const { target } of [once, twice]) {
          if (releases) target.release(second)
          if (startsOver) target.startOver(second)
        }
        const [found, expected] = [once, twice].map(({ target }) =>
          Array.from(target.series.values(), ({ trafficClass, ring, changedFrom, changedTo }) => {
            const sums = ring?.sum(second - ringSeconds, second + 100) ?? null
            return { trafficClass, first: ring?.first, sums, changedFrom, changedTo }
          }),
        )
        assert.deepEqual(found, expected)
        assert.equal(once.target.lastHeardSecond, twice.target.lastHeardSecond)
        assert.ok(once.memory.rates.fine.taken <= twice.memory.rates.fine.taken)
      }
      once.target.forget()
      assert.deepEqual([once.memory.rates.fine.taken, once.memory.rates.coarse.taken], [0, 0])
    }),
    { numRuns: 300 },
  )
})

it('takes half of the memory', () => {
  const taken = [createTarget(), createTarget()].map(({ memory, target }, i) => {
    const rows = rowsOf({ from: 0, seconds: 20, packets: 5 }, start)
    if (i === 0) target.raiseAlone(classes[0], rows, whole)
    else {
      target.raise(classes[0], rows, whole)
      target.raiseTotal(rows, whole)
    }
    return memory.rates.fine.taken
  })
  assert.deepEqual(taken, [taken[0], 2 * taken[0]])
})
