// What is normal after hours: the detector in simulated time, second by second.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../test/helpers/detection.ts'
import { SYN } from '../net/tcp-flags.ts'

describe('what is normal', () => {
  const learn = (lab: DetectionLab, ...traffic: Traffic[]) => lab.run(600, ...traffic)
  const settings = { learnSeconds: 60, quietSeconds: 60 }

  it('is what was there before it was learnt, and stayed for hours, unless no host has such traffic', () => {
    const syn = { recordsPerSecond: 3, row: { ...tcp(SYN, 6_000), packets: 100 } }
    const lab = new DetectionLab(settings).run(5_000, syn)
    assert.equal(lab.detector.openIncidents, 1)
    assert.equal(lab.run(9_000, syn).detector.openIncidents, 0)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed'])
    const ntp = { recordsPerSecond: 15, row: { ...udpFrom(123, 4_680), packets: 10 } }
    assert.equal(new DetectionLab(settings).run(14_000, ntp).detector.openIncidents, 1)
  })

  it('is what stays, when no vector explains it; an attack never becomes normal, however long', () => {
    const crowd = (packets: number) => ({ recordsPerSecond: 5, row: { ...tcp(0x1b, packets * 400), packets } })
    const syn = { recordsPerSecond: 5, row: { ...tcp(SYN, 6_000), packets: 100 } }
    const grown = learn(new DetectionLab(settings), crowd(50)).run(10_000, crowd(400))
    assert.deepEqual(
      grown.phases('opened').map(({ label }) => label),
      [null],
    )
    assert.equal(grown.detector.openIncidents, 0)
    const attacked = learn(new DetectionLab(settings), crowd(50)).run(10_000, crowd(50), syn)
    assert.deepEqual(
      attacked.phases('opened').map(({ label }) => label),
      ['tcp@attack@syn_flood_target'],
    )
    assert.equal(attacked.detector.openIncidents, 1)
  })
})
