// Incidents that are to be closed at receivers of channels that are deleted or sent elsewhere, or whose users are admins no more.
import { endUntilMs } from '../../../../alert/attempts.ts'
import { type ClosingStore, closableKinds } from '../../../../alert/closing/closing-store.ts'
import type { Database } from '../../database.ts'
import { blob, json, number, text } from '../../rows.ts'

/** An attempt that is under way takes 20 seconds at most: what it opens is closed after it. Programs are ended after they have begun, however long that takes. */
const afterMs = 30_000
/** Incidents of one channel that are being closed: nobody works at more. */
const ofChannelMax = 1_000
/** Those of one user, whatever other channels had: whoever makes and deletes channels without end fills no disk. */
const ofUserMax = 10_000
/** Places that a channel has had while one incident is open. */
const placesMax = 10

/** Within a transaction, while the channels are there and the user has the old role. */
export interface ClosingWrites {
  /** All that the channel's receiver has open. */
  ofChannel(channelId: string, nowMs: number): void
  /** Before it is sent elsewhere: where it was sent, what goes on is closed when it ends. Both may be the same receiver, which would take it for over. */
  ofPlace(channelId: string, nowMs: number): void
  ofUser(userId: string, nowMs: number): void
  /** What the user was told as an admin: attacks on others, and what is wrong with the installation; by programs everything. */
  ofFormerAdmin(userId: string, nowMs: number): void
}

/** For `IN`. */
export const closableKindsSql = closableKinds.map((kind) => `'${kind}'`).join(', ')

const hasRoom = (thread: string) => `(?3 = 0 OR ${placesMax} > (
  SELECT count(*) FROM alert_closings k WHERE k.channel_id = c.id AND k.thread = ${thread}))`

interface Which {
  /** Which users `u` count. */
  users: string
  /** Which notices `n` to channels `c` do. */
  attacks: string
  /** Which conditions `o` do. */
  conditions: string
}

const all: Which = { users: 'true', attacks: 'true', conditions: 'true' }

/** ?1: the channel; ?2: now; ?3: 1: after it ends. */
const closingsOf = ({ users, attacks, conditions }: Which) => `
  INSERT OR IGNORE INTO alert_closings (channel_id, user_id, kind, settings, sealed, is_admin, thread, created_ms, due_ms, awaits)
  SELECT c.id, c.user_id, c.kind, c.settings, c.sealed, u.role = 'admin', d.thread, ?2, ?2 + ${afterMs}, iif(?3, 'event', NULL)
  FROM alert_channels c JOIN users u ON u.id = c.user_id
    JOIN deliveries d ON d.channel_id = c.id JOIN notices n ON n.sequence = d.notice
  WHERE c.id = ?1 AND ${users} AND c.kind IN (${closableKindsSql}) AND ${attacks}
    AND d.state IN ('done', 'sending') AND n.kind <> 'ended'
    AND NOT EXISTS (
      SELECT 1 FROM deliveries p JOIN notices m ON m.sequence = p.notice
      WHERE p.event_id = d.event_id AND p.channel_id = d.channel_id AND p.number > d.number AND p.state = 'done' AND m.kind = 'ended')
    AND ${hasRoom('d.thread')}
  GROUP BY c.id, d.thread
  UNION ALL
  SELECT c.id, c.user_id, c.kind, c.settings, c.sealed, u.role = 'admin', o.id, ?2, ?2 + ${afterMs}, iif(?3, 'condition', NULL)
  FROM alert_channels c JOIN users u ON u.id = c.user_id JOIN own_conditions o
  WHERE c.id = ?1 AND ${users} AND c.kind IN (${closableKindsSql}) AND ${conditions}
    AND EXISTS (SELECT 1 FROM json_each(o.content, '$.told') t WHERE t.value = c.id)
    AND ${hasRoom('o.id')}
  LIMIT max(0, min(
    ${ofChannelMax} - (SELECT count(*) FROM alert_closings k WHERE k.awaits IS NULL AND k.channel_id = ?1),
    ${ofUserMax} - (SELECT count(*) FROM alert_closings k WHERE k.awaits IS NULL
      AND k.user_id = (SELECT user_id FROM alert_channels WHERE id = ?1))))`

