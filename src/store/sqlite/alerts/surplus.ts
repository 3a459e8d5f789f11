// The bound of what waits for a channel: over it the oldest messages are given up, those first that are about neither a beginning nor an end.
import type { AttemptResult } from '../../../alert/alert-store.ts'
import type { Database } from '../database.ts'
import { number } from '../rows.ts'
import { createLots } from './joined.ts'

/** Within a transaction; gives how many were given up. */
export type GiveUpSurplus = (channelId: string, given: { max: number; nowMs: number }) => number

export function createSurplus(database: Database): GiveUpSurplus {
  const shareLot = createLots(database)
  const countWaiting = database.prepare(
    `SELECT count(*) AS waiting FROM deliveries WHERE channel_id = ? AND state IN ('held', 'due', 'sending')`,
  )
  const giveUp = database.prepare(`
    UPDATE deliveries SET state = 'dead', due_ms = ?1 WHERE id IN (
      SELECT d.id FROM deliveries d JOIN notices n ON n.sequence = d.notice WHERE d.channel_id = ?2 AND d.state IN ('held', 'due')
      ORDER BY n.kind IN ('started', 'escalated', 'ended'), d.notice LIMIT ?3) RETURNING id`)
  const saySo = database.prepare('INSERT INTO delivery_attempts VALUES (?, ?)')

  return (channelId, { max, nowMs }) => {
    const surplus = number(countWaiting.get(channelId) ?? {}, 'waiting') - max
    if (surplus <= 0) return 0
    const text = `given up: more than ${max} messages wait for the channel`
    const result = JSON.stringify({ atMs: nowMs, tookMs: 0, isDone: false, text } satisfies AttemptResult)
    const rows = giveUp.all(nowMs, channelId, surplus)
    for (const row of rows) {
      const id = number(row, 'id')
      shareLot(id, { state: 'dead', nowMs, into: undefined })
      saySo.run(id, result)
    }
    return rows.length
  }
}
