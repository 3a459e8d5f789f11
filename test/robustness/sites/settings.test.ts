// Settings of a site that is a name hold in every thread from when it is known where the name leads, and whoever asks is told so.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { a, DnsServer, response } from '../../helpers/servers/dns-server.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const led = '198.51.100.7'
const plain = '198.51.100.8'

let dns: DnsServer
let service: RunningService
let user: FirstUser
let sender: FlowSender

before(async () => {
  dns = await new DnsServer((asked) => [response(asked, [a(asked.name, led)])]).start()
  const env = {
    FLOODGAUGE_NAMES_RESOLVERS: dns.address,
    FLOODGAUGE_INGEST_WORKERS: '2',
    FLOODGAUGE_DETECT_SITES: '[{site: www.example.com, excludePorts: [tcp/443], sensitivity: low}]',
  }
  service = await startService(undefined, { env })
  user = await makeFirstUser(service)
  sender = await flowSender(service.flowAddresses[0])
})
after(async () => {
  await sender?.close()
  await service?.stop()
  dns?.stop()
})

it('the settings of a name hold for the address that it leads to, and for no other', async () => {
  const { client } = user
  await client.addSites([`${led}/24`])
  const settings = await until('the settings of the name', async () => {
    const target = await client.getTarget(led)
    return target?.settings.sensitivity.value === 0.5 && target.settings
  })
  assert.deepEqual(settings.excludePorts, { value: ['tcp/443'], source: 'site www.example.com' })
  assert.equal((await client.getTarget(plain))?.settings.sensitivity.source, 'default')
  await sender.send([...synFlood(led, 30), ...synFlood(plain, 30)])
  const text = await until('the flows', async () => {
    const metrics = await metricsOf(service.url)
    return metricSum(metrics, 'floodgauge_fold_flows_total') === 60 && metrics
  })
  assert.equal(metricSum(text, 'floodgauge_fold_excluded_total'), 30)
  await until('the traffic of the other', async () => {
    await sender.send(synFlood(plain, 30))
    const target = await client.getTarget(plain)
    return target?.classes.some(({ attackType }) => attackType === 'tcp@attack@syn_flood_target') === true
  })
  assert.equal((await client.getTarget(led))?.knownSince, null)
})
