import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DetectionLab, tcp, victim } from '../../../test/helpers/detection.ts'
import { type HeldRange, heldRanges } from '../../net/held-ranges.ts'
import { SYN } from '../../net/tcp-flags.ts'

/** Where the addresses of the other user begin: another /24 each eight. */
const others = victim + 4_096
const crowd = (count: number, recordsPerSecond: number, step = 1) =>
  Array.from({ length: count }, (_, i) => ({ recordsPerSecond, row: { dstAddr: others + i * step } }))
const attack = { recordsPerSecond: 500, row: { ...tcp(SYN), dstAddr: victim } }
const held = (...ranges: HeldRange[]) => heldRanges(ranges, new Map())
const ofTwo = held(
  { first: victim, last: victim + 15, holder: 'ann' },
  { first: others, last: others + 65_535, holder: 'bob' },
)

function create(targetsMax: number) {
  const lab = new DetectionLab({ targetsMax })
  lab.detector.setHolders(ofTwo)
  const followed = (address: number) => lab.detector.ratesOf([{ address, knownFromMs: 0 }])[0] !== null
  return { lab, followed }
}

it('gives up no place of a user for another who holds more', () => {
  const { lab, followed } = create(20)
  const quiet = { recordsPerSecond: 1, row: { dstAddr: victim + 1 } }
  lab.run(3, quiet).run(20, ...crowd(80, 30))
  assert.ok(followed(victim + 1))
  assert.ok(lab.detector.counted.busyRefused > 0)
  const { targets } = lab.detector.crowding()
  assert.deepEqual([targets.size, targets.gaveWay, targets.holder, targets.holds], [20, 0, 'bob', 19])
})

it('finds an attack on an address without a place, though all places are those of busy ones of another', () => {
  const { lab } = create(20)
  lab.run(10, ...crowd(80, 30)).run(10, ...crowd(80, 30), attack)
  assert.ok(lab.phases('opened').some(({ address }) => address === victim))
  const { targets } = lab.detector.crowding()
  assert.deepEqual([targets.gaveWay, targets.provenGaveWay, targets.holder], [1, 0, 'bob'])
})

it('gives up none that is attacked, nor a busy one for noise', () => {
  const { lab, followed } = create(3)
  const attacked = { recordsPerSecond: 500, row: { ...tcp(SYN), dstAddr: others } }
  lab.run(8, attacked, ...crowd(3, 30).slice(1))
  lab.run(5, attacked, ...crowd(3, 30).slice(1), { recordsPerSecond: 5, row: { dstAddr: victim } })
  assert.equal(followed(victim), false)
  lab.run(5, attacked, ...crowd(3, 30).slice(1), attack)
  assert.ok(followed(victim) && followed(others))
  assert.deepEqual(lab.life(), ['opened', 'opened'])
})

it('shares the places of networks likewise', () => {
  const { lab } = create(16)
  // One address in each of 64 networks.
  const carpet = Array.from({ length: 16 }, (_, i) => ({
    recordsPerSecond: 5,
    row: { ...tcp(SYN), dstAddr: victim + i },
  }))
  lab.run(10, ...crowd(64, 30, 256)).run(20, ...crowd(64, 30, 256), ...carpet)
  const { networks } = lab.detector.crowding()
  assert.deepEqual([networks.size, networks.gaveWay], [16, 1])
})

it('counts an address for those who hold it now', () => {
  const { lab, followed } = create(4)
  lab.detector.setHolders(held({ first: victim, last: others + 65_535, holder: 'bob' }))
  lab.run(5, ...crowd(8, 30)).run(5, ...crowd(8, 30), { ...attack, recordsPerSecond: 60 })
  assert.equal(followed(victim), false, 'one of his own that are busy')
  lab.detector.setHolders(ofTwo)
  lab.run(5, ...crowd(8, 30), { ...attack, recordsPerSecond: 60 })
  assert.ok(followed(victim))
})
