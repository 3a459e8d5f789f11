import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestApi, type TestApi } from '../../test/helpers/api.ts'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { WebhookReceiver } from '../../test/helpers/servers/webhook-receiver.ts'
import { noticeOf, routingOf, settlementOf, takeAll } from '../../test/store-contract/alerts/parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-cli-alert-'))
const commands = new Commands(folder)
const receiver = new WebhookReceiver()
let api: TestApi
let userId: string
let env: Record<string, string>

before(async () => {
  await receiver.start()
  api = await createTestApi()
  const { user, secret } = await api.addCaller('ann@example.com', { role: 'admin', scopes: ['read', 'write', 'admin'] })
  userId = user.id
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 })
  env = { FLOODGAUGE_URL: url, FLOODGAUGE_EMAIL: user.email, FLOODGAUGE_TOKEN: secret }
})
after(async () => {
  await commands.close()
  await api.close()
  receiver.stop()
  rmSync(folder, { recursive: true })
})

const alert = (...args: string[]) => commands.run(['alert', ...args], { env })

test('channels are made, listed, tested and deleted', async () => {
  const made = await alert('channel', 'add', 'webhook', '--name', 'Night shift', '--set', `url=${receiver.url}?a=b`)
  assert.match(made.out, /^made channel [0-9a-f]{16}\nits secret, shown this once: whsec_[A-Za-z0-9+/]{32}\n$/)
  const [id] = /[0-9a-f]{16}/.exec(made.out) ?? []
  const listed = await alert('channel', 'list')
  assert.match(listed.out, new RegExp(`\\n${id}  webhook +ok +- +- +Night shift\\n$`))
  const tested = await alert('channel', 'test', `${id}`)
  assert.match(tested.out, /^sent in \d+ ms: HTTP 204\n$/)
  assert.equal(receiver.received[0].path, '/hook?a=b')
  receiver.answer = () => ({ status: 500 })
  assert.deepEqual(await alert('channel', 'test', `${id}`), {
    ...{ status: 1, out: '', err: 'floodgauge: not sent: HTTP 500\n' },
  })
  assert.equal((await alert('channel', 'delete', `${id}`)).out, `deleted ${id}\n`)
  assert.equal((await alert('channel', 'delete', `${id}`)).status, 1)
})

test('another secret of a channel is shown once', async () => {
  const made = JSON.parse((await alert('channel', 'add', 'webhook', '--set', `url=${receiver.url}`, '--json')).out)
  const { out } = await alert('channel', 'rotate', made.channel.id)
  const said = /^its secret, shown this once: (whsec_\S{32})\nthe one before it signs until \S+ \S+ UTC\n$/
  assert.match(out, said)
  assert.notEqual(said.exec(out)?.[1], made.secret)
  assert.equal((await alert('channel', 'rotate', 'nothing')).status, 1)
  await alert('channel', 'delete', made.channel.id)
})

test('a secret is read from a file, so that no list of processes has it', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  writeFileSync(join(folder, 'secret'), `${secret}\n`)
  const add = ['channel', 'add', 'webhook', '--set', `url=${receiver.url}`, '--set-file']
  const { out } = await alert(...add, 'secret=secret', '--json')
  const { channel, secret: shown } = JSON.parse(out)
  assert.deepEqual([channel.name, shown, out.includes(secret)], ['webhook', null, false])
  const missing = await alert(...add, 'secret=nowhere')
  assert.deepEqual([missing.status, /cannot read nowhere/.test(missing.err)], [2, true])
  await alert('channel', 'delete', channel.id)
})

test('what is no kind, no setting or no pair is refused before anything is made', async () => {
  for (const [args, said] of [
    [['pigeon'], /no channels of kind pigeon, but of webhook/],
    [['webhook', '--set', 'colour=red'], /have no colour, but url, secret/],
    [['webhook', '--set', 'url'], /not KEY=VALUE: url/],
  ] as const) {
    const { status, err } = await alert('channel', 'add', ...args)
    assert.deepEqual([status, said.test(err)], [2, true], err)
  }
  const refused = await alert('channel', 'add', 'webhook', '--set', 'url=ftp://x/')
  assert.deepEqual([refused.status, /url/.test(refused.err)], [1, true])
})

test('deliveries are listed by state, and sent again', async () => {
  receiver.answer = () => ({ status: 204 })
  const { out } = await alert('channel', 'add', 'webhook', '--set', `url=${receiver.url}`, '--json')
  const { id } = JSON.parse(out).channel
  await api.store.route(
    routingOf(0, [
      [noticeOf(userId, 'e1'), id],
      [noticeOf(userId, 'e2'), id],
    ]),
  )
  const [taken] = await takeAll(api.store, api.clock.now())
  await api.store.settle(settlementOf(taken, { state: 'dead', attempts: 3 }))
  const dead = await alert('deliveries', '--state', 'dead')
  assert.match(dead.out, new RegExp(`\\n\\S+ \\S+  dead +started +high +- +3  - +${id}-e1-1\\n$`))
  const all = (await alert('deliveries', '--json')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(all, [`${id}-e2-1`, `${id}-e1-1`])
  assert.equal((await alert('deliveries', '--event', 'e2', '--json')).out.trim().split('\n').length, 1)
  assert.equal((await alert('replay', `${id}-e1-1`)).out, 'it is sent again\n')
  assert.equal((await alert('replay', 'nothing')).status, 1)
  assert.equal((await alert('deliveries', '--state', 'lost')).status, 2)
})
