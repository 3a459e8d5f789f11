// What an operator sees of exporters of a running service: how each does, whom the service refuses, and after a restart those that fell silent.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, ProblemError } from '../../../client/index.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { clientOf, type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const hourMs = 3_600_000
/** Linux has all of 127.0.0.0/8. */
const addresses = { good: '127.0.0.1', bad: '127.0.1.2', refused: '127.0.2.3', late: '127.0.1.4' }
const env = { FLOODGAUGE_INGEST_EXPORTERS: '127.0.0.1, 127.0.1.0/24' }

/** Datagrams of an exporter at an address, a socket for all of them. */
async function sendFrom(address: string, port: number, datagrams: readonly Uint8Array[]): Promise<void> {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  for (const datagram of datagrams) {
    await new Promise<void>((resolve) => socket.send(datagram, port, '127.0.0.1', () => resolve()))
    await delay(1)
  }
  socket.close()
}

/** Half of what the bad one sends is lost, and its clock is an hour ahead. */
async function sendAll({ flowPort }: RunningService): Promise<void> {
  const flows = (records: number) => synFlood('203.0.113.1', records)
  const good = new Exporter({ protocol: 'ipfix', samplingRate: 100, domain: 5 })
  const bad = new Exporter({ protocol: 'netflow9', templateEvery: 1, recordsMax: 10 })
  await sendFrom(addresses.good, flowPort, good.datagrams(flows(600), Date.now()))
  const sent = bad.datagrams(flows(400), Date.now() + hourMs).filter((_, i) => i % 2 === 0)
  await sendFrom(addresses.bad, flowPort, sent)
  await sendFrom(addresses.refused, flowPort, good.datagrams(flows(72), Date.now()))
}

async function flowsOf(client: Client, address: string): Promise<number> {
  return (await client.getExporter(address))?.streams[0].flows ?? 0
}

/** Few records are looked at: it may not be known yet that no sampling rate is told. */
const rulesOf = ({ findings }: { findings: { rule: string }[] }) =>
  findings.map(({ rule }) => rule).filter((rule) => rule !== 'sampling-untold')

async function checkRunning(service: RunningService, { email, client }: FirstUser): Promise<void> {
  await sendAll(service)
  // A stream is reported every few seconds.
  await until('the exporters are reported', async () => {
    const { reception } = await client.listExporters()
    const isWhole = (await flowsOf(client, addresses.good)) === 600 && (await flowsOf(client, addresses.bad)) === 200
    return isWhole && reception.refused === 3
  })
  const { exporters, reception } = await client.listExporters()
  assert.deepEqual(
    exporters.map(({ id, state, protocols }) => [id, state, protocols]),
    [
      [addresses.good, 'ok', ['ipfix']],
      [addresses.bad, 'error', ['netflow9']],
    ],
  )
  assert.deepEqual(rulesOf(exporters[1]), ['loss', 'clock-zone'])
  assert.deepEqual(
    reception.refusedSenders.map(({ address, datagrams }) => [address, datagrams]),
    [[addresses.refused, 3]],
  )
  const detail = await client.getExporter(addresses.good)
  assert.deepEqual(
    detail?.streams.map(({ domain, flows, sampling }) => [domain, flows, sampling.from]),
    [[5, 600, 'options']],
  )
  assert.equal(await client.getExporter(addresses.refused), null)

  const text = await metricsOf(service.url)
  assert.equal(metricSum(text, 'floodgauge_ingest_refused_total', 'reason="notAllowed"'), 3)
  assert.equal(metricSum(text, 'floodgauge_ingest_flows_total'), 800)
  assert.equal(metricSum(text, 'floodgauge_ingest_findings', 'rule="loss"'), 1)

  const said = await floodgauge('token', 'create', email, '--scope', 'read,write', '--data', service.dataFolder)
  const token = said.trim().split('\n').at(-1) ?? ''
  await assert.rejects(
    clientOf(service.url, { email, token }).listExporters(),
    (error) => error instanceof ProblemError && error.status === 403,
  )
}

it('an operator sees how each exporter does, whom the service refuses, and who is silent after a restart', {
  skip: process.platform !== 'linux' && 'needs several loopback addresses',
}, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-exporters-'))
  t.after(() => rmSync(dataFolder, { recursive: true }))
  const first = await startService(undefined, { dataFolder, env })
  t.after(() => first.stop())
  const user = await makeFirstUser(first)
  await checkRunning(first, user)
  const before = await user.client.listExporters()
  // Nobody asks before the end, which saves it all the same.
  await sendFrom(
    addresses.late,
    first.flowPort,
    new Exporter({ protocol: 'netflow5' }).datagrams(synFlood('203.0.113.1', 9), Date.now()),
  )
  await first.stop()

  const second = await startService(undefined, { dataFolder, env })
  t.after(() => second.stop())
  const client = clientOf(second.url, user)
  const { exporters, reception } = await client.listExporters()
  const known = ({ id, firstSeen, lastSeen, lostShare }: (typeof exporters)[number]) => ({
    id,
    firstSeen,
    lastSeen,
    lostShare,
  })
  assert.deepEqual(exporters.slice(0, 2).map(known), before.exporters.map(known))
  assert.deepEqual(
    exporters.slice(2).map(({ id }) => id),
    [addresses.late],
  )
  assert.equal(reception.refused, 0)
})
