// While exporters without number send what no exporter should, every flow of the honest ones is counted, and memory stays as it is: first
// until all that is bounded is full, then for HOSTILE_SECONDS. It takes half a minute before that: without HOSTILE_SECONDS it is left out.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exportProtocols } from '../../../src/flow/columns.ts'
import { threadMemory } from '../../../src/thread-memory.ts'
import type { Flow } from '../../helpers/encode/flow.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { createRandom } from '../../helpers/random.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { hostileMix } from './hostile.ts'
import { lossesOf, type SentFlows } from './losses.ts'

const seconds = Number(process.env.HOSTILE_SECONDS ?? 0)
/** They fill what is bounded. */
const fillDatagrams = 16_000
const fillMsMax = 60_000
const site = '192.0.2.1'
/** Each a socket of its own, and soon another. */
const hostileSockets = 32
const datagramsPerSocket = 50
/** At this pace, or at the service's if that is less: no datagram is to be lost for want of room. */
const hostilePerTurn = 20
const turnMs = 10
const waitingMax = 500_000
const honestAddress = '127.0.0.2'
const honestEveryMs = 100
const honestFlows = 5
const mebibyte = 2 ** 20
const { collector, detector, reader } = threadMemory
/** What all that is bounded takes when it is full, with what V8 lets an old generation hold beside it before it looks for garbage. */
const tablesMax = 192 * mebibyte
/** What the young generations may take in all: the main thread's is as large as a collector's (`bin/floodgauge`), and there are two readers. */
const youngMax = [collector, collector, detector, reader, reader].reduce(
  (sum, { maxYoungGenerationSizeMb }) => sum + maxYoungGenerationSizeMb * mebibyte,
  0,
)
/** What strangers may have the store write, its log of writes included. */
const storeMax = 20 * mebibyte

let service: RunningService
before(async () => {
  if (seconds > 0) service = await startService()
})
after(() => service?.stop())

async function connected(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: mebibyte })
  socket.on('error', () => {})
  socket.bind(0, address)
  await once(socket, 'listening')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Octets that wait in the kernel for the service, at its fullest socket. */
function waitingOctets(ports: ReadonlySet<number>): number {
  const rows = readFileSync('/proc/net/udp', 'utf8').matchAll(/^\s*\d+: \S+:([\dA-F]{4}) \S+ \S+ \S+:([\dA-F]{8})/gm)
  const waiting = [...rows].filter(([, port]) => ports.has(Number.parseInt(port, 16)))
  return Math.max(0, ...waiting.map(([, , octets]) => Number.parseInt(octets, 16)))
}

/** Exporters of each protocol that go on as if nothing were; gives what they have sent. */
async function honest(until: AbortSignal): Promise<SentFlows[]> {
  const ports = service.flowAddresses.map(({ port }) => port)
  const exporters = await Promise.all(
    exportProtocols.map(async (protocol, i) => {
      const socket = await connected(honestAddress, ports[i % ports.length])
      const sent: SentFlows = { protocol, port: socket.address().port, flows: 0, unsent: 0 }
      return { exporter: new Exporter({ protocol, domain: i }), socket, sent }
    }),
  )
  while (!until.aborted) {
    const flows = Array.from(
      { length: honestFlows },
      (_, i): Flow => ({ src: `198.51.100.${i}`, dst: site, bytes: 100 }),
    )
    for (const { exporter, socket, sent } of exporters) {
      for (const datagram of exporter.datagrams(flows, Date.now())) {
        socket.send(datagram, (error) => {
          if (error !== null) sent.unsent++
        })
      }
      sent.flows += flows.length
    }
    await delay(honestEveryMs)
  }
  for (const { socket } of exporters) socket.close()
  return exporters.map(({ sent }) => sent)
}

/** Gives how many datagrams were sent. */
async function hostile(until: AbortSignal, onFilled: () => void): Promise<number> {
  const random = createRandom(1)
  const next = hostileMix(random)
  const ports = service.flowAddresses.map(({ port }) => port)
  const portSet = new Set(ports)
  const sockets: Socket[] = []
  let sent = 0
  while (!until.aborted) {
    if (sent % datagramsPerSocket === 0 || sockets.length === 0) {
      // Half of them from the address of the honest.
      const address = random(2) === 0 ? honestAddress : `127.${1 + random(250)}.${random(250)}.${1 + random(250)}`
      sockets.push(await connected(address, ports[random(ports.length)]))
      if (sockets.length > hostileSockets) sockets.shift()?.close()
    }
    sockets[random(sockets.length)].send(next())
    if (++sent === fillDatagrams) onFilled()
    if (sent % hostilePerTurn !== 0) continue
    await delay(turnMs)
    while (waitingOctets(portSet) > waitingMax) await delay(turnMs)
  }
  for (const socket of sockets) socket.close()
  return sent
}

