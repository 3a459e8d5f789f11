import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, startMs, type Traffic, tcp, udpFrom, victim } from '../../test/helpers/detection.ts'
import { SYN } from '../net/tcp-flags.ts'

const synFlood = (recordsPerSecond: number) => ({ recordsPerSecond, row: tcp(SYN) })
const ntpAmplification = (recordsPerSecond: number) => ({ recordsPerSecond, row: udpFrom(123, 468) })
/** Whole connections of some visitors. */
const visitors = (recordsPerSecond: number) => ({
  recordsPerSecond,
  sources: 200,
  row: { ...tcp(0x1b, 4_000), packets: 10 },
})

describe('an attack from nothing', () => {
  it('is one incident, with its beginning, end, size and label', () => {
    const lab = new DetectionLab().run(20).run(20, synFlood(2_000)).run(300)
    const [opened, ...others] = lab.phases('opened')
    assert.deepEqual(others, [])
    assert.equal(opened.label, 'tcp@attack@syn_flood_target')
    assert.equal(opened.address, victim)
    const [ended] = lab.phases('ended')
    assert.equal(ended.incident, opened.incident)
    assert.equal(ended.startMs, startMs + 20_000)
    assert.equal(ended.endMs, startMs + 40_000)
    assert.equal(ended.packetsPerSecond, 2_000)
    assert.equal(ended.peak.packetsPerSecond, 2_000)
    assert.ok(ended.deviation > 100)
    assert.equal(ended.why[0].metric, 'packets')
    assert.equal(lab.detector.openIncidents, 0)
  })

  it('is reported within three seconds', () => {
    const lab = new DetectionLab().run(5).run(3, synFlood(2_000))
    assert.equal(lab.phases('opened').length, 1)
  })

  it('has all of its records in the lists', () => {
    const lab = new DetectionLab().run(5).run(30, ntpAmplification(3_000)).run(300)
    const { statistics } = lab.details('ended')
    const whole = { flows: 90_000, packets: 90_000, bytes: 90_000 * 468, protocols: [17] }
    assert.deepEqual(statistics.sourcePort, [{ item: 123, ...whole }])
    assert.deepEqual(statistics.protocol, [{ item: 17, ...whole }])
    assert.deepEqual(statistics.destinationPort, [{ item: 33_000, ...whole }])
    assert.equal(statistics.sourceAddress.length, 100)
  })

  it('has in its lists nothing that came long before it, or to others', () => {
    const before = { recordsPerSecond: 5, row: { ...tcp(0x1b), dstPort: 25 } }
    const beside = { recordsPerSecond: 5, row: { ...tcp(0x1b), dstPort: 110, dstAddr: victim + 1 } }
    const lab = new DetectionLab().run(20, before).run(10, beside).run(10, synFlood(2_000), beside)
    const { statistics } = lab.details('opened')
    assert.deepEqual(
      statistics.destinationPort.map(({ item }) => item),
      [443],
    )
  })

  it('is seen at once when an exporter holds its records back, and dated by them', () => {
    const lab = new DetectionLab().run(60)
    const late = {
      recordsPerSecond: 20_000,
      row: { ...udpFrom(123, 468), startMs: lab.nowMs - 15_000, endMs: lab.nowMs - 6_000 },
    }
    lab.run(1, late)
    const [opened] = lab.phases('opened')
    assert.equal(opened.startMs, startMs + 45_000)
    assert.equal(opened.endMs, startMs + 55_000)
    assert.ok(Math.abs(opened.packetsPerSecond - 2_000) < 1)
  })

  it('is updated while it goes on, and not without news', () => {
    const lab = new DetectionLab({ updateSeconds: 5, quietSeconds: 60 }).run(20, synFlood(2_000)).run(50)
    const updates = lab.phases('updated')
    assert.ok(updates.length >= 3 && updates.length <= 5, `${updates.length}`)
    for (const { incident } of updates) assert.equal(incident, lab.phases('opened')[0].incident)
  })
})

