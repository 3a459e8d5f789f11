import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, type Traffic, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { ACK, PSH, SYN } from '../../net/tcp-flags.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import { decodeTargets, encodeTargets, type SavedBaselines } from './saved-baselines.ts'

const keys = new ClassKeys(vectors)
const settings = { learnSeconds: 300, quietSeconds: 60 }
/** Whole connections of some visitors. */
const visitors = (recordsPerSecond: number, dstAddr = victim): Traffic => ({
  recordsPerSecond,
  sources: 200,
  row: { ...tcp(0x1b, 4_000), packets: 10, dstAddr },
})

/** What a service that ran for 20 minutes has learnt. */
function learnt(): SavedBaselines[] {
  const lab = new DetectionLab(settings).run(1_200, visitors(50), visitors(5, victim + 1))
  return lab.detector.takeBaselines({ all: true })
}

/** A service that is started so long after the other ended. */
function restarted(saved: SavedBaselines[], afterSeconds: number): DetectionLab {
  const lab = new DetectionLab(settings)
  lab.clock.set(startMs + (1_200 + afterSeconds) * 1_000)
  lab.detector.restore(saved, lab.nowMs)
  return lab
}

/** As it was saved when classes had no anchor, their last number. */
function withoutAnchors({ octets, ...saved }: SavedBaselines, version: number): SavedBaselines {
  const kept = [version]
  for (let at = 1; at < octets.length; ) {
    const seasonOctets = octets[at + 23] >= 2 ? 168 : 0
    const classesAt = at + 24 + seasonOctets
    kept.push(...octets.subarray(at, classesAt + 1))
    at = classesAt + 1
    for (let i = 0; i < octets[classesAt]; i++, at += 32) kept.push(...octets.subarray(at, at + 28))
  }
  return { ...saved, octets: Uint8Array.from(kept) }
}

const targetsOf = (saved: SavedBaselines[]) => saved.flatMap((each) => decodeTargets(each, keys) ?? [])

