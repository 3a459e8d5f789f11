// Watches the events of a running service, from the first listing of each to an hour after it was closed, and says where a number contradicts another
// one, or itself a moment before. Run: node scripts/watch-events.ts [--for 2h] [--every 5s] [--json] [--sent FILE] [--command-line] [--console CHROMIUM],
// with FLOODGAUGE_URL, FLOODGAUGE_EMAIL and FLOODGAUGE_TOKEN. Status 1: there was a breach.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EventReport } from '../client/index.ts'
import { parseDuration } from '../src/cli/text/duration.ts'
import { headerNames, vendorDefault } from '../src/contract/header-names.ts'
import { readOptions } from './options.ts'
import { openConsole } from './watch/console.ts'
import type { Elsewhere, Sent } from './watch/looks.ts'
import { readStream } from './watch/stream.ts'
import { type Answer, type Breach, Watch } from './watch/watch.ts'

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
/** Looks further apart would miss what a client that polls sees. */
const everyMaxMs = 60_000
const attemptMs = 30_000
/** The command line and the console are asked for an event so often at most: each time is a process, or a page. */
const elsewhereMs = 60_000
/** Events are kept for a year at least. */
const leastRetentionDays = 365

const usage =
  'node scripts/watch-events.ts [--for 2h] [--every 5s] [--json] [--sent FILE] [--command-line] [--console CHROMIUM]'
const values = readOptions(usage, {
  for: { type: 'string', default: '2h' },
  every: { type: 'string', default: '5s' },
  json: { type: 'boolean', default: false },
  sent: { type: 'string' },
  'command-line': { type: 'boolean', default: false },
  console: { type: 'string' },
})
const { FLOODGAUGE_URL = 'http://127.0.0.1:8080', FLOODGAUGE_EMAIL, FLOODGAUGE_TOKEN, FLOODGAUGE_VENDOR } = process.env
if (!FLOODGAUGE_EMAIL || !FLOODGAUGE_TOKEN) fail('FLOODGAUGE_EMAIL and FLOODGAUGE_TOKEN say whose events they are')
const [forMs, everyMs] = [parseDuration(values.for), parseDuration(values.every)]
if (everyMs > everyMaxMs) fail('--every is a minute at most')
const base = FLOODGAUGE_URL.replace(/\/$/, '')
const names = headerNames(FLOODGAUGE_VENDOR ?? vendorDefault)
const headers = { [names.email]: FLOODGAUGE_EMAIL, [names.token]: FLOODGAUGE_TOKEN }
const sent = values.sent === undefined ? null : readSent(values.sent)

/** How far the clock of the service is ahead of this one. */
let aheadMs = 0
const now = () => Date.now() + aheadMs

async function ask(path: string): Promise<Answer> {
  for (;;) {
    const response = await fetch(base + path, { headers, signal: AbortSignal.timeout(attemptMs) })
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    const body: unknown = await response.json()
    if (response.status === 429) {
      await wait(seconds * 1_000)
      continue
    }
    const ahead = Date.parse(response.headers.get('date') ?? '') - Date.now()
    // The header is of whole seconds.
    if (Math.abs(ahead - aheadMs) > 2_000) aheadMs = ahead
    return { status: response.status, body, link: response.headers.get('link') }
  }
}

async function retentionMs(): Promise<number> {
  const { status, body } = await ask('/api/v1/status')
  if (status !== 200) fail(`${base}/api/v1/status: HTTP ${status}`)
  const { installation } = body as { installation: { retentionDays: { events: number } } | null }
  return (installation?.retentionDays.events ?? leastRetentionDays) * 86_400_000
}

const lastAsked = new Map<string, number>()

/** The numbers of an event by the other ways that were asked for. */
async function elsewhere(report: EventReport): Promise<Elsewhere[]> {
  if (Date.now() - (lastAsked.get(report.id) ?? 0) < elsewhereMs) return []
  lastAsked.set(report.id, Date.now())
  return [...(values['command-line'] ? [await byCommandLine(report)] : []), ...((await browser?.read(report)) ?? [])]
}

/** What `floodgauge event show` says of it. */
async function byCommandLine({ id }: EventReport): Promise<Elsewhere> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'event', 'show', id, '--json'], {
    env: { ...process.env, FLOODGAUGE_URL: base },
    maxBuffer: 1 << 26,
  })
  const shown: EventReport = JSON.parse(stdout)
  const { phase, activeSeconds, returns, total, average, sequence } = shown
  const numbers = {
    ...{ phase, activeSeconds, returns, sequence },
    'total.packets': total.packets,
    'total.bytes': total.bytes,
    'average.packetsPerSecond': average.packetsPerSecond,
  }
  return { way: 'the command line', numbers }
}

/** One object a line: `{"victim":"192.0.2.1","startMs":0,"endMs":0,"packets":0,"bytes":0}`. */
function readSent(file: string): Sent[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return []
    const each: Sent = JSON.parse(line)
    const numbers = [each.startMs, each.endMs, each.packets, each.bytes]
    if (typeof each.victim !== 'string' || !numbers.every(Number.isFinite))
      fail(`${file}, line ${i + 1}: not what was sent`)
    return [each]
  })
}

function say({ atMs, rule, id, text }: Breach): void {
  const at = new Date(atMs).toISOString()
  const line = values.json ? JSON.stringify({ at, rule, id, text }) : `${at}  ${rule}  ${id ?? ''}  ${text}`
  process.stdout.write(`${line}\n`)
}

function fail(text: string): never {
  process.stderr.write(`watch-events: ${text}\n`)
  process.exit(2)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}

const over = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort())
const browser = values.console === undefined ? null : await openConsole({ base, headers, browserFile: values.console })
const watch = new Watch({
  ask,
  now,
  messages: readStream({ url: `${base}/api/v1/stream`, headers, signal: over.signal, retryMs: 1_000 }),
  retentionMs: await retentionMs().catch((error) => fail(`${base} does not answer: ${error.message}`)),
  onBreach: say,
  elsewhere,
})

const untilMs = Date.now() + forMs
while (Date.now() < untilMs && !over.signal.aborted) {
  const nextMs = Date.now() + everyMs
  await watch.look().catch((error) => process.stderr.write(`watch-events: ${error.message}; trying again\n`))
  await Promise.race([wait(Math.min(nextMs, untilMs) - Date.now()), aborted(over.signal)])
}
over.abort()
await browser?.close()
if (sent !== null) watch.account(sent)
const { looks, events, reads, unsteady, checks, breaches } = watch.counted
const counted = { looks, events, reads, unsteady, checks, breaches }
if (values.json) process.stdout.write(`${JSON.stringify(counted)}\n`)
else
  process.stdout.write(
    `${Object.entries(counted)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}\n`,
  )
process.exitCode = breaches > 0 ? 1 : 0

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
