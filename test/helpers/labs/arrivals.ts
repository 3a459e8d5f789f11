// What comes to a receiver of alerts that fails now and then, and what must hold for it.
import assert from 'node:assert/strict'
import type { WebhookReceiver } from '../servers/webhook-receiver.ts'

/** How long the receiver takes at most. */
const slowestMs = 200

/** Every attempt, in order. */
export class Arrivals {
  readonly attempts: { event: string; number: number; id: string; type: string; isTaken: boolean }[] = []
  readonly #failing: () => boolean

  constructor(failing: () => boolean) {
    this.#failing = failing
  }

  readonly answer: WebhookReceiver['answer'] = ({ headers, body }) => {
    const { type, data } = JSON.parse(body)
    // What the installation says of itself is about no event.
    if (!String(type).startsWith('event.')) return { status: 204 }
    const isTaken = !this.#failing()
    const attempt = { event: data.event.id, number: data.number, id: String(headers['webhook-id']), type, isTaken }
    this.attempts.push(attempt)
    // Whoever is killed in between does not know that it has arrived.
    if (isTaken) return { status: 204, afterMs: Math.random() * slowestMs }
    const way = Math.floor(Math.random() * 3)
    return way === 0 ? 'break' : way === 1 ? { status: 500 } : { status: 503, headers: { 'retry-after': '1' } }
  }
}

/** Beginning first, end last, nothing before what comes before it has arrived, and what comes again is the same. */
export function checkEvent(event: string, attempts: Arrivals['attempts']): void {
  const taken = attempts.filter(({ isTaken }) => isTaken)
  assert.deepEqual([taken[0]?.type, taken[0]?.number, taken.at(-1)?.type], ['event.started', 1, 'event.ended'], event)
  const arrived = new Set<number>()
  const types = new Map<string, string>()
  let latest = 1
  for (const { number, id, type, isTaken } of attempts) {
    assert.equal(id, `msg_${event}_${number}`)
    assert.equal(types.get(id) ?? type, type, `${id} is two things`)
    types.set(id, type)
    assert.ok(number === latest || (number > latest && arrived.has(latest)), `${id} came before ${latest} had arrived`)
    latest = number
    if (isTaken) arrived.add(number)
  }
}
