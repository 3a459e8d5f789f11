// Floods that would fill the tables of exporters, by anybody who can send UDP: exporters that have worked and send their templates seldom are read on,
// also the one whose address is forged, an attack that they tell of is found, and the service says who floods it.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Table } from '../../../src/contract/overview.ts'
import { encodeMessage } from '../../../src/encode/messages.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import type { Flow } from '../../helpers/encode/flow.ts'
import { recordOf, templateOf } from '../../helpers/encode/records.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const routers = 20
const templatesPerDatagram = 160
/** A pause after as many datagrams: none is to be lost for want of room. */
const burst = 200

/** One way to fill the tables: `send` takes a source address, and uses a port of its own for each `port`. */
interface Flood {
  name: string
  site: string
  /** The address that the service is to name; null: there are too many. */
  from: string | null
  run: (send: (datagram: Uint8Array, from: string, port?: number) => Promise<void>) => Promise<void>
}

const ipfix = (domain: number, parts = {}) => encodeMessage({ version: 10, nowMs: Date.now(), domain }, parts)
const templates = Array.from({ length: templatesPerDatagram }, (_, i) => templateOf(256 + i, [1, 4]))
const [template] = templates

const floods: Flood[] = [
  {
    name: 'templates of made-up exporters',
    site: '192.0.2.1',
    from: null,
    run: async (send) => {
      for (let i = 0; i < 120; i++) await send(ipfix(i, { templates }), `127.66.${i}.1`)
    },
  },
  {
    name: 'empty messages, each of another domain',
    site: '192.0.2.2',
    from: '127.67.0.1',
    run: async (send) => {
      for (let i = 0; i < 9_000; i++) await send(ipfix(i), '127.67.0.1')
    },
  },
  {
    name: 'messages with a record of a template, each of another domain',
    site: '192.0.2.3',
    from: '127.68.0.1',
    run: async (send) => {
      const parts = { templates: [template], records: [recordOf(template, 1)] }
      for (let i = 0; i < 9_000; i++) await send(ipfix(i, parts), '127.68.0.1')
    },
  },
  {
    name: 'ports and domains of the address of a router',
    site: '192.0.2.4',
    from: '127.1.0.1',
    run: async (send) => {
      for (let i = 0; i < 9_000; i++) await send(ipfix(i, { templates: [template] }), '127.1.0.1', 1 + (i % 50))
    },
  },
]

interface Answer {
  events: { site: string }[]
  installation: { tables: Table[] }
}

/** The tests of the contract hold the answers against their schemas. */
function answerOf(body: unknown): Answer {
  return body as Answer
}

/** What takes three minutes otherwise. */
function haveWorkedForMinutes(dataFolder: string): void {
  const database = new DatabaseSync(storeFileOf(dataFolder))
  database.exec('UPDATE stream_states SET is_proven = 1')
  database.close()
}

describe('exporters that send their templates once', () => {
  let service: RunningService
  let dataFolder: string
  let authorization: string
  const sockets = new Map<string, Socket>()
  const exporters = Array.from({ length: routers }, (_, i) => ({
    address: `127.1.0.${i + 1}`,
    exporter: new Exporter({ protocol: i % 2 === 0 ? 'netflow9' : 'ipfix', domain: i, templateEvery: 1_000_000 }),
  }))

  const socketOf = async (address: string, port: number) => {
    const key = `${address} ${port}`
    const known = sockets.get(key)
    if (known !== undefined) return known
    const socket = createSocket('udp4')
    socket.bind(0, address)
    await once(socket, 'listening')
    sockets.set(key, socket)
    return socket
  }

  const send = async (datagram: Uint8Array, from: string, port = 0) => {
    const socket = await socketOf(from, port)
    await new Promise<void>((resolve) => socket.send(datagram, service.flowPort, '127.0.0.1', () => resolve()))
  }

  /** Flows of the routers in all. */
  let sent = 0
  const routersSend = async (flows: readonly Flow[]) => {
    for (const { address, exporter } of exporters) {
      for (const datagram of exporter.datagrams(flows, Date.now())) await send(datagram, address)
    }
    sent += routers * flows.length
  }

  const get = async (path: string) => {
    const answer = await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization } })
    return answerOf(await answer.json())
  }

  const counted = async (name: string, labels?: string) => metricSum(await metricsOf(service.url), name, labels)
  const watchesAll = () =>
    until('the sites are watched', async () => (await counted('floodgauge_watched_addresses')) === floods.length)
  const folded = () => counted('floodgauge_fold_flows_total')

  before(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-floods-'))
    service = await startService(undefined, { dataFolder })
    const user = await makeFirstUser(service)
    authorization = `Bearer ${user.token}`
    await user.client.addSites(floods.map(({ site }) => site))
    await watchesAll()
    await routersSend([{ src: '198.51.100.1', dst: floods[0].site, bytes: 100 }])
    await until('the routers are known', async () => (await folded()) === sent)
    await until('and so will be after a restart', async () => {
      return (await counted('floodgauge_ingest_templates_saved_total')) >= routers
    })
    await service.stop()
    haveWorkedForMinutes(dataFolder)
    sent = 0
    service = await startService(undefined, { dataFolder })
    await watchesAll()
  })
  after(async () => {
    for (const socket of sockets.values()) socket.close()
    await service?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  for (const { name, site, from, run } of floods) {
    it(`are read on in a flood of ${name}`, async () => {
      let datagrams = 0
      await run(async (datagram, address, port) => {
        await send(datagram, address, port)
        if (++datagrams % burst === 0) await delay(10)
      })
      await routersSend([{ src: '198.51.100.1', dst: site, bytes: 100 }])
      await until('every flow of the routers is counted', async () => (await folded()) === sent)
      assert.equal(await counted('floodgauge_ingest_socket_drops_total'), 0)

      await until('the attack is found', async () => {
        await routersSend(synFlood(site, 20, 10))
        const { events } = await get('events')
        return events.some((event: { site: string }) => event.site === site)
      })
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      await until('the service says who floods it', async () => {
        const crowded = (await get('status')).installation.tables.filter(({ gaveWay }: Table) => gaveWay > 0)
        return from === null ? crowded.length > 0 : crowded.some(({ crowdedBy }: Table) => crowdedBy === from)
      })
      assert.equal(await counted('floodgauge_table_proven_gave_way_total'), 0)
    })
  }
})
