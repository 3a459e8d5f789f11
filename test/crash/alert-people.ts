// Channels of people beside a webhook, by a rule that tells attacks of a site and kind together, and what must hold of them when every attack is over: each event
// was told on each channel, in a message about it or about others, and the last word about it is its end; what was told later came later; no event was told that is
// not there; a message that came again is about the same; nothing waits, and nothing was given up.
import assert from 'node:assert/strict'
import { count, read } from '../helpers/labs/alert-rows.ts'
import { Arrivals } from '../helpers/labs/arrivals.ts'
import { Chat, checkMessages, deliveriesOf, nameOfTitle, titled, together } from '../helpers/labs/told.ts'
import { MailReceiver } from '../helpers/servers/mail-receiver.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { checkWebhook, failsOften } from './alert-programs.ts'
import type { Call, Told } from './alert-rounds.ts'

export async function startPeople(): Promise<Told> {
  const arrivals = new Arrivals(failsOften)
  const webhook = await new WebhookReceiver(arrivals.answer).start()
  const chat = new Chat(failsOften)
  const chats = await new WebhookReceiver(chat.answer).start()
  const mail = await new MailReceiver().start()
  let refused = 0
  mail.answer = () => {
    if (!failsOften()) return 250
    refused++
    return 451
  }
  const { host, port, from } = mail.settings()
  const server = new URL(chats.url).origin
  const parts = { arrivals, chat, mail, refused: () => refused }
  return {
    env: {
      ...{ FLOODGAUGE_ALERTS_SMTP_HOST: host, FLOODGAUGE_ALERTS_SMTP_PORT: String(port) },
      ...{ FLOODGAUGE_ALERTS_SMTP_TLS: 'none', FLOODGAUGE_ALERTS_SMTP_FROM: from },
    },
    makeChannels: (call) => makeChannels(call, { webhook: webhook.url, server }),
    arrived: () => arrivals.attempts.length + chat.attempts + mail.received.length + refused,
    check: (directory) => check(directory, parts),
    stop: async () => {
      webhook.stop()
      chats.stop()
      await mail.stop()
    },
  }
}

async function makeChannels(call: Call, { webhook, server }: { webhook: string; server: string }): Promise<void> {
  const channels = [
    { name: 'Programs', kind: 'webhook', settings: { url: webhook } },
    { name: 'Post', kind: 'mail', settings: { to: ['noc@example.net'], ...titled } },
    { name: 'Chat', kind: 'slack', settings: titled, secrets: { url: `${server}/slack` } },
    { name: 'Pager', kind: 'pagerduty', settings: { server, ...titled }, secrets: { routingKey: 'r'.repeat(32) } },
  ]
  for (const channel of channels) await call('POST', 'channels', channel)
  const { rules } = Object(await call('GET', 'rules'))
  await call('PATCH', `rules/${rules[0].id}`, together)
}

interface Parts {
  arrivals: Arrivals
  chat: Chat
  mail: MailReceiver
  refused: () => number
}

function check(directory: string, { arrivals, chat, mail, refused }: Parts): string {
  const events = new Set(read(directory, 'SELECT id FROM events').map(({ id }) => String(id)))
  assert.equal(count(directory, `deliveries WHERE state NOT IN ('done', 'superseded')`), 0)
  const slack = chat.at('/slack').map(({ text }) => ({ name: String(text), title: String(text) }))
  const post = mail.received.map(({ headers }) => ({
    name: (headers.get('message-id')?.[0] ?? '').replace(/^<(msg_[0-9a-f]+_\d+)\..*$/, '$1'),
    title: headers.get('subject')?.[0] ?? '',
  }))
  const found = [
    checkMessages(
      events,
      post,
      deliveriesOf(directory, 'mail', ({ event_id, number }) => `msg_${event_id}_${number}`),
    ),
    checkMessages(events, slack, deliveriesOf(directory, 'slack', nameOfTitle)),
  ]
  const actions = actionsOf(chat.at('/v2/enqueue'))
  checkPager(directory, events, actions)
  const failed = chat.attempts - chat.taken.length
  return [
    checkWebhook(directory, arrivals),
    `mail ${found[0]}, ${refused()} refused`,
    `Slack ${found[1]}`,
    `PagerDuty ${actions.length} requests`,
    `${failed} of ${chat.attempts} attempts at these two failed`,
  ].join('; ')
}

/** Keys and actions at PagerDuty, without those of the installation's own incidents: their class has a full stop, such as `service.blind`. */
function actionsOf(pages: readonly Record<string, unknown>[]): string[][] {
  const isOwn = ({ payload }: Record<string, unknown>) => /^[a-z]+[.]/.test(String(Object(payload).class))
  const own = new Set(pages.filter(isOwn).map((page) => page.dedup_key))
  const ofEvents = pages.filter((page) => !own.has(page.dedup_key))
  return ofEvents.map((page) => [String(page.dedup_key), String(page.event_action)])
}

/** Every incident there is resolved in the end, and every thread of the store is one there. */
function checkPager(directory: string, events: ReadonlySet<string>, actions: readonly string[][]): void {
  const byThread = Map.groupBy(actions, ([key]) => key)
  for (const [key, all] of byThread) {
    assert.ok(events.has(key.split('-')[0]), `${key} is no event`)
    assert.equal(all.at(-1)?.[1], 'resolve', `${key}: ${all.map(([, action]) => action)}`)
  }
  const channel = `(SELECT id FROM alert_channels WHERE kind = 'pagerduty')`
  const threads = read(
    directory,
    `SELECT DISTINCT thread FROM deliveries WHERE state = 'done' AND carrier IS NULL AND channel_id = ${channel}`,
  )
  for (const { thread } of threads) assert.ok(byThread.has(String(thread)), `${thread} has not arrived`)
  const ended = read(
    directory,
    `SELECT DISTINCT d.event_id FROM deliveries d JOIN notices n ON n.sequence = d.notice
     WHERE d.state = 'done' AND n.kind = 'ended' AND d.channel_id = ${channel}`,
  )
  assert.equal(ended.length, events.size)
}
