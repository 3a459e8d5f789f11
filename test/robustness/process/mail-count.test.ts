// Who has sent as many mails as one may within 24 hours sends no more after the service was killed and started again.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { perDay } from '../../../src/alert/mail/mailer.ts'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { count } from '../../helpers/labs/alert-rows.ts'
import { MailReceiver } from '../../helpers/servers/mail-receiver.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'

const email = 'eve@example.net'

/** As if the user had sent as many before. */
async function send(dataFolder: string, mails: number): Promise<void> {
  const store = await openSqliteStore(storeFileOf(dataFolder), { clock: systemClock })
  const user = await store.userByEmail(email)
  assert.ok(user !== null)
  for (let n = 0; n < mails; n++) assert.notEqual(await store.countMail(user.id, perDay), null)
  await store.close()
}

test('the count of mails outlives a service that is killed', { timeout: 480_000 }, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-mails-'))
  const receiver = await new MailReceiver().start()
  const { host, port, from } = receiver.settings()
  const smtp = { HOST: host, PORT: String(port), TLS: 'none', FROM: from }
  const env = Object.fromEntries(Object.entries(smtp).map(([name, value]) => [`FLOODGAUGE_ALERTS_SMTP_${name}`, value]))
  let service: RunningService | undefined
  t.after(async () => {
    await service?.stop()
    await receiver.stop()
    rmSync(dataFolder, { recursive: true })
  })
  await floodgauge('user', 'add', email, '--role', 'member', '--no-link', '--data', dataFolder)
  const token = (await floodgauge('token', 'create', email, '--data', dataFolder)).trim()
  await send(dataFolder, perDay - 1)
  const post = async (path: string, body: object = {}) => {
    const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' }
    const url = `${service?.url}/api/v1/alerts/channels${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200)
    return Object(await answer.json())
  }

  service = await startService(undefined, { dataFolder, env })
  const { channel } = await post('', { name: 'Me', kind: 'mail', settings: { to: [email] } })
  const texts = async (times: number) => {
    const found: string[] = []
    for (let n = 0; n < times; n++) found.push((await post(`/${channel.id}/test`)).text)
    return found
  }
  assert.deepEqual(await texts(2), ['the server has it', 'more than 100 messages a day'])
  const killed = once(service.process, 'exit')
  service.process.kill('SIGKILL')
  await killed
  service = await startService(undefined, { dataFolder, env })
  assert.deepEqual(await texts(2), Array(2).fill('more than 100 messages a day'))
  assert.deepEqual([receiver.received.length, count(dataFolder, 'mails_sent')], [1, perDay])
})
