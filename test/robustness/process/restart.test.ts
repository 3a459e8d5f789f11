// Exporters tell their templates and sampling once and go on sending, whatever the service does: one that is killed or ended in mid-stream loses
// what is sent while it is down, and a template that comes late costs nothing.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const recordsPerDatagram = 20
const protocols = ['netflow9', 'ipfix'] as const
type Protocol = (typeof protocols)[number]

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-restart-'))
})
after(() => rmSync(folder, { recursive: true }))

/** One exporter that tells its templates in its first datagram only, on a socket that it keeps. */
interface Router {
  protocol: Protocol
  exporter: Exporter
  socket: Socket
}

async function routersOf(): Promise<Router[]> {
  const routers = protocols.map((protocol) => {
    const options = { protocol, samplingRate: 100, sampling: 'sampler', recordsMax: recordsPerDatagram } as const
    const exporter = new Exporter({ ...options, templateEvery: Number.POSITIVE_INFINITY })
    return { protocol, exporter, socket: createSocket('udp4') }
  })
  for (const { socket } of routers) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  return routers
}

function datagramsOf({ exporter }: Router, count: number): Uint8Array[] {
  return exporter.datagrams(synFlood('203.0.113.1', count * recordsPerDatagram), Date.now())
}

async function send({ socket }: Router, datagrams: readonly Uint8Array[], port: number): Promise<void> {
  for (const datagram of datagrams) {
    await new Promise<void>((resolve) => socket.send(datagram, port, '127.0.0.1', () => resolve()))
  }
}

/** The service has decoded these records of each protocol since it started, and not one more. */
async function hasDecoded(service: RunningService, records: Record<Protocol, number>): Promise<string> {
  const text = await until('records are decoded', async () => {
    const found = await metricsOf(service.url)
    const isThere = protocols.every((protocol) => decodedOf(found, protocol) >= records[protocol])
    return isThere && found
  })
  for (const protocol of protocols) assert.equal(decodedOf(text, protocol), records[protocol], protocol)
  assert.equal(metricSum(text, 'floodgauge_ingest_sampling_unknown_total'), 0)
  assert.equal(metricSum(text, 'floodgauge_ingest_undecoded_sets_total'), 0)
  assert.equal(metricSum(text, 'floodgauge_ingest_sequence_lost_total'), 0)
  return text
}

function decodedOf(text: string, protocol: Protocol): number {
  return metricSum(text, 'floodgauge_ingest_flows_total', `proto="${protocol}"`)
}

const savedOf = (text: string) => metricSum(text, 'floodgauge_ingest_templates_saved_total')

const both = (records: number) => ({ netflow9: records, ipfix: records })

async function endOf({ process: child }: RunningService, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

describe('a restart in mid-stream', () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`by ${signal} loses what is sent meanwhile, and no more`, async () => {
      const dataFolder = join(folder, signal)
      const routers = await routersOf()
      const service = await startService(undefined, { dataFolder, env: workers(2) })
      const { flowPort } = service
      for (const router of routers) await send(router, datagramsOf(router, 5), flowPort)
      // A collector passes templates on once a second; when it is told to end it reads what has arrived, and passes them on at once.
      if (signal === 'SIGKILL') {
        await hasDecoded(service, both(5 * recordsPerDatagram))
        await until('templates are saved', async () => savedOf(await metricsOf(service.url)) >= 4)
      }
      await endOf(service, signal)
      for (const router of routers) await send(router, datagramsOf(router, 3), flowPort)

      const next = await startService({ netflow: flowPort, ipfix: 0, sflow: 0 }, { dataFolder, env: workers(2) })
      try {
        for (const router of routers) await send(router, datagramsOf(router, 7), flowPort)
        const text = await hasDecoded(next, both(7 * recordsPerDatagram))
        assert.equal(metricSum(text, 'floodgauge_ingest_missing_templates_total'), 0)
        assert.ok(metricSum(text, 'floodgauge_ingest_templates_restored') >= 4)
      } finally {
        await next.stop()
        for (const { socket } of routers) socket.close()
      }
    })
  }
})

