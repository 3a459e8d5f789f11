// A webhook that is told everything, and what must hold of it: of each event of the store the beginning comes first and the end last, every notice between them has
// come, none before the one before it was taken, of no event that is not there, and what comes again is the same.
import assert from 'node:assert/strict'
import { count, read } from '../helpers/labs/alert-rows.ts'
import { Arrivals, checkEvent } from '../helpers/labs/arrivals.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import type { Told } from './alert-rounds.ts'

export const failsOften = () => Math.random() < 1 / 3

export async function startPrograms(): Promise<Told> {
  const arrivals = new Arrivals(failsOften)
  const receiver = await new WebhookReceiver(arrivals.answer).start()
  return {
    env: {},
    makeChannels: async (call) => {
      await call('POST', 'channels', { name: 'Test', kind: 'webhook', settings: { url: receiver.url } })
    },
    arrived: () => arrivals.attempts.length,
    check: (directory) => checkWebhook(directory, arrivals),
    stop: async () => receiver.stop(),
  }
}

export function checkWebhook(directory: string, { attempts }: Arrivals): string {
  const channel = `(SELECT id FROM alert_channels WHERE kind = 'webhook')`
  const events = read(directory, 'SELECT id FROM events WHERE is_test = 0').map(({ id }) => String(id))
  const notices = read(directory, 'SELECT event_id, number, kind FROM notices')
  const byEvent = Map.groupBy(attempts, ({ event }) => event)
  for (const event of byEvent.keys()) assert.ok(events.includes(event), `${event} was told and is no event`)
  for (const event of events) checkEvent(event, byEvent.get(event) ?? [])
  const taken = attempts.filter(({ isTaken }) => isTaken)
  const ids = new Set(taken.map(({ id }) => id))
  for (const { event_id, number, kind } of notices)
    if (kind !== 'vector' && kind !== 'worsened')
      assert.ok(ids.has(`msg_${event_id}_${number}`), `${event_id} ${number} ${kind} has not arrived`)
  assert.equal(count(directory, `deliveries WHERE channel_id = ${channel} AND state <> 'done'`), 0)
  const [failed, again] = [attempts.length - taken.length, taken.length - ids.size]
  return `webhook ${ids.size} messages, ${again} of them again, ${failed} of ${attempts.length} attempts failed`
}
