// Messages that people are told together, at a receiver that fails now and then, and what must hold of them when all is over.
import assert from 'node:assert/strict'
import type { WebhookReceiver } from '../servers/webhook-receiver.ts'
import { type Row, read } from './alert-rows.ts'

/** A rule by which they are. */
export const together = {
  name: 'Together',
  when: { vectors: ['*'], notices: ['started', 'worsened'] },
  group: { by: ['site', 'vector'], waitSeconds: 2, everyMinutes: 1 },
  endDelaySeconds: 3,
}

/** A message says what it is and of which event it speaks. */
export const titled = { titleTemplate: '{{kind}} {{event.id}}' }
const titlePattern = /^(started|worsened|ended|resumed|vector) ([0-9a-f]{24})$/

/** The title of the message about an event's notice. */
export const nameOfTitle = ({ event_id, kind }: Row) => `${kind} ${event_id}`

/** What was taken by a channel's receiver. `name`: what tells one message from all others of the channel. */
export interface Taken {
  name: string
  title: string
}

/** A receiver over HTTP. */
export class Chat {
  readonly taken: { path: string; body: Record<string, unknown> }[] = []
  attempts = 0
  readonly #fails: () => boolean

  constructor(fails: () => boolean) {
    this.#fails = fails
  }

  readonly answer: WebhookReceiver['answer'] = ({ path, body }) => {
    this.attempts++
    if (this.#fails()) return Math.random() < 0.5 ? 'break' : { status: 503, headers: { 'retry-after': '1' } }
    this.taken.push({ path, body: JSON.parse(body) })
    // Whoever is killed in between does not know that it has arrived.
    return { status: path.includes('enqueue') ? 202 : 200, body: '{}', afterMs: Math.random() * 200 }
  }

  at(path: string): Record<string, unknown>[] {
    return this.taken.filter((each) => each.path === path).map(({ body }) => body)
  }
}

/** What was done on a channel: an event's notice, and the message that told it, by the name that it has at the receiver. */
interface Done {
  event: string
  number: number
  kind: string
  isCarried: boolean
  message: string
}

export function deliveriesOf(directory: string, kind: string, nameOf: (message: Row) => string): Done[] {
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
export function checkMessages(events: ReadonlySet<string>, taken: readonly Taken[], done: readonly Done[]): string {
  const titles = new Map<string, string>()
  const [first, last] = [new Map<string, number>(), new Map<string, number>()]
  for (const [at, { name, title }] of taken.entries()) {
    const [, , event] = titlePattern.exec(title) ?? []
    // What the installation says about itself.
    if (event === undefined) continue
    assert.ok(events.has(event), `${title} is about no event`)
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
