// `npm run demo`: the service on a throwaway data directory, a router made of a few lines that sends it ordinary traffic and then
// attacks over UDP, and the events as they come. Ends on Ctrl-C, or after `--events N` events, and leaves nothing behind.
import { createClient, type DdosEvent, factsOf } from '../client/index.ts'
import { formatCount, formatTime } from '../src/cli/text/output.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'
import { DemoRouter } from './demo/router.ts'
import { type DemoService, startDemoService } from './demo/service.ts'
import { flowsOf, samplingRate, sites, startingAt } from './demo/traffic.ts'
import { fail, readOptions } from './options.ts'

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function curl({ url, email, token }: DemoService, path: string): string {
  return `    curl -sS -H 'X-SVC-AuthEmail: ${email}' -H 'X-SVC-AuthToken: ${token}' ${url}${path}`
}

function now(): string {
  return formatTime(new Date().toISOString())
}

function introduce(service: DemoService): void {
  say(`\nThe service runs on ${service.url}, its data in a temporary directory. Ctrl-C ends it and removes everything.`)
  say(`It watches ${sites.join(' and ')}. Look at it in the console (the link signs in once):\n`)
  say(`    ${service.signInLink}\n`)
  say('Another link, from another terminal in this directory:\n')
  say(`    npx floodgauge user link ${service.email} --direct --data ${service.dataFolder}\n`)
  say('All events, at any time:\n')
  say(`${curl(service, '/open/event/ddos')}\n`)
  say('A router now reports ordinary traffic to them; attacks follow, one every 20 seconds. Times are UTC.\n')
}

function tell(service: DemoService, event: DdosEvent): void {
  const { detectedAt, attack, victim, site, bitsPerSecond, packetsPerSecond, id } = factsOf(event)
  const size = `${formatCount(bitsPerSecond, 'bps')}, ${formatCount(packetsPerSecond, 'pps')}`
  say(`${formatTime(detectedAt)}  EVENT ${attack ?? 'of unknown type'} on ${victim} (site ${site}): ${size}\n`)
  say(`${curl(service, `/open/event/ddos/detail/${id}`)}\n`)
}

/** Sends each second's flows until the demo ends. */
async function runRouter(router: DemoRouter, stop: AbortSignal): Promise<void> {
  for (let second = 0; !stop.aborted; second++) {
    const attack = startingAt(second)
    if (attack !== null) say(`${now()}  the router sees ${attack.title} on ${formatIpv4(attack.victim)}`)
    await router.send(flowsOf(second))
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

async function tellEvents(
  service: DemoService,
  { stop, eventsMax }: { stop: AbortSignal; eventsMax: number },
): Promise<void> {
  const { url, email, token } = service
  const client = createClient({ baseUrl: url, email, token })
  await client.addSites([...sites])
  introduce(service)
  let told = 0
  const onError = (error: unknown) =>
    say(`${now()}  the service does not answer: ${error instanceof Error ? error.message : error}`)
  for await (const event of client.pollEvents({ everyMs: 1000, windowMs: 3_600_000, signal: stop, onError })) {
    tell(service, event)
    if (++told >= eventsMax) return
  }
}

async function run(eventsMax: number, stop: AbortController): Promise<void> {
  say('Starting the service ...')
  const service = await startDemoService()
  const router = new DemoRouter({ address: '127.0.0.1', port: service.netflowPort, samplingRate })
  const traffic = runRouter(router, stop.signal)
  try {
    await Promise.race([tellEvents(service, { stop: stop.signal, eventsMax }), traffic])
  } finally {
    stop.abort()
    await traffic.catch(() => {})
    await router.close()
    await service.stop()
  }
  say('Stopped; nothing is left behind.')
}

const values = readOptions('npm run demo [-- --events N]', { events: { type: 'string' } })
const eventsMax = values.events === undefined ? Number.POSITIVE_INFINITY : Number(values.events)
if (!(eventsMax >= 1)) fail('--events takes a number from 1 on')
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
try {
  await run(eventsMax, stop)
} catch (error) {
  // Interrupted while it started: the service, in the same terminal, was interrupted too.
  if (!stop.signal.aborted) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
