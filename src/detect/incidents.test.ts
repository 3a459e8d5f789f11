import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, tcp, udpFrom, victim } from '../../test/helpers/detection.ts'
import { SYN } from '../net/tcp-flags.ts'

const synFlood = (recordsPerSecond: number) => ({ recordsPerSecond, row: tcp(SYN) })
const ntpAmplification = (recordsPerSecond: number) => ({ recordsPerSecond, row: udpFrom(123, 468) })

describe('the life of an attack', () => {
  it('takes pulses for one attack', () => {
    const lab = new DetectionLab().run(5)
    for (let i = 0; i < 4; i++) lab.run(25, ntpAmplification(2_000)).run(60)
    lab.run(200)
    // After the first pause it is known to pause.
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened', 'ended'])
    assert.equal(new Set(lab.reports.map(({ incident }) => incident)).size, 1)
  })

  it('tells of the end within half a minute', () => {
    const lab = new DetectionLab().run(20, synFlood(2_000))
    const overMs = lab.nowMs
    lab.run(60)
    const told = lab.seen.find(({ report }) => report.phase === 'ended')
    assert.ok(told !== undefined && told.atMs - overMs <= 30_000, `${told && told.atMs - overMs} ms`)
    assert.equal(told.report.endMs, overMs)
  })

  it('takes an attack that comes back soon for the same, and later for another', () => {
    const lab = new DetectionLab({ reopenSeconds: 120 }).run(10, synFlood(2_000)).run(100).run(10, synFlood(2_000))
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened'])
    lab.run(400).run(10, synFlood(2_000)).run(400)
    assert.deepEqual(lab.life().slice(3), ['ended', 'closed', 'opened', 'ended', 'closed'])
    assert.equal(new Set(lab.reports.map(({ incident }) => incident)).size, 2)
    assert.equal(lab.detector.unclosedIncidents, 0)
  })

  it('waits for as long as an exporter holds records back', () => {
    // Every minute a record of the minute that was.
    const lab = new DetectionLab()
    const minute = () => ({
      ...tcp(SYN, 60 * 60_000),
      packets: 60_000,
      startMs: lab.nowMs - 60_000,
      endMs: lab.nowMs - 1_000,
    })
    for (let i = 0; i < 5; i++) lab.run(1, { recordsPerSecond: 30, row: minute() }).run(59)
    assert.deepEqual(lab.life(), ['opened'])
    lab.run(120)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
  })

  it('tells at last what it told when it ended, not what came since', () => {
    const carpet = Array.from({ length: 20 }, (_, host) => ({
      recordsPerSecond: 200,
      row: { ...tcp(SYN), dstAddr: victim + host },
    }))
    const neighbour = { recordsPerSecond: 3, row: { ...tcp(SYN), dstAddr: victim + 100 } }
    const lab = new DetectionLab().run(30, ...carpet, neighbour).run(700, neighbour)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed'])
    const [ended, closed] = [lab.phases('ended')[0], lab.phases('closed')[0]]
    assert.equal(ended.victims.length, 20)
    assert.deepEqual([closed.victims, closed.vectors], [ended.victims, ended.vectors])
  })

  it('on a network is not opened again by what its addresses had got until it ended', () => {
    const to = (host: number, recordsPerSecond: number) => ({
      recordsPerSecond,
      row: { ...tcp(SYN), dstAddr: victim + host },
    })
    const all = (recordsPerSecond: number) => Array.from({ length: 10 }, (_, host) => to(host, recordsPerSecond))
    const lab = new DetectionLab().run(40, ...all(600)).run(60, ...all(2))
    assert.deepEqual(lab.life(), ['opened', 'ended'])
  })

  it('gives room to a new attack when others are over', () => {
    const on = (host: number) => ({ recordsPerSecond: 500, row: { ...tcp(SYN), dstAddr: victim + host } })
    const lab = new DetectionLab({ incidentsMax: 2 }).run(10, on(0), on(1)).run(60).run(10, on(2))
    assert.equal(lab.phases('opened').length, 3)
    assert.equal(lab.phases('closed').length, 1)
    lab.run(10, on(2), on(3), on(4))
    assert.equal(lab.phases('opened').length, 4)
    assert.ok(lab.detector.counted.incidentsRefused > 0)
  })

  it('does not take records that come after the end of an attack for another', () => {
    const lab = new DetectionLab({ quietSeconds: 60 }).run(20).run(10, synFlood(2_000)).run(100)
    const held = { ...tcp(SYN), packets: 60, startMs: lab.nowMs - 115_000, endMs: lab.nowMs - 5_000 }
    lab.run(1, { recordsPerSecond: 2, row: held }).run(100)
    assert.equal(lab.phases('opened').length, 1)
  })

  it('is of all vectors that begin within 15 seconds of each other', () => {
    const lab = new DetectionLab().run(10, synFlood(2_000)).run(40, synFlood(2_000), ntpAmplification(3_000)).run(300)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    const labels = lab.phases('ended')[0].vectors.map(({ label }) => label)
    assert.deepEqual(labels, ['udp@attack@amp_flood_target-NTP', 'tcp@attack@syn_flood_target'])
  })

  it('opens another incident for a new vector in the same attack', () => {
    const lab = new DetectionLab().run(20, synFlood(2_000)).run(40, synFlood(2_000), ntpAmplification(3_000)).run(300)
    assert.deepEqual(
      lab.phases('opened').map(({ label }) => label),
      ['tcp@attack@syn_flood_target', 'udp@attack@amp_flood_target-NTP'],
    )
  })

  it('does not open one for a trickle beside the attack', () => {
    const lab = new DetectionLab().run(40, synFlood(5_000), ntpAmplification(150)).run(300)
    assert.equal(lab.phases('opened').length, 1)
  })

  it('has the label of the heaviest of the vectors that it begins with, though another was seen first', () => {
    const lab = new DetectionLab().run(10, synFlood(1_000)).run(30, synFlood(1_000), ntpAmplification(1_500))
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(lab.reports[0].label, 'tcp@attack@syn_flood_target')
    assert.equal(lab.reports.at(-1)?.label, 'udp@attack@amp_flood_target-NTP')
    assert.deepEqual(
      lab.reports.at(-1)?.vectors.map(({ label }) => label),
      ['udp@attack@amp_flood_target-NTP', 'tcp@attack@syn_flood_target'],
    )
  })
})
