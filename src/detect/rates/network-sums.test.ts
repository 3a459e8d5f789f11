import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, victim } from '../../../test/helpers/detection.ts'
import { type NetworkKey, networkKey, parseNetwork } from '../../net/network.ts'
import { SYN } from '../../net/tcp-flags.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import { decodeTargets, type SavedTarget } from '../normal/saved-baselines.ts'

const whole = victim - 10
const settings = { learnSeconds: 400 }

const prefixes = (...texts: string[]): NetworkKey[] =>
  texts
    .map(parseNetwork)
    .filter((network) => network !== null)
    .map(networkKey)

/** SYN packets a second to each of some hosts of the /24. */
function syn(first: number, hosts: number, packets: number): Traffic[] {
  return Array.from({ length: hosts }, (_, i) => ({
    recordsPerSecond: packets / 5,
    row: { ...tcp(SYN, 5 * 60), packets: 5, dstAddr: whole + first + i },
  }))
}

/** What is normal for the /24: 535 a second, of which 192.0.2.64/27 has 10. */
const busy = [...syn(128, 80, 5), ...syn(10, 20, 5), ...syn(70, 2, 5), ...syn(100, 5, 5)]
const onTheLonger = syn(66, 28, 30)

/** A service that has learnt that, with these networks. */
function learnt(...networks: string[]): DetectionLab {
  const lab = new DetectionLab(settings)
  lab.detector.setNetworks(prefixes(...networks))
  return lab.run(800, ...busy)
}

/** The networks whose normal would be saved. */
function networksOf(lab: DetectionLab): SavedTarget[] {
  const saved = lab.detector.takeBaselines({ all: true })
  const targets = saved.flatMap((each) => decodeTargets(each, new ClassKeys(vectors)) ?? [])
  return targets.filter(({ length }) => length < 32)
}

const lengthsOf = (lab: DetectionLab) => networksOf(lab).map(({ length }) => length)

/** Whether the lists have that number of records, and at most some of those that the network gets anyway: the rest of the /24 gets 100 in a second. */
function hasFlows(lab: DetectionLab, attack: number): void {
  const { flows } = lab.details('ended').statistics.protocol[0]
  assert.ok(flows >= attack && flows <= attack + 2 * 100, `${flows} flows`)
}

describe('an attack on a part of a busy /24', () => {
  it('is seen when that part is watched as a network, and is one event of it', () => {
    assert.deepEqual(learnt('192.0.2.0/24').run(60, ...busy, ...onTheLonger).reports, [], 'it hides in the /24')
    const lab = learnt('192.0.2.64/27')
      .run(30, ...busy, ...onTheLonger)
      .run(60, ...busy)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    const [ended] = lab.phases('ended')
    assert.equal(ended.label, 'tcp@attack@syn_flood_target')
    const victims = ended.victims.map(({ address }) => address - whole).sort((a, b) => a - b)
    assert.deepEqual(
      victims,
      Array.from({ length: 28 }, (_, i) => 66 + i),
    )
    assert.equal(Math.round(ended.packetsPerSecond), 28 * 30 + 2 * 5)
    hasFlows(lab, 30 * 28 * 6)
  })

  it('is that of the longest network that has nearly all of it', () => {
    const networks = ['192.0.2.0/25', '192.0.2.64/26', '192.0.2.64/27', '192.0.2.64/29']
    const inner = learnt(...networks)
      .run(30, ...busy, ...onTheLonger)
      .run(60, ...busy)
    assert.deepEqual(inner.life(), ['opened', 'ended'])
    assert.equal(inner.phases('ended')[0].victims.length, 28)
    assert.equal(Math.round(inner.phases('ended')[0].packetsPerSecond), 28 * 30 + 2 * 5)
    const outer = learnt(...networks)
      .run(70, ...busy, ...syn(10, 90, 10))
      .run(60, ...busy)
    assert.deepEqual(outer.life(), ['opened', 'ended'])
    assert.equal(outer.phases('ended')[0].victims.length, 90)
  })

  it('is not what more comes to the rest', () => {
    const lab = learnt('192.0.2.64/27', '192.0.2.192/27').run(60, ...busy, ...syn(128, 64, 10))
    assert.deepEqual(lab.reports, [])
  })

  it('is compared with no more than what is normal for the /24 while the network is new', () => {
    const lab = learnt()
    lab.detector.setNetworks(prefixes('192.0.2.128/25'))
    assert.deepEqual(lab.run(120, ...busy, ...syn(128, 40, 10)).reports, [])
  })

  it('does not become normal for the /24, nor for a network in that part', () => {
    const lab = learnt('192.0.2.64/27', '192.0.2.80/28')
    const means = () => networksOf(lab).map(({ classes }) => Math.round(classes[0].numbers[0]))
    assert.deepEqual(means(), [535, 10])
    lab.run(500, ...busy, ...onTheLonger)
    assert.deepEqual(means(), [535, 10, 0])
  })

  it('goes on over a restart', () => {
    const before = learnt('192.0.2.64/27').run(30, ...busy, ...onTheLonger)
    const report = before.reports.at(-1)
    assert.ok(report?.details)
    const lab = new DetectionLab(settings)
    lab.clock.set(before.nowMs + 5_000)
    lab.detector.restore(before.detector.takeBaselines({ all: true }), lab.nowMs)
    lab.detector.resume([{ ...report, endedMs: null, details: report.details }], lab.nowMs)
    lab.run(30, ...busy, ...onTheLonger).run(60, ...busy)
    assert.deepEqual(lab.life(), ['ended'])
    assert.equal(lab.phases('ended')[0].incident, report.incident)
    assert.ok(Math.abs(lab.phases('ended')[0].packetsPerSecond - 28 * 30) < 100)
  })
})

