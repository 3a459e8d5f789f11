import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'

const visitors = { recordsPerSecond: 50, sources: 200, row: { ...tcp(0x1b, 4_000), packets: 10 } }
const settings = { learnSeconds: 300 }

describe('what is known of a target', () => {
  it('is nothing without traffic, but what holds for it', () => {
    const state = new DetectionLab().detector.stateOf(victim, 0)
    assert.deepEqual([state.learning, state.classes, state.incidents], [null, [], []])
    assert.equal(state.settings.values.packetsPerSecond, 20_000)
  })

  it('is how far it is learnt, its current rates, and the lines before anything is normal', () => {
    const lab = new DetectionLab({ ...settings, sensitivity: 'high' }).run(30, visitors)
    const { learning, classes } = lab.detector.stateOf(victim, 0)
    assert.deepEqual(learning, { sinceSecond: startMs / 1000 + 1, secondsLeft: 271, seasonHours: 0 })
    const [all, connections, ...others] = classes
    assert.deepEqual([all.label, all.packets, all.bytes, all.flows], [null, 500, 200_000, 50])
    assert.deepEqual([all.normal, all.lines], [null, { whole: 20_000, partial: 20_000 }])
    assert.equal(connections.label, 'tcp@attack@conn_flood_target')
    assert.deepEqual(connections.lines, { whole: 10_000, partial: 30_000 })
    assert.deepEqual(others, [])
  })

  it('is in short its rates, its normal and how far that is learnt, as if nothing had been before it was known', () => {
    const lab = new DetectionLab(settings).run(30, visitors)
    const nowMs = startMs + 30_000
    const ask = (knownFromMs: number) =>
      lab.detector.ratesOf([
        { address: victim, knownFromMs },
        { address: 1, knownFromMs },
      ])
    const [young, none] = ask(0)
    assert.deepEqual([young?.packets, young?.bytes, young?.flows, young?.normal], [500, 200_000, 50, null])
    assert.ok(Math.abs((young?.learnt ?? 0) - 0.1) < 0.01)
    assert.equal(none, null)
    lab.run(600, visitors)
    const [old] = ask(0)
    assert.equal(old?.learnt, 1)
    assert.ok(Math.abs((old?.normal ?? 0) - 500) < 50)
    const [fresh] = ask(nowMs + 600_000 - 5_000)
    assert.deepEqual([fresh?.packets, fresh?.normal], [250, null])
    assert.ok((fresh?.learnt ?? 1) < 0.1)
  })

  it('has the rates of the last seconds that are complete, where exporters hold records back, and how old they are', () => {
    const held = (flowSeconds: number, waitSeconds: number) => {
      const lab = new DetectionLab()
      for (let i = 0; i < 120; i++) {
        const endMs = lab.nowMs - waitSeconds * 1_000
        const row = {
          ...tcp(0x1b, 4_000),
          packets: 10 * flowSeconds,
          startMs: endMs - (flowSeconds - 1) * 1_000,
          endMs,
        }
        lab.run(1, { recordsPerSecond: 50, sources: 200, row })
      }
      const { ageSeconds, classes } = lab.detector.stateOf(victim, 0)
      const [rates] = lab.detector.ratesOf([{ address: victim, knownFromMs: 0 }])
      assert.equal(rates?.packets, classes[0].packets)
      return { ageSeconds, packets: Math.round(classes[0].packets / flowSeconds) }
    }
    assert.deepEqual(held(1, 0), { ageSeconds: 0, packets: 500 })
    // Idle flows are exported 15 seconds after their last packet.
    assert.deepEqual(held(1, 15), { ageSeconds: 30, packets: 500 })
    // Flows that go on are exported once a minute.
    assert.deepEqual(held(60, 0), { ageSeconds: 59, packets: 500 })
  })

  it('is quiet when nothing more comes, however long its exporters held back', () => {
    const lab = new DetectionLab()
    const row = { ...tcp(0x1b, 4_000), packets: 600 }
    for (let i = 0; i < 90; i++)
      lab.run(1, { recordsPerSecond: 50, row: { ...row, startMs: lab.nowMs - 59_000, endMs: lab.nowMs } })
    lab.run(60)
    assert.ok(lab.detector.stateOf(victim, 0).classes[0].packets > 0)
    lab.run(30)
    assert.equal(lab.detector.stateOf(victim, 0).classes[0].packets, 0)
  })

  it('has no two classes of one name', () => {
    const part = (flags: number, bytes: number) => ({ recordsPerSecond: 20, row: tcp(flags, bytes) })
    const lab = new DetectionLab().run(
      20,
      part(0x1b, 400),
      part(0x10, 52),
      part(0x11, 52),
      part(0x13, 52),
      part(0x1a, 500),
    )
    const { classes } = lab.detector.stateOf(victim, 0)
    const names = classes.map(({ label, matches }) => `${label} ${matches}`)
    assert.ok(classes.filter(({ label }) => label === 'tcp@attack@conn_flood_target').length >= 4, names.join())
    assert.equal(new Set(names).size, names.length, names.join())
    assert.ok(names.includes('tcp@attack@conn_flood_target TCP with ACK, SYN, FIN, without PSH'), names.join())
  })

  it('is its normal and the lines above that, once learnt', () => {
    const lab = new DetectionLab(settings)
      .run(600, visitors)
      .run(5, visitors, { recordsPerSecond: 9, row: udpFrom(123) })
    const { learning, classes } = lab.detector.stateOf(victim, 0)
    assert.equal(learning?.secondsLeft, 0)
    const [all, connections, ntp] = classes
    assert.ok(Math.abs((connections.normal?.level ?? 0) - 500) < 50, `${connections.normal?.level}`)
    assert.ok(Math.abs((connections.lines?.whole ?? 0) - 2_000) < 200, `${connections.lines?.whole}`)
    assert.equal(all.lines?.whole, 20_000)
    assert.deepEqual([ntp.packets, ntp.lines], [4.5, { whole: 100, partial: 1_000 }])
  })

  it('is not learnt from an attack that comes before anything is, and not said to be', () => {
    const flood = { recordsPerSecond: 200, sources: 100, row: { ...udpFrom(123, 46_800), packets: 100 } }
    const lab = new DetectionLab(settings).run(60, visitors).run(500, visitors, flood)
    const during = lab.detector.stateOf(victim, 0)
    assert.equal(during.incidents.length, 1)
    assert.ok((during.learning?.secondsLeft ?? 0) > 0)
    assert.equal(during.classes[0].normal, null)
    lab.run(1_000, visitors)
    const { learning, classes } = lab.detector.stateOf(victim, 0)
    assert.equal(learning?.secondsLeft, 0)
    assert.ok(Math.abs((classes[0].normal?.level ?? 0) - 500) < 50, `${classes[0].normal?.level}`)
  })

  it('is, for who came later, as if it had had traffic only since then', () => {
    const lab = new DetectionLab(settings).run(600, visitors)
    const { learning, classes } = lab.detector.stateOf(victim, lab.nowMs - 5_000)
    assert.equal(learning?.secondsLeft, 295)
    assert.ok(classes.every(({ normal }) => normal === null))
    assert.equal(classes[0].packets, 250)
    const fresh = lab.detector.stateOf(victim, lab.nowMs)
    assert.deepEqual(
      fresh.classes.map(({ label, packets }) => [label, packets]),
      [[null, 0]],
    )
  })

  it('has the attacks that go on, and no lines where nothing is judged', () => {
    const flood = { recordsPerSecond: 2_000, row: tcp(SYN) }
    const attacked = new DetectionLab().run(20, flood)
    const attacks = [
      { id: attacked.phases('opened')[0].incident, label: 'tcp@attack@syn_flood_target', isNetwork: false },
    ]
    assert.deepEqual(attacked.detector.stateOf(victim, 0).incidents, attacks)
    assert.deepEqual(attacked.detector.stateOf(victim, startMs).incidents, attacks)
    assert.deepEqual(attacked.detector.stateOf(victim, startMs + 5_000).incidents, [])
    assert.deepEqual(attacked.run(60).life(), ['opened', 'ended'])
    assert.deepEqual(attacked.detector.stateOf(victim, 0).incidents, [])
    const unjudged = new DetectionLab({ prefixes: [{ prefix: '192.0.2.0/24', enabled: false }] }).run(20, flood)
    const { classes, incidents } = unjudged.detector.stateOf(victim, 0)
    assert.deepEqual([classes.map(({ lines }) => lines), incidents], [[null, null], []])
  })

  it('has those on its network, when it is among the victims', () => {
    const to = (i: number, recordsPerSecond: number, row = tcp(SYN)) => ({
      recordsPerSecond,
      row: { ...row, dstAddr: victim + i },
    })
    const carpet = Array.from({ length: 60 }, (_, i) => to(i, 12))
    const lab = new DetectionLab().run(20, ...carpet, to(100, 1, udpFrom(123)))
    const [{ incident }] = lab.phases('opened')
    const attacks = (i: number, knownFromMs: number) => lab.detector.stateOf(victim + i, knownFromMs).incidents
    assert.deepEqual(attacks(5, startMs), [{ id: incident, label: 'tcp@attack@syn_flood_target', isNetwork: true }])
    assert.deepEqual(attacks(5, startMs + 5_000), [])
    assert.deepEqual(attacks(100, 0), [])
  })
})
