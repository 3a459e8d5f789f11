// What is watched follows the sites within a second of the answer, and within two where a name has to be asked for: the promise that an owner
// relies on who adds a site under attack.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { a, DnsServer, response } from '../../helpers/servers/dns-server.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const promisedMs = 1_000
const promisedForNamesMs = 2_000
/** How long a busy machine may take. */
const busyMs = 20_000
const one = '198.51.100.7'
const other = '203.0.113.0/24'
const flows = [...synFlood(one, 30), ...synFlood('203.0.113.77', 30)]

let dns: DnsServer
let service: RunningService
let user: FirstUser
let sender: FlowSender

before(async () => {
  dns = await new DnsServer((asked) => [response(asked, [a(asked.name, one)])]).start()
  service = await startService(undefined, { env: { FLOODGAUGE_NAMES_RESOLVERS: dns.address } })
  user = await makeFirstUser(service)
  sender = await flowSender(service.flowAddresses[0])
})
after(async () => {
  await sender?.close()
  await service?.stop()
  dns?.stop()
})

async function counts() {
  const text = await metricsOf(service.url)
  return {
    decoded: metricSum(text, 'floodgauge_ingest_flows_total'),
    folded: metricSum(text, 'floodgauge_fold_flows_total'),
  }
}

/** How many of thirty flows to each of the two are counted `withinMs` after the change, or later on a busy machine, until it is `wanted`. */
async function foldedAfter(change: () => Promise<unknown>, wanted: number, withinMs = promisedMs): Promise<number> {
  await change()
  const endMs = performance.now() + busyMs
  for (;;) {
    await delay(withinMs)
    const folded = await foldedNow()
    if (folded === wanted || performance.now() > endMs) return folded
  }
}

async function foldedNow(): Promise<number> {
  const earlier = await counts()
  await sender.send(flows)
  return until('the flows are decoded', async () => {
    const { decoded, folded } = await counts()
    return decoded === earlier.decoded + flows.length && { value: folded - earlier.folded }
  }).then(({ value }) => value)
}

it('a site counts from when it was added until it is disabled or deleted', async () => {
  const { client } = user
  assert.equal(await foldedAfter(async () => {}, 0), 0)
  assert.equal(await foldedAfter(() => client.addSites([one, other]), 60), 60)
  assert.equal(await foldedAfter(() => Promise.all([client.disableSites([one]), client.deleteSites([other])]), 0), 0)
  assert.equal(await foldedAfter(() => client.enableSites([one]), 30), 30)
})

it('so does a name, as soon as it is known where it leads', async () => {
  const { client } = user
  await client.deleteSites([one])
  assert.equal(await foldedAfter(() => client.addSites(['www.example.com']), 30, promisedForNamesMs), 30)
  assert.equal(await foldedAfter(() => client.deleteSites(['www.example.com']), 0), 0)
})
