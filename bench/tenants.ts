// What one user's reading costs another: a user with very many events reads the overview, searches, lists and tables in circles over ten connections, and
// ignores that the interface asks to wait; meanwhile another user reads at an ordinary pace. Both with and without the first in turns, in one run.
//   node bench/tenants.ts [rounds [events]] [--no-readers] [--no-limits]
//
// The store is kept in the system's temporary directory, since it takes minutes to fill.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { TimeSpent } from '../src/api/limits/time-spent.ts'
import { ManualClock } from '../src/clock.ts'
import { noStatistics } from '../src/detect/incidents/incident-report.ts'
import { createLogger } from '../src/log.ts'
import { startReaderThread } from '../src/serve/readers/reader.ts'
import { Readers } from '../src/serve/readers/readers.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { Store } from '../src/store/store.ts'
import { createTestApi, eventOf, startMs } from '../test/helpers/api.ts'
import { addEvents } from '../test/helpers/events.ts'
import { httpLoad, percentile } from './load/http.ts'

const yearMs = 365 * 86_400_000
const dayMs = 86_400_000
const emails = { many: 'many@example.net', few: 'few@example.net' }
/** How long each turn lasts, with the busy user and without. */
const turnSeconds = 8

interface Options {
  rounds: number
  events: number
  readers: boolean
  limits: boolean
}

interface Ready {
  port: number
  heads: { many: string; few: string }
  eventId: string
}

/** A year of a busy user, up to the start of the clock, and some of another. */
async function fill(file: string, count: number): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const clock = new ManualClock(startMs - yearMs)
  const store = await openSqliteStore(file, { clock })
  const addUser = (email: string) => store.addUser({ email, siteQuota: 10_000, allowed: null })
  const [many, few] = [await addUser(emails.many), await addUser(emails.few)]
  const hosts = Array.from({ length: 1_000 }, (_, n) => `host-${n}.example.net`)
  await store.addSites(many.id, hosts, startMs - yearMs)
  await store.addSites(few.id, hosts.slice(0, 100), startMs - yearMs)
  const source = { item: 0x0a00_0001, flows: 1, packets: 1, bytes: 1, protocols: [17] }
  const sourceAddress = Array.from({ length: 100 }, (_, n) => ({ ...source, item: source.item + n }))
  const made = (userId: string, n: number, of: number, first: number) => {
    const createdMs = startMs - yearMs + Math.floor((n * (yearMs - 60_000)) / of / 1_000) * 1_000
    clock.set(Math.max(clock.now(), createdMs - 2_000))
    const site = hosts[n % 100]
    return eventOf(userId, first + n, {
      id: (first + n).toString(16).padStart(24, '0'),
      ...{ createdMs, site, sites: [site], label: `udp@attack@kind_${n % 30}`, endMs: createdMs + 60_000 },
      startMs: createdMs - 5_000,
      statistics: { ...noStatistics, sourceAddress },
      phase: 'closed' as const,
    })
  }
  for (let at = 0; at < count; at += 1_000) {
    await addEvents(
      store,
      Array.from({ length: 1_000 }, (_, n) => made(many.id, at + n, count, 1)),
    )
    if (at % 50_000 === 0) process.stderr.write(`${at} events\n`)
  }
  clock.set(startMs - yearMs)
  for (let at = 0; at < 1_000; at += 100) {
    await addEvents(
      store,
      Array.from({ length: 100 }, (_, n) => made(few.id, at + n, 1_000, count + 1)),
    )
  }
  await store.close()
}

