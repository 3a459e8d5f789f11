import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, type Traffic, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { SYN } from '../../net/tcp-flags.ts'
import { RateRing } from '../rates/rates.ts'

it('what comes to the addresses of a network is added up once, however many of them stand out', (test) => {
  const { mock } = test.mock.method(RateRing.prototype, 'packetsIn')
  const callsFor = (hosts: number) => {
    const before = mock.callCount()
    const carpet = Array.from({ length: hosts }, (_, i) => ({
      recordsPerSecond: 150,
      row: { ...udpFrom(123, 468), dstAddr: victim + i },
    }))
    const lab = new DetectionLab().run(5, ...carpet)
    const [opened, ...others] = lab.phases('opened')
    assert.deepEqual([opened.victims.length, others], [hosts, []])
    return mock.callCount() - before
  }
  assert.ok(callsFor(80) < 5 * callsFor(20))
})

it('addresses that had bursts at different times are victims all the same', () => {
  const hosts = 36
  const on = (host: number, recordsPerSecond: number, packets: number): Traffic => ({
    recordsPerSecond,
    sources: 5,
    row: { ...udpFrom(5_000, 500 * packets), packets, dstAddr: victim + host },
  })
  const usual = Array.from({ length: hosts }, (_, host) => on(host, 1, 10))
  const lab = new DetectionLab({ learnSeconds: 300 })
  for (let pair = 0; pair < hosts; pair += 2) {
    lab.run(60, ...usual.slice(0, pair + 2), on(pair, 20, 30), on(pair + 1, 20, 30))
  }
  lab.run(600, ...usual)
  assert.deepEqual(lab.life(), [])
  // 280 a second at each: it had 600 once.
  const carpet = usual.map((_, host) => ({ ...on(host, 28, 10), sources: 5_000 }))
  lab.run(90, ...usual, ...carpet)
  assert.equal(lab.phases('opened')[0].victims.length, hosts)
})

it('a burst at one address beside a flood on another is no attack on all', () => {
  const sampled = (recordsPerSecond: number, host: number): Traffic => ({
    recordsPerSecond,
    row: { ...tcp(SYN), samplingRate: 2_000, dstAddr: victim + host },
  })
  // As sampling shows what each of the others gets anyway: a packet now and then.
  const others = (second: number) => sampled(1, 2 + (second % 10))
  const lab = new DetectionLab({ learnSeconds: 300 })
  for (let second = 0; second < 500; second += 3) lab.run(1, others(second / 3)).run(2)
  for (let second = 0; second < 40; second++) {
    lab.run(
      1,
      sampled(15, 0),
      ...(second % 3 === 0 ? [sampled(2, 1)] : []),
      ...(second % 2 === 0 ? [others(second / 2)] : []),
    )
  }
  const opened = lab.phases('opened')
  assert.ok(opened.length > 0)
  assert.deepEqual(
    opened.flatMap(({ victims }) => victims),
    [],
  )
})

describe('one address of a network that is hit much harder', () => {
  const hosts = 60
  const flood: Traffic = { recordsPerSecond: 500, row: { ...tcp(SYN, 600), packets: 10 } }
  const thin: Traffic[] = Array.from({ length: hosts }, (_, host) => ({
    recordsPerSecond: 20,
    row: { ...tcp(SYN), dstAddr: victim + 1 + host },
  }))
  const addressesOf = (report: { victims: { address: number }[] } | undefined) =>
    report?.victims.map(({ address }) => address - victim).sort((a, b) => a - b)
  const others = Array.from({ length: hosts }, (_, host) => host + 1)

  it('goes on as its own attack when one on all begins beside it', () => {
    const lab = new DetectionLab()
      .run(60, flood)
      .run(60, flood, ...thin)
      .run(60, flood)
      .run(60)
    assert.deepEqual(lab.life(), ['opened', 'opened', 'ended', 'ended'])
    const [own, wide] = lab.phases('opened')
    assert.deepEqual([own.address, own.victims], [victim, []])
    assert.deepEqual(addressesOf(wide), others)
    assert.equal(wide.startMs, startMs + 60_000)
    assert.deepEqual(addressesOf(lab.phases('ended').find(({ incident }) => incident === wide.incident)), others)
  })

  it('does not hide the others, nor those who were hit before', () => {
    const lab = new DetectionLab()
      .run(30, ...thin)
      .run(60, flood, ...thin)
      .run(100)
    assert.deepEqual(lab.life(), ['opened', 'opened', 'ended', 'ended'])
    const [wide] = lab.phases('opened')
    const told = lab.reports.filter(({ incident }) => incident === wide.incident)
    for (const report of told) assert.deepEqual(addressesOf(report), others)
  })

  it('is part of one on all that comes back', () => {
    const alike: Traffic[] = thin.slice(0, 20).map((each) => ({ ...each, recordsPerSecond: 200 }))
    const lab = new DetectionLab()
      .run(20, ...alike)
      .run(60)
      .run(20, alike[0])
      .run(40, ...alike)
    assert.deepEqual(lab.life(), ['opened', 'ended', 'opened', 'reopened', 'ended', 'closed'])
    assert.equal(lab.detector.openIncidents, 1)
  })

  it('is one of the victims while it has no more than half of it, and the others still are', () => {
    const two = [100, 101].map((host) => ({ ...flood, row: { ...flood.row, dstAddr: victim + host } }))
    const lab = new DetectionLab().run(10, ...thin).run(60, ...thin, ...two)
    assert.deepEqual(lab.life(), ['opened'])
    assert.deepEqual(addressesOf(lab.reports.at(-1)), [...others, 100, 101])
  })
})
