// What it costs to keep 10,000 names resolved whose TTL is a minute, asked of two resolvers, and how soon a name that is added meanwhile is
// watched. The resolvers are a process of their own. Run: node bench/names-asking.ts [SECONDS] (60, after a warm-up of about 100)
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Value } from 'typebox/value'
import { systemClock } from '../src/clock.ts'
import { createLogger } from '../src/log.ts'
import { Names } from '../src/names/names.ts'
import { namesSettings } from '../src/names/settings.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'
import { a, cname, DnsServer, response } from '../test/helpers/servers/dns-server.ts'
import { siteOf } from '../test/helpers/sites.ts'

const count = 10_000
const ttlSeconds = 60
const base = 0xc633_6400

/** Every tenth name is an alias of an alias. */
async function serve(): Promise<void> {
  const servers = Array.from({ length: 2 }, () =>
    new DnsServer((asked) => {
      const number = Number(/\d+/.exec(asked.name)?.[0] ?? 0)
      const address = formatIpv4(base + number)
      if (number % 10 > 0) return [response(asked, [a(asked.name, address, ttlSeconds)])]
      const [first, second] = [`c${number}.cdn.example`, `e${number}.edge.example`]
      return [
        response(asked, [
          cname(asked.name, first, ttlSeconds),
          cname(first, second, ttlSeconds),
          a(second, address, ttlSeconds),
        ]),
      ]
    }).start(),
  )
  const addresses = (await Promise.all(servers)).map(({ address }) => address)
  process.send?.(addresses)
}

async function startServers(): Promise<{ child: ChildProcess; resolvers: string[] }> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  const [resolvers] = await once(child, 'message')
  return { child, resolvers }
}

async function measure(seconds: number): Promise<void> {
  const { child, resolvers } = await startServers()
  const settings = { ...Value.Create(namesSettings), resolvers }
  const names = new Names({ settings, clock: systemClock, log: createLogger('silent') })
  const asked = () =>
    names.resolvers.reduce((sum, { queries }) => sum + Object.values(queries).reduce((a, b) => a + b), 0)
  const sites = Array.from({ length: count }, (_, i) => siteOf(`user${i % 500}`, `www.n${i}.example`))

  const startMs = performance.now()
  names.start()
  names.setSites(sites)
  while (names.bindings.size < count) await delay(50)
  console.log(`${count} names, each asked of ${resolvers.length} resolvers, TTL ${ttlSeconds} s`)
  console.log(`all known after             ${((performance.now() - startMs) / 1_000).toFixed(1).padStart(8)} s`)
  await delay(ttlSeconds * 1_000)

  const [fromMs, cpu, before] = [performance.now(), process.cpuUsage(), asked()]
  let lateMs = 0
  for (let second = 0; second < seconds; second++) {
    await delay(1_000)
    lateMs = Math.max(lateMs, names.schedule.lateMs(Date.now()))
  }
  const { user, system } = process.cpuUsage(cpu)
  const tookSeconds = (performance.now() - fromMs) / 1_000
  const show = (what: string, value: number, unit: string) =>
    console.log(`${what.padEnd(28)}${value.toFixed(1).padStart(8)} ${unit}`)
  show('questions', (asked() - before) / tookSeconds, '/s')
  show('CPU', ((user + system) / 1e6 / tookSeconds) * 100, '% of a processor')
  show('CPU', (user + system) / (asked() - before), 'us a question')
  show('the latest was late by', lateMs / 1_000, 's')
  show(
    'unanswered',
    names.resolvers.reduce((sum, { queries }) => sum + queries.TIMEOUT, 0),
    '',
  )
  show('memory', process.memoryUsage().rss / 2 ** 20, 'MiB')

  const addedMs: number[] = []
  for (let i = 0; i < 10; i++) {
    const fresh = base + count + i
    const watched = new Promise<void>((resolve) => {
      names.onChange(() => {
        if (names.watchedAddresses().includes(fresh)) resolve()
      })
    })
    const atMs = performance.now()
    sites.push(siteOf('user1', `www.n${count + i}.example`))
    names.setSites(sites)
    await watched
    addedMs.push(performance.now() - atMs)
  }
  show('a name that is added', Math.max(...addedMs), 'ms until it is watched, at most of ten')
  names.stop()
  child.kill()
}

if (process.argv[2] === 'serve') await serve()
else await measure(Number(process.argv[2] ?? 60))
