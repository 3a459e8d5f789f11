import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp } from '../../../test/helpers/detection.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { SYN } from '../../net/tcp-flags.ts'
import type { IncidentReport } from './incident-report.ts'

const first = address('192.0.64.0')

/** To `hosts` addresses from one on, each with this many `packets` a second. */
function flood(from: number, hosts: number, packets: number): Traffic[] {
  return Array.from({ length: hosts }, (_, i) => ({
    recordsPerSecond: packets,
    row: { ...tcp(SYN), dstAddr: from + i * 3 },
  }))
}

/** Packets in all, those in the list of protocols, and how many an item of it may have more. */
function amounts({ details, activeSeconds, packetsPerSecond }: IncidentReport) {
  assert.ok(details)
  const { protocol, flowsMissedMax } = details.statistics
  const listed = protocol.reduce((sum, { packets }) => sum + packets, 0)
  return { total: Math.round(activeSeconds * packetsPerSecond), listed, missed: flowsMissedMax.protocol }
}

function endOf(lab: DetectionLab): IncidentReport {
  assert.deepEqual(lab.life(), ['opened', 'ended'])
  return lab.phases('ended')[0]
}

describe('the lists of an attack that turns out to be wider agree with its sums', () => {
  it('when it reaches a second /24', () => {
    const [one, other] = [flood(first, 32, 40), flood(first + 256, 32, 40)]
    const ended = endOf(
      new DetectionLab()
        .run(20, ...one)
        .run(20, ...one, ...other)
        .run(60),
    )
    assert.equal(ended.followed.wholes?.length, 2)
    const total = 20 * 1_280 + 20 * 2_560
    assert.deepEqual(amounts(ended), { total, listed: total, missed: 0 })
  })

  it('when it reaches what lies beside a network in a /24', () => {
    const lab = new DetectionLab()
    lab.detector.setNetworks([{ network: first, length: 26 }])
    const [one, few, many] = [flood(first, 16, 200), flood(first + 64, 60, 30), flood(first + 64, 60, 200)]
    const ended = endOf(
      lab
        .run(20, ...one)
        .run(20, ...one, ...few)
        .run(20, ...one, ...many)
        .run(60),
    )
    assert.equal(ended.followed.networkLength, 24)
    const total = 60 * 3_200 + 20 * 1_800 + 20 * 12_000
    assert.deepEqual(amounts(ended), { total, listed: total, missed: 0 })
  })

  it('when it reaches a third /24 after a gap, a pause, and an end', () => {
    const two = [0, 1].flatMap((network) => flood(first + 256 * network, 32, 40))
    for (const pauseSeconds of [8, 12, 40]) {
      const lab = new DetectionLab().run(20, ...two).run(pauseSeconds)
      lab.run(20, ...two, ...flood(first + 512, 32, 40)).run(100)
      const ended = lab.phases('ended').at(-1)
      assert.equal(ended?.followed.wholes?.length, 3)
      const total = 20 * 2_560 + 20 * 3_840
      assert.deepEqual(amounts(ended), { total, listed: total, missed: 0 }, `${pauseSeconds} s`)
    }
  })

  it('when it was weaker before than would stand out in the wider network', () => {
    const few = flood(first, 32, 20)
    const many = [0, 1, 2, 3].flatMap((network) => flood(first + 256 * network, 32, 100))
    const ended = endOf(
      new DetectionLab()
        .run(60, ...few)
        .run(20, ...many)
        .run(60),
    )
    assert.equal(ended.followed.wholes?.length, 4)
    const total = 60 * 640 + 20 * 12_800
    assert.deepEqual(amounts(ended), { total, listed: total, missed: 0 })
    assert.equal(ended.activeSeconds, 80)
    assert.equal(ended.peak.packetsPerSecond, 12_800)
  })

  it('but for what came before the records that are kept; how much that is, is said', () => {
    const [one, few, many] = [flood(first, 32, 40), flood(first + 256, 32, 8), flood(first + 256, 32, 40)]
    const ended = endOf(
      new DetectionLab()
        .run(20, ...one)
        .run(100, ...one, ...few)
        .run(20, ...one, ...many)
        .run(60),
    )
    assert.equal(ended.followed.wholes?.length, 2)
    const { total, listed, missed } = amounts(ended)
    assert.ok(listed < total)
    assert.equal(listed + missed, total)
  })
})

it('what shows an attack that turns out to be wider is what shows it there, also where it was worse before', () => {
  const lab = new DetectionLab()
  lab.detector.setNetworks([{ network: first, length: 26 }])
  lab.run(20, ...flood(first, 16, 200))
  const narrow = lab.reports.findLast(({ why }) => why.length > 0)
  lab.run(20, ...flood(first, 16, 30), ...flood(first + 64, 60, 30))
  const wide = lab.reports.at(-1)
  assert.deepEqual([narrow?.followed.networkLength, wide?.followed.networkLength], [26, 24])
  assert.ok(wide !== undefined && narrow !== undefined)
  assert.equal(narrow.why[0].value, 3_200)
  const [{ value, threshold }] = wide.why
  // Less came to the wider network than to the narrow one before, and its line is higher.
  assert.ok(value < 3_200 && threshold > narrow.why[0].threshold && value > threshold, `${value} over ${threshold}`)
  assert.equal(wide.deviation, value)
})
