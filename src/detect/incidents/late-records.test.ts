// Records that come when an attack has ended, has come back, or has only just been judged: sums and lists have them, or say what they miss.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'
import type { Amount, IncidentReport, Statistics } from './incident-report.ts'

const synFlood = (recordsPerSecond: number): Traffic => ({ recordsPerSecond, row: tcp(SYN) })

/** Records of single seconds, from a number of seconds ago on. */
function held(lab: DetectionLab, [from, to]: [number, number], recordsPerSecond: number): Traffic[] {
  return Array.from({ length: from - to }, (_, i) => {
    const atMs = lab.nowMs - (from - i) * 1_000
    return { recordsPerSecond, row: { ...tcp(SYN), startMs: atMs, endMs: atMs } }
  })
}

const packetsOf = ({ packetsPerSecond, activeSeconds }: Amount) => Math.round(packetsPerSecond * activeSeconds)

function listedIn(statistics: Statistics | null | undefined): number {
  return statistics?.protocol.reduce((sum, { packets }) => sum + packets, 0) ?? 0
}

function closedOf(lab: DetectionLab): IncidentReport {
  const [closed, ...others] = lab.phases('closed')
  assert.ok(closed !== undefined && others.length === 0)
  return closed
}

describe('lists', () => {
  it('of a return have records that an exporter held back, and sent together when it was quiet already', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(100)
    lab.run(1, ...held(lab, [30, 10], 1_000)).run(900)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened', 'ended', 'closed'])
    const { details, episode, activeSeconds } = closedOf(lab)
    assert.equal(activeSeconds, 10 + 20)
    assert.equal(packetsOf(episode), 20_000)
    assert.equal(listedIn(details?.ofEpisode), 20_000)
    assert.equal(listedIn(details?.statistics), 40_000)
  })

  it('have what came in a gap that is too short for a pause', () => {
    const visitors = { recordsPerSecond: 40, row: tcp(0x1b) }
    const lab = new DetectionLab().run(60, visitors)
    for (let i = 0; i < 5; i++) lab.run(10, visitors, synFlood(2_000)).run(9, visitors)
    lab.run(900, visitors)
    const closed = closedOf(lab)
    assert.equal(closed.activeSeconds, 5 * 10 + 4 * 9)
    assert.equal(packetsOf(closed), 5 * 20_000 + closed.activeSeconds * 40)
    // A few seconds after the attack are listed, too.
    const listed = listedIn(closed.details?.statistics) - packetsOf(closed)
    assert.ok(listed >= 0 && listed <= 6 * 40, `${listed} packets more`)
  })

  it('say how many records they miss of an attack that began long before it could be judged', () => {
    const lab = new DetectionLab().run(5).run(60, synFlood(120)).run(20, synFlood(400)).run(900)
    const closed = closedOf(lab)
    const { flowsMissedMax, protocol } = closed.details?.statistics ?? {}
    assert.equal(closed.activeSeconds, 80)
    assert.ok(protocol !== undefined && protocol[0].flows < packetsOf(closed))
    assert.deepEqual(new Set(Object.values(flowsMissedMax ?? {})), new Set([packetsOf(closed) - protocol[0].flows]))
  })

  it('of a return say so, too, and so do those of all episodes', () => {
    const lab = new DetectionLab().run(5).run(20, synFlood(2_000)).run(100)
    lab.run(60, synFlood(120)).run(20, synFlood(400)).run(900)
    const { episode, details } = closedOf(lab)
    const ofEpisode = details?.ofEpisode
    const missed = packetsOf(episode) - listedIn(ofEpisode)
    assert.ok(missed > 0)
    assert.deepEqual(
      [ofEpisode?.flowsMissedMax.protocol, details?.statistics.flowsMissedMax.protocol],
      [missed, missed],
    )
  })
})

describe('what late records add to an attack that is over', () => {
  it('is told before its return', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(60)
    lab
      .run(1, ...held(lab, [65, 63], 400))
      .run(20)
      .run(10, synFlood(2_000))
      .run(900)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'ended', 'reopened', 'ended', 'closed'])
    const [ended, grown] = lab.phases('ended')
    assert.deepEqual([ended, grown].map(packetsOf), [20_000, 20_800])
    assert.equal(listedIn(grown.details?.statistics), 20_800)
    const { episode } = closedOf(lab)
    assert.deepEqual([packetsOf(closedOf(lab)), packetsOf(episode)], [40_800, 20_000])
  })

  it('is nothing when there was none', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(100).run(10, synFlood(2_000))
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened'])
  })
})

describe('the peak', () => {
  it('of a stretch of a few seconds is no less than the average over it', () => {
    const lab = new DetectionLab().run(5)
    lab.run(2, synFlood(3_000)).run(1).run(2, synFlood(3_000)).run(900)
    const { peak, packetsPerSecond, activeSeconds } = closedOf(lab)
    assert.deepEqual([activeSeconds, packetsPerSecond], [5, 2_400])
    assert.ok(peak.packetsPerSecond >= packetsPerSecond, `a peak of ${peak.packetsPerSecond}`)
    assert.equal(peak.atMs, closedOf(lab).startMs)
  })
})
