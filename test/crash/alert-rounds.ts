// Kills the service at random moments under attacks, while the receivers of alerts fail a third of the time until the very end, and checks what has arrived.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { count, countByState, passTime } from '../helpers/labs/alert-rows.ts'
import { until } from '../helpers/until.ts'
import { startPeople } from './alert-people.ts'
import { startPrograms } from './alert-programs.ts'
import { kill, start } from './running.ts'
import { attack, firstVictim } from './service-load.ts'
import { checkFile } from './store-rounds.ts'

const email = 'ann@example.com'
const shortestLoadMs = 100
const longestLoadMs = Number(process.env.CRASH_LOAD_MS ?? 6_000)
const attackEveryMs = 300
/** What is still to be told at the end is told by services that are killed as soon as nothing has come for so long. */
const silenceMs = 2_500
/** An attack is over soon, and some come back. */
const soonOver = { FLOODGAUGE_DETECT_QUIET_SECONDS: '5', FLOODGAUGE_DETECT_REOPEN_SECONDS: '20' }
/** What is attacked, in sixteen parts. */
const sites = Array.from({ length: 16 }, (_, part) => `${formatIpv4(firstVictim + part * 16)}/28`)

export type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Receivers that fail, and the channels to them. */
export interface Told {
  env: Readonly<Record<string, string>>
  /** The service runs, and has no channels. */
  makeChannels(call: Call): Promise<void>
  /** Messages and attempts so far. */
  arrived(): number
  /** Throws where something was told wrongly; gives what has arrived in words. */
  check(directory: string): string
  stop(): Promise<void>
}

const told = { programs: startPrograms, people: startPeople }

export interface AlertCrashOutcome {
  events: number
  /** Services that were killed, those that told the rest included. */
  kills: number
  found: string
}

export async function crashAlerts(rounds: number, whom: keyof typeof told): Promise<AlertCrashOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-crash-alerts-'))
  const receivers = await told[whom]()
  const env = { ...soonOver, ...receivers.env }
  let kills = 2
  try {
    await makeChannels(directory, receivers)
    for (let round = 0; round < rounds; round++, kills++) {
      await killUnderAttack(directory, env, round)
      checkFile(storeFileOf(directory))
    }
    await end(directory, env)
    const isLeft = () => count(directory, `deliveries WHERE state IN ('held', 'due', 'sending')`) > 0
    for (const most = kills + 60 + rounds; isLeft(); kills++) {
      assert.ok(kills < most, `what waits is not told: ${JSON.stringify(countByState(directory))}`)
      await tellTheRest(directory, env, receivers)
    }
    const found = receivers.check(directory)
    const states = Object.entries(countByState(directory)).map(([state, number]) => `${number} ${state}`)
    return { events: count(directory, 'events'), kills, found: `${found}; deliveries: ${states.join(', ')}` }
  } finally {
    await receivers.stop()
    rmSync(directory, { recursive: true })
  }
}

async function makeChannels(directory: string, receivers: Told): Promise<void> {
  const store = await openSqliteStore(storeFileOf(directory), { clock: systemClock })
  const { id } = await store.addUser({ email, siteQuota: sites.length, allowed: null })
  // An admin may have messages sent to this machine.
  await store.updateUser(id, { role: 'admin' })
  const secret = newTokenSecret()
  const scopes = ['read', 'write'] as const
  await store.addToken({ userId: id, name: 'test', scopes: [...scopes], expiresMs: null }, hashTokenSecret(secret))
  await store.addSites(id, sites, systemClock.now())
  await store.close()
  const service = await start(directory, { ...receivers.env })
  await receivers.makeChannels(async (method, path, body) => {
    const answer = await fetch(`${service.url}/api/v1/alerts/${path}`, {
      method,
      headers: { 'x-svc-authemail': email, 'x-svc-authtoken': secret, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    return JSON.parse(text)
  })
  await kill(service.child)
}

async function killUnderAttack(directory: string, env: Record<string, string>, round: number): Promise<void> {
  const service = await start(directory, env)
  const stop = new AbortController()
  const load = attack(service.flowPort, stop.signal, round * 20, attackEveryMs)
  await delay(shortestLoadMs + Math.random() * (longestLoadMs - shortestLoadMs))
  await kill(service.child)
  stop.abort()
  await load
}

/** Until every attack is over. */
async function end(directory: string, env: Record<string, string>): Promise<void> {
  const service = await start(directory, env)
  await until('every attack is over', async () => count(directory, 'events WHERE end_ms IS NULL') === 0)
  await until('every end is found', async () => count(directory, 'alert_states WHERE is_over = 0') === 0)
  await kill(service.child)
}

async function tellTheRest(directory: string, env: Record<string, string>, { arrived }: Told): Promise<void> {
  passTime(directory)
  const service = await start(directory, env)
  for (let before = -1; before < arrived(); ) {
    before = arrived()
    await delay(silenceMs)
  }
  await kill(service.child)
}