describe('an attack on a whole /24', () => {
  it('is one event, whatever longer networks are watched', () => {
    const networks = ['192.0.2.0/25', '192.0.2.64/27', '192.0.2.96/27', '192.0.2.128/27', '192.0.2.160/27']
    const lab = learnt(...networks)
      .run(30, ...busy, ...syn(0, 250, 15))
      .run(60, ...busy)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    assert.equal(lab.phases('ended')[0].victims.length, 250)
  })

  it('is one event also where every address stands out', () => {
    const lab = learnt('192.0.2.64/27', '192.0.2.128/27')
      .run(30, ...busy, ...syn(90, 50, 500))
      .run(60, ...busy)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    assert.equal(lab.phases('ended')[0].victims.length, 50)
  })

  it('that comes back takes in what was reported for a longer network meanwhile', () => {
    const all = [...busy, ...syn(0, 250, 15)]
    const lab = learnt('192.0.2.64/27')
      .run(30, ...all)
      .run(60, ...busy)
    lab.run(30, ...busy, ...onTheLonger)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'opened'])
    lab.run(30, ...all)
    assert.equal(lab.detector.openIncidents, 1)
    assert.equal(lab.reports.at(-1)?.incident, lab.reports[0].incident)
  })

  it('is shown at an address as one of its networks', () => {
    const lab = learnt('192.0.2.64/27').run(30, ...busy, ...onTheLonger)
    const attacks = (address: number) => lab.detector.stateOf(address, 0).incidents
    const [{ incident: id, label }] = lab.phases('opened')
    assert.deepEqual([attacks(whole + 80), attacks(whole + 130)], [[{ id, label, isNetwork: true }], []])
  })

  it('that was reported for a longer network is the same event, when it spreads', () => {
    const lab = learnt('192.0.2.64/27')
      .run(30, ...busy, ...onTheLonger)
      .run(30, ...busy, ...syn(0, 250, 30))
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(lab.reports.at(-1)?.victims.length, 250)
  })
})

describe('a network that is watched no more', () => {
  it('is forgotten, and what goes on there is over', () => {
    const lab = learnt('192.0.2.64/27').run(30, ...busy, ...onTheLonger)
    assert.deepEqual(lengthsOf(lab), [24, 27])
    lab.detector.setNetworks([])
    lab.run(60, ...busy, ...onTheLonger)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    lab.run(1_000, ...busy)
    assert.deepEqual(lengthsOf(lab), [24])
  })

  it('is known until then to a service that is started again', () => {
    const lab = new DetectionLab(settings)
    const saved = learnt('192.0.2.64/27')
      .run(1, ...onTheLonger)
      .detector.takeBaselines({ all: true })
    lab.clock.advance(801_000)
    lab.detector.restore(saved, lab.nowMs)
    assert.deepEqual(lengthsOf(lab.run(60, ...syn(128, 1, 5))), [24, 27])
    lab.detector.setNetworks([])
    assert.deepEqual(lengthsOf(lab.run(60, ...syn(128, 1, 5))), [24])
  })
})

it('longer networks have room as others have, are known once, and are no longer than /29', () => {
  const lab = new DetectionLab({ targetsMax: 3 })
  lab.detector.setNetworks(
    prefixes('192.0.2.0/29', '192.0.2.0/29', '192.0.2.0/30', '192.0.2.0/28', '192.0.2.0/27', '192.0.2.0/26'),
  )
  lab.run(1, ...syn(0, 2, 5))
  assert.deepEqual(lengthsOf(lab), [24, 26, 27])
  assert.equal(lab.detector.counted.targetsRefused, 2)
})