it('what is normal for a target is known after a restart, before any record of it comes', async () => {
  const dataFolder = join(folder, 'baselines')
  const trackedOf = async (url: string) => metricSum(await metricsOf(url), 'floodgauge_detect_tracked_targets')
  const service = await startService(undefined, { dataFolder })
  const { client } = await makeFirstUser(service)
  await client.addSites(['203.0.113.1'])
  const routers = await routersOf()
  await until('the target is followed', async () => {
    await send(routers[0], datagramsOf(routers[0], 1), service.flowPort)
    return (await trackedOf(service.url)) === 1
  })
  await endOf(service, 'SIGTERM')
  for (const { socket } of routers) socket.close()

  const next = await startService(undefined, { dataFolder })
  try {
    await until('a pass is over', async () => (await trackedOf(next.url)) === 1)
  } finally {
    await next.stop()
  }
})

it('what has come when the service is told to end is judged and written', async () => {
  const dataFolder = join(folder, 'last')
  const service = await startService(undefined, { dataFolder, env: workers(2) })
  const { client } = await makeFirstUser(service)
  await client.addSites(['203.0.113.1'])
  await until('the site is watched', async () => {
    return metricSum(await metricsOf(service.url), 'floodgauge_watched_addresses') === 1
  })
  const routers = await routersOf()
  for (const router of routers) await send(router, datagramsOf(router, 10), service.flowPort)
  await endOf(service, 'SIGTERM')
  for (const { socket } of routers) socket.close()

  const database = new DatabaseSync(storeFileOf(dataFolder), { readOnly: true })
  const { flows } = { ...database.prepare('SELECT sum(flows) AS flows FROM traffic').get() }
  const { events } = { ...database.prepare('SELECT count(*) AS events FROM events').get() }
  database.close()
  assert.deepEqual({ flows, events }, { flows: 2 * 10 * recordsPerDatagram, events: 1 })
})

const workers = (count: number) => ({ FLOODGAUGE_INGEST_WORKERS: String(count) })

it('a template that comes late loses nothing', async () => {
  const routers = await routersOf()
  const service = await startService()
  try {
    for (const router of routers) {
      const [first, ...others] = datagramsOf(router, 30)
      await send(router, others, service.flowPort)
      await send(router, [first], service.flowPort)
      await send(router, datagramsOf(router, 2), service.flowPort)
    }
    const text = await hasDecoded(service, both(32 * recordsPerDatagram))
    assert.equal(metricSum(text, 'floodgauge_ingest_missing_templates_total'), 2 * 29)
    assert.equal(metricSum(text, 'floodgauge_ingest_late_templates_total'), 2 * 29)
    assert.equal(metricSum(text, 'floodgauge_ingest_waiting_bytes'), 0)
  } finally {
    await service.stop()
    for (const { socket } of routers) socket.close()
  }
})

it('templates that were damaged on the disk are left out and counted; the rest is used', async () => {
  const dataFolder = join(folder, 'damaged')
  const routers = await routersOf()
  const service = await startService(undefined, { dataFolder })
  const { flowPort } = service
  for (const router of routers) await send(router, datagramsOf(router, 1), flowPort)
  await hasDecoded(service, both(recordsPerDatagram))
  await endOf(service, 'SIGTERM')
  const database = new DatabaseSync(storeFileOf(dataFolder))
  database.exec(`UPDATE stream_templates SET definition = x'0100' WHERE protocol = 'ipfix' AND id = 256`)
  database.exec(`UPDATE stream_states SET sampling = '[{' WHERE protocol = 'netflow9'`)
  database.close()

  const next = await startService({ netflow: flowPort, ipfix: 0, sflow: 0 }, { dataFolder })
  try {
    for (const router of routers) await send(router, datagramsOf(router, 1), flowPort)
    await until('both have spoken', async () => {
      const text = await metricsOf(next.url)
      return metricSum(text, 'floodgauge_ingest_missing_templates_total') === 2
    })
    const text = await metricsOf(next.url)
    assert.equal(metricSum(text, 'floodgauge_ingest_saved_state_refused_total', 'reason="damaged"'), 2)
    assert.equal(decodedOf(text, 'ipfix') + decodedOf(text, 'netflow9'), 0)
  } finally {
    await next.stop()
    for (const { socket } of routers) socket.close()
  }
})
