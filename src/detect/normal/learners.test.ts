import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import { decodeTargets } from './saved-baselines.ts'

const keys = new ClassKeys(vectors)
const hosts = Array.from({ length: 12 }, (_, host) => victim + host)
const visitors = hosts.map((dstAddr) => ({
  recordsPerSecond: 1,
  sources: 40,
  row: { ...tcp(0x1b, 12 * 100), packets: 12, dstAddr },
}))
/** To each address in visitors' packets, of another length, and in answers of time servers. */
const carpet = hosts.flatMap((dstAddr) => [
  { recordsPerSecond: 12, row: { ...udpFrom(123, 30 * 468), packets: 30, dstAddr } },
  { recordsPerSecond: 1, row: { ...tcp(0x1b, 12 * 1_400), packets: 12, dstAddr } },
])

/** What an address has learnt, rounded, of the hour, and of all traffic and each class: average, peak, usual rate, packet length. */
function normalOf(lab: DetectionLab) {
  const [ofNetwork] = lab.detector.takeBaselines({ all: true })
  const saved = decodeTargets(ofNetwork, keys)?.find(({ address }) => address === victim + 3)
  assert.ok(saved)
  const { season, classes } = saved
  return {
    season: Math.round(Math.expm1(season.sum / season.count)),
    classes: classes.flatMap(({ numbers: [mean, , peak, usual, packetBytes] }) =>
      peak === 0 ? [] : [[mean, peak, usual, packetBytes].map(Math.round)],
    ),
  }
}

describe('an attack on a network', () => {
  it('does not become normal for its addresses', () => {
    const lab = new DetectionLab({ learnSeconds: 60 }).run(600, ...visitors)
    const before = normalOf(lab)
    lab.run(900, ...visitors, ...carpet)
    assert.deepEqual(
      lab.phases('opened').map(({ victims }) => victims.length),
      [hosts.length],
    )
    assert.deepEqual(normalOf(lab), before)
  })
})

describe('networks that are to be saved', () => {
  it('are due once, however long nobody asks', () => {
    const lab = new DetectionLab().run(2_000, ...visitors.slice(0, 1))
    assert.equal(lab.detector.takeBaselines({ all: false }).length, 1)
    assert.equal(lab.detector.takeBaselines({ all: false }).length, 0)
  })
})
