import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DetectionLab, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { addressLength } from '../../net/network.ts'
import { compileVectors } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import { areFarBelow, candidatesOf, farthestSeconds, hasEvidence } from '../judge/candidates.ts'
import { leastLineOfAll } from '../judge/judge.ts'
import { createBaselineRows } from '../normal/baseline.ts'
import { createSeasonRows } from '../normal/season.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { Target } from './target.ts'

const start = 1_800_000_000
const classes = compileVectors(vectors)
const limits = { packets: 20_000, bytes: 10_000_000, flows: 2_000, sensitivity: 1 }
const sources = { packets: 'absolute', bytes: 'absolute', flows: 'absolute' }
const leastLine = leastLineOfAll(classes.vectors)
const farBelow = {
  holds: (bounds: Parameters<typeof areFarBelow>[0]) => areFarBelow(bounds, { limits, leastLine }),
  reachSeconds: farthestSeconds,
}

/** Records of some vector that come after a while, each of some packets a second. */
const spell = fc.record({
  afterSeconds: fc.integer({ min: 0, max: 90 }),
  agoSeconds: fc.integer({ min: 0, max: 60 }),
  seconds: fc.integer({ min: 1, max: 70 }),
  vector: fc.integer({ min: 1, max: vectors.length }),
  flows: fc.constantFrom(0.05, 0.2, 0.5, 1, 1, 2, 12),
  packets: fc.constantFrom(1, 1, 3, 20, 400),
  sampling: fc.constantFrom<number[]>(1, 1, 1, 100),
})

/** Few packets as exported, each of which stands for many. */
const sampledSpell = fc.record({
  afterSeconds: fc.integer({ min: 0, max: 40 }),
  agoSeconds: fc.integer({ min: 0, max: 40 }),
  seconds: fc.integer({ min: 1, max: 5 }),
  vector: fc.integer({ min: 1, max: vectors.length }),
  flows: fc.constantFrom(0.5, 1, 2),
  packets: fc.constantFrom(1, 3),
  sampling: fc.constantFrom<number[]>(1_000),
})

type Spell = typeof spell extends fc.Arbitrary<infer Each> ? Each : never

function rowsOf({ agoSeconds, seconds, flows, packets, sampling }: Spell, second: number) {
  const columns = createCounterColumns(2)
  columns.rows = 2
  columns.second.set([second - agoSeconds, second - agoSeconds + seconds])
  for (const [i, sign] of [1, -1].entries()) {
    columns.packets[i] = sign * flows * packets * sampling
    columns.bytes[i] = sign * flows * packets * sampling * 60
    columns.flows[i] = sign * flows
    columns.observed[i] = sign * flows * packets
  }
  columns.sources[0] = 0xffff
  return columns
}

describe('traffic far below every line', () => {
  it('has nothing that a judgement finds', () => {
    const count = { far: 0, found: 0 }
    fc.assert(
      fc.property(fc.array(spell, { maxLength: 30 }), fc.boolean(), (spells, learnt) => {
        const memory = { rates: new RatePages(1_000), baselines: createBaselineRows(), seasons: createSeasonRows() }
        const target = new Target({ memory, address: 1, length: addressLength, priorOf: () => 0 }, start)
        let second = start
        for (const each of spells) {
          second += each.afterSeconds
          target.raiseAlone(each.vector, rowsOf(each, second), { from: 0, to: 2 })
          const isNear = target.nearLines.note(target.total, farBelow)
          const found = candidatesOf(target, { classes, limits: { ...limits, sources }, learnt, leastLine })
          if (found.length > 0) count.found++
          if (!isNear) count.far++
          assert.ok(isNear || found.length === 0)
          target.judged()
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(count.far > 100 && count.found > 100, JSON.stringify(count))
  })

  it('hides nothing from a pass over several slots, nor do packets too few to prove anything', () => {
    const count = { left: 0, found: 0 }
    const slots = fc.oneof(...[spell, sampledSpell].map((each) => fc.array(each, { minLength: 1, maxLength: 4 })))
    fc.assert(
      fc.property(fc.array(slots, { maxLength: 10 }), (passes) => {
        const memory = { rates: new RatePages(1_000), baselines: createBaselineRows(), seasons: createSeasonRows() }
        const create = () => new Target({ memory, address: 1, length: addressLength, priorOf: () => 0 }, start)
        const [whole, parted] = [create(), create()]
        const by = { classes, limits: { ...limits, sources }, learnt: true, leastLine }
        let second = start
        for (const slots of passes) {
          second += slots[0].afterSeconds
          let isChanged = false
          for (const each of slots) {
            for (const target of [whole, parted])
              target.raiseAlone(each.vector, rowsOf(each, second), { from: 0, to: 2 })
            const isNear = parted.nearLines.note(parted.total, farBelow) && hasEvidence(parted, classes)
            isChanged ||= isNear
            if (!isChanged) parted.judged()
          }
          const found = isChanged && candidatesOf(parted, by).length > 0
          if (!isChanged) count.left++
          if (found) count.found++
          assert.equal(found, candidatesOf(whole, by).length > 0)
          for (const target of [whole, parted]) target.judged()
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(count.left > 100 && count.found > 100, JSON.stringify(count))
  })

  it('is judged with what comes later', () => {
    // Each second is too little for any line; it is their number within a minute.
    const lab = new DetectionLab({ learnSeconds: 0, flowsPerSecond: 0 }).run(120, {
      recordsPerSecond: 1,
      row: tcp(0x1b, 540),
    })
    const few = { recordsPerSecond: 12, sources: 3, row: { ...tcp(0x1a, 60), packets: 3 } }
    lab.run(90, few)
    assert.equal(lab.phases('opened').length, 1)
  })

  it('is judged again when a line comes down to it', () => {
    const own = { site: 'www.example.com', bytesPerSecond: 300 }
    const lab = new DetectionLab({ sites: [own] }).run(20, { recordsPerSecond: 2, row: tcp(0x1b, 1_400) }).run(25)
    lab.detector.setSiteAddresses([[victim]])
    lab.run(1, { recordsPerSecond: 1, row: tcp(0x1b, 60) })
    assert.equal(lab.phases('opened').length, 1)
  })

  it('is forgotten when the clock is set back, like all other', () => {
    const visitors = { recordsPerSecond: 1, row: tcp(0x1b, 540) }
    const lab = new DetectionLab().run(120, visitors)
    lab.clock.advance(-3_600_000)
    lab.run(60, visitors).run(20, { recordsPerSecond: 5_000, row: udpFrom(123, 468) })
    assert.equal(lab.phases('opened').length, 1)
  })
})
