// Every exporter's flows, packets and octets arrive whole: what the running service has counted for an address is what nfdump's collector has
// for it from the same datagrams. One service hears all exporters, one after another, each of which sees traffic to an address of its own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import { parseIpv4 } from '../../src/net/ipv4.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { Exporter as OurExporter } from '../helpers/exporter.ts'
import { makeFirstUser } from '../helpers/first-user.ts'
import { metricSum, metricsOf } from '../helpers/metrics.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { pointsOf } from '../helpers/store.ts'
import { until } from '../helpers/until.ts'
import { findProgram, skip } from './requirements.ts'
import { sendAll } from './wire/attacks.ts'
import { countedExporters, type Exporter } from './wire/exporters.ts'
import { Lab, said } from './wire/lab.ts'
import { type Count, totals } from './wire/nfdump.ts'
import { freeUdpPort, Tap } from './wire/tap.ts'

const site = '192.0.2.0/24'
const victimOf = (index: number) => `192.0.2.${10 + index}`
/** No datagram for so long: the exporter has said what it has to say. */
const quietMs = 2_500
/** Series reach the store once a minute. */
const storedWithinMs = 90_000
const trafficSeconds = 2
const replayedFlows = 3_000
/** The lab of the other live tests has the lower numbers. */
const firstLab = 10

/** Flows of one packet and of many, of three protocols: a thousand packets in two seconds. */
const senders = (victim: string) => [
  ['-S', '-p', '80', '-d', '20', '-i', 'u5000', '-c', '400', victim],
  ['--udp', '-p', '53', '-d', '100', '-i', 'u5000', '-c', '400', victim],
  ['--udp', '-s', '4500', '-k', '-p', '4500', '-d', '700', '-i', 'u10000', '-c', '150', victim],
  ['--icmp', '-d', '56', '-i', 'u20000', '-c', '50', victim],
]

let service: RunningService
/** By victim, what nfdump says. */
const counted = new Map<string, Count>()

before(async () => {
  if (skip !== false) return
  service = await startService()
  const { client } = await makeFirstUser(service)
  await client.addSites([site])
})
after(() => service?.stop())

/** What the service has received so far. */
async function received() {
  const text = await metricsOf(service.url)
  const sum = (name: string, labels = '') => metricSum(text, `floodgauge_ingest_${name}_total`, labels)
  // A header with a wrong time, as nfreplay's, costs nothing: its records are counted all the same.
  const undecoded = sum('decode_errors') - sum('decode_errors', 'reason="timesReplaced"')
  return {
    datagrams: sum('packets'),
    flows: sum('flows'),
    lost: sum('sequence_lost') + sum('socket_drops') + sum('missing_templates') + undecoded,
  }
}

/** What a capture of the wire has. */
function onWire(file: string): Omit<Count, 'flows'> {
  const text = execFileSync(findProgram('tcpdump'), ['-r', file, '-n', '-v'], { encoding: 'utf8', stdio: 'pipe' })
  const lengths = [...text.matchAll(/^\S+ IP .*, length (\d+)\)$/gm)].map(([, length]) => Number(length))
  return { packets: lengths.length, bytes: lengths.reduce((sum, length) => sum + length, 0) }
}

/** Resolves when no datagram has come for a while. */
async function quiet(tap: Tap): Promise<void> {
  const sinceMs = Date.now()
  while (Date.now() - Math.max(tap.lastMs ?? 0, sinceMs) < quietMs) await sleep(100)
}

