// Kills the service at random moments under attacks, while a receiver of alerts fails a third of the time, and checks that each event's beginning and end have
// arrived in the end, in order, and more than once as repetitions only.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { Arrivals, checkEvent } from '../helpers/labs/arrivals.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { until } from '../helpers/until.ts'
import { kill, start } from './running.ts'
import { attack, attacked } from './service-load.ts'
import { checkFile } from './store-rounds.ts'

const email = 'ann@example.com'
const shortestLoadMs = 100
const longestLoadMs = Number(process.env.CRASH_LOAD_MS ?? 6_000)
const attackEveryMs = 300
/** An attack is over soon, and some come back. */
const env = { FLOODGAUGE_DETECT_QUIET_SECONDS: '5', FLOODGAUGE_DETECT_REOPEN_SECONDS: '20' }

export interface AlertCrashOutcome {
  events: number
  /** Messages that arrived, and again. */
  arrived: number
  repeated: number
  /** Attempts that the receiver failed. */
  failed: number
}

export async function crashAlerts(rounds: number): Promise<AlertCrashOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-crash-alerts-'))
  let isDraining = false
  const arrivals = new Arrivals(() => !isDraining && Math.random() < 1 / 3)
  const receiver = await new WebhookReceiver(arrivals.answer).start()
  try {
    await makeChannel(directory, receiver.url)
    for (let round = 0; round < rounds; round++) {
      await killUnderAttack(directory, round)
      checkFile(storeFileOf(directory))
    }
    await end(directory)
    isDraining = true
    arrivals.slowestMs = 0
    passTime(directory)
    const service = await start(directory, env)
    const waits = `deliveries WHERE state IN ('due', 'sending')`
    await until('nothing waits', async () => count(directory, waits) === 0, 60_000 + rounds * 5_000)
    await kill(service.child)
    return check(directory, arrivals)
  } finally {
    receiver.stop()
    rmSync(directory, { recursive: true })
  }
}

async function makeChannel(directory: string, url: string): Promise<void> {
  const store = await openSqliteStore(storeFileOf(directory), { clock: systemClock })
  const { id } = await store.addUser({ email, siteQuota: 10, allowed: null })
  // An admin may have messages sent to this machine.
  await store.updateUser(id, { role: 'admin' })
  const secret = newTokenSecret()
  const scopes = ['read', 'write'] as const
  await store.addToken({ userId: id, name: 'test', scopes: [...scopes], expiresMs: null }, hashTokenSecret(secret))
  await store.addSites(id, [attacked], systemClock.now())
  await store.close()
  const service = await start(directory, env)
  const answer = await fetch(`${service.url}/api/v1/alerts/channels`, {
    method: 'POST',
    headers: { 'x-svc-authemail': email, 'x-svc-authtoken': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Test', kind: 'webhook', settings: { url } }),
  })
  assert.equal(answer.status, 200, await answer.text())
  await kill(service.child)
}

async function killUnderAttack(directory: string, round: number): Promise<void> {
  const service = await start(directory, env)
  const stop = new AbortController()
  const load = attack(service.flowPort, stop.signal, round * 20, attackEveryMs)
  await delay(shortestLoadMs + Math.random() * (longestLoadMs - shortestLoadMs))
  await kill(service.child)
  stop.abort()
  await load
}

/** Until every attack is over, while the receiver still fails. */
async function end(directory: string): Promise<void> {
  const service = await start(directory, env)
  await until('every attack is over', async () => count(directory, 'events WHERE end_ms IS NULL') === 0)
  await until('every end is found', async () => count(directory, 'alert_states WHERE is_over = 0') === 0)
  await kill(service.child)
}

/** As if what waits had waited long enough. */
function passTime(directory: string): void {
  const database = new DatabaseSync(storeFileOf(directory))
  database.exec(`UPDATE deliveries SET due_ms = 0 WHERE state = 'due'; UPDATE alert_channels SET closed_until_ms = 0`)
  database.close()
}

function count(directory: string, what: string): number {
  return Number(read(directory, `SELECT count(*) AS count FROM ${what}`)[0].count)
}

function read(directory: string, sql: string) {
  const database = new DatabaseSync(storeFileOf(directory), { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

function check(directory: string, { attempts }: Arrivals): AlertCrashOutcome {
  const events = read(directory, 'SELECT id FROM events WHERE is_test = 0').map(({ id }) => String(id))
  const notices = read(directory, 'SELECT event_id, number, kind FROM notices')
  const byEvent = Map.groupBy(attempts, ({ event }) => event)
  for (const event of byEvent.keys()) assert.ok(events.includes(event), `${event} was told and is no event`)
  for (const event of events) checkEvent(event, byEvent.get(event) ?? [])
  const taken = attempts.filter(({ isTaken }) => isTaken)
  const ids = new Set(taken.map(({ id }) => id))
  for (const { event_id, number, kind } of notices)
    if (kind !== 'vector' && kind !== 'worsened')
      assert.ok(ids.has(`msg_${event_id}_${number}`), `${event_id} ${number} ${kind} has not arrived`)
  assert.equal(count(directory, `deliveries WHERE state <> 'done'`), 0)
  const failed = attempts.length - taken.length
  return { events: events.length, arrived: ids.size, repeated: taken.length - ids.size, failed }
}
