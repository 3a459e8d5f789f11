import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, type Traffic, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'
import type { Amount } from './incident-report.ts'

const synFlood = (recordsPerSecond: number) => ({ recordsPerSecond, row: tcp(SYN) })
const ntpAmplification = (recordsPerSecond: number) => ({ recordsPerSecond, row: udpFrom(123, 468) })

/** Amounts of the whole attack, or of its latest episode. */
const packetsOf = ({ packetsPerSecond, activeSeconds }: Amount) => Math.round(packetsPerSecond * activeSeconds)

const tcpVisitors = { recordsPerSecond: 40, row: tcp(0x1b) }

describe('what an attack amounts to', () => {
  it('stays as it was at the end, however long after and however busy the address is', () => {
    const visitors = { recordsPerSecond: 50, row: tcp(0x1b) }
    const lab = new DetectionLab().run(120, visitors).run(5, visitors, ntpAmplification(3_000)).run(900, visitors)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed'])
    const [ended, closed] = [lab.phases('ended')[0], lab.phases('closed')[0]]
    assert.equal(packetsOf(ended), 15_250)
    assert.deepEqual(
      [packetsOf(closed), closed.activeSeconds, closed.peak, closed.details?.course, closed.details?.statistics],
      [packetsOf(ended), 5, ended.peak, ended.details?.course, ended.details?.statistics],
    )
  })

  it('counts what comes late until it is closed', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(60)
    const late = { ...tcp(SYN), startMs: startMs + 8_000, endMs: startMs + 8_000 }
    lab.run(1, { recordsPerSecond: 700, row: late }).run(800)
    const [ended, closed] = [lab.phases('ended')[0], lab.phases('closed')[0]]
    assert.deepEqual([packetsOf(ended), packetsOf(closed)], [20_000, 20_700])
    assert.equal(closed.details?.statistics.protocol[0].packets, 20_700)
  })

  it('is of the seconds in which it was there, not of its pauses', () => {
    const visitors = { recordsPerSecond: 20, row: tcp(0x1b) }
    const lab = new DetectionLab({ quietSeconds: 60 }).run(60, visitors)
    for (let i = 0; i < 4; i++) lab.run(20, visitors, ntpAmplification(2_000)).run(40, visitors)
    lab.run(800, visitors)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed'])
    const { activeSeconds, packetsPerSecond, vectors, details } = lab.phases('closed')[0]
    assert.equal(activeSeconds, 80)
    assert.equal(packetsPerSecond, 2_020)
    const listed = details?.statistics.protocol.reduce((sum, { packets }) => sum + packets, 0) ?? 0
    // A few seconds after each pulse are listed, too.
    assert.ok(listed >= 80 * 2_020 && listed <= 80 * 2_020 + 4 * 7 * 20, `${listed} packets`)
    assert.deepEqual(
      vectors.map(({ label, share }) => [label, Math.round(share * 1e4) / 1e4]),
      [['udp@attack@amp_flood_target-NTP', 0.9901]],
    )
  })

  it('is of the pulses alone where visitors send such packets, too, and so are the lists', () => {
    const visitors: Traffic = { recordsPerSecond: 30, row: tcp(SYN) }
    const pulse: Traffic = { recordsPerSecond: 2_000, row: tcp(SYN) }
    const lab = new DetectionLab({ learnSeconds: 300 }).run(600, visitors)
    for (let i = 0; i < 4; i++) lab.run(10, visitors, pulse).run(30, visitors)
    lab.run(900, visitors)
    const [{ activeSeconds, packetsPerSecond, details }] = lab.phases('closed')
    assert.equal(activeSeconds, 4 * 10)
    assert.equal(Math.round(packetsPerSecond), 2_030)
    const listed = details?.statistics.protocol[0].packets ?? 0
    // A few seconds after each pulse are listed, too.
    assert.ok(listed >= 40 * 2_030 && listed <= 40 * 2_030 + 4 * 6 * 30, `${listed} packets`)
  })

  it('is told for each episode, and for all', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(100).run(20, synFlood(1_000)).run(900)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened', 'ended', 'closed'])
    const closed = lab.phases('closed')[0]
    assert.deepEqual([packetsOf(closed), closed.activeSeconds, closed.peak.packetsPerSecond], [40_000, 30, 2_000])
    const { number, startMs: from, endMs } = closed.episode
    assert.deepEqual([number, from, endMs], [1, startMs + 115_000, startMs + 135_000])
    assert.deepEqual([packetsOf(closed.episode), closed.episode.peak.packetsPerSecond], [20_000, 1_000])
    assert.equal(closed.details?.statistics.protocol[0].packets, 40_000)
    assert.equal(closed.details?.ofEpisode?.protocol[0].packets, 20_000)
    assert.equal(lab.phases('ended')[0].details?.ofEpisode, null)
  })

  it('never becomes less, and is no more than what came', () => {
    const lab = new DetectionLab().run(30, tcpVisitors)
    let sent = 0
    for (const [seconds, rate] of [
      [20, 3_000],
      [8, 0],
      [5, 900],
      [45, 0],
      [10, 2_500],
      [200, 0],
      [30, 1_000],
    ]) {
      sent += seconds * rate
      lab.run(seconds, tcpVisitors, ...(rate > 0 ? [synFlood(rate)] : []))
    }
    lab.run(1_000, tcpVisitors)
    const told = lab.reports.map(packetsOf)
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
    const last = lab.reports.at(-1)
    assert.ok(last?.phase === 'closed')
    assert.equal(packetsOf(last), sent + last.activeSeconds * tcpVisitors.recordsPerSecond)
    assert.ok(last.vectors.reduce((sum, { share }) => sum + share, 0) <= 1)
  })

  it('is told to be quiet before its end is', () => {
    const lab = new DetectionLab().run(10, synFlood(2_000)).run(60)
    const quiet = lab.seen.find(({ report }) => report.isQuiet)
    const ended = lab.seen.find(({ report }) => report.phase === 'ended')
    assert.ok(quiet && ended && quiet.atMs < ended.atMs)
    assert.equal(ended.report.isQuiet, false)
  })
})