describe('what is normal', () => {
  /** Records can be five minutes late, so that is how long it takes to learn anything. */
  const learn = (lab: DetectionLab, ...traffic: Traffic[]) => lab.run(600, ...traffic)
  const settings = { learnSeconds: 60, quietSeconds: 60 }

  it('is exceeded by a lasting multiple only, which has no label when it is more of the same', () => {
    const lab = learn(new DetectionLab(settings), visitors(50)).run(120, visitors(150))
    assert.deepEqual(lab.phases('opened'), [])
    lab.run(90, visitors(400))
    const [{ label, why }] = lab.phases('opened')
    assert.equal(label, null)
    assert.equal(why[0].source, 'baseline')
    assert.ok(Math.abs((why[0].normal ?? 0) - 500) < 50, `${why[0].normal}`)
  })

  it('has its kind of packets: others in number are a flood', () => {
    const requests = { recordsPerSecond: 400, sources: 200, row: { ...tcp(0x1b, 900), packets: 10 } }
    const lab = learn(new DetectionLab(settings), visitors(50)).run(90, visitors(50), requests)
    assert.equal(lab.phases('opened')[0].label, 'tcp@attack@conn_flood_target')
  })

  it('may grow by more than visitors do: what had no label gets one then, and stays one event', () => {
    const lab = learn(new DetectionLab(settings), visitors(5)).run(100, visitors(200))
    assert.equal(lab.reports.at(-1)?.label, null)
    lab.run(200, visitors(1_500))
    assert.equal(lab.phases('opened').length, 1)
    assert.equal(lab.reports.at(-1)?.label, 'tcp@attack@conn_flood_target')
  })

  it('is nothing for a class never seen before, so that a slow rise is no new normal', () => {
    const lab = learn(new DetectionLab(settings), visitors(20))
    for (let rate = 10; rate <= 300; rate += 10) lab.run(10, visitors(20), ntpAmplification(rate))
    assert.equal(lab.phases('opened')[0]?.label, 'udp@attack@amp_flood_target-NTP')
  })

  it('is not learnt from an attack', () => {
    const lab = learn(new DetectionLab(settings), visitors(20))
    lab.run(700, visitors(20), ntpAmplification(150)).run(700, visitors(20))
    lab.run(10, visitors(20), ntpAmplification(150))
    assert.equal(lab.phases('opened').length, 2)
  })

  it('makes what a target has anyway ordinary for it', () => {
    const resolver = { recordsPerSecond: 200, row: udpFrom(53, 300) }
    const lab = learn(new DetectionLab(settings), { ...resolver, sources: 100 })
    lab.run(20, { ...resolver, recordsPerSecond: 700 }).run(60, resolver)
    assert.deepEqual(lab.phases('opened').slice(1), [], 'the first is from before it was learnt')
  })

  it('is that of others for a new address of a busy network', () => {
    const connections = (host: number, packets: number): Traffic => ({
      recordsPerSecond: 10,
      row: { ...tcp(SYN, 60 * packets), packets, dstAddr: victim + host },
    })
    const others = [1, 2, 3].map((host) => connections(host, 10))
    const lab = learn(new DetectionLab(settings), ...others)
    lab.run(60, ...others, connections(4, 20))
    assert.deepEqual(lab.phases('opened'), [])
    lab.run(60, ...others, connections(5, 100))
    assert.equal(lab.phases('opened').length, 1)
    assert.equal(new DetectionLab(settings).run(60, connections(4, 20)).phases('opened').length, 1)
  })

  it('leaves ordinary visitors of an unlearnt target alone', () => {
    assert.deepEqual(new DetectionLab().run(120, visitors(500)).reports, [])
  })
})

describe('absolute limits', () => {
  const download = (packets: number) => ({
    recordsPerSecond: 10,
    sources: 1,
    row: { ...tcp(0x18), packets, bytes: packets * 1_400 },
  })

  it('make an attack of unknown kind of traffic that no vector explains', () => {
    const lab = new DetectionLab().run(20, download(4_000))
    const [opened] = lab.phases('opened')
    assert.equal(opened.label, null)
    assert.equal(opened.why[0].source, 'absolute')
    assert.equal(opened.why[0].threshold, 20_000)
  })

  it('are crossed for three seconds, or not at all', () => {
    const acknowledgements = { recordsPerSecond: 2_100, row: { ...tcp(0x10, 600), packets: 10 } }
    const lab = new DetectionLab().run(30, visitors(2))
    assert.deepEqual(lab.run(1, acknowledgements).run(60, visitors(2)).reports, [])
    assert.equal(lab.run(3, acknowledgements).phases('opened').length, 1)
  })

  it('are crossed for ten seconds by a tunnel, and without a label', () => {
    const tunnel = { recordsPerSecond: 210, sources: 5, row: { ipProto: 50, bytes: 10_000, packets: 100 } }
    const lab = new DetectionLab().run(30, visitors(2))
    assert.deepEqual(lab.run(8, tunnel).run(60, visitors(2)).reports, [])
    assert.deepEqual(
      lab
        .run(11, tunnel)
        .phases('opened')
        .map(({ label }) => label),
      [null],
    )
  })

  it('give no label to more of what a target has anyway', () => {
    const labels = (packetsPerSecond: number) =>
      new DetectionLab({ packetsPerSecond, learnSeconds: 60 })
        .run(600, visitors(50))
        .run(30, visitors(120))
        .phases('opened')
        .map(({ label }) => label)
    assert.deepEqual(labels(1_100), [null])
    assert.deepEqual(labels(1_300), [])
  })

  it('hold by prefix, the longest first', () => {
    const prefixes = [
      { prefix: '192.0.2.0/24', packetsPerSecond: 100_000 },
      { prefix: '192.0.2.8/29', packetsPerSecond: 1_000 },
    ]
    const lab = new DetectionLab({ prefixes }).run(20, download(200))
    assert.equal(lab.phases('opened')[0].why[0].source, 'prefix 192.0.2.8/29')
  })
})