async function observe(t: TestContext, exporter: Exporter, index: number): Promise<void> {
  const victim = victimOf(index)
  const lab = new Lab(firstLab + index, [victim])
  const tap = new Tap()
  t.after(async () => {
    await lab.close()
    tap.close()
  })
  const records = join(lab.folder, 'nfdump')
  mkdirSync(records)
  const collectorPort = await freeUdpPort()
  const collector = lab.start(exporter.collector, [
    ...['-b', '127.0.0.1', '-p', String(collectorPort), '-w', records, '-t', '3600', '-B', '8000000'],
  ])
  const wire = join(lab.folder, 'wire.pcap')
  const capturing = lab.start('tcpdump', ['-i', lab.wire, '-n', '-U', '-Z', 'root', '-w', wire, `ip dst ${victim}`], {
    namespace: lab.victim,
  })
  const port = await tap.open(lab.address, [service.flowPort, collectorPort])
  const earlier = await received()
  const exporting = await exporter.start(lab, { address: lab.address, port }, lab.folder)
  await sleep(1_500)
  await sendAll(lab, senders(victim), trafficSeconds)
  await quiet(tap)
  await lab.stop(exporting, 'SIGINT')
  await quiet(tap)
  await lab.stop(collector)
  await lab.stop(capturing, 'SIGINT')

  const reported = totals(records, `dst ip ${victim}`)
  const count = exporter.reportsTwice ? { flows: reported.flows / 2, ...onWire(wire) } : reported
  const all = totals(records, 'proto tcp or proto udp or proto icmp')
  t.diagnostic(`${tap.datagrams} datagrams, ${all.flows} flows; for the victim ${JSON.stringify(count)}`)
  assert.ok(count.packets >= 500, `${JSON.stringify(count)} ${said(collector)}`)
  counted.set(victim, count)
  await until('all is received', async () => (await received()).datagrams - earlier.datagrams >= tap.datagrams)
  const now = await received()
  assert.deepEqual(
    { datagrams: now.datagrams - earlier.datagrams, flows: now.flows - earlier.flows, lost: now.lost - earlier.lost },
    { datagrams: tap.datagrams, flows: all.flows, lost: 0 },
  )
}

/** Records that nfdump's collector has written, of flows that we made up, replayed by nfdump. */
async function replay(t: TestContext, version: 5 | 9, index: number): Promise<void> {
  const victim = victimOf(index)
  const lab = new Lab(firstLab + index, [victim])
  t.after(() => lab.close())
  const port = await freeUdpPort()
  const collector = lab.start('nfcapd', [
    '-b',
    '127.0.0.1',
    '-p',
    String(port),
    '-w',
    lab.folder,
    '-t',
    '3600',
    '-B',
    '8000000',
  ])
  await until('nfcapd listens', async () => said(collector).includes('Startup'))
  const nowMs = Date.now()
  const flows = Array.from({ length: replayedFlows }, (_, i) => ({
    ...{ src: `198.51.100.${i % 250}`, dst: victim, srcPort: 1_024 + i, dstPort: 53, ipProto: i % 3 === 0 ? 6 : 17 },
    ...{ packets: 1 + (i % 90), bytes: (1 + (i % 90)) * (40 + i), startMs: nowMs - (i % 9_000), endMs: nowMs },
  }))
  const exporter = new OurExporter({ protocol: 'netflow9' })
  const socket = createSocket('udp4')
  for (const datagram of exporter.datagrams(flows, nowMs)) socket.send(datagram, port, '127.0.0.1')
  await sleep(500)
  socket.close()
  await lab.stop(collector)

  const count = totals(lab.folder, `dst ip ${victim}`)
  assert.equal(count.flows, replayedFlows, said(collector))
  counted.set(victim, count)
  const earlier = await received()
  const file = readdirSync(lab.folder).find((name) => name.startsWith('nfcapd.')) ?? ''
  const target = ['-H', '127.0.0.1', '-p', String(service.flowPort), '-v', String(version), '-d', '100']
  await lab.finish(lab.start('nfreplay', [...target, '-r', join(lab.folder, file)]), 30_000)
  await until('all is received', async () => (await received()).flows - earlier.flows >= replayedFlows)
  assert.equal((await received()).lost, earlier.lost)
}

async function stored(victim: string): Promise<Count> {
  const store = await openSqliteStore(storeFileOf(service.dataFolder), { clock: systemClock })
  try {
    const points = await pointsOf(store, parseIpv4(victim) ?? 0, 0, Date.now() / 1000 + 3_600)
    const sum = (key: keyof Count) => Math.round(points.reduce((total, point) => total + point[key], 0))
    return { flows: sum('flows'), packets: sum('packets'), bytes: sum('bytes') }
  } finally {
    await store.close()
  }
}

describe('the running service counts what was exported', { skip, timeout: 1_500_000 }, () => {
  for (const [index, exporter] of countedExporters.entries()) {
    it(exporter.name, { timeout: 480_000 }, (t) => observe(t, exporter, index))
  }

  for (const [more, version] of ([5, 9] as const).entries()) {
    it(`NetFlow v${version} by nfreplay`, { timeout: 480_000 }, (t) =>
      replay(t, version, countedExporters.length + more),
    )
  }

  it('flows, packets and octets of each address are those of nfdump', {
    timeout: storedWithinMs + 10_000,
  }, async () => {
    const last = [...counted].at(-1)
    assert.ok(last)
    await until('the series are stored', async () => (await stored(last[0])).flows >= last[1].flows, storedWithinMs)
    for (const [victim, count] of counted) assert.deepEqual(await stored(victim), count, victim)
  })
})
