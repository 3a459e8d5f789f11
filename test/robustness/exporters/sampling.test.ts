// Behind exporters that sample, however coarsely: attacks are found, the rates that are told are as certain as is said, and what is no attack stays
// none. How small an attack may be is measured by bench/sampling.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Device, ExportLab, victim } from '../../helpers/labs/export.ts'
import {
  backup,
  dnsAmplification,
  type Kind,
  type Rate,
  sampledFlows,
  synFlood,
  web,
} from '../../helpers/labs/sampled-traffic.ts'
import { createRandom } from '../../helpers/random.ts'

const samplingRates = [1, 8, 64, 512, 1_024, 4_096, 8_192]
const windowSeconds = [1, 3, 10, 30, 60]
/** More than the longest window. */
const attackSeconds = 70

const attacks: [name: string, kind: Kind, label: string][] = [
  ['a SYN flood', synFlood, 'tcp@attack@syn_flood_target'],
  ['a DNS amplification', dnsAmplification, 'udp@attack@amp_flood_target-DNS'],
]

/** An attack beside few visitors, and until it is over. */
function attacked(kind: Kind, rate: Rate, seed: number): ExportLab {
  const lab = new ExportLab()
  const device = new Device(lab, { protocol: 'ipfix', samplingRate: rate.samplingRate })
  const random = createRandom(seed)
  return lab.run(10 + attackSeconds + 40, (second) => {
    const at = { dst: victim, nowMs: lab.nowMs }
    const isOn = second >= 10 && second < 10 + attackSeconds
    const visitors = sampledFlows(web, { ...rate, packetsPerSecond: 20 }, at, random)
    device.export(isOn ? [...visitors, ...sampledFlows(kind, rate, at, random)] : visitors)
  })
}

/** Packets a second of visitors and of a backup: near the limits that hold while normal is not known, and not above them. */
const harmless = [
  [2_000, 8_000],
  [15_000, 0],
  [20, 15_000],
]

interface Harmless {
  visitors: number
  copied: number
  samplingRate: number
  seed: number
}

function unattacked({ visitors, copied, samplingRate, seed }: Harmless): ExportLab {
  const lab = new ExportLab()
  const device = new Device(lab, { protocol: 'ipfix', samplingRate })
  const random = createRandom(seed)
  return lab.run(90, (second) => {
    const at = { dst: victim, nowMs: lab.nowMs }
    const flows = sampledFlows(web, { packetsPerSecond: visitors, samplingRate }, at, random)
    if (second >= 30) flows.push(...sampledFlows(backup, { packetsPerSecond: copied, samplingRate }, at, random))
    device.export(flows)
  })
}

for (const samplingRate of samplingRates) {
  describe(`sampling 1:${samplingRate}`, () => {
    for (const [name, kind, label] of attacks) {
      // Ten packets a second as exported, and no less than the floors.
      const packetsPerSecond = Math.max(450, 10 * samplingRate)

      it(`${name} is one event, with its size and how certain that is`, () => {
        const lab = attacked(kind, { packetsPerSecond, samplingRate }, samplingRate)
        assert.deepEqual(lab.life(), ['opened', 'ended'])
        const [ended] = lab.phases('ended')
        assert.equal(ended.label, label)
        assert.ok(ended.startMs >= lab.nowMs - (attackSeconds + 42) * 1_000)
        for (const { value, error } of ended.why) {
          const observed = windowSeconds.map((seconds) => (value * seconds) / samplingRate)
          if (samplingRate === 1) assert.equal(error, 0)
          else
            assert.ok(
              observed.some((packets) => Math.abs(error * Math.sqrt(packets) - 1) < 0.001),
              `${error}`,
            )
          const spread = 3 * Math.max(error, Math.sqrt(1 / packetsPerSecond))
          assert.ok(Math.abs(value - packetsPerSecond) <= spread * packetsPerSecond, `${value} ± ${error}`)
        }
        const seen = (attackSeconds * packetsPerSecond) / samplingRate
        const packets = (ended.packetsPerSecond * (ended.endMs - ended.startMs)) / 1_000
        const sent = attackSeconds * (packetsPerSecond + 20)
        assert.ok(Math.abs(packets / sent - 1) < 3 / Math.sqrt(seen), `${packets} of ${sent}`)
        const protocols = ended.details?.statistics.protocol ?? []
        const listed = protocols.reduce((sum, { packets }) => sum + packets, 0)
        assert.ok(Math.abs(listed / sent - 1) < 3 / Math.sqrt(seen) + 0.1, `${listed} of ${sent}`)
      })
    }

    it('visitors, however many, and a backup are no event, before normal is known', () => {
      // What makes most records is told by coarse sampling only.
      const seeds = samplingRate < 512 ? 1 : 3
      for (const [visitors, copied] of samplingRate < 64 ? harmless.slice(0, 1) : harmless) {
        for (let seed = 1; seed <= seeds; seed++) {
          const { reports } = unattacked({ visitors, copied, samplingRate, seed })
          const told = reports.map(({ label, why }) => [label, ...why.map(({ value }) => value)])
          assert.deepEqual(told, [], `${visitors} and ${copied} packets/s`)
        }
      }
    })
  })
}
