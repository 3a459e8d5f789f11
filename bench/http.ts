// Requests per second of the HTTP interface: a server in a process of its own, over a store with many sites and events, and the load from here.
//   node bench/http.ts [seconds [events]]

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ManualClock } from '../src/clock.ts'
import { createTestApi, eventOf, startMs } from '../test/helpers/api.ts'
import { addEvents } from '../test/helpers/events.ts'
import { httpLoad, percentile } from './load/http.ts'

const sitesOfMany = 10_000
const eventsDefault = 100_000
/** The events lie over a year. */
const yearMs = 365 * 86_400_000

interface Ready {
  port: number
  /** Head of the requests of each user. */
  few: string
  many: string
}

/** One user with 100 sites, one with very many sites and events. */
async function serve(eventsCount: number): Promise<void> {
  const clock = new ManualClock(startMs)
  const api = await createTestApi({ clock, settings: { ratePerMinute: 0 } })
  const few = await api.addCaller('few@example.net')
  const many = await api.addCaller('many@example.net', { siteQuota: sitesOfMany })
  const hosts = (count: number) => Array.from({ length: count }, (_, i) => `host-${i}.example.net`)
  await api.store.addSites(few.user.id, hosts(100), startMs)
  await api.store.addSites(many.user.id, hosts(sitesOfMany), startMs)
  for (let at = 0; at < eventsCount; at += 5_000) {
    await addEvents(
      api.store,
      Array.from({ length: 5_000 }, (_, i) =>
        eventOf(many.user.id, at + i, {
          createdMs: startMs + Math.floor(((at + i) * yearMs) / eventsCount / 1000) * 1000,
        }),
      ),
    )
  }
  const ticking = setInterval(() => clock.advance(100), 100)
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 })
  const headOf = (headers: Record<string, string>) =>
    Object.entries({ host: 'bench', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  process.send?.({
    port: Number(new URL(url).port),
    few: headOf(few.headers),
    many: headOf(many.headers),
  } satisfies Ready)
  process.once('disconnect', () => process.exit())
  process.on('message', async (message) => {
    if (message === 'usage') {
      const { user, system } = process.cpuUsage()
      process.send?.({ cpuSeconds: (user + system) / 1e6, rssMiB: process.memoryUsage.rss() / 2 ** 20 })
    } else {
      clearInterval(ticking)
      await api.close()
      process.disconnect()
    }
  })
}

async function measure(seconds: number, eventsCount: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['serve', String(eventsCount)])
  const [ready]: Ready[] = await once(server, 'message')
  const usage = async (): Promise<{ cpuSeconds: number; rssMiB: number }> => {
    server.send('usage')
    return (await once(server, 'message'))[0]
  }
  const cases = [
    { name: 'GET /open/site, 100 sites', head: ready.few, target: '/open/site', connections: 16 },
    { name: `GET /open/site, ${sitesOfMany} sites`, head: ready.many, target: '/open/site', connections: 1 },
    {
      name: 'GET /open/event/ddos, 24 hours',
      head: ready.many,
      target: '/open/event/ddos?start=2026-07-01&end=2026-07-02',
      connections: 1,
    },
    {
      name: 'GET /open/event/ddos?limit=100',
      head: ready.many,
      target: '/open/event/ddos?last=1&limit=100',
      connections: 4,
    },
    { name: `GET /open/event/ddos, all ${eventsCount}`, head: ready.many, target: '/open/event/ddos', connections: 1 },
    { name: 'GET /open/site, wrong token', head: 'host: bench\r\n', target: '/open/site', connections: 16 },
  ]
  for (const { name, head, target, connections } of cases) {
    const request = `GET ${target} HTTP/1.1\r\n${head}\r\n`
    await httpLoad({ port: ready.port, request, connections, seconds: 1 })
    const before = await usage()
    const { latenciesMs } = await httpLoad({ port: ready.port, request, connections, seconds })
    const after = await usage()
    const core = (after.cpuSeconds - before.cpuSeconds) / seconds
    const rate = latenciesMs.length / seconds
    const at = (share: number) => percentile(latenciesMs, share).toFixed(2)
    console.log(
      `${name}: ${rate.toFixed(1)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; server ${(core * 100).toFixed(0)} % of a core (${((core / rate) * 1e6).toFixed(0)} us a request), rss ${after.rssMiB.toFixed(0)} MiB`,
    )
  }
  server.send('stop')
  await once(server, 'exit')
}

if (process.argv[2] === 'serve') await serve(Number(process.argv[3]))
else await measure(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? eventsDefault))