describe('the life of an attack', () => {
  it('takes pulses for one attack', () => {
    const lab = new DetectionLab().run(5)
    for (let i = 0; i < 4; i++) lab.run(25, ntpAmplification(2_000)).run(60)
    lab.run(200)
    // After the first pause it is known to pause.
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened', 'ended'])
    assert.equal(new Set(lab.reports.map(({ incident }) => incident)).size, 1)
  })

  it('reports the end within half a minute', () => {
    const lab = new DetectionLab().run(20, synFlood(2_000))
    const overMs = lab.nowMs
    lab.run(60)
    const told = lab.seen.find(({ report }) => report.phase === 'ended')
    assert.ok(told !== undefined && told.atMs - overMs <= 30_000, `${told && told.atMs - overMs} ms`)
    assert.equal(told.report.endMs, overMs)
  })

  it('is another one when it comes long after its end, though nobody watched in between', () => {
    const lab = new DetectionLab().run(5).run(10, synFlood(2_000)).run(100)
    lab.clock.advance(3_600_000)
    lab.run(3).run(10, synFlood(2_000))
    assert.deepEqual(lab.life(), ['opened', 'ended', 'closed', 'opened'])
  })

  it('takes an attack that comes back soon for the same, and later for another', () => {
    const lab = new DetectionLab({ reopenSeconds: 120 }).run(10, synFlood(2_000)).run(100).run(10, synFlood(2_000))
    assert.deepEqual(lab.life(), ['opened', 'ended', 'reopened'])
    lab.run(400).run(10, synFlood(2_000)).run(400)
    assert.deepEqual(lab.life().slice(3), ['ended', 'closed', 'opened', 'ended', 'closed'])
    assert.equal(new Set(lab.reports.map(({ incident }) => incident)).size, 2)
    assert.equal(lab.detector.unclosedIncidents, 0)
  })

  it('is not quiet while its exporter holds records back', () => {
    const lab = new DetectionLab()
    const batch = () => ({
      ...tcp(SYN, 60 * 15_000),
      packets: 15_000,
      startMs: lab.nowMs - 15_000,
      endMs: lab.nowMs - 1_000,
    })
    for (let i = 0; i < 8; i++) lab.run(1, { recordsPerSecond: 30, row: batch() }).run(14)
    assert.deepEqual(lab.life(), ['opened'])
    assert.equal(lab.reports.filter(({ isQuiet }) => isQuiet).length, 0)
    lab.run(10)
    assert.equal(lab.reports.at(-1)?.isQuiet, true)
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
