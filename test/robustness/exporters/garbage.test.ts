// A flood of datagrams that are no flow exports, or broken ones, to every port: the service goes on, counts them, and stays within its memory.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Flow, fullFlow } from '../../helpers/encode/flow.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { createRandom } from '../../helpers/random.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

/** The first flood fills what is bounded; what a second one of half its length adds is measured. */
const floodDatagrams = 12_000
const growthMaxBytes = 48 * 2 ** 20
const site = '192.0.2.1'

/** Floods after the first, until one of them makes nothing grow. */
const floodsMax = 4

let service: RunningService
let senders: FlowSender[]

before(async () => {
  service = await startService()
  senders = await Promise.all(service.flowAddresses.map((to) => flowSender(to)))
})
after(async () => {
  for (const sender of senders ?? []) await sender.close()
  await service?.stop()
})

/** Good datagrams of each protocol, as many domains of an exporter. */
function examples(): Uint8Array[] {
  const flows: Flow[] = synFlood(site, 10).map((flow) => fullFlow(flow, Date.now()))
  const protocols = ['netflow5', 'netflow9', 'ipfix', 'sflow5'] as const
  return protocols.flatMap((protocol) => new Exporter({ protocol, samplingRate: 10 }).datagrams(flows, Date.now()))
}

function garbage(good: readonly Uint8Array[], random: (below: number) => number): Uint8Array {
  const kind = random(4)
  if (kind === 0) return Uint8Array.from({ length: random(1_400) }, () => random(256))
  const datagram = good[random(good.length)].slice()
  for (let i = 0; i <= random(6); i++) datagram[random(datagram.length)] = random(256)
  // Bytes 12 to 23 have the domain in most protocols: ever new ones.
  if (kind === 2) for (let at = 12; at < 24; at++) datagram[at] = random(256)
  return kind === 3 ? datagram.subarray(0, random(datagram.length)) : datagram
}

async function flood(seed: number, datagrams: number): Promise<void> {
  const random = createRandom(seed)
  const good = examples()
  for (let sent = 0; sent < datagrams; sent++) {
    await senders[sent % senders.length].sendRaw(garbage(good, random))
    // A pause now and then: none is to be lost for want of room.
    if (sent % 500 === 0) await delay(5)
  }
  await delay(1_200)
}

/** Resident memory, in bytes. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

it('garbage is counted, and costs no memory for long', {
  skip: process.platform !== 'linux' && 'the memory of a process is read from /proc',
}, async () => {
  const { client } = await makeFirstUser(service)
  await client.addSites([site])
  assert.equal(senders.length, 3)
  await flood(1, floodDatagrams)
  // A process that has just started grows for a while, whatever it receives; one that leaks grows with every flood.
  let grownBytes = Number.POSITIVE_INFINITY
  for (let seed = 2; seed < 2 + floodsMax && grownBytes >= growthMaxBytes; seed++) {
    const filledBytes = residentBytes()
    await flood(seed, floodDatagrams / 2)
    grownBytes = residentBytes() - filledBytes
  }
  assert.ok(grownBytes < growthMaxBytes, `it grew by ${(grownBytes / 2 ** 20).toFixed(1)} MiB`)

  let text = await metricsOf(service.url)
  const refused = (reason: string) => metricSum(text, 'floodgauge_ingest_refused_total', `reason="${reason}"`)
  const errors = (reason: string) => metricSum(text, 'floodgauge_ingest_decode_errors_total', `reason="${reason}"`)
  const counts = () => [refused('unknownVersion'), refused('tooShort'), errors('badSets'), errors('truncated')]
  // The kernel of a busy machine drops what the service has no time to read: more is sent until there was enough of each kind.
  let more = floodsMax
  await until('each kind of garbage is counted', async () => {
    if (counts().every((count) => count > 100)) return true
    await flood(2 + more++, floodDatagrams / 4)
    text = await metricsOf(service.url)
    return false
  })
  assert.equal(refused('failures'), 0)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)

  const earlier = metricSum(text, 'floodgauge_fold_flows_total')
  await senders[0].send(synFlood(site, 30))
  await until('good flows are folded', async () => {
    return metricSum(await metricsOf(service.url), 'floodgauge_fold_flows_total') >= earlier + 30
  })
})