describe('settings of a network or a site', () => {
  const flood = { recordsPerSecond: 400, row: tcp(SYN) }

  it('that say not enabled leave its traffic unjudged, and keep its minutes', () => {
    const lab = new DetectionLab({ prefixes: [{ prefix: '192.0.2.8/29', enabled: false }] }).run(100, flood)
    assert.deepEqual(lab.reports, [])
    const packets = lab.minutes().reduce((sum, point) => sum + point.packets, 0)
    assert.equal(packets, 100 * 400)
  })

  it('that say not enabled leave its traffic out of the sums of its network', () => {
    const prefixes = [{ prefix: '192.0.2.0/26', enabled: false }]
    const carpet = Array.from({ length: 60 }, (_, i) => ({
      recordsPerSecond: 12,
      row: { ...tcp(SYN), dstAddr: victim - 10 + i },
    }))
    assert.deepEqual(new DetectionLab({ prefixes }).run(20, ...carpet).reports, [])
  })

  it('turn sensitivity up and down, by a word or a factor', () => {
    const labels = (sensitivity: 'low' | 'high' | number, recordsPerSecond: number) => {
      const lab = new DetectionLab({ sites: [{ site: '192.0.2.10', sensitivity }] })
      return lab.run(20, { ...flood, recordsPerSecond }).phases('opened').length
    }
    assert.deepEqual([labels('high', 100), labels(2, 100), labels('low', 100)], [1, 1, 0])
    assert.deepEqual([labels('low', 200), labels(1, 200)], [0, 1])
  })

  it('hold for a name where it leads, from when that is known', () => {
    const lab = new DetectionLab({ sites: [{ site: 'www.example.com', enabled: false }] })
    lab.detector.setSiteAddresses([[victim]])
    assert.deepEqual(lab.run(20, flood).reports, [])
    lab.detector.setSiteAddresses([[]])
    assert.equal(lab.run(20, flood).phases('opened').length, 1)
  })

  it('leave out ports and senders, in counters and lists', () => {
    const lab = new DetectionLab({ excludePorts: ['tcp/443'], excludeSources: ['198.51.100.0/24'] })
    const backup = { recordsPerSecond: 300, row: { ...udpFrom(123, 468), srcAddr: 0xc6336407 } }
    lab.run(20, flood, backup)
    assert.deepEqual([lab.reports, lab.minutes()], [[], []])
    lab.run(20, flood, backup, { ...flood, row: { ...flood.row, dstPort: 80 } })
    const { statistics } = lab.details('updated')
    assert.deepEqual(
      statistics.destinationPort.map(({ item }) => item),
      [80],
    )
  })
})

describe('what is no attack', () => {
  it('a scan: one source, many ports', () => {
    const lab = new DetectionLab().run(5)
    for (let i = 0; i < 30; i++) {
      for (let j = 0; j < 100; j++)
        lab.fold({ recordsPerSecond: 1, sources: 1, row: { ...tcp(SYN), dstPort: 1_000 + i * 100 + j } })
      lab.run(1)
    }
    assert.deepEqual(lab.reports, [])
  })

  it('a few sampled packets, whatever they scale up to', () => {
    const lab = new DetectionLab()
      .run(5)
      .run(2, { recordsPerSecond: 5, row: { ...tcp(SYN), samplingRate: 8_192 } })
      .run(60)
    assert.deepEqual(lab.reports, [])
  })
})

