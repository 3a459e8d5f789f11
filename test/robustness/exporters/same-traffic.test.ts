// Packets that more than one record reports: they count once for each record, as docs/detect.md says, and the evidence shows which exporters
// reported them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Device, ExportLab, victim } from '../../helpers/labs/export.ts'
import { sampledFlows, synFlood } from '../../helpers/labs/sampled-traffic.ts'
import { createRandom } from '../../helpers/random.ts'

const border = { address: '198.51.100.1', samplingRate: 1 }
const core = { address: '198.51.100.2', samplingRate: 1 }

/** `seenBy`: each reports every packet, or those that it samples. */
function attacked(packetsPerSecond: number, ...seenBy: { address: string; samplingRate: number }[]): ExportLab {
  const lab = new ExportLab()
  const devices = seenBy.map(({ address, samplingRate }) => ({
    device: new Device(lab, { protocol: 'netflow9', address, samplingRate }),
    random: createRandom(1),
    samplingRate,
  }))
  return lab.run(75, (second) => {
    for (const { device, random, samplingRate } of devices) {
      const at = { dst: victim, nowMs: lab.nowMs }
      const isOn = second >= 10 && second < 40
      device.export(isOn ? sampledFlows(synFlood, { packetsPerSecond, samplingRate }, at, random) : [])
    }
  })
}

function ended(lab: ExportLab) {
  assert.deepEqual(lab.life(), ['opened', 'ended'])
  const [report] = lab.phases('ended')
  assert.ok(report.details)
  return { report, statistics: report.details.statistics }
}

const near = (actual: number, expected: number) => Math.abs(actual / expected - 1) < 0.05

describe('two exporters that tell of the same packets', () => {
  it('make one event, of twice the traffic, whose evidence names both', () => {
    const one = ended(attacked(500, border))
    const both = ended(attacked(500, border, core))
    assert.ok(near(one.report.packetsPerSecond, 500))
    assert.ok(near(both.report.packetsPerSecond, 1_000), `${both.report.packetsPerSecond}`)
    assert.equal(both.report.label, one.report.label)
    assert.deepEqual([both.report.startMs, both.report.endMs], [one.report.startMs, one.report.endMs])
    const [{ packets }] = one.statistics.exporter
    assert.deepEqual(
      both.statistics.exporter.map((entry) => [entry.address, entry.packets]),
      [
        [border.address, packets],
        [core.address, packets],
      ],
    )
    assert.equal(both.statistics.sources.distinct, one.statistics.sources.distinct)
  })

  it('that sample at different rates each tell of the same packets in different records', () => {
    const { statistics } = ended(attacked(10_000, { ...border, samplingRate: 10 }, { ...core, samplingRate: 100 }))
    const [first, second] = statistics.exporter
    assert.ok(near(first.flows / second.flows, 10), `${first.flows} and ${second.flows}`)
    assert.ok(Math.abs(first.packets / second.packets - 1) < 0.1, `${first.packets} and ${second.packets}`)
  })

  it('bring an attack across a line that it is below', () => {
    assert.deepEqual(attacked(100, border).life(), [])
    assert.deepEqual(attacked(100, border, core).life(), ['opened', 'ended'])
  })
})
