// The whole path with real parts: hping3 attacks, a real exporter reports, the service is asked over HTTP. nfdump's collector hears the same
// export and says what the statistics must be; the captured export must give the same events by `floodgauge detect`.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, type DdosEvent, type DdosEventDetail } from '../../client/index.ts'
import { floodgauge, startService } from '../helpers/service.ts'
import { skip } from './requirements.ts'
import { type Attack, attackAll, attacks, victims } from './wire/attacks.ts'
import { type Exporter, exporters } from './wire/exporters.ts'
import { Lab } from './wire/lab.ts'
import { type TopList, topList } from './wire/nfdump.ts'
import { freeUdpPort, Tap } from './wire/tap.ts'

const attackSeconds = 8
/** How long after the exporter's first datagram an event may be listed. */
const listedWithinMs = 15_000
/** How long after the last datagram an event may still change. */
const settledWithinMs = 12_000
/** The part by which a statistic may differ from nfdump's: a second with little of the attack does not count as part of it, and it lasts eight. */
const tolerance = 0.02
/** Items with less than this part of the flows are not compared: our lists are bounded. */
const heavy = 0.01

interface Seen {
  event: DdosEvent
  listedMs: number
}

/** A client of a user made for it. */
async function clientOf({ url, dataFolder }: { url: string; dataFolder: string }): Promise<Client> {
  const email = 'lab@example.net'
  await floodgauge('user', 'add', email, '--data', dataFolder)
  const token = (await floodgauge('token', 'create', email, '--data', dataFolder)).trim()
  return createClient({ baseUrl: url, email, token })
}

/** Asks for events again and again, until told to stop; remembers when each was first listed. */
async function watchEvents(client: Client, until: AbortSignal): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  while (!until.aborted) {
    for (const event of await client.listEvents({ last: 1 })) {
      if (!seen.has(event._id)) seen.set(event._id, { event, listedMs: Date.now() })
    }
    await sleep(200)
  }
  return seen
}

const near = (ours: number, theirs: number) => Math.abs(ours - theirs) <= Math.max(tolerance * theirs, 0.5)

/** Where one of our lists differs from nfdump's. */
function differences(name: string, ours: DdosEventDetail['srcip'], theirs: TopList): string[] {
  const total = [...theirs.values()].reduce((sum, { flows }) => sum + flows, 0)
  const notable = [...theirs].filter(([, { flows }]) => flows >= heavy * total)
  if (notable.length === 0) return [`${name}: nfdump has nothing to compare with`]
  const listed = new Map(
    ours.map((entry) => [entry.Item, { flows: entry.Flows, packets: entry.Packets, bytes: entry.Bytes }]),
  )
  const unknown = [...listed].filter(([item, { flows }]) => flows >= heavy * total && !theirs.has(item))
  return [
    ...unknown.map(([item]) => `${name} ${item}: not in nfdump's list`),
    ...notable.flatMap(([item, count]) => {
      const own = listed.get(item)
      if (own === undefined) return [`${name} ${item}: missing`]
      return (['flows', 'packets', 'bytes'] as const)
        .filter((counter) => !near(own[counter], count[counter]))
        .map((counter) => `${name} ${item}: ${counter} ${own[counter]}, nfdump ${count[counter]}`)
    }),
  ]
}

function compare(attack: Attack, detail: DdosEventDetail, folder: string): string[] {
  return attack.lists.flatMap((name) => differences(name, detail[name], topList(folder, name, attack.victim)))
}

/** Events are brought up to date every few seconds: what they say in the end must agree. */
async function agreesWithNfdump(client: Client, seen: Seen[], folder: string): Promise<void> {
  const end = Date.now() + settledWithinMs
  for (const attack of attacks) {
    const id = seen.find(({ event }) => event.ip === attack.victim)?.event._id ?? ''
    for (;;) {
      const detail = await client.getEvent(id)
      assert.ok(detail, `${attack.name} has no detail`)
      const found = compare(attack, detail, folder)
      if (found.length === 0) break
      if (Date.now() > end) assert.deepEqual(found, [], attack.name)
      await sleep(500)
    }
  }
}

/** Runs `floodgauge detect` over a capture, twice; both must say the same. */
async function detected(capture: string): Promise<Record<string, unknown>[]> {
  const watch = attacks.map(({ site }) => site).join(',')
  const first = await floodgauge('detect', capture, '--watch', watch)
  assert.equal(await floodgauge('detect', capture, '--watch', watch), first, 'two runs of detect differ')
  return first
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const essence = (events: readonly Record<string, unknown>[]) =>
  events.map(({ ip, site, attack_type }) => `${ip} ${site} ${attack_type}`).sort()

const expected = attacks.map(({ victim, site, label }) => `${victim} ${site} ${label}`).sort()

async function observe(t: TestContext, exporter: Exporter, index: number): Promise<void> {
  const lab = new Lab(index, victims)
  const tap = new Tap()
  const stopWatching = new AbortController()
  t.after(async () => {
    stopWatching.abort()
    await lab.close()
    tap.close()
  })
  const [netflow, ipfix, sflow, collectorPort] = [
    await freeUdpPort(),
    await freeUdpPort(),
    await freeUdpPort(),
    await freeUdpPort(),
  ]
  const service = await startService({ netflow, ipfix, sflow })
  t.after(service.stop)
  const client = await clientOf(service)
  const added = await client.addSites(attacks.map(({ site }) => site))
  assert.equal(added.status, 1, JSON.stringify(added))

  const records = join(lab.folder, 'nfdump')
  const capture = join(lab.folder, 'export.pcap')
  mkdirSync(records)
  const receiver = { '--netflow': netflow, '--ipfix': ipfix, '--sflow': sflow }[exporter.option]
  const port = await tap.open(lab.address, [receiver, collectorPort])
  const collector = lab.start(exporter.collector, [
    '-b',
    '127.0.0.1',
    '-p',
    String(collectorPort),
    '-w',
    records,
    '-t',
    '3600',
    '-B',
    '8000000',
  ])
  const capturing = lab.start('tcpdump', [
    '-i',
    lab.interfaceName,
    '-n',
    '-U',
    '-Z',
    'root',
    '-w',
    capture,
    'udp',
    'dst',
    'port',
    String(port),
  ])
  await exporter.start(lab, { address: lab.address, port }, lab.folder)
  await sleep(1_500)

  const watching = watchEvents(client, stopWatching.signal)
  await attackAll(lab, attackSeconds)
  while (Date.now() - (tap.lastMs ?? Date.now()) < 3_000) await sleep(200)
  stopWatching.abort()
  const seen = [...(await watching).values()]
  await lab.stop(collector)
  await lab.stop(capturing, 'SIGINT')

  assert.ok(tap.firstMs !== null && statSync(capture).size > 1_000, 'the exporter said nothing')
  assert.deepEqual(essence(seen.map(({ event }) => ({ ...event }))), expected)
  for (const { event, listedMs } of seen) {
    const delayMs = listedMs - tap.firstMs
    t.diagnostic(`${event.attack_type}: listed ${delayMs} ms after the first of ${tap.datagrams} datagrams`)
    assert.ok(delayMs <= listedWithinMs, `${event.attack_type} was listed after ${delayMs} ms`)
  }
  await agreesWithNfdump(client, seen, records)
  assert.deepEqual(essence(await detected(capture)), expected, 'detect over the capture')
}

for (const [index, exporter] of exporters.entries()) {
  test(`${exporter.name}: three attacks, three events`, { skip, timeout: 480_000 }, (t) => observe(t, exporter, index))
}
