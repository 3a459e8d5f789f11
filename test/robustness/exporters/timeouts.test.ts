// Exporters that hold records back: an attack is found as soon as its first record comes, whatever the active timeout, at the rate that it has; and what
// is long and harmless is no event when it is reported at once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow } from '../../helpers/exporter.ts'
import { Device, ExportLab, victim } from '../../helpers/labs/export.ts'
import { sampledFlows, synFlood } from '../../helpers/labs/sampled-traffic.ts'
import { createRandom } from '../../helpers/random.ts'

const inactiveSeconds = 15
/** Records reach no further back. */
const reachSeconds = 330

/** Seconds since the lab's start. */
interface LongFlow {
  from: number
  to: number
  packetsPerSecond: number
  flow: Flow
}

/** What a flow cache tells at a second: of each flow that goes on once in `activeSeconds`, and of one that has ended after the inactive timeout. */
function toldAt(second: number, activeSeconds: number, flows: readonly LongFlow[], startMs: number): Flow[] {
  return flows.flatMap(({ from, to, packetsPerSecond, flow }) => {
    const rest = (to - from) % activeSeconds
    const isCut = second > from && second <= to && (second - from) % activeSeconds === 0
    const isOver = second === to + inactiveSeconds && rest > 0
    if (!isCut && !isOver) return []
    const end = isCut ? second : to
    const begin = isCut ? second - activeSeconds : to - rest
    const packets = packetsPerSecond * (end - begin)
    const times = { startMs: startMs + begin * 1_000, endMs: startMs + end * 1_000 - 1 }
    return [{ ...flow, ...times, packets, bytes: packets * (flow.bytes ?? 0) }]
  })
}

function told(activeSeconds: number, lasts: number, flows: LongFlow[]) {
  const lab = new ExportLab()
  const device = new Device(lab, { protocol: 'ipfix' })
  const startMs = lab.nowMs
  lab.run(lasts + 200, (second) => device.export(toldAt(second, activeSeconds, flows, startMs)))
  return { lab, startMs, foundAfter: lab.foundMs === null ? null : (lab.foundMs - startMs) / 1_000 }
}

/** 1,000 packets/s from eight servers. */
function amplification(from: number, to: number): LongFlow[] {
  return Array.from({ length: 8 }, (_, i) => ({
    from,
    to,
    packetsPerSecond: 125,
    flow: { src: `203.0.113.${i + 1}`, dst: victim, srcPort: 123, dstPort: 4_000 + i, ipProto: 17, bytes: 468 },
  }))
}

const download = { src: '203.0.113.1', dst: victim, srcPort: 443, dstPort: 4_000, ipProto: 6, tcpFlags: 0x18 }

for (const activeSeconds of [10, 60, 300, 1_800]) {
  describe(`an active timeout of ${activeSeconds} s`, () => {
    it('shows an attack of long flows when their first record comes, at its rate', () => {
      const lasts = activeSeconds + 50
      const { lab, startMs, foundAfter } = told(activeSeconds, lasts, amplification(0, lasts))
      assert.equal(foundAfter, activeSeconds + 1)
      const [ended] = lab.phases('ended')
      assert.equal(ended.label, 'udp@attack@amp_flood_target-NTP')
      assert.ok(Math.abs(ended.peak.packetsPerSecond - 1_000) < 1, `${ended.peak.packetsPerSecond}`)
      assert.ok(Math.abs(ended.packetsPerSecond - 1_000) < 1, `${ended.packetsPerSecond}`)
      const began = (ended.startMs - startMs) / 1_000
      assert.ok(Math.abs(began - Math.max(0, activeSeconds - reachSeconds)) <= 1, `it began after ${began} s`)
      assert.equal(lab.ingest.counted.timeClipped > 0, activeSeconds > reachSeconds)
    })

    it('shows an attack that ends before when its records come', () => {
      const lasts = activeSeconds - 5
      const { foundAfter } = told(activeSeconds, lasts, amplification(0, lasts))
      assert.equal(foundAfter, lasts + inactiveSeconds + 1)
    })

    it('makes no event of a download of half an hour', () => {
      const flows = [{ from: 0, to: 1_800, packetsPerSecond: 5_000, flow: { ...download, bytes: 1_400 } }]
      const { lab } = told(activeSeconds, 1_800, flows)
      assert.deepEqual(lab.life(), [])
    })
  })
}

it('a flood of flows of one packet is found when the inactive timeout has passed', () => {
  const lab = new ExportLab()
  const device = new Device(lab, { protocol: 'netflow9' })
  const random = createRandom(1)
  const startMs = lab.nowMs
  const held: Flow[][] = []
  lab.run(60, (second) => {
    const rate = { packetsPerSecond: second < 30 ? 500 : 0, samplingRate: 1 }
    const flows = sampledFlows(synFlood, rate, { dst: victim, nowMs: lab.nowMs + 1_000 }, random)
    held.push(flows)
    device.export(held[second - inactiveSeconds - 1] ?? [])
  })
  const found = ((lab.foundMs ?? 0) - startMs) / 1_000
  assert.ok(found > inactiveSeconds && found <= inactiveSeconds + 5, `found after ${found} s`)
  assert.equal(lab.reports[0].startMs, startMs)
})
