// How a service ends, by a signal under load or by a kill, and what the next one finds: all that was answered, and no event that goes on.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { systemClock } from '../../src/clock.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type FirstUser, makeFirstUser } from '../helpers/first-user.ts'
import { attackUntil, flowSender } from '../helpers/flows.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const victim = '198.51.100.10'
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

it('a service that was killed starts again as if nothing were, and ends the events that went on', async () => {
  const dataFolder = join(folder, 'killed')
  const killed = await startService(undefined, { dataFolder })
  await underAttack(killed, await makeFirstUser(killed))
  assert.equal((await endOf(killed, 'SIGKILL')).endedBy, 'SIGKILL')
  assert.deepEqual(await eventEnds(dataFolder), [null])

  const next = await startService(undefined, { dataFolder })
  try {
    const [endMs] = await eventEnds(dataFolder)
    assert.ok(endMs !== null && endMs !== undefined && Math.abs(Date.now() - endMs) < 60_000, `it ended at ${endMs}`)
    assert.match(next.said(), /events that went on when the service stopped are ended/)
    assert.equal(next.setupUrl, '')
  } finally {
    await next.stop()
  }
})

it('a signal under load ends it with status 0, and all that was answered is there', async () => {
  const dataFolder = join(folder, 'ended')
  const service = await startService(undefined, { dataFolder, env: { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' } })
  const { client } = await makeFirstUser(service)
  const sender = await flowSender(service.flowAddresses[0])
  const answered: string[] = []
  let isOver = false
  const load = Array.from({ length: 6 }, async (_, worker) => {
    for (let i = 0; !isOver; i++) {
      const hosts = [`host-${worker}-${i}.example.com`]
      const outcome = await client.addSites(hosts).catch(() => null)
      if (outcome === null) return
      answered.push(...outcome.success)
    }
  })
  const flows = attackUntil(sender, '203.0.113.1', async () => isOver)
  // Clients that stall must not hold it up: one in the middle of a request, one that keeps its connection.
  const stalled = [
    connect(Number(new URL(service.url).port), '127.0.0.1'),
    connect(Number(new URL(service.url).port), '127.0.0.1'),
  ]
  for (const socket of stalled) socket.on('error', () => {})
  stalled[0].write(
    'POST /open/site/add HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  )
  await until('requests are answered', async () => answered.length > 100)

  const outcome = await endOf(service, 'SIGTERM')
  isOver = true
  await Promise.all([...load, flows])
  await sender.close()
  for (const socket of stalled) socket.destroy()
  // Status 1 would say that it took too long, and was cut short.
  assert.deepEqual(outcome, { status: 0, endedBy: null })
  const hosts = await withStore(
    dataFolder,
    async (store, userId) => new Set((await store.listSites(userId)).map(({ host }) => host)),
  )
  assert.deepEqual(
    answered.filter((host) => !hosts.has(host)),
    [],
  )
})
