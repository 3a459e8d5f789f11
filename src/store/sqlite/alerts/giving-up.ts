// What is given up without an attempt: the oldest of too many messages that wait for a channel, those first that are about neither a beginning nor an end, and
// what is too old to be told.
import type { AlertStore, AttemptResult } from '../../../alert/alert-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { number, type Row } from '../rows.ts'
import { isAwaited } from './delivery-rows.ts'
import { createLots } from './joined.ts'

/** Within a transaction; gives how many were given up. */
type GiveUpSurplus = (channelId: string, given: { max: number; nowMs: number }) => number

/** Within a transaction: notes why each was given up, and gives up what it carries; gives how many there are. */
function createReasons(database: Database): (rows: readonly Row[], text: string, nowMs: number) => number {
  const shareLot = createLots(database)
  const saySo = database.prepare('INSERT INTO delivery_attempts VALUES (?, ?)')
  return (rows, text, nowMs) => {
    const result = JSON.stringify({ atMs: nowMs, tookMs: 0, isDone: false, text } satisfies AttemptResult)
    for (const row of rows) {
      const id = number(row, 'id')
      shareLot(id, { state: 'dead', nowMs, into: undefined })
      saySo.run(id, result)
    }
    return rows.length
  }
}

export function createSurplus(database: Database): GiveUpSurplus {
  const giveReasons = createReasons(database)
  // Each in the words of a partial index: what has been sent is not looked at.
  const held = `channel_id = ?1 AND state = 'held'`
  const waiting = `channel_id = ?1 AND state IN ('due', 'sending')`
  const countWaiting = database.prepare(`
    SELECT (SELECT count(*) FROM deliveries WHERE ${held}) + (SELECT count(*) FROM deliveries WHERE ${waiting}) AS waiting`)
  const giveUp = database.prepare(`
    UPDATE deliveries SET state = 'dead', due_ms = ?2 WHERE id IN (
      SELECT d.id FROM (
        SELECT id, notice FROM deliveries WHERE ${held} UNION ALL
        SELECT id, notice FROM deliveries WHERE ${waiting} AND state = 'due') d JOIN notices n ON n.sequence = d.notice
      ORDER BY n.kind IN ('started', 'escalated', 'ended'), d.notice LIMIT ?3) RETURNING id`)

  return (channelId, { max, nowMs }) => {
    const surplus = number(countWaiting.get(channelId) ?? {}, 'waiting') - max
    if (surplus <= 0) return 0
    const text = `given up: more than ${max} messages wait for the channel`
    return giveReasons(giveUp.all(channelId, nowMs, surplus), text, nowMs)
  }
}

export function createGivingUp(database: Database, { clock }: { clock: Clock }): Pick<AlertStore, 'giveUpOld'> {
  const giveReasons = createReasons(database)
  const giveUp = database.prepare(`
    UPDATE deliveries SET state = 'dead', due_ms = ?1 WHERE id IN (
      SELECT d.id FROM deliveries d JOIN notices n ON n.sequence = d.notice
      -- In the words of a partial index.
      WHERE d.channel_id = ?2 AND d.state IN ('due', 'sending') AND (d.state = 'due' OR d.id = ?3) AND d.created_ms < ?4
        AND (d.created_ms < ?5 OR n.kind <> 'ended' OR NOT ${isAwaited})
      LIMIT ?6) RETURNING id`)

  return {
    async giveUpOld({ id, channelId, beforeMs, awaitedBeforeMs, limit, text }) {
      return database.write(() => {
        const nowMs = clock.now()
        return giveReasons(giveUp.all(nowMs, channelId, id, beforeMs, awaitedBeforeMs, limit), text, nowMs)
      })
    },
  }
}