describe('what is normal', () => {
  it('is saved for a network and its addresses, and read back as it was', () => {
    const saved = learnt()
    assert.equal(saved.length, 1)
    const targets = targetsOf(saved)
    assert.deepEqual(
      targets.map(({ address, length }) => [address, length]),
      [
        [victim - 10, 24],
        [victim, 32],
        [victim + 1, 32],
      ],
    )
    assert.deepEqual(encodeTargets(targets, keys), saved[0].octets)
    const [total] = targets[1].classes
    assert.equal(total.trafficClass, 0)
    assert.ok(Math.abs(total.numbers[0] - 500) < 1)
  })

  it('survives a restart, of which nothing is learnt', () => {
    const saved = learnt()
    const lab = restarted(saved, 20)
    assert.deepEqual(
      targetsOf(lab.detector.takeBaselines({ all: true })).map(({ classes }) => classes),
      targetsOf(saved).map(({ classes }) => classes),
    )
    lab.run(420, visitors(50), visitors(5, victim + 1))
    const [, { classes }] = targetsOf(lab.detector.takeBaselines({ all: true }))
    assert.ok(classes.every(({ numbers }, i) => Math.abs(numbers[0] - targetsOf(saved)[1].classes[i].numbers[0]) < 1))
    lab.run(90, visitors(400))
    assert.equal(lab.phases('opened')[0]?.why[0].source, 'baseline')
  })

  it('is learnt again after a long gap, while what it was stands in', () => {
    const lab = restarted(learnt(), 3 * 3_600).run(90, visitors(400))
    assert.deepEqual(lab.phases('opened'), [], 'not compared yet')
    lab.run(600, visitors(100))
    const [, { classes }] = targetsOf(lab.detector.takeBaselines({ all: true }))
    assert.ok(classes[0].numbers[0] > 900, `${classes[0].numbers[0]}: the average follows at once`)
  })

  it('stands in also after another restart, before it is learnt again', () => {
    const answers: Traffic = { recordsPerSecond: 300, row: udpFrom(53) }
    const saved = new DetectionLab(settings).run(1_200, answers).detector.takeBaselines({ all: true })
    const once = restarted(saved, 3 * 3_600).run(60, answers)
    const again = new DetectionLab(settings)
    again.clock.set(once.nowMs + 10_000)
    again.detector.restore(once.detector.takeBaselines({ all: true }), again.nowMs)
    again.run(10, answers)
    const { classes } = again.detector.stateOf(victim, 0)
    const line = classes.find(({ label }) => label?.endsWith('DNS'))?.lines?.whole ?? 0
    assert.ok(line > 800, `${line}: above what is normal`)
  })

  it('is as it was when the clock has been set back meanwhile', () => {
    const lab = restarted(learnt(), -3 * 3_600).run(30, visitors(50))
    const [network, host] = targetsOf(lab.detector.takeBaselines({ all: true }))
    assert.ok(host.sinceSecond < lab.nowMs / 1_000 && host.heardSecond <= lab.nowMs / 1_000 + 60)
    assert.ok(network.heardSecond <= lab.nowMs / 1_000 + 60)
    lab.run(90, visitors(400))
    assert.equal(lab.phases('opened')[0]?.why[0].source, 'baseline')
  })

  it('of answers is that of the packets that they were counted among, in what was saved before they had classes', () => {
    const answers: Traffic = { recordsPerSecond: 300, sources: 400, row: { ...tcp(ACK | PSH, 13_000), packets: 10 } }
    const accepted: Traffic = { recordsPerSecond: 100, sources: 400, row: tcp(SYN | ACK) }
    const before = new DetectionLab(settings).run(1_200, answers, accepted).detector.takeBaselines({ all: true })
    const fetched = [answers, accepted].map((each) => ({ ...each, row: { ...each.row, srcPort: 443 } }))
    const labels = (saved: SavedBaselines[]) =>
      restarted(saved, 20)
        .run(120, ...fetched)
        .phases('opened')
        .map(({ label }) => label)
    assert.deepEqual(labels(before), ['tcp@attack@amp_flood_target-MIDDLEBOX'])
    const old = before.map((each) => withoutAnchors(each, 2))
    assert.deepEqual(labels(old), [])
    const [, { classes }] = targetsOf(old)
    assert.equal(classes.length, targetsOf(before)[1].classes.length + 2)
    const again = restarted(old, 20).detector.takeBaselines({ all: true })
    assert.deepEqual(targetsOf(again)[1].classes, classes, 'once')
  })

  it('is what growth is measured by, in what was saved before that was kept apart', () => {
    const saved = learnt()
    const old = targetsOf(saved.map((each) => withoutAnchors(each, 3)))
    const numbersOf = (targets: typeof old) => targets.flatMap(({ classes }) => classes.map(({ numbers }) => numbers))
    numbersOf(old).forEach(([mean, spread, peak, usual, packetBytes, count, anchor], i) => {
      const now = numbersOf(targetsOf(saved))[i]
      assert.deepEqual([mean, spread, peak, usual, packetBytes, count], [...now.subarray(0, 6)])
      assert.equal(anchor, Math.max(mean, peak / 2))
    })
  })

  it('that is not as it was written is left out, and counted', () => {
    const [whole] = learnt()
    const { octets } = whole
    const damaged = Uint8Array.from(octets)
    new DataView(damaged.buffer).setFloat32(octets.length - 8, Number.NaN, true)
    const broken = [
      octets.subarray(0, octets.length - 3),
      Uint8Array.of(),
      octets.with(0, 9),
      octets.with(2, 7),
      damaged,
    ]
    const lab = restarted(
      broken.map((octets) => ({ ...whole, octets })),
      10,
    )
    assert.equal(lab.detector.counted.baselinesRefused, broken.length)
    assert.deepEqual(lab.detector.takeBaselines({ all: true }), [])
  })

  it('is taken for as many networks as there may be targets; the others are counted, and their addresses followed', () => {
    const [saved] = learnt()
    const [network] = targetsOf([saved])
    const networks = [0, 256, 512].map((offset) => ({
      ...saved,
      network: saved.network + offset,
      octets: encodeTargets([{ ...network, address: saved.network + offset }], keys),
    }))
    const lab = new DetectionLab({ targetsMax: 2 })
    lab.detector.restore(networks, lab.nowMs)
    assert.equal(lab.detector.counted.targetsRefused, 1)
    lab.run(1, visitors(5, victim + 512))
    assert.notEqual(lab.detector.stateOf(victim + 512, 0).learning, null)
    assert.deepEqual(
      lab.detector.takeBaselines({ all: true }).map((each) => each.network),
      [saved.network, saved.network + 256],
    )
  })
})

it('networks are saved in their turn, each with traffic once in ten minutes', () => {
  const lab = new DetectionLab()
  const saved: number[] = []
  for (let second = 0; second < 1_200; second++) {
    lab.run(1, visitors(1))
    saved.push(...lab.detector.takeBaselines({ all: false }).map(({ savedMs }) => savedMs))
  }
  assert.equal(saved.length, 2)
  assert.equal(saved[1] - saved[0], 600_000)
})
