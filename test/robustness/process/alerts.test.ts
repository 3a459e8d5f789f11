// A store that takes nothing for a while, in the middle of attacks, and a service that is away when one ends: each is told from its beginning to its end all the same, in
// order, to programs, and to people by a rule that gathers.
// STORE_DOWN_SECONDS (default 6): for how long; 60 is a thorough run.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, type FlowSender, flowSender } from '../../helpers/flows.ts'
import { count, passTime, read } from '../../helpers/labs/alert-rows.ts'
import { Arrivals, checkEvent } from '../../helpers/labs/arrivals.ts'
import { Chat, checkMessages, deliveriesOf, nameOfTitle, titled, together } from '../../helpers/labs/told.ts'
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

/** What programs and people are told, by receivers that fail as `fails` says. */
async function startReceivers(fails: () => boolean) {
  const [arrivals, chat] = [new Arrivals(fails), new Chat(fails)]
  const receivers = [await new WebhookReceiver(arrivals.answer).start(), await new WebhookReceiver(chat.answer).start()]
  const [webhook, slack] = receivers.map(({ url }) => url)
  const makeChannels = async (url: string, { email, token }: FirstUser) => {
    const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      const given = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${url}/api/v1/alerts/${path}`, given)
      const text = await answer.text()
      assert.equal(answer.status, 200, text)
      return JSON.parse(text)
    }
    await call('POST', 'channels', { name: 'Programs', kind: 'webhook', settings: { url: webhook } })
    await call('POST', 'channels', { name: 'People', kind: 'slack', settings: titled, secrets: { url: slack } })
    const { rules } = await call('GET', 'rules')
    await call('PATCH', `rules/${rules[0].id}`, together)
  }
  const stop = () => {
    for (const each of receivers) each.stop()
  }
  return { arrivals, chat, makeChannels, stop }
}

type Receivers = Awaited<ReturnType<typeof startReceivers>>

/** Each event of the store was told to its end, to programs and to people. */
async function checkTold(dataFolder: string, { arrivals, chat }: Receivers): Promise<void> {
  await until('nothing waits', async () => {
    passTime(dataFolder)
    await delay(1_500)
    return count(dataFolder, `deliveries WHERE state NOT IN ('done', 'superseded')`) === 0
  })
  const events = read(dataFolder, 'SELECT id FROM events').map(({ id }) => String(id))
  assert.ok(events.length > 0)
  const byEvent = Map.groupBy(arrivals.attempts, ({ event }) => event)
  assert.deepEqual([...byEvent.keys()].toSorted(), events.toSorted())
  for (const [event, attempts] of byEvent) checkEvent(event, attempts)
  const told = chat.at('/hook').map(({ text }) => ({ name: String(text), title: String(text) }))
  checkMessages(new Set(events), told, deliveriesOf(dataFolder, 'slack', nameOfTitle))
}

/** What is sent before the store is back is refused once in three times; then no pause is long. */
function failsAtFirst(): () => boolean {
  let refusals = 0
  return () => refusals++ < 6 && refusals % 3 === 0
}

async function checkDown(down: Down): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-alerts-'))
  const receivers = await startReceivers(failsAtFirst())
  const service = await startService(undefined, { dataFolder, env })
  const sender = await flowSender(service.flowAddresses[0])
  const { attempts } = receivers.arrivals
  try {
    const user = await makeFirstUser(service)
    assert.deepEqual((await user.client.addSites(victims)).success, victims)
    await receivers.makeChannels(service.url, user)
    await attackUntil(sender, victims[0], async () => attempts.length > 0)
    const up = down(service)
    // One attack ends meanwhile, one begins and ends, and one goes on.
    await attackFor(sender, victims[1], downMs / 2)
    await attackFor(sender, victims[2], downMs / 2)
    up()
    const isTold = async () => {
      const ended = attempts.filter(({ type, isTaken }) => type === 'event.ended' && isTaken)
      return new Set(ended.map(({ event }) => event)).size === victims.length
    }
    await until('each is told to its end', isTold, againMs)
    await checkTold(dataFolder, receivers)
    await until('nothing waits', async () => metricSum(await metricsOf(service.url), 'floodgauge_alert_waiting') === 0)
  } finally {
    await sender.close()
    await service.stop()
    receivers.stop()
    rmSync(dataFolder, { recursive: true })
  }
}

it('a store that is full for a while costs no alert', { timeout: 2 * againMs + downMs }, () => checkDown(full))
it('a store that is locked for a while costs no alert', { timeout: 2 * againMs + downMs }, () => checkDown(locked))

it('an attack that ends while the service is killed is told to its end', { timeout: againMs }, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-alerts-'))
  const receivers = await startReceivers(() => false)
  let service = await startService(undefined, { dataFolder, env })
  const { attempts } = receivers.arrivals
  try {
    const user = await makeFirstUser(service)
    await user.client.addSites(victims)
    await receivers.makeChannels(service.url, user)
    const sender = await flowSender(service.flowAddresses[0])
    await attackUntil(sender, victims[0], async () => attempts.length > 0 && receivers.chat.attempts > 0)
    await sender.close()
    assert.deepEqual(
      attempts.map(({ type }) => type),
      ['event.started'],
    )
    const killed = once(service.process, 'exit')
    service.process.kill('SIGKILL')
    await killed
    // It is not followed on when it was seen last before `detect.reopenSeconds`.
    await delay(1_000)
    service = await startService(undefined, { dataFolder, env })
    await until('its end is told', async () => attempts.at(-1)?.type === 'event.ended')
    assert.equal(count(dataFolder, `events WHERE end_ms IS NULL`), 0)
    await checkTold(dataFolder, receivers)
  } finally {
    await service.stop()
    receivers.stop()
    rmSync(dataFolder, { recursive: true })
  }
})
