// How a service ends, by a signal under load or by a kill, and what the next one finds: all that was answered, and attacks that are followed on.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../../client/index.ts'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import type { Store } from '../../../src/store/store.ts'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, type FlowSender, flowSender, synFlood } from '../../helpers/flows.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const victim = '198.51.100.10'
/** Longer than a busy machine keeps a sender or the service from going on. */
const quietSeconds = 20
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-end-'))
})
after(() => rmSync(folder, { recursive: true }))

async function withStore<T>(dataFolder: string, look: (store: Store, userId: string) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(storeFileOf(dataFolder), { clock: systemClock })
  try {
    const [{ id }] = await store.listUsers()
    return await look(store, id)
  } finally {
    await store.close()
  }
}

/** The ends of all events; null of those that go on. */
function eventEnds(dataFolder: string): Promise<(number | null | undefined)[]> {
  return withStore(dataFolder, async (store, userId) => {
    const events = await store.eventsBetween(userId, { fromMs: null, toMs: null, after: null, limit: 100 })
    return Promise.all(events.map(async ({ id }) => (await store.eventById(userId, id))?.endMs))
  })
}

/** An event is listed, and its attack goes on. */
async function underAttack(service: RunningService, { client }: FirstUser): Promise<void> {
  await client.addSites([victim])
  const sender = await flowSender(service.flowAddresses[0])
  await attackUntil(sender, victim, async () => (await client.listEvents()).length > 0)
  await sender.close()
}

async function endOf({ process: child }: RunningService, signal: NodeJS.Signals) {
  const ended = once(child, 'exit')
  child.kill(signal)
  const [status, endedBy] = await ended
  return { status, endedBy }
}

it('a service that was killed starts again as if nothing were, and follows the attack on to its end', async () => {
  const dataFolder = join(folder, 'killed')
  const killed = await startService(undefined, { dataFolder })
  const user = await makeFirstUser(killed)
  await underAttack(killed, user)
  assert.equal((await endOf(killed, 'SIGKILL')).endedBy, 'SIGKILL')
  assert.deepEqual(await eventEnds(dataFolder), [null])

  const next = await startService(undefined, {
    dataFolder,
    env: { FLOODGAUGE_DETECT_QUIET_SECONDS: `${quietSeconds}` },
  })
  try {
    assert.match(next.said(), /attacks from before the start are followed on/)
    assert.equal(next.setupUrl, '')
    const sender = await flowSender(next.flowAddresses[0])
    const untilMs = Date.now() + 8_000
    await attackUntil(sender, victim, async () => Date.now() > untilMs)
    const sentMs = Date.now()
    await sender.close()
    assert.deepEqual(await eventEnds(dataFolder), [null])
    await until('the attack is over', async () => (await eventEnds(dataFolder)).every((endMs) => endMs !== null))
    const [endMs, ...others] = await eventEnds(dataFolder)
    assert.deepEqual(others, [], 'it is one event')
    assert.ok(endMs && endMs > untilMs - 4_000 && endMs < sentMs + 4_000, `it ended at ${endMs}, not at ${sentMs}`)
  } finally {
    // Nothing is lost with it.
    await endOf(next, 'SIGKILL')
  }
})

it('a signal under load ends it with status 0, and all that was answered is there', async () => {
  const dataFolder = join(folder, 'ended')
  const service = await startService(undefined, { dataFolder, env: { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' } })
  const { client } = await makeFirstUser(service)
  const stalled = stalledClients(Number(new URL(service.url).port))
  const sender = await flowSender(service.flowAddresses[0])
  const over = new AbortController()
  const answered: string[] = []
  const load = Array.from({ length: 6 }, (_, worker) => addSites(client, worker, answered))
  const flows = sendFlows(sender, over.signal)
  try {
    await until('requests are answered', async () => answered.length > 30)
    // Status 1 would say that it took too long, and was cut short.
    assert.deepEqual(await endOf(service, 'SIGTERM'), { status: 0, endedBy: null })
  } finally {
    over.abort()
    service.process.kill('SIGKILL')
    await Promise.all([...load, flows])
    await sender.close()
    for (const socket of stalled) socket.destroy()
  }
  const kept = await withStore(dataFolder, async (store, userId) => {
    return new Set((await store.listSites(userId)).map(({ host }) => host))
  })
  assert.deepEqual(
    answered.filter((host) => !kept.has(host)),
    [],
  )
})

/** Adds one site after the other until the service is gone. */
async function addSites(client: Client, worker: number, answered: string[]): Promise<void> {
  for (let i = 0; ; i++) {
    const outcome = await client.addSites([`host-${worker}-${i}.example.com`]).catch(() => null)
    if (outcome === null) return
    answered.push(...outcome.success)
  }
}

async function sendFlows(sender: FlowSender, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sender.send(synFlood('203.0.113.1', 150))
    await delay(50)
  }
}

/** They must not hold up the end: one in the middle of a request, one that only keeps its connection. */
function stalledClients(port: number): Socket[] {
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  for (const socket of sockets) socket.on('error', () => {})
  const head = ['POST /open/site/add HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 100']
  sockets[0].write(`${head.join('\r\n')}\r\n\r\n{`)
  return sockets
}
