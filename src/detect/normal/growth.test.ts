import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom } from '../../../test/helpers/detection.ts'
import { ACK, PSH } from '../../net/tcp-flags.ts'

const usualSeconds = 500
const sources = 500

/** The labels, at the end, of what stands out in two minutes of `now`, at a host that has had `usual` for long. */
function labelsOf(usual: Traffic[], now: Traffic[]): (string | null)[] {
  const { reports } = new DetectionLab({ learnSeconds: 300 }).run(usualSeconds, ...usual).run(120, ...now)
  return [...new Map(reports.map(({ incident, label }) => [incident, label])).values()]
}

describe('answers at a host that asks for them anyway', () => {
  const dns = (recordsPerSecond: number, bytes = 500): Traffic => ({
    recordsPerSecond,
    sources,
    row: udpFrom(53, bytes),
  })
  const usual = [dns(200)]

  it('are a busy hour while they are a few times more, and a growth of unknown kind above that', () => {
    assert.deepEqual(labelsOf(usual, [dns(1_000)]), [])
    assert.deepEqual(labelsOf(usual, [dns(2_000)]), [null])
  })

  it('are an attack when they are of another length, or too many, or the host had hardly any', () => {
    const amplified = 'udp@attack@amp_flood_target-DNS'
    assert.deepEqual(labelsOf(usual, [dns(2_000, 1_400)]), [amplified])
    assert.deepEqual(labelsOf(usual, [dns(4_000)]), [amplified])
    assert.deepEqual(labelsOf([dns(20)], [dns(600)]), [amplified])
  })
})

describe('a growth of unknown kind', () => {
  const udp = (recordsPerSecond: number): Traffic => ({
    recordsPerSecond,
    sources,
    row: { ...udpFrom(5_000), packets: 10, bytes: 5_000 },
  })
  const answers: Traffic = { recordsPerSecond: 450, sources, row: udpFrom(53) }
  /** After a minute of nothing, so that all begins at once. */
  const labelsAfterPause = (usual: Traffic, ...now: Traffic[]) => {
    const { reports } = new DetectionLab({ learnSeconds: 300 })
      .run(usualSeconds, usual)
      .run(60)
      .run(90, ...now)
    return [...new Map(reports.map(({ incident, label }) => [incident, label])).values()]
  }

  it('is named by a vector that begins with it, and not by what is little beside it', () => {
    assert.deepEqual(labelsAfterPause(udp(50), udp(750)), [null])
    assert.deepEqual(labelsAfterPause(udp(15), udp(225), answers), ['udp@attack@amp_flood_target-DNS'])
    assert.deepEqual(labelsAfterPause(udp(50), udp(750), answers), [null])
  })
})

describe('acknowledgements', () => {
  const sampled = { samplingRate: 100 }
  const acknowledging = (recordsPerSecond: number): Traffic => ({
    recordsPerSecond,
    sources,
    row: { ...tcp(ACK), ...sampled },
  })
  const carrying = (recordsPerSecond: number): Traffic => ({
    recordsPerSecond,
    sources,
    row: { ...tcp(ACK | PSH, 400), ...sampled },
  })
  const usual = [acknowledging(2), carrying(2)]

  it('that come with what visitors send have no name', () => {
    assert.deepEqual(labelsOf(usual, [acknowledging(60), carrying(60)]), [null])
  })

  it('that come alone are a flood of them', () => {
    assert.deepEqual(labelsOf(usual, [acknowledging(60), carrying(2)]), ['tcp@attack@ack_flood_target'])
  })
})
