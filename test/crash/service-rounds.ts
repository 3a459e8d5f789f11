// Kills the whole service at random moments under load, starts it again on the same data, and checks that nothing acknowledged is lost: no
// site change that was answered, no event that a list has shown.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '../../client/index.ts'
import { systemClock } from '../../src/clock.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { until } from '../helpers/until.ts'
import { kill, type Running, start } from './running.ts'
import { Acknowledged, attack, attacked, changeSites, pollEvents } from './service-load.ts'
import { type CrashOutcome, checkFile } from './store-rounds.ts'

const email = 'ann@example.com'
const workers = 4
const attackedAddresses = 256
/** Under load, before the kill. An event takes a second or two to come. */
const shortestLoadMs = 100
const longestLoadMs = Number(process.env.CRASH_LOAD_MS ?? 5_000)

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
