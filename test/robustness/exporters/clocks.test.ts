// An exporter's clock is wrong, or is set while an attack goes on: the attack is found when it is, and the exporter's health says what is wrong.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExportProtocol } from '../../../src/flow/columns.ts'
import { Device, ExportLab, victim } from '../../helpers/labs/export.ts'
import { sampledFlows, synFlood, web } from '../../helpers/labs/sampled-traffic.ts'
import { createRandom } from '../../helpers/random.ts'

const hourMs = 3_600_000
const beginsAfter = 20
const endsAfter = 40

/** Half a minute of attack, of an exporter whose clock is ahead by one time, and from the middle of the attack on by another. */
function attacked(protocol: ExportProtocol, aheadMs: number, thenAheadMs = aheadMs) {
  const lab = new ExportLab()
  const startMs = lab.nowMs
  const device = new Device(lab, { protocol, clockAheadMs: aheadMs })
  const random = createRandom(1)
  lab.run(endsAfter + 40, (second) => {
    if (second === (beginsAfter + endsAfter) / 2) device.clockAheadMs = thenAheadMs
    const at = { dst: victim, nowMs: lab.nowMs }
    const flows = sampledFlows(web, { packetsPerSecond: 50, samplingRate: 1 }, at, random)
    const isOn = second >= beginsAfter && second < endsAfter
    if (isOn) flows.push(...sampledFlows(synFlood, { packetsPerSecond: 300, samplingRate: 1 }, at, random))
    device.export(flows)
  })
  return { lab, startMs }
}

function check(lab: ExportLab, startMs: number): void {
  assert.deepEqual(lab.life(), ['opened', 'ended'])
  const [ended] = lab.phases('ended')
  assert.equal(ended.label, 'tcp@attack@syn_flood_target')
  const near = (atMs: number, second: number) => Math.abs(atMs - startMs - second * 1_000) <= 1_000
  assert.ok(near(ended.startMs, beginsAfter), `it began at ${ended.startMs - startMs}`)
  assert.ok(near(ended.endMs, endsAfter), `it ended at ${ended.endMs - startMs}`)
  assert.ok((lab.foundMs ?? 0) <= startMs + (beginsAfter + 5) * 1_000)
  assert.ok(Math.abs(ended.packetsPerSecond - 350) < 30, `${ended.packetsPerSecond}`)
  assert.equal(lab.ingest.counted.timeClipped, 0)
}

for (const protocol of ['netflow5', 'netflow9', 'ipfix'] as const) {
  describe(`a clock of ${protocol} that is wrong`, () => {
    for (const [aheadMs, rule] of [
      [-hourMs, 'clock-zone'],
      [hourMs, 'clock-zone'],
      [-400 * 24 * hourMs - 7_000_000, 'clock-off'],
    ] as const) {
      it(`by ${aheadMs / 1_000} s leaves the attack at its time, and is told`, () => {
        const { lab, startMs } = attacked(protocol, aheadMs)
        check(lab, startMs)
        const [{ clockAheadMs, findings, streams }] = lab.health()
        assert.equal(streams[0].counters.timesReplaced, 0)
        assert.equal(clockAheadMs, aheadMs)
        assert.deepEqual(
          findings.map((finding) => finding.rule).filter((found) => found.startsWith('clock')),
          [rule],
        )
      })
    }

    it('and is set in the middle of the attack changes nothing', () => {
      for (const thenAheadMs of [-hourMs, hourMs]) {
        const { lab, startMs } = attacked(protocol, 0, thenAheadMs)
        check(lab, startMs)
      }
    })
  })
}

it('sFlow tells no time that could be wrong', () => {
  const { lab, startMs } = attacked('sflow5', hourMs, -hourMs)
  check(lab, startMs)
  const [{ clockAheadMs, findings }] = lab.health()
  assert.equal(clockAheadMs, null)
  assert.deepEqual(
    findings.filter(({ rule }) => rule.startsWith('clock')),
    [],
  )
})
