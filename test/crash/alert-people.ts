// Channels of people beside a webhook, by a rule that tells attacks of a site and kind together, and what must hold of them when every attack is over: each event
// was told on each channel, in a message about it or about others, and the last word about it is its end; what was told later came later; no event was told that is
// not there; a message that came again is about the same; nothing waits, and nothing was given up.
import assert from 'node:assert/strict'
import { Arrivals } from '../helpers/labs/arrivals.ts'
import { MailReceiver } from '../helpers/servers/mail-receiver.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { checkWebhook, failsOften } from './alert-programs.ts'
import type { Call, Told } from './alert-rounds.ts'
import { count, type Row, read } from './alert-rows.ts'

const rule = {
  name: 'Together',
  when: { vectors: ['*'], notices: ['started', 'worsened'] },
  group: { by: ['site', 'vector'], waitSeconds: 2, everyMinutes: 1 },
  endDelaySeconds: 3,
}
/** A message says what it is and of which event it speaks. */
const titled = { titleTemplate: '{{kind}} {{event.id}}' }
const titlePattern = /^(started|worsened|ended|resumed|vector) ([0-9a-f]{24})$/

/** What was taken by a channel's receiver. `name`: what tells one message from all others of the channel. */
interface Taken {
  name: string
  title: string
}

/** A receiver over HTTP that fails a third of the time. */
class Chat {
  readonly taken: { path: string; body: Record<string, unknown> }[] = []
  attempts = 0

  readonly answer: WebhookReceiver['answer'] = ({ path, body }) => {
    this.attempts++
    if (failsOften()) return Math.random() < 0.5 ? 'break' : { status: 503, headers: { 'retry-after': '1' } }
    this.taken.push({ path, body: JSON.parse(body) })
    // Whoever is killed in between does not know that it has arrived.
    return { status: path.includes('enqueue') ? 202 : 200, body: '{}', afterMs: Math.random() * 200 }
  }

  at(path: string): Record<string, unknown>[] {
    return this.taken.filter((each) => each.path === path).map(({ body }) => body)
  }
}

export async function startPeople(): Promise<Told> {
  const arrivals = new Arrivals(failsOften)
  const webhook = await new WebhookReceiver(arrivals.answer).start()
  const chat = new Chat()
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
  await call('PATCH', `rules/${rules[0].id}`, rule)
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
    checkMessages(
      events,
      slack,
      deliveriesOf(directory, 'slack', ({ event_id, kind }) => `${kind} ${event_id}`),
    ),
  ]
  const actions = chat.at('/v2/enqueue').map((each) => [String(each.dedup_key), String(each.event_action)])
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

/** What was done on a channel: an event's notice, and the message that told it, by the name that it has at the receiver. */
interface Done {
  event: string
  number: number
  kind: string
  isCarried: boolean
  message: string
}

function deliveriesOf(directory: string, kind: string, nameOf: (message: Row) => string): Done[] {
  const rows = read(
    directory,
    `SELECT d.event_id AS event, d.number, n.kind AS told, d.carrier IS NOT NULL AS isCarried,
       c.event_id, c.number AS carrierNumber, cn.kind
     FROM deliveries d JOIN notices n ON n.sequence = d.notice
     JOIN deliveries c ON c.id = coalesce(d.carrier, d.id) JOIN notices cn ON cn.sequence = c.notice
     WHERE d.state = 'done' AND d.channel_id = (SELECT id FROM alert_channels WHERE kind = '${kind}')`,
  )
  return rows.map((row) => ({
    ...{ event: String(row.event), number: Number(row.number), kind: String(row.told), isCarried: row.isCarried === 1 },
    message: nameOf({ event_id: row.event_id, number: row.carrierNumber, kind: row.kind }),
  }))
}

/** `taken`: in the order in which it came. Where an event came back, messages may have one name: the first and the last are looked at. */
function checkMessages(events: ReadonlySet<string>, taken: readonly Taken[], done: readonly Done[]): string {
  const titles = new Map<string, string>()
  const [first, last] = [new Map<string, number>(), new Map<string, number>()]
  for (const [at, { name, title }] of taken.entries()) {
    const [, , event] = titlePattern.exec(title) ?? []
    assert.ok(events.has(event ?? ''), `${title} is about no event`)
    assert.equal(titles.get(name) ?? title, title, `${name} is two things`)
    titles.set(name, title)
    if (!first.has(name)) first.set(name, at)
    last.set(name, at)
  }
  const byEvent = Map.groupBy(done, ({ event }) => event)
  for (const event of events) {
    const told = (byEvent.get(event) ?? []).toSorted((a, b) => a.number - b.number)
    const words = told.map(({ number, kind, message }) => `${number} ${kind} by ${message}`).join(', ')
    assert.equal(told.at(-1)?.kind, 'ended', `${event}: ${words}`)
    const end = last.get(told.at(-1)?.message ?? '') ?? -1
    for (const [at, { message }] of told.entries()) {
      assert.ok(first.has(message), `${message} has not arrived, ${event}: ${words}`)
      assert.ok((last.get(message) ?? 0) <= end, `${message} came after the end of ${event}: ${words}`)
      const before = told[at - 1]?.message ?? message
      assert.ok((first.get(before) ?? 0) <= (last.get(message) ?? 0), `${message} came before ${before}: ${words}`)
    }
  }
  const joined = done.filter(({ isCarried }) => isCarried).length
  return `${titles.size} messages with ${joined} others in them, ${taken.length - titles.size} of them again`
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
