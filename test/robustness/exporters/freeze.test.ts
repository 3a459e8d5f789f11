// The service stands still for a while, as in a suspended virtual machine, or what relays flows to it does: what comes late is judged at its own time or not
// at all, and what was not seen is no evidence that there was nothing.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExportProtocol } from '../../../src/flow/columns.ts'
import { Device, ExportLab, victim } from '../../helpers/labs/export.ts'
import { dnsAmplification, type Kind, sampledFlows, synFlood, web } from '../../helpers/labs/sampled-traffic.ts'
import { createRandom } from '../../helpers/random.ts'

const protocols: readonly ExportProtocol[] = ['netflow5', 'netflow9', 'ipfix', 'sflow5']
const synLabel = 'tcp@attack@syn_flood_target'

interface Scenario {
  protocol: ExportProtocol
  /** When the attack goes on, in seconds since the start; null: there is none. */
  attack: { from: number; to: number } | null
  clockAheadMs?: number
  /** What happens after two minutes. */
  happens: (lab: ExportLab, send: () => void) => void
}

const quietFor = 120
/** Visitors, answers to the host's questions, and packets of scanners: a minute of each at once would be an attack. */
const ordinary: readonly (readonly [kind: Kind, packetsPerSecond: number])[] = [
  [web, 60],
  [dnsAmplification, 30],
  [synFlood, 20],
]

function played({ protocol, attack, clockAheadMs = 0, happens }: Scenario) {
  const lab = new ExportLab()
  const startMs = lab.nowMs
  const device = new Device(lab, { protocol, clockAheadMs, bootMs: startMs + clockAheadMs - 3_600_000 })
  const random = createRandom(1)
  let second = 0
  const send = () => {
    const at = { dst: victim, nowMs: lab.nowMs }
    const isOn = attack !== null && second >= attack.from && second < attack.to
    const flows = ordinary.flatMap(([kind, packetsPerSecond]) =>
      sampledFlows(kind, { packetsPerSecond, samplingRate: 1 }, at, random),
    )
    if (isOn) flows.push(...sampledFlows(synFlood, { packetsPerSecond: 300, samplingRate: 1 }, at, random))
    device.export(flows)
    second++
  }
  lab.run(quietFor, send)
  happens(lab, send)
  lab.run(200, send)
  return { lab, startMs }
}

/** One attack of 300 packets/s beside the ordinary traffic. `bySecond`: when it began and ended, in seconds since the start. */
function checkAttack({ lab, startMs }: ReturnType<typeof played>, bySecond: { from: number; to: number }): void {
  assert.deepEqual(lab.life(), ['opened', 'ended'])
  const [ended] = lab.phases('ended')
  assert.equal(ended.label, synLabel)
  const near = (atMs: number, second: number) => Math.abs(atMs - startMs - second * 1_000) <= 2_000
  assert.ok(near(ended.startMs, bySecond.from), `it began at ${(ended.startMs - startMs) / 1_000}`)
  assert.ok(near(ended.endMs, bySecond.to), `it ended at ${(ended.endMs - startMs) / 1_000}`)
  assert.ok(Math.abs(ended.packetsPerSecond - 410) < 45, `${ended.packetsPerSecond}`)
}

/** The kernel keeps everything, or the first datagrams only. */
function heldMaxOf(seconds: number): number[] {
  return seconds === 75 ? [Number.POSITIVE_INFINITY, 40] : [40]
}

for (const protocol of protocols) {
  describe(`a service that stood still, and ${protocol}`, () => {
    for (const seconds of [5, 75, 600]) {
      it(`sees nothing in ordinary traffic of ${seconds} s that it reads at once`, () => {
        for (const heldMax of heldMaxOf(seconds)) {
          const freeze = (lab: ExportLab, send: () => void) => lab.freeze(seconds, send, { heldMax })
          const { lab } = played({ protocol, attack: null, happens: freeze })
          assert.deepEqual(lab.life(), [], `${lab.reports[0]?.label}`)
        }
      })

      it(`sees one attack that goes on for ${seconds} s meanwhile, from its beginning to its end`, () => {
        for (const heldMax of heldMaxOf(seconds)) {
          const attack = { from: quietFor - 60, to: quietFor + seconds + 60 }
          const freeze = (lab: ExportLab, send: () => void) => lab.freeze(seconds, send, { heldMax })
          checkAttack(played({ protocol, attack, happens: freeze }), attack)
        }
      })
    }

    it('sees nothing in what it reads at once of an exporter whose clock is wrong, or is heard for the first time', () => {
      const freeze = (lab: ExportLab, send: () => void) => {
        const other = new Device(lab, { protocol, address: '198.51.100.2', bootMs: lab.nowMs - 3_600_000 })
        const random = createRandom(2)
        const sendBoth = () => {
          send()
          const at = { dst: '192.0.2.11', nowMs: lab.nowMs }
          other.export(sampledFlows(dnsAmplification, { packetsPerSecond: 30, samplingRate: 1 }, at, random))
        }
        lab.freeze(75, sendBoth)
        assert.ok(lab.ingest.counters.datagramsDated >= 75)
        assert.ok(lab.ingest.counters.datagramsLeftOut >= 75)
        lab.run(30, sendBoth)
      }
      const { lab } = played({ protocol, attack: null, clockAheadMs: 3_600_000, happens: freeze })
      assert.deepEqual(lab.life(), [])
    })
  })

  describe(`a relay of ${protocol} that stood still`, () => {
    it('makes no attack of ordinary traffic that it sends at once', () => {
      for (const seconds of [20, 75, 300]) {
        const { lab } = played({ protocol, attack: null, happens: (at, send) => at.stall(seconds, send) })
        assert.deepEqual(lab.life(), [], `${lab.reports[0]?.label}`)
      }
    })

    it('leaves an attack one, with the rates that it has', () => {
      const attack = { from: quietFor - 60, to: quietFor + 15 + 60 }
      checkAttack(played({ protocol, attack, happens: (at, send) => at.stall(15, send) }), attack)
    })
  })

  describe(`the clock of the service is set, and ${protocol}`, () => {
    for (const leapSeconds of [-3_600, 3_600]) {
      const leap = (lab: ExportLab) => lab.clock.step(leapSeconds * 1_000)

      it(`by ${leapSeconds} s in ordinary traffic: there is no attack`, () => {
        const { lab } = played({ protocol, attack: null, happens: leap })
        assert.deepEqual(lab.life(), [])
      })

      it(`by ${leapSeconds} s in an attack: it is one, and ended when it did`, () => {
        const attack = { from: quietFor - 60, to: quietFor + 60 }
        // Set forward, the clock may have been right before, as that of a suspended machine is: the beginning stays.
        const from = attack.from + Math.min(0, leapSeconds)
        checkAttack(played({ protocol, attack, happens: leap }), { from, to: attack.to + leapSeconds })
      })
    }
  })
}