/** What the store takes on disk, in bytes. */
function storeBytes(): number {
  const files = readdirSync(service.dataFolder).filter((name) => name.includes('.db'))
  return files.reduce((sum, name) => sum + statSync(join(service.dataFolder, name)).size, 0)
}

interface Used {
  memory: number
  store: number
}

/** Resident memory of the service, in bytes. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Resident memory of the service and what the store takes, by the second for as long. */
async function watchUse(forSeconds: number): Promise<Used[]> {
  const samples: Used[] = []
  while (samples.length < forSeconds) {
    samples.push({ memory: residentBytes(), store: storeBytes() })
    await delay(1_000)
  }
  return samples
}

it(`${seconds} s of hostile datagrams: honest flows are all counted, and memory is flat`, {
  skip:
    (seconds === 0 && 'set HOSTILE_SECONDS, as .ci/run does') ||
    (process.platform !== 'linux' && 'memory and waiting datagrams are read from /proc'),
  timeout: (seconds + 90) * 1_000,
}, async (t) => {
  const { client, email, token } = await makeFirstUser(service)
  await client.addSites([site])
  await until('the site is watched', async () => {
    return metricSum(await metricsOf(service.url), 'floodgauge_watched_addresses') === 1
  })
  const [memoryBefore, storeBefore] = [residentBytes(), storeBytes()]
  const end = new AbortController()
  const filled = Promise.withResolvers<void>()
  const sending = Promise.all([honest(end.signal), hostile(end.signal, filled.resolve)])
  await Promise.race([filled.promise, sending, delay(fillMsMax, undefined, { ref: false })])
  const used = await watchUse(seconds)
  end.abort()
  const [exporters, harm] = await sending
  const sent = exporters.reduce((sum, { flows }) => sum + flows, 0)
  assert.ok(harm > fillDatagrams, `only ${harm} hostile datagrams`)

  const counted = async (name: string) => metricSum(await metricsOf(service.url), name)
  const folded = () => counted('floodgauge_fold_flows_total')
  // What the kernel drops on a busy machine was never received: a datagram of the honest has five flows at most.
  const dropped = async () => honestFlows * (await counted('floodgauge_ingest_socket_drops_total'))
  const lost = async () => sent - (await folded()) - (await dropped())
  await until('honest flows are folded', async () => (await lost()) <= 0).catch(async (cause: Error) => {
    const headers = { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token }
    const losses = await lossesOf({ url: service.url, headers, address: honestAddress }, exporters)
    throw new Error([`${await lost()} of ${sent} honest flows are not folded`, ...losses].join('\n'), { cause })
  })
  assert.ok((await folded()) <= sent)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)

  const tables = await metricsOf(service.url)
  for (const table of ['streams', 'templates', 'samplers', 'waiting']) {
    const [size, max] = ['used', 'max'].map((name) => metricSum(tables, `floodgauge_table_${name}`, `"${table}"`))
    assert.ok(max > 0 && size <= max, `${table}: ${size} of ${max}`)
  }
  const grown = Math.max(...used.map(({ store }) => store)) - storeBefore
  assert.ok(grown <= storeMax, `the store grew by ${grown} bytes`)

  // Peaks: between two collections of garbage memory rises and falls.
  const memory = used.map(({ memory }) => memory)
  const third = Math.ceil(memory.length / 3)
  const first = Math.max(...memory.slice(0, third))
  const last = Math.max(...memory.slice(-third))
  const every = Math.max(1, Math.floor(memory.length / 20))
  const shown = (bytes: number[]) => bytes.map((each) => Math.round(each / mebibyte)).join(' ')
  const series = (bytes: number[]) => shown(bytes.filter((_, i) => i % every === 0))
  t.diagnostic(`${sent} honest flows among ${harm} hostile datagrams; MiB every ${every} s: ${series(memory)}`)
  t.diagnostic(`the store, likewise: ${series(used.map(({ store }) => store))}`)
  t.diagnostic(`MiB before, then at most in the first third and the last: ${shown([memoryBefore, first, last])}`)
  assert.ok(last < first * 1.1 + 48 * mebibyte, `memory grew from ${first} to ${last} bytes`)
  const ceiling = memoryBefore + youngMax + tablesMax
  assert.ok(Math.max(first, last) < ceiling, `memory rose to ${first}, then ${last} bytes, above ${ceiling}`)
})