describe('a carpet', () => {
  const network = victim - 10
  const spread = (hosts: number, recordsPerHost: number, row = tcp(SYN)) =>
    Array.from({ length: hosts }, (_, i) => ({
      recordsPerSecond: recordsPerHost,
      row: { ...row, dstAddr: network + i },
    }))

  it('too thin for any address is one incident, of the address that gets most', () => {
    const lab = new DetectionLab()
      .run(20, ...spread(60, 12), { recordsPerSecond: 5, row: { ...tcp(SYN), dstAddr: network + 7 } })
      .run(300)
    const [opened, ...others] = lab.phases('opened')
    assert.equal(opened.label, 'tcp@attack@syn_flood_target')
    assert.equal(opened.address, network + 7)
    assert.deepEqual(others, [])
    assert.equal(lab.phases('ended').length, 1)
    const [port] = lab.details('ended').statistics.destinationPort
    assert.deepEqual([port.item, port.flows], [443, 20 * (60 * 12 + 5)])
  })

  it('is not what one address gets', () => {
    assert.deepEqual(new DetectionLab().run(20, ...spread(60, 1), ...spread(1, 120)).reports, [])
  })
})

describe('bounds', () => {
  it('follows targets up to a bound, and counts the others', () => {
    const lab = new DetectionLab({ targetsMax: 2 })
    lab.run(2, ...[1, 2, 3, 4].map((i) => ({ recordsPerSecond: 1, row: { dstAddr: victim + i } })))
    assert.equal(lab.detector.samples().find(({ name }) => name.endsWith('tracked_targets'))?.value, 2)
    assert.ok(lab.detector.counted.targetsRefused >= 4)
    assert.equal(lab.detector.counted.busyRefused, 0)
  })

  it('sees an attack on an address without a place, whatever quiet ones have all places', () => {
    const lab = new DetectionLab({ targetsMax: 200 })
    const noise = Array.from({ length: 400 }, (_, i) => ({ recordsPerSecond: 1, row: { dstAddr: victim + 1_024 + i } }))
    lab.run(5, ...noise)
    const attack = { recordsPerSecond: 500, row: { ...tcp(SYN), dstAddr: victim } }
    const [opened] = lab.run(10, ...noise, attack).phases('opened')
    assert.equal(opened?.address, victim)
    assert.equal(lab.detector.counted.targetsReplaced, 1)
    assert.equal(lab.detector.samples().find(({ name }) => name.endsWith('tracked_targets'))?.value, 200)
  })

  it('gives no place of a busy address to another, nor that of one that is attacked', () => {
    const busy = (count: number, from: number) =>
      Array.from({ length: count }, (_, i) => ({ recordsPerSecond: 30, row: { dstAddr: from + i } }))
    const lab = new DetectionLab({ targetsMax: 3 })
    const attack = { recordsPerSecond: 500, row: { ...tcp(SYN), dstAddr: victim } }
    lab.run(5, attack, ...busy(2, victim + 1))
    lab.run(10, ...busy(2, victim + 1), ...busy(4, victim + 512))
    assert.equal(lab.detector.counted.targetsReplaced, 0)
    assert.ok(lab.detector.counted.busyRefused > 0)
    assert.equal(lab.phases('ended').length, 0)
  })

  it('follows incidents up to a bound, and counts the others', () => {
    const lab = new DetectionLab({ incidentsMax: 1 })
    lab.run(10, ...[1, 2].map((i) => ({ recordsPerSecond: 1_000, row: { ...tcp(SYN), dstAddr: victim + i } })))
    assert.equal(lab.detector.openIncidents, 1)
    assert.ok(lab.detector.counted.incidentsRefused > 0)
  })

  it('gives the minutes of a target, which add up to its traffic', () => {
    const lab = new DetectionLab().run(150, visitors(20))
    const points = lab.minutes()
    assert.equal(
      points.reduce((sum, { packets }) => sum + packets, 0),
      150 * 200,
    )
    assert.ok(points.every(({ minute, address }) => minute % 60 === 0 && address === victim))
  })
  it('gives the busiest second of each minute, also where the minute is reported in parts', () => {
    const lab = new DetectionLab()
    const most = new Map<number, number>()
    const take = () => {
      for (const { minute, busiest } of lab.minutes())
        most.set(minute, Math.max(most.get(minute) ?? 0, Math.round(busiest?.packets ?? 0)))
    }
    lab.run(25, visitors(20)).run(1, visitors(200)).run(14, visitors(20))
    take()
    lab.run(60, visitors(20)).run(5, visitors(40))
    take()
    assert.deepEqual([...most.values()], [2_000, 400])
  })
})
