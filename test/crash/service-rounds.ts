// Kills the whole service at random moments under load, starts it again on the same data, and checks that nothing acknowledged is lost: no
// site change that was answered, no event that a list has shown.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../client/index.ts'
import { systemClock } from '../../src/clock.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { until } from '../helpers/until.ts'
import { Acknowledged, attack, attacked, changeSites, pollEvents } from './service-load.ts'
import { type CrashOutcome, checkFile } from './store-rounds.ts'

const mainFile = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const email = 'ann@example.com'
const workers = 4
const attackedAddresses = 256
const readyMs = 30_000
/** Under load, before the kill. An event takes a second or two to come. */
const shortestLoadMs = 100
const longestLoadMs = Number(process.env.CRASH_LOAD_MS ?? 5_000)

interface Running {
  child: ChildProcess
  url: string
  flowPort: number
}

export async function crashService(rounds: number): Promise<CrashOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-crash-'))
  try {
    const token = await makeCaller(directory)
    const noted = new Acknowledged()
    for (let round = 0; round < rounds; round++) {
      await killUnderLoad(directory, { token, noted, round })
      checkFile(storeFileOf(directory))
    }
    const service = await start(directory)
    await check(clientOf(service, token), noted)
    await kill(service.child)
    return { rounds, acknowledged: noted.changes, listed: noted.events.size }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function makeCaller(directory: string): Promise<string> {
  const store = await openSqliteStore(storeFileOf(directory), { clock: systemClock })
  const user = await store.addUser({ email, siteQuota: 1_000, allowed: null })
  const secret = newTokenSecret()
  await store.addToken(
    { userId: user.id, name: 'test', scopes: ['read', 'write'], expiresMs: null },
    hashTokenSecret(secret),
  )
  await store.addSites(user.id, [attacked], systemClock.now())
  await store.close()
  return secret
}

function clientOf({ url }: Running, token: string): Client {
  return createClient({ baseUrl: url, email, token, retries: 0 })
}

interface Round {
  token: string
  noted: Acknowledged
  round: number
}

async function killUnderLoad(directory: string, { token, noted, round }: Round): Promise<void> {
  const service = await start(directory)
  const client = clientOf(service, token)
  await check(client, noted)
  await checkReady(service.url)
  const stop = new AbortController()
  const load = [
    ...Array.from({ length: workers }, (_, worker) => changeSites(client, worker, noted)),
    pollEvents(client, noted),
    attack(service.flowPort, stop.signal, round * 50),
  ]
  await delay(shortestLoadMs + Math.random() * (longestLoadMs - shortestLoadMs))
  await kill(service.child)
  stop.abort()
  await Promise.all(load)
}

/** A service that is ready watches what there is: the attacked network, whatever else was changed. */
async function checkReady(url: string): Promise<void> {
  await until('the service is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
  const { checks } = JSON.parse(await (await fetch(`${url}/readyz`)).text())
  assert.match(checks.selfTest.detail, /^a simulated attack was found/)
  const watched = Number(/^(\d+) addresses are watched$/.exec(checks.watch.detail)?.[1])
  assert.ok(watched >= attackedAddresses, `${watched} addresses are watched`)
}

async function check(client: Client, noted: Acknowledged): Promise<void> {
  const sites = new Map((await client.listSites()).map(({ host, is_enable }) => [host, is_enable]))
  assert.equal(sites.get(attacked), true)
  sites.delete(attacked)
  for (const host of noted.unsure) {
    const found = sites.get(host)
    if (found === undefined) noted.sites.delete(host)
    else noted.sites.set(host, found)
  }
  noted.unsure.clear()
  assert.deepEqual([...sites].toSorted(), [...noted.sites].toSorted())
  const events = new Set((await client.listEvents()).map(({ _id }) => _id))
  for (const id of noted.events) assert.ok(events.has(id), `event ${id} was listable and is gone`)
}

/** Without a limit on requests: the load is meant. */
async function start(directory: string): Promise<Running> {
  const listen = [
    '--http',
    '127.0.0.1:0',
    '--netflow',
    '127.0.0.1:0',
    '--ipfix',
    '127.0.0.1:0',
    '--sflow',
    '127.0.0.1:0',
  ]
  const child = spawn(process.execPath, [mainFile, 'serve', '--data', directory, ...listen], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' },
  })
  const killWithMe = () => child.kill('SIGKILL')
  process.once('exit', killWithMe)
  child.once('close', () => process.off('exit', killWithMe))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-20_000)
    })
  for (let waitedMs = 0; waitedMs < readyMs && child.exitCode === null; waitedMs += 20) {
    const url = /answers at (http:\/\/[\d.:]+)/.exec(said)?.[1]
    const flowPort = /flows at [\d.]+:(\d+)/.exec(said)?.[1]
    if (url !== undefined && flowPort !== undefined) return { child, url, flowPort: Number(flowPort) }
    await delay(20)
  }
  if (child.exitCode === null) await kill(child)
  throw new Error(`the service did not start: ${said}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the service ended by itself, with status ${child.exitCode}`)
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
