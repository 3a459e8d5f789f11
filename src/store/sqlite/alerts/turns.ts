// What can be sent now, channel by channel.
import type { AlertStore, TakenDelivery } from '../../../alert/alert-store.ts'
import type { EventDetail } from '../../../events/records.ts'
import type { Database } from '../database.ts'
import { json, number, text } from '../rows.ts'
import { columns, deliveryFrom, isAwaited, told, withNotice } from './delivery-rows.ts'
import { createOthers } from './joined.ts'

type Verbs = Pick<AlertStore, 'takeBack' | 'turns' | 'take' | 'nextDue' | 'deletedEvent'>

/** An earlier message of what the receiver has under one name goes first. */
const isFirst = `NOT EXISTS (
  SELECT 1 FROM deliveries e
  WHERE e.channel_id = d.channel_id AND e.thread = d.thread AND e.notice < d.notice AND e.state IN ('due', 'sending'))`

/** `state IN ('due', 'sending')` stands beside a narrower condition where it lets SQLite take the index that is limited to these states. */
function prepareStatements(database: Database) {
  return {
    takeBack: database.prepare(`
      UPDATE deliveries SET state = 'due', due_ms = min(created_ms, ?)
      WHERE state IN ('due', 'sending') AND state = 'sending'`),
    // Steps through the index from channel to channel (a loose index scan), so that it costs the same however much waits for each.
    channels: database.prepare(`
      WITH RECURSIVE waiting (id) AS (
        SELECT min(channel_id) FROM deliveries WHERE state IN ('due', 'sending') UNION ALL
        SELECT (SELECT min(channel_id) FROM deliveries WHERE state IN ('due', 'sending') AND channel_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL)
      SELECT c.id, c.user_id, c.failures, c.closed_until_ms
      FROM waiting JOIN alert_channels c ON c.id = waiting.id WHERE c.is_disabled = 0`),
    // ?2: now; ?3: what was taken before, and is still not settled, is taken again.
    due: database.prepare(`
      SELECT d.id, d.due_ms FROM deliveries d
      WHERE d.channel_id = ?1 AND d.state IN ('due', 'sending') AND d.due_ms <= ?2
        AND (d.state = 'due' OR d.due_ms <= ?3) AND ${isFirst}
      ORDER BY d.due_ms, d.notice LIMIT 1`),
    next: database.prepare(`
      SELECT d.due_ms FROM deliveries d
      WHERE d.channel_id = ? AND d.state IN ('due', 'sending') AND d.state = 'due' AND ${isFirst} ORDER BY d.due_ms LIMIT 1`),
    deletedEvent: database.prepare('SELECT detail FROM deleted_events WHERE event_id = ?'),
    lease: database.prepare(
      `UPDATE deliveries SET state = 'sending', due_ms = ? WHERE id = ? AND state IN ('due', 'sending')`,
    ),
    one: database.prepare(`
      SELECT ${columns}, NOT EXISTS (SELECT 1 FROM ${told} AND p.number < d.number) AS is_first, n.kind = 'ended' AND ${isAwaited} AS is_awaited
      ${withNotice} WHERE d.id = ?`),
  }
}

export function createTurns(database: Database): Verbs {
  const statements = prepareStatements(database)
  const othersOf = createOthers(database)

  const openChannels = (except: readonly string[]) => {
    const others = new Set(except)
    return database
      .read(() => statements.channels.all())
      .map((row) => ({
        id: text(row, 'id'),
        userId: text(row, 'user_id'),
        isFailing: number(row, 'failures') > 0,
        closedUntilMs: number(row, 'closed_until_ms'),
      }))
      .filter(({ id }) => !others.has(id))
  }

  const take = (id: number, nowMs: number): TakenDelivery[] => {
    const row = statements.lease.run(nowMs, id).changes === 0 ? undefined : statements.one.get(id)
    if (row === undefined) return []
    const delivery = deliveryFrom(row)
    const others = othersOf(id, delivery.notice.eventId)
    const isFirst = number(row, 'is_first') === 1
    return [{ ...delivery, isFirst, isAwaited: number(row, 'is_awaited') === 1, others }]
  }

  return {
    async takeBack(nowMs) {
      database.write(() => statements.takeBack.run(nowMs), { durable: false })
    },

    async turns({ nowMs, leaseMs, exceptChannels }) {
      const open = openChannels(exceptChannels).filter(({ closedUntilMs }) => closedUntilMs <= nowMs)
      return database.read(() =>
        open.flatMap(({ id: channelId, userId, isFailing }) => {
          const row = statements.due.get(channelId, nowMs, nowMs - leaseMs)
          if (row === undefined) return []
          return [{ deliveryId: number(row, 'id'), dueMs: number(row, 'due_ms'), channelId, userId, isFailing }]
        }),
      )
    },

    async take(deliveryIds, nowMs) {
      if (deliveryIds.length === 0) return []
      // A loss of power gives them back, as the end of the lease does.
      return database.write(() => deliveryIds.flatMap((id) => take(id, nowMs)), { durable: false })
    },

    async deletedEvent(eventId) {
      const row = database.read(() => statements.deletedEvent.get(eventId))
      return row === undefined ? null : json<EventDetail>(row, 'detail')
    },

    async nextDue(exceptChannels) {
      const times = openChannels(exceptChannels).flatMap(({ id, closedUntilMs }) => {
        const row = database.read(() => statements.next.get(id))
        return row === undefined ? [] : [Math.max(closedUntilMs, number(row, 'due_ms'))]
      })
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}
