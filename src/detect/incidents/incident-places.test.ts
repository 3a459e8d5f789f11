import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { DetectionLab, type Traffic, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { type HeldRange, heldRanges } from '../../net/held-ranges.ts'

/** Attacks on addresses that are not near each other, so that each is one by itself. */
const apart = 65_536
const others = victim + 10 * apart
const on = (dstAddr: number, recordsPerSecond = 30): Traffic => ({
  recordsPerSecond,
  row: { ...udpFrom(123, 20 * 468), packets: 20, dstAddr },
})
const onOthers = (hosts: readonly number[]) => hosts.map((host) => on(others + host * apart, 15 + host))
const first = (count: number) => Array.from({ length: count }, (_, i) => i)

const own: HeldRange = { first: victim, last: victim + 5 * apart, holder: 'ann' }
const ofTwo = heldRanges([own, { first: others, last: others + 60 * apart, holder: 'bob' }], new Map())

function create(incidentsMax: number, held = ofTwo) {
  const lab = new DetectionLab({ incidentsMax }, [victim, others + 60 * apart])
  lab.detector.setHolders(held)
  const life = (address: number) =>
    lab.reports.flatMap((report) => (report.address === address && report.phase !== 'updated' ? report.phase : []))
  return { lab, life, crowding: () => lab.detector.crowding().incidents }
}

it('opens an attack on the address of one while another has all places, and the quietest of these gives way', () => {
  const { lab, life, crowding } = create(8)
  lab.run(10, ...onOthers(first(20)))
  assert.deepEqual([crowding().size, crowding().gaveWay, crowding().holder], [8, 0, 'bob'])
  const refused = lab.detector.counted.incidentsRefused
  assert.ok(refused > 0)
  lab.run(10, ...onOthers(first(20)), on(victim))
  assert.deepEqual(life(victim), ['opened'])
  assert.deepEqual([crowding().gaveWay, crowding().holder, crowding().holds], [1, 'bob', 7])
  const closed = lab.phases('closed').map(({ address }) => address)
  assert.deepEqual(closed, [others], 'the one with the least traffic')
  assert.ok(lab.detector.counted.incidentsRefused > refused, 'and it finds no place again')
  assert.equal(lab.phases('opened').length, 9)
})

it('gives an even share to each of two under attack, who then take no turns', () => {
  const { lab, crowding } = create(8)
  const onBoth = [...onOthers(first(20)), ...first(5).map((host) => on(victim + host * apart))]
  lab.run(10, ...onOthers(first(20))).run(20, ...onBoth)
  const opened = lab.phases('opened').map(({ address }) => address)
  const ofAnn = opened.filter((address) => address < others).length
  assert.ok(ofAnn >= 3, `${ofAnn}`)
  assert.deepEqual([opened.length, crowding().gaveWay], [8 + ofAnn, ofAnn])
  lab.run(20, ...onBoth)
  assert.equal(lab.phases('opened').length, 8 + ofAnn)
})

it('gives up what is over first, of who holds most', () => {
  const { lab, life, crowding } = create(8)
  lab.run(10, ...onOthers(first(7)), on(victim)).run(60)
  assert.equal(lab.phases('ended').length, 8)
  lab.run(10, ...onOthers([8, 9]), on(victim + apart))
  assert.equal(crowding().gaveWay, 3)
  assert.ok(!life(victim).includes('closed'), 'who has one keeps it')
  lab.run(10, on(victim))
  assert.deepEqual(life(victim), ['opened', 'ended', 'reopened'])
})

it('gives up what is over of the same user, and nothing that goes on', () => {
  const { lab, life } = create(2)
  lab
    .run(10, ...onOthers([1, 2]))
    .run(60, ...onOthers([1]))
    .run(10, ...onOthers([1, 3, 4]))
  assert.deepEqual(
    [1, 2].map((host) => life(others + host * apart)),
    [['opened'], ['opened', 'ended', 'closed']],
  )
  assert.equal(lab.phases('opened').length, 3)
})

it('lets users who have one each take no turns', () => {
  const ranges = first(8).map((host) => ({
    first: others + host * apart,
    last: others + host * apart,
    holder: `${host}`,
  }))
  const { lab, crowding } = create(4, heldRanges(ranges, new Map()))
  lab.run(10, ...onOthers(first(4))).run(10, ...onOthers(first(8)))
  assert.deepEqual([lab.phases('opened').length, crowding().gaveWay], [4, 0])
})

it('counts an attack for those who hold its address now', () => {
  const { lab, life } = create(2, heldRanges([{ ...own, last: others + 60 * apart }], new Map()))
  lab.run(10, ...onOthers([1, 2])).run(10, ...onOthers([1, 2]), on(victim))
  assert.deepEqual(life(victim), [], 'one more of the same user')
  lab.detector.setHolders(ofTwo)
  lab.run(3, ...onOthers([1, 2]), on(victim))
  assert.deepEqual(life(victim), ['opened'])
})

it('loses no attack on one user, whatever is attacked of another', () => {
  const seconds = fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 12 }), { minLength: 4, maxLength: 12 })
  fc.assert(
    fc.property(seconds, fc.nat(5), (steps, after) => {
      const { lab, life } = create(4)
      lab.run(6, ...onOthers(first(12)))
      for (const [step, hosts] of steps.entries())
        lab.run(2, ...onOthers(hosts), ...(step >= Math.min(after, steps.length - 3) ? [on(victim)] : []))
      assert.deepEqual(life(victim), ['opened'])
      assert.ok(lab.detector.crowding().incidents.size <= 4)
    }),
    { numRuns: 10, endOnFailure: true },
  )
})
