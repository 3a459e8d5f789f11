// Secrets of channels stay where they belong: thirty that can be told from everything else are given to a service in every way there is, and then looked for in
// all that it answers, logs, counts, and writes to its store and to a backup.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { type EndpointName, endpoints } from '../../../src/contract/endpoints.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { floodgauge, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const site = '198.51.100.10'
const marks = Array.from({ length: 30 }, (_, n) => `mArKeD-secret-no-${String(n).padStart(2, '0')}-of-30`)
const secretOf = (mark: string) => `whsec_${Buffer.from(mark).toString('base64')}`

/** Every spelling of a secret. */
function spellingsOf(mark: string): string[] {
  const secret = secretOf(mark)
  const encoded = secret.slice('whsec_'.length)
  const forms = [mark, encoded, encodeURIComponent(encoded), Buffer.from(secret).toString('base64')]
  return [...forms, Buffer.from(mark).toString('hex'), Buffer.from(secret).toString('hex')]
}
const spellings = marks.flatMap(spellingsOf)

function checkNone(where: string, text: string): void {
  for (const spelling of spellings) assert.ok(!text.includes(spelling), `${where} has ${spelling}`)
}

it('secrets of channels are in no answer, log, number, store or backup', { timeout: 480_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-secrets-'))
  const dataFolder = join(folder, 'data')
  const receiver = await new WebhookReceiver(({ path }) => ({ status: Number(path.slice(-3)) || 204 })).start()
  const service = await startService(undefined, { dataFolder, env: { FLOODGAUGE_LOG_LEVEL: 'debug' } })
  let log = service.said()
  for (const stream of [service.process.stdout, service.process.stderr])
    stream?.on('data', (part: string) => {
      log += part
    })
  const sender = await flowSender(service.flowAddresses[0])
  try {
    const { email, token, client } = await makeFirstUser(service)
    await client.addSites([site])
    const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token }
    let said = ''
    const call = async (method: string, path: string, body?: object) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await fetch(`${service.url}${path}`, { method, headers: { ...headers, ...type }, ...json })
      const text = await answer.text()
      said += `${JSON.stringify([...answer.headers])} ${text}`
      return { status: answer.status, text }
    }
    const left = [...marks]
    const next = () => ({ secret: secretOf(left.shift() ?? '') })
    const add = (name: string, secrets: object, status = 204) => {
      const given = { name, kind: 'webhook', settings: { url: `${receiver.url}/${status}` }, secrets }
      return call('POST', '/api/v1/alerts/channels', given)
    }
    const ids: string[] = []
    for (let n = 0; n < 12; n++) {
      const { status, text } = await add(`c${n}`, next(), [204, 500, 404, 410][n % 4])
      assert.equal(status, 200, text)
      ids.push(JSON.parse(text).channel.id)
    }
    // What is refused: a name that is taken, a kind that there is not, secrets that are none or too many, a place that may not be.
    assert.equal((await add('c0', next())).status, 409)
    const refused = [
      { name: 'x', kind: 'pigeon', settings: {}, secrets: next() },
      { name: 'x', kind: 'webhook', settings: { url: receiver.url }, secrets: { secret: `${next().secret}!` } },
      { name: 'x', kind: 'webhook', settings: { url: receiver.url }, secrets: { ...next(), [next().secret]: 'y' } },
      { name: 'x', kind: 'webhook', settings: { url: 'ftp://x/' }, secrets: next() },
      { name: 'x', kind: 'webhook', settings: {}, secrets: next() },
      { name: 'x', kind: 'webhook', settings: { url: 'http://169.254.169.254/' }, secrets: next() },
    ]
    for (const given of refused) assert.equal((await call('POST', '/api/v1/alerts/channels', given)).status, 400)
    const malformed = { name: 7, kind: 'webhook', settings: {}, secrets: next() }
    assert.equal((await call('POST', '/api/v1/alerts/channels', malformed)).status, 400)
    for (const id of ids.slice(0, 8)) {
      assert.equal((await call('PATCH', `/api/v1/alerts/channels/${id}`, { secrets: next() })).status, 200)
    }
    assert.equal((await call('PATCH', `/api/v1/alerts/channels/${ids[0]}`, { secrets: { secret: '' } })).status, 400)
    assert.deepEqual(left.length, 1)
    assert.equal((await call('PATCH', '/api/v1/alerts/channels/none', { secrets: next() })).status, 404)
    await attackUntil(sender, site, async () => receiver.received.length >= ids.length)
    for (const id of ids) await call('POST', `/api/v1/alerts/channels/${id}/test`)
    await until('what came of it is listed', async () => {
      const { text } = await call('GET', '/api/v1/alerts/deliveries')
      return JSON.parse(text).deliveries.length >= ids.length
    })
    const { deliveries } = JSON.parse((await call('GET', '/api/v1/alerts/deliveries')).text)
    for (const { id } of deliveries) await call('GET', `/api/v1/alerts/deliveries/${id}`)
    const event = deliveries[0].eventId
    const names = Object.keys(endpoints) as EndpointName[]
    for (const { method, path } of names.map((name) => endpoints[name].route))
      if (method === 'GET' && path !== '/api/v1/stream') await call('GET', path.replace(/\{\w+\}/, event))
    await call('GET', '/metrics')
    checkNone('an answer', said)
    const backup = join(folder, 'backup.db')
    checkNone('the command', await floodgauge('backup', '--data', dataFolder, backup))
    checkNone('a message', receiver.received.map((each) => JSON.stringify(each)).join())
    await service.stop()
    checkNone('the log', log)
    assert.ok(log.length > 500)
    checkNone('the backup', readFileSync(backup, 'latin1'))
    for (const file of readdirSync(dataFolder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) checkNone(file.name, readFileSync(join(file.parentPath, file.name), 'latin1'))
  } finally {
    await sender.close()
    await service.stop()
    receiver.stop()
    rmSync(folder, { recursive: true })
  }
})
