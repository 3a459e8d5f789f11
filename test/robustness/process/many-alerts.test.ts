// A thousand attacks that begin within a second: programs are told each, people once for each group. How soon is for the benchmark to say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { firstRule } from '../../../src/alert/rules/rule.ts'
import { AlertLab } from '../../helpers/labs/alert-lab.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { until } from '../../helpers/until.ts'

const attacks = 1_000
const perBatch = 100
const sites = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example.com`)
const labels = ['udp@attack@amp_flood_target-NTP', 'tcp@attack@syn_flood']
const groups = sites.length * labels.length
/** At the pace of a webhook it takes fifty seconds. */
const waitMs = 120_000

test('a thousand attacks in a second are told each to programs, and once a group to people', {
  timeout: 2 * waitMs,
}, async (t) => {
  const lab = await AlertLab.start()
  const receiver = await new WebhookReceiver().start()
  t.after(async () => {
    await lab.stop()
    receiver.stop()
  })
  const user = await lab.addUser()
  const webhook = await lab.addChannel(user, { kind: 'webhook', settings: { url: `${receiver.url}/program` } })
  const settings = { titleTemplate: '{{event.site}} {{event.attackType}}' }
  const chat = await lab.addChannel(user, { kind: 'slack', settings, secrets: { url: `${receiver.url}/chat` } })
  const [rule] = await lab.store.rulesOf(user)
  await lab.store.changeRule(user, rule.id, { group: { ...firstRule.group, by: ['site', 'vector'], everyMinutes: 1 } })
  const beganMs = Date.now()
  const users = Array.from({ length: perBatch }, () => user)
  for (let batch = 0; batch < attacks / perBatch; batch++) {
    await lab.record(users, (n) => ({ site: sites[n % sites.length], label: labels[n % labels.length] }))
    await delay(Math.max(0, beganMs + (batch + 1) * 100 - Date.now()))
  }
  const at = (path: string) => receiver.received.filter((each) => each.path.endsWith(path))
  const told = () => new Set(at('program').map(({ body }) => JSON.parse(body).data.event.id))
  await until('each is told', async () => told().size === attacks, waitMs)
  t.diagnostic(`the last was told after ${Date.now() - beganMs} ms`)
  assert.equal(at('program').length, attacks)
  const titles = at('chat').map(({ body }) => JSON.parse(body).text)
  assert.equal(titles.length, groups)
  assert.equal(new Set(titles).size, groups)
  const count = async (channelId: string, state: 'done' | 'joined') =>
    (await lab.store.deliveriesOf(user, { channelId, state, limit: 2 * attacks })).length
  await until('all is settled', async () => (await count(webhook, 'done')) === attacks)
  assert.equal(await count(chat, 'done'), attacks)
})
