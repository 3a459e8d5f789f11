// What channels of others are told when the owner of an attack is deleted: its end, and the beginning of the event of the next owner, which stands for the attack
// from then on.
import { heldByEnd, heldByGroup } from '../../../../alert/rules/hold.ts'
import type { EventDetail } from '../../../../events/records.ts'
import { deletedPerChunk } from '../../chunks.ts'
import type { Database } from '../../database.ts'
import { createEventReader } from '../../events/details.ts'
import { EventEpisodes } from '../../events/episodes.ts'
import { isSameAttack, standingOrder } from '../../events/whole-attacks.ts'
import { number, type Row, text, textOrNull } from '../../rows.ts'
import { toldKind, toldThread, unsettled } from '../delivery-rows.ts'
import { createLots } from '../joined.ts'

interface Farewells {
  /** Within the transaction that deletes the user's event, before it is gone. */
  say(userId: string, eventId: string, nowMs: number): void
  /** Within a transaction: what others were told about events of the user is theirs from now on; gives how many notices, 0: all are. */
  handOver(userId: string): number
}

function prepareStatements(database: Database) {
  return {
    /** What others were to hear, but for its end. */
    drop: database.prepare(`
      UPDATE deliveries SET state = 'superseded' WHERE event_id = ?1 AND user_id <> ?2 AND state IN ('held', 'due')
        AND (SELECT kind FROM notices WHERE sequence = notice) <> 'ended' RETURNING id`),
    listeners: database.prepare(`
      SELECT d.channel_id, d.user_id, max(d.number), d.bundle,
        EXISTS (SELECT 1 FROM notices m WHERE m.sequence = d.notice AND m.kind = 'ended') AS is_last_end,
        d.state IN ${unsettled} AS is_waiting, ${toldKind} AS told_kind, ${toldThread} AS thread
      FROM deliveries d WHERE d.event_id = ?1 AND d.user_id <> ?2 AND d.state <> 'superseded' GROUP BY d.channel_id`),
    keep: database.prepare('INSERT OR REPLACE INTO deleted_events VALUES (?, ?)'),
    successor: database.prepare(`
      SELECT o.id, o.user_id FROM events e JOIN events o ON ${isSameAttack('o', 'e')} AND o.user_id <> e.user_id AND o.end_ms IS NULL
      JOIN alert_states s ON s.event_id = o.id AND s.is_over = 0
      WHERE e.id = ? ORDER BY ${standingOrder('o')} LIMIT 1`),
    isKnown: database.prepare(
      `SELECT 1 FROM deliveries WHERE event_id = ? AND channel_id = ? AND state <> 'superseded' LIMIT 1`,
    ),
    addNotice: database.prepare(`
      INSERT INTO notices (user_id, event_id, kind, number, at_ms, facts)
      SELECT ?1, s.event_id, ?3, 1 + max(s.number, coalesce((SELECT max(n.number) FROM notices n WHERE n.event_id = s.event_id), 0)), ?4,
        json_object('severity', s.severity, 'label', s.label, 'before',
          CASE ?3 WHEN 'started' THEN NULL ELSE json_object('severity', s.severity, 'label', s.label) END)
      FROM alert_states s WHERE s.event_id = ?2 RETURNING sequence, number`),
    setNumber: database.prepare('UPDATE alert_states SET number = ? WHERE event_id = ?'),
    addDelivery: database.prepare(`
      INSERT INTO deliveries (channel_id, notice, event_id, number, state, attempts, created_ms, due_ms, user_id, held_by, bundle, thread)
      VALUES (?1, ?2, ?3, ?4, iif(?7 IS NULL, 'due', 'held'), 0, ?5, ?5, ?6, iif(?7 IS NULL, NULL, ?8), ?7, ?9)`),
    handOver: database.prepare(`
      UPDATE notices SET user_id = (SELECT min(d.user_id) FROM deliveries d WHERE d.notice = notices.sequence AND d.user_id <> ?1)
      WHERE sequence IN (
        SELECT n.sequence FROM notices n WHERE n.user_id = ?1
          AND EXISTS (SELECT 1 FROM deliveries d WHERE d.notice = n.sequence AND d.user_id <> ?1) LIMIT ${deletedPerChunk})`),
  }
}

export function createFarewells(database: Database): Farewells {
  const statements = prepareStatements(database)
  const shareLot = createLots(database)
  const readEvent = createEventReader(database, new EventEpisodes(database))

  const tell = (row: Row, { eventId, ofUser, kind, by, thread }: Said, nowMs: number) => {
    const notice = statements.addNotice.get(ofUser, eventId, kind, nowMs)
    if (notice === undefined) return
    const place = number(notice, 'number')
    statements.setNumber.run(place, eventId)
    const cells = [text(row, 'channel_id'), number(notice, 'sequence'), eventId, place, nowMs, text(row, 'user_id')]
    statements.addDelivery.run(...cells, textOrNull(row, 'bundle'), by, thread)
  }

  const waitsForEnd = (row: Row) => row.told_kind !== null && (row.is_last_end === 0 || row.is_waiting === 1)

  return {
    say(userId, eventId, nowMs) {
      for (const row of statements.drop.all(eventId, userId))
        shareLot(number(row, 'id'), { state: 'superseded', nowMs, into: undefined })
      const listeners = statements.listeners.all(eventId, userId).filter(waitsForEnd)
      const detail = listeners.length === 0 ? null : readEvent(userId, eventId)
      if (detail === null) return
      statements.keep.run(eventId, JSON.stringify({ ...detail, endMs: detail.endMs ?? nowMs } satisfies EventDetail))
      const successor = statements.successor.get(eventId)
      for (const row of listeners.filter(({ is_last_end }) => is_last_end === 0)) {
        const ended = { eventId, ofUser: text(row, 'user_id'), kind: 'ended', by: heldByEnd } as const
        tell(row, { ...ended, thread: text(row, 'thread') }, nowMs)
        if (successor === undefined) continue
        const next = text(successor, 'id')
        if (statements.isKnown.get(next, text(row, 'channel_id')) !== undefined) continue
        const started = { eventId: next, ofUser: text(successor, 'user_id'), kind: 'started', by: heldByGroup } as const
        tell(row, { ...started, thread: next }, nowMs)
      }
    },

    handOver: (userId) => Number(statements.handOver.run(userId).changes),
  }
}

interface Said {
  eventId: string
  /** Whose the notice is: of the event, or whoever is told, where that is deleted. */
  ofUser: string
  kind: 'started' | 'ended'
  by: string
  thread: string
}
