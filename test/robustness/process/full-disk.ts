// What a service does on a disk that takes no more, and when there is room again: the same with any way to fill the disk.
import assert from 'node:assert/strict'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

export interface Disk {
  /** No write succeeds any more. */
  fill: (service: RunningService) => void
  /** There is room again. */
  free: (service: RunningService) => void
}

const first = '198.51.100.10'
const second = '198.51.100.20'

/** `dataFolder`: on the disk that is filled. */
export async function checkFullDisk(dataFolder: string, disk: Disk): Promise<void> {
  const service = await startService(undefined, { dataFolder, env: { FLOODGAUGE_LOG_LEVEL: 'error' } })
  const sender = await flowSender(service.flowAddresses[0])
  try {
    const user = await makeFirstUser(service)
    assert.deepEqual((await user.client.addSites([first])).success, [first])
    disk.fill(service)
    await checkRefusals(service, user)
    const pending = async () => metricSum(await metricsOf(service.url), 'floodgauge_events_pending') > 0
    await attackUntil(sender, first, pending)
    assert.deepEqual(await user.client.listEvents(), [])
    disk.free(service)
    await checkRecovery(service, user)
  } finally {
    await sender.close()
    await service.stop()
  }
  await checkStore(dataFolder)
}

async function checkRefusals({ url }: RunningService, { client, email, token }: FirstUser): Promise<void> {
  const headers = { 'x-svc-authtoken': token, 'x-svc-authemail': email, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/open/site/add`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ hosts: [second] }),
  })
  assert.equal(answer.status, 503)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  await answer.arrayBuffer()

  // What only reads goes on: the list of sites fails when it can't be read, not when nothing can be written.
  const list = await fetch(`${url}/open/site`, { headers })
  const sites = JSON.parse(await list.text())
  assert.deepEqual([list.status, sites.status, sites.data.length], [200, 1, 1])
  assert.deepEqual(
    (await client.listSites()).map(({ host }) => host),
    [first],
  )

  const { store } = await readiness(url, 503)
  assert.equal(store.ok, false)
  assert.match(store.detail, /the disk (is full|fails to)/)
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
}

/** What /readyz says as soon as it has this status: the store is looked at every five seconds. */
async function readiness(url: string, status: number): Promise<{ store: { ok: boolean; detail: string } }> {
  return until(`/readyz answers ${status}`, async () => {
    const answer = await fetch(`${url}/readyz`)
    const { checks } = JSON.parse(await answer.text())
    return answer.status === status && checks
  })
}

async function checkRecovery({ url }: RunningService, { client }: FirstUser): Promise<void> {
  const events = await until('the event that waited', async () => {
    const listed = await client.listEvents()
    return listed.length > 0 && listed
  })
  assert.deepEqual(
    events.map(({ ip, attack_type }) => [ip, attack_type]),
    [[first, 'tcp@attack@syn_flood_target']],
  )
  await until('nothing waits', async () => metricSum(await metricsOf(url), 'floodgauge_events_pending') === 0)
  await readiness(url, 200)
  assert.deepEqual((await client.addSites([second])).success, [second])
}

/** What was answered is on the disk. */
async function checkStore(dataFolder: string): Promise<void> {
  const store = await openSqliteStore(storeFileOf(dataFolder), { clock: systemClock })
  const [{ id }] = await store.listUsers()
  assert.deepEqual((await store.listSites(id)).map(({ host }) => host).sort(), [first, second])
  const window = { fromMs: null, toMs: null, after: null, limit: 10 }
  assert.equal((await store.eventsBetween(id, window)).length, 1)
  await store.close()
}
