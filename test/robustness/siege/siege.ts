// A service under everything at once: floods of templates, streams and broken datagrams, one router's address forged, a tenant whose every address has
// traffic, one whose names fill the table, one who reads a year of events in circles, guessed passwords, idle connections. Beside them routers
// report, attacks come to one honest user, and the user reads. The outcome says what became of the honest.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../../client/index.ts'
import { systemClock } from '../../../src/clock.ts'
import type { Table } from '../../../src/contract/overview.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { DnsServer, response } from '../../helpers/servers/dns-server.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import type { Attacked, Harm } from './attackers.ts'
import { Attacks, type Reads, Routers, read, reportOrdinary, watchReadiness } from './honest.ts'
import {
  addressesOfName,
  emails,
  namedAddress,
  nameSites,
  networkSites,
  routers,
  victim,
  victimsMax,
} from './parties.ts'
import type { Credentials } from './requests.ts'

export interface Siege {
  seconds: number
  /** Events of the tenant who reads them in circles, over a year. */
  events: number
}

export interface Outcome {
  attacks: Attacks
  reads: Reads
  unready: string[]
  /** Routers whose flows were not counted: how many were, and how many were sent. */
  uncounted: string[]
  tables: Table[]
  /** Resident memory of the service, mebibytes every ten seconds. */
  memory: number[]
  /** What the store has grown by, mebibytes. */
  grown: number
  provenGaveWay: number
  harm: Harm
}

const eventsAtOnce = 5_000
const yearMs = 365 * 86_400_000
const memoryEveryMs = 10_000
const settledMs = 5_000
/** The part of a router's flows that is counted at least where the kernel says that it has dropped datagrams, as on a busy machine; else all are. */
const seenPart = 0.95
/** The routers have been reported within this time. */
const reportedMs = 30_000
const pollMs = 100
const mebibyte = 2 ** 20