async function serve({ events, readers: hasReaders, limits }: Options): Promise<void> {
  const file = join(tmpdir(), `floodgauge-tenants-${events}.db`)
  if (!existsSync(file)) {
    await fill(`${file}.part`, events)
    renameSync(`${file}.part`, file)
  }
  const clock = new ManualClock(startMs)
  const timeSpent = new TimeSpent({ clock, secondsPerMinute: limits ? 6 : 0 })
  const readers = new Readers({
    log: createLogger('warn', 2),
    startThread: () => startReaderThread(file),
    onAnswer: (userId) => timeSpent.begin(userId),
  })
  const open = (): Promise<Store> => openSqliteStore(file, hasReaders ? { clock, readers } : { clock })
  const settings = { ratePerMinute: limits ? 600 : 0, busySecondsPerMinute: limits ? 6 : 0 }
  const api = await createTestApi({ clock, settings, timeSpent, openStore: open })
  readers.start()
  const began = performance.now()
  setInterval(() => clock.set(startMs + performance.now() - began), 50)
  const headOf = async (email: string) =>
    Object.entries({ host: 'bench', ...(await api.addCaller(email)).headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({
    port: Number(new URL(url).port),
    heads: { many: await headOf(emails.many), few: await headOf(emails.few) },
    eventId: '1'.padStart(24, '0'),
  } satisfies Ready)
  process.on('message', () => {
    const { spentMs, refused } = timeSpent.counters
    process.send?.({ spentMs, refused, readers: readers.counters })
  })
  process.once('disconnect', () => process.exit())
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const targetsOf = (eventId: string) => [
  '/api/v1/overview',
  '/api/v1/search?q=host-7',
  '/api/v1/search?q=nowhere',
  '/api/v1/events?last=365&q=nowhere',
  '/api/v1/events?last=365&q=10.0.0.99&limit=50',
  '/api/v1/events?last=365&limit=1000&order=desc',
  '/api/v1/events?changedSince=0&q=nowhere',
  '/open/event/ddos?last=365',
  `/api/v1/events/${eventId}/csv`,
  '/api/v1/events?last=365&acknowledged=true',
]
/** What the other user asks, and how often in a second. */
const watched = {
  'GET /open/site': { target: '/open/site', requestsPerSecond: 4 },
  'GET /open/event/ddos': { target: `/open/event/ddos?start=${day(startMs - 30 * dayMs)}`, requestsPerSecond: 3 },
  'GET /api/v1/overview': { target: '/api/v1/overview', requestsPerSecond: 1 },
}

async function measure(options: Options): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['--serve', ...process.argv.slice(2)])
  const [{ port, heads, eventId }]: Ready[] = await once(server, 'message')
  const get = (target: string, head: string) => `GET ${target} HTTP/1.1\r\n${head}\r\n`
  const busy = targetsOf(eventId).map((target) => get(target, heads.many))
  const latencies = new Map<string, { alone: number[]; beside: number[] }>()
  const statuses = new Map<number, number>()
  for (let round = 0; round < options.rounds * 2; round++) {
    const isBeside = round % 2 === 1
    const load = isBeside ? httpLoad({ port, request: busy, connections: 10, seconds: turnSeconds }) : null
    const outcomes = await Promise.all(
      Object.entries(watched).map(async ([name, { target, requestsPerSecond }]) => {
        const request = get(target, heads.few)
        const outcome = await httpLoad({ port, request, connections: 4, seconds: turnSeconds, requestsPerSecond })
        return { name, outcome }
      }),
    )
    for (const { name, outcome } of outcomes) {
      const both = latencies.get(name) ?? { alone: [], beside: [] }
      // The first round warms up.
      if (round > 1) both[isBeside ? 'beside' : 'alone'].push(...outcome.latenciesMs)
      latencies.set(name, both)
      for (const status of outcome.statuses.keys()) if (status !== 200) console.log(`${name}: status ${status}`)
    }
    for (const [status, count] of (await load)?.statuses ?? [])
      statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  server.send('counters')
  const [counters] = await once(server, 'message')
  server.disconnect()
  for (const [name, { alone, beside }] of latencies) {
    const at = (share: number) => {
      const [a, b] = [alone, beside].map((list) =>
        percentile(
          list.toSorted((x, y) => x - y),
          share,
        ),
      )
      return `${b.toFixed(1)} ms (alone ${a.toFixed(1)}, added ${(b - a).toFixed(1)})`
    }
    console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; ${beside.length} requests`)
  }
  console.log('the busy user was answered', Object.fromEntries(statuses), JSON.stringify(counters))
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { serve: { type: 'boolean' }, 'no-readers': { type: 'boolean' }, 'no-limits': { type: 'boolean' } },
})
const options: Options = {
  rounds: Number(positionals[0] ?? 6),
  events: Number(positionals[1] ?? 300_000),
  readers: values['no-readers'] !== true,
  limits: values['no-limits'] !== true,
}
await (values.serve === true ? serve(options) : measure(options))
