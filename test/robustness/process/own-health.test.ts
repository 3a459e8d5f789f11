// A service that was away says so when it is back, and its heartbeat says that no flows come.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

it('a service that was away says from when to when', { timeout: 480_000 }, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-own-'))
  const receiver = await new WebhookReceiver().start()
  t.after(() => {
    receiver.stop()
    rmSync(dataFolder, { recursive: true })
  })
  const beats = new URL('/beat', receiver.url).href
  const env = { FLOODGAUGE_ALERTS_HEARTBEAT_URL: beats, FLOODGAUGE_ALERTS_HEARTBEAT_EVERY_SECONDS: '10' }
  const first = await startService(undefined, { dataFolder, env })
  const { email, token } = await makeFirstUser(first)
  const answer = await fetch(`${first.url}/api/v1/alerts/channels`, {
    method: 'POST',
    headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Test', kind: 'webhook', settings: { url: receiver.url } }),
  })
  assert.equal(answer.status, 200, await answer.text())
  await first.stop()

  const database = new DatabaseSync(storeFileOf(dataFolder))
  database.exec('UPDATE sign_of_life SET at_ms = at_ms - 120000')
  database.close()
  const second = await startService(undefined, { dataFolder, env })
  try {
    const told = () => receiver.received.filter(({ path }) => path === '/hook').map(({ body }) => JSON.parse(body))
    await until('it is told', async () => told().length > 0, 60_000)
    const [{ type, data }] = told()
    assert.deepEqual([type, data.severity], ['service.blind', 'critical'])
    assert.ok(Date.parse(data.until) - Date.parse(data.since) >= 120_000)
    const failed = () => receiver.received.filter(({ path }) => path === '/beat/fail')
    await until('the heartbeat says what is wrong', async () => failed().length > 0, 60_000)
    assert.match(failed()[0].body, /^(no flows come in|not ready: )/)
  } finally {
    await second.stop()
  }
  assert.equal(receiver.received.filter(({ path }) => path === '/hook').length, 1)
})
