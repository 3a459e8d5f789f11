// A store that takes nothing for a while, in the middle of attacks: each is told from its beginning to its end all the same, in order.
// STORE_DOWN_SECONDS (default 6): for how long; 60 is a thorough run.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, type FlowSender, flowSender } from '../../helpers/flows.ts'
import { Arrivals, checkEvent } from '../../helpers/labs/arrivals.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const downMs = Number(process.env.STORE_DOWN_SECONDS ?? 6) * 1_000
const victims = ['198.51.100.10', '203.0.113.20', '192.0.2.30']
const env = {
  FLOODGAUGE_DETECT_QUIET_SECONDS: '5',
  FLOODGAUGE_DETECT_REOPEN_SECONDS: '0',
  FLOODGAUGE_LOG_LEVEL: 'error',
}

/** What arrived and could not be settled is sent again after a minute, as is what was refused twice. */
const againMs = 180_000

/** Gives what ends it. */
type Down = (service: RunningService) => () => void

const full: Down = ({ process: { pid } }) => {
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:`])
  limit('0')
  return () => limit('unlimited')
}

const locked: Down = ({ dataFolder }) => {
  const database = new DatabaseSync(storeFileOf(dataFolder), { timeout: 10_000 })
  database.exec('BEGIN IMMEDIATE')
  return () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

async function attackFor(sender: FlowSender, victim: string, ms: number): Promise<void> {
  const endMs = performance.now() + ms
  await attackUntil(sender, victim, async () => performance.now() > endMs)
}

async function checkDown(down: Down): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-alerts-'))
  let refusals = 0
  // What is sent before the store is back is refused once in three times; then no pause is long.
  const arrivals = new Arrivals(() => refusals++ < 6 && refusals % 3 === 0)
  const receiver = await new WebhookReceiver(arrivals.answer).start()
  const service = await startService(undefined, { dataFolder, env })
  const sender = await flowSender(service.flowAddresses[0])
  try {
    const { client, email, token } = await makeFirstUser(service)
    assert.deepEqual((await client.addSites(victims)).success, victims)
    const answer = await fetch(`${service.url}/api/v1/alerts/channels`, {
      method: 'POST',
      headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Test', kind: 'webhook', settings: { url: receiver.url } }),
    })
    assert.equal(answer.status, 200, await answer.text())
    await attackUntil(sender, victims[0], async () => arrivals.attempts.length > 0)
    const up = down(service)
    // One attack ends meanwhile, one begins and ends, and one goes on.
    await attackFor(sender, victims[1], downMs / 2)
    await attackFor(sender, victims[2], downMs / 2)
    up()
    const isTold = async () => {
      const ended = arrivals.attempts.filter(({ type, isTaken }) => type === 'event.ended' && isTaken)
      return new Set(ended.map(({ event }) => event)).size === victims.length
    }
    await until('each is told to its end', isTold, againMs)
    await delay(1_000)
    const events = (await client.listEvents()).map(({ _id }) => _id)
    const byEvent = Map.groupBy(arrivals.attempts, ({ event }) => event)
    assert.deepEqual([...byEvent.keys()].toSorted(), events.toSorted())
    for (const [event, attempts] of byEvent) checkEvent(event, attempts)
    await until('nothing waits', async () => metricSum(await metricsOf(service.url), 'floodgauge_alert_waiting') === 0)
  } finally {
    await sender.close()
    await service.stop()
    receiver.stop()
    rmSync(dataFolder, { recursive: true })
  }
}

it('a store that is full for a while costs no alert', { timeout: 2 * againMs + downMs }, () => checkDown(full))
it('a store that is locked for a while costs no alert', { timeout: 2 * againMs + downMs }, () => checkDown(locked))
