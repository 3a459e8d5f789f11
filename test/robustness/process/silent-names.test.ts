// A name server that never answers holds up the messages to the hosts that it is asked for, and no others: neither those of the same user nor those of another.
import assert from 'node:assert/strict'
import { scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { HostNames } from '../../../src/alert/outgoing/host-names.ts'
import { sendingPerUser } from '../../../src/alert/turns.ts'
import { AlertLab } from '../../helpers/labs/alert-lab.ts'
import { a, DnsServer, response } from '../../helpers/servers/dns-server.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { until } from '../../helpers/until.ts'

test('messages arrive while others wait for a name server that never answers', { timeout: 480_000 }, async (t) => {
  const server = await new DnsServer((asked) => {
    if (!asked.name.startsWith('good.')) return []
    return [response(asked, asked.type === 'AAAA' ? [] : [a(asked.spelled, '127.0.0.1')])]
  }).start()
  const receiver = await new WebhookReceiver().start()
  // A look-up lasts longer than the test.
  const hostNames = new HostNames({ servers: [server.address], limitMs: 600_000 })
  const lab = await AlertLab.start({ hostNames })
  t.after(async () => {
    await lab.stop()
    receiver.stop()
    server.stop()
  })
  const webhookTo = (url: string) => ({ kind: 'webhook', settings: { url } })
  const users = await Promise.all(Array.from({ length: 8 }, () => lab.addUser()))
  const silent: string[] = []
  for (const [n, user] of users.entries())
    for (let channel = 1; channel < sendingPerUser; channel++)
      silent.push(await lab.addChannel(user, webhookTo(`https://c${channel}.user${n}.example/`)))
  const { port } = new URL(receiver.url)
  for (const [n, user] of users.entries())
    await lab.addChannel(user, webhookTo(`http://good.user${n}.example:${port}/${user}`))

  await lab.record(users, () => ({}))
  await until('each user is told where that is possible', async () => receiver.received.length === users.length)
  assert.deepEqual(receiver.received.map(({ path }) => path.split('/').at(-1)).toSorted(), users.toSorted())
  await until('all other hosts are looked up', async () => hostNames.underWay === silent.length)
  // Nothing else of the process waits for them either.
  assert.ok((await readFile(new URL(import.meta.url), 'utf8')).length > 0)
  assert.equal(Object(await promisify(scrypt)('word', 'salt', 32)).length, 32)
  assert.equal(hostNames.underWay, silent.length)
  for (const channelId of silent) assert.equal((await lab.store.channelById(channelId))?.last, null)
})