/** What has waited is closed now. */
const release = 'UPDATE alert_closings SET awaits = NULL, created_ms = ?1, due_ms = max(due_ms, ?1) WHERE awaits'

export function createClosingWrites(database: Database): ClosingWrites {
  const close = database.prepare(closingsOf(all))
  const closeOfFormerAdmin = database.prepare(
    closingsOf({
      users: `u.role = 'admin'`,
      // Only admins run programs: nothing else would end what they began.
      attacks: `(n.user_id <> c.user_id OR c.kind = 'exec')`,
      conditions: `json_extract(o.content, '$.owner.userId') IS NOT c.user_id`,
    }),
  )
  const selectChannels = database.prepare('SELECT id FROM alert_channels WHERE user_id = ? ORDER BY id')
  const channelsOf = (userId: string) => selectChannels.all(userId).map((row) => text(row, 'id'))
  const releaseChannel = database.prepare(`${release} IS NOT NULL AND channel_id = ?2`)
  const releaseUser = database.prepare(`
    ${release} IS NOT NULL AND channel_id IN (SELECT id FROM alert_channels WHERE user_id = ?2)`)
  return {
    ofChannel(channelId, nowMs) {
      releaseChannel.run(nowMs, channelId)
      close.run(channelId, nowMs, 0)
    },
    ofPlace: (channelId, nowMs) => void close.run(channelId, nowMs, 1),
    ofUser(userId, nowMs) {
      releaseUser.run(nowMs, userId)
      for (const id of channelsOf(userId)) close.run(id, nowMs, 0)
    },
    ofFormerAdmin(userId, nowMs) {
      releaseUser.run(nowMs, userId)
      for (const id of channelsOf(userId)) closeOfFormerAdmin.run(id, nowMs, 0)
    },
  }
}

/** Within a transaction: closes at former places of channels what has ended. */
export function createReleases(database: Database): {
  ofDelivery(deliveryId: number, nowMs: number): void
  ofConditions(nowMs: number): void
} {
  const ofDelivery = database.prepare(`
    ${release} = 'event' AND (channel_id, thread) IN (
      SELECT d.channel_id, d.thread FROM deliveries d JOIN notices n ON n.sequence = d.notice WHERE d.id = ?2 AND n.kind = 'ended')`)
  const ofConditions = database.prepare(`
    ${release} = 'condition' AND thread NOT IN (
      SELECT id FROM own_conditions WHERE json_extract(content, '$.untilMs') IS NULL)`)
  return {
    ofDelivery: (deliveryId, nowMs) => void ofDelivery.run(nowMs, deliveryId),
    ofConditions: (nowMs) => void ofConditions.run(nowMs),
  }
}

export function createClosings(database: Database): ClosingStore {
  // An end that is never told, as of an event that is deleted, is awaited no longer than one that cannot be sent.
  const due = database.prepare(`
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY due_ms, id) AS place FROM alert_closings
      WHERE due_ms <= ?1 AND (awaits IS NULL OR created_ms < ?1 - ${endUntilMs}))
    WHERE place <= ?2 ORDER BY due_ms, id LIMIT ?3`)
  const putOff = database.prepare('UPDATE alert_closings SET due_ms = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM alert_closings WHERE id = ?')
  return {
    async dueClosings({ nowMs, perUser, limit }) {
      return database
        .read(() => due.all(nowMs, perUser, limit))
        .map((row) => ({
          id: number(row, 'id'),
          channel: {
            ...{
              id: text(row, 'channel_id'),
              userId: text(row, 'user_id'),
              kind: text(row, 'kind'),
              settings: json(row, 'settings'),
            },
            ...{ sealed: blob(row, 'sealed'), oldSecretUntilMs: null },
          },
          reach: number(row, 'is_admin') === 1 ? 'any' : 'public',
          thread: text(row, 'thread'),
          createdMs: number(row, 'created_ms'),
          hasFailed: number(row, 'due_ms') - number(row, 'created_ms') > afterMs,
        }))
    },

    async settleClosing(id, dueMs) {
      database.write(() => (dueMs === null ? remove.run(id) : putOff.run(dueMs, id)), { durable: false })
    },
  }
}