export async function besiege({ seconds, events }: Siege): Promise<Outcome> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-siege-'))
  const dns = await new DnsServer((asked) => [
    response(
      asked,
      Array.from({ length: addressesOfName }, (_, i) => ({
        type: 'A' as const,
        name: asked.spelled,
        ttl: 300,
        data: namedAddress(asked.name, i),
      })),
    ),
  ]).start()
  const env = { FLOODGAUGE_NAMES_RESOLVERS: dns.address }
  let service = await startService(undefined, { dataFolder, env })
  const reporting = new Routers(() => service.flowPort)
  try {
    const users = await makeUsers(service)
    await reporting.start()
    await learnRouters(service, reporting)
    await service.stop()
    await addYearOfEvents(dataFolder, events)
    haveWorked(dataFolder)
    service = await startService(undefined, { dataFolder, env })
    reporting.forget()
    return await hold(service, { users, reporting, seconds })
  } finally {
    reporting.stop()
    await service.stop()
    dns.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

type Users = Record<keyof typeof emails, Credentials>

/** The honest user looks after the installation; each tenant may watch a part of the network and takes all of it. */
async function makeUsers(service: RunningService): Promise<Users> {
  const honest = await makeFirstUser(service)
  await honest.client.addSites(Array.from({ length: victimsMax }, (_, i) => victim(i)))
  const make = async (name: keyof typeof emails, allow: string): Promise<Credentials> => {
    const email = emails[name]
    const data = ['--data', service.dataFolder]
    await floodgauge('user', 'add', email, '--policy', 'assigned', '--allow', allow, '--no-link', ...data)
    const made = await floodgauge('token', 'create', email, '--scope', 'read,write', ...data)
    return { email, token: made.trim().split(/\s+/).at(-1) ?? '' }
  }
  const users = {
    honest,
    networks: await make('networks', '10.0.0.0/8'),
    names: await make('names', 'names.example,172.16.0.0/12'),
    reader: await make('reader', '203.0.113.0/24'),
  }
  const add = async ({ email, token }: Credentials, hosts: string[]) => {
    const client = createClient({ baseUrl: service.url, email, token, retries: 0 })
    for (let at = 0; at < hosts.length; at += 500) await client.addSites(hosts.slice(at, at + 500))
  }
  await add(users.networks, networkSites)
  await add(users.names, nameSites)
  return users
}

/** The routers send their templates, and the service saves them. */
async function learnRouters({ url }: RunningService, reporting: Routers): Promise<void> {
  const counted = async (name: string) => metricSum(await metricsOf(url), name)
  await until('the sites are watched', async () => (await counted('floodgauge_watched_addresses')) >= victimsMax)
  reporting.sendAll([{ src: '198.51.100.1', dst: victim(0), bytes: 100 }])
  await until('the routers are known', async () => (await counted('floodgauge_fold_flows_total')) >= routers)
  const saved = 'floodgauge_ingest_templates_saved_total'
  await until('and so will be after a restart', async () => (await counted(saved)) >= routers)
}

/** The routers' streams have proven themselves, and what happened during the year was told as it happened. */
function haveWorked(dataFolder: string): void {
  const database = new DatabaseSync(storeFileOf(dataFolder))
  database.exec('UPDATE stream_states SET is_proven = 1')
  database.exec('UPDATE alert_cursor SET place = (SELECT last FROM event_change_marks)')
  database.close()
}

async function addYearOfEvents(dataFolder: string, count: number): Promise<void> {
  const store = await openSqliteStore(storeFileOf(dataFolder), { clock: systemClock })
  const user = (await store.listUsers()).find(({ email }) => email === emails.reader)
  if (user === undefined) throw new Error('the reader is unknown')
  const fromMs = systemClock.now() - yearMs
  for (let at = 0; at < count; at += eventsAtOnce) {
    const made = Array.from({ length: Math.min(eventsAtOnce, count - at) }, (_, i) => {
      const createdMs = fromMs + Math.floor(((at + i) * (yearMs / count)) / 1_000) * 1_000
      const times = { createdMs, startMs: createdMs - 5_000, lastMs: createdMs + 60_000, endMs: createdMs + 60_000 }
      return eventOf(user.id, at + i, { ...times, site: '203.0.113.0/24', phase: 'closed' })
    })
    await addEvents(store, made)
  }
  await store.close()
}

async function hold(
  service: RunningService,
  { users, reporting, seconds }: { users: Users; reporting: Routers; seconds: number },
): Promise<Outcome> {
  const { url, flowPort, dataFolder } = service
  const counted = async (name: string) => metricSum(await metricsOf(url), name)
  await until('the sites are watched again', async () => (await counted('floodgauge_watched_addresses')) >= victimsMax)
  const octetsBefore = storeOctets(dataFolder)
  const attackers = fork(fileURLToPath(new URL('attackers.ts', import.meta.url)))
  attackers.send({ url, flowPort, reader: users.reader } satisfies Attacked)
  const end = new AbortController()
  const attacks = new Attacks()
  const following = attacks.follow(url, users.honest, end.signal).catch((error: Error) => {
    if (!end.signal.aborted) throw error
  })
  const going = Promise.all([
    read(url, users.honest, end.signal),
    watchReadiness(url, end.signal),
    watchMemory(service, end.signal),
    reportOrdinary(reporting, end.signal),
  ])
  const attacking = new AbortController()
  const attacked = attacks.run(reporting, attacking.signal)
  await Promise.race([delay(seconds * 1_000), following.then(() => Promise.reject(new Error('the stream has ended')))])
  attacking.abort()
  await attacked
  await delay(settledMs)
  end.abort()
  const [reads, unready, memory] = await going
  await following
  const harm = await endOf(attackers)
  const { tables, uncounted } = await account(url, users.honest, reporting)
  return {
    ...{ attacks, reads, unready, uncounted, tables, memory, harm },
    grown: (storeOctets(dataFolder) - octetsBefore) / mebibyte,
    provenGaveWay: await counted('floodgauge_table_proven_gave_way_total'),
  }
}

async function endOf(attackers: ChildProcess): Promise<Harm> {
  const told = once(attackers, 'message')
  attackers.send('end')
  const [harm]: Harm[] = await told
  return harm
}

/** What the service says at last of its tables and of the routers. */
async function account(url: string, { email, token }: Credentials, reporting: Routers) {
  const headers = { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token }
  const get = async (path: string) => (await fetch(`${url}/api/v1/${path}`, { headers })).json()
  const { installation } = (await get('status')) as { installation: { tables: Table[] } }
  const drops = metricSum(await metricsOf(url), 'floodgauge_ingest_socket_drops_total')
  const uncounted: string[] = []
  // Streams are reported in turn, and most of the reports are kept for those that have proved themselves.
  const endMs = performance.now() + reportedMs
  for (const [address, sent] of reporting.sent) {
    let flows = 0
    do {
      const { streams } = (await get(`exporters/${address}`)) as { streams: { flows: number }[] }
      flows = Math.max(...streams.map((stream) => stream.flows))
      await delay(pollMs)
    } while (flows < sent && performance.now() < endMs)
    if (flows < sent * (drops > 0 ? seenPart : 1)) uncounted.push(`${address}: ${flows} of ${sent}`)
  }
  return { tables: installation.tables, uncounted }
}

async function watchMemory({ process: { pid } }: RunningService, end: AbortSignal): Promise<number[]> {
  const samples: number[] = []
  while (!end.aborted) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    samples.push(Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024))
    await Promise.race([delay(memoryEveryMs), once(end, 'abort')])
  }
  return samples
}

/** The database and what is still to be written to it. */
function storeOctets(dataFolder: string): number {
  const file = storeFileOf(dataFolder)
  return [file, `${file}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0)
}
