// Silences of users, and what is held back, by them or otherwise.
import { turnKindOf } from '../../../alert/notice.ts'
import { holderKey, parseHolderKey, type Silence } from '../../../alert/rules/hold.ts'
import type { HeldDelivery, KeptSilence, SilenceStore } from '../../../alert/rules/silence-store.ts'
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../database.ts'
import { json, number, type Row, text, textOrNull } from '../rows.ts'

/** Those that have not ended, and the latest that have. */
const listedMax = 200
const heldEvents = `SELECT DISTINCT event_id FROM deliveries WHERE held_by = s.id`
const withAttacks = `s.*, (SELECT count(*) FROM (${heldEvents})) AS attacks, (
  SELECT count(*) FROM (${heldEvents}) h JOIN events e ON e.id = h.event_id WHERE e.end_ms IS NULL) AS open_attacks`

function prepareStatements(database: Database) {
  return {
    list: database.prepare(`
      SELECT ${withAttacks} FROM alert_silences s WHERE user_id = ?1 ORDER BY until_ms <= ?2, until_ms DESC, id LIMIT ${listedMax}`),
    one: database.prepare(`SELECT ${withAttacks} FROM alert_silences s WHERE user_id = ? AND id = ?`),
    at: database.prepare('SELECT * FROM alert_silences WHERE user_id = ?1 AND from_ms <= ?2 AND until_ms > ?2'),
    count: database.prepare('SELECT count(*) AS silences FROM alert_silences WHERE user_id = ? AND until_ms > ?'),
    insert: database.prepare(
      'INSERT INTO alert_silences (id, user_id, reason, about, from_ms, until_ms, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    remove: database.prepare('DELETE FROM alert_silences WHERE user_id = ? AND id = ? AND from_ms > ?'),
    end: database.prepare(
      'UPDATE alert_silences SET until_ms = ?3 WHERE user_id = ?1 AND id = ?2 AND from_ms <= ?3 AND until_ms > ?3',
    ),
    lookAgain: database.prepare(`UPDATE deliveries SET due_ms = ?1 WHERE held_by = ?2 AND state = 'held'`),
    due: database.prepare(`
      SELECT d.id, d.channel_id, d.user_id, d.event_id, d.held_by, d.due_ms, d.bundle, n.kind
      FROM deliveries d JOIN notices n ON n.sequence = d.notice
      WHERE d.state = 'held' AND d.due_ms <= ? ORDER BY d.due_ms LIMIT ?`),
    hold: database.prepare(
      `UPDATE deliveries SET due_ms = ?, held_by = ? WHERE id = ? AND state = 'held' AND due_ms = ?`,
    ),
    // The time in which it is tried begins now.
    letGo: database.prepare(`
      UPDATE deliveries SET state = 'due', due_ms = ?1, created_ms = ?1 WHERE id = ?2 AND state = 'held' AND due_ms = ?3`),
  }
}

export function createSilences(database: Database, { clock }: { clock: Clock }): SilenceStore {
  const statements = prepareStatements(database)
  return {
    async silencesOf(userId) {
      return database.read(() => statements.list.all(userId, clock.now())).map(keptFrom)
    },

    async silencesAt(nowMs, userIds) {
      return database.read(() => userIds.flatMap((userId) => statements.at.all(userId, nowMs))).map(silenceFrom)
    },

    async addSilence(userId, { id, reason, fromMs, untilMs, ...about }, max) {
      return database.write(() => {
        const nowMs = clock.now()
        if (number(statements.count.get(userId, nowMs) ?? {}, 'silences') >= max)
          throw new AppError('CONFLICT', `a user has at most ${max} silences that have not ended`)
        const { sites, groups, vectors } = about
        statements.insert.run(id, userId, reason, JSON.stringify({ sites, groups, vectors }), fromMs, untilMs, nowMs)
        return keptFrom(statements.one.get(userId, id) ?? {})
      })
    },

    async endSilence(userId, id) {
      return database.write(() => {
        const nowMs = clock.now()
        if (statements.remove.run(userId, id, nowMs).changes > 0) return true
        if (statements.end.run(userId, id, nowMs).changes === 0) return false
        statements.lookAgain.run(nowMs, id)
        return true
      })
    },

    async heldDue({ nowMs, limit }) {
      return database.read(() => statements.due.all(nowMs, limit)).map(heldFrom)
    },

    async release(released) {
      const nowMs = clock.now()
      database.write(() => {
        for (const { held, hold } of released) {
          if (hold === null) statements.letGo.run(nowMs, held.id, held.dueMs)
          else statements.hold.run(hold.untilMs, holderKey(hold), held.id, held.dueMs)
        }
      })
    },
  }
}

function silenceFrom(row: Row): Silence {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    reason: text(row, 'reason'),
    fromMs: number(row, 'from_ms'),
    untilMs: number(row, 'until_ms'),
    createdMs: number(row, 'created_ms'),
    ...json<Pick<Silence, 'sites' | 'groups' | 'vectors'>>(row, 'about'),
  }
}

function keptFrom(row: Row): KeptSilence {
  return { ...silenceFrom(row), attacks: number(row, 'attacks'), openAttacks: number(row, 'open_attacks') }
}

export function heldFrom(row: Row): HeldDelivery {
  return {
    id: number(row, 'id'),
    channelId: text(row, 'channel_id'),
    channelUserId: text(row, 'user_id'),
    eventId: text(row, 'event_id'),
    kind: turnKindOf(text(row, 'kind')),
    by: parseHolderKey(text(row, 'held_by')).by,
    dueMs: number(row, 'due_ms'),
    bundle: textOrNull(row, 'bundle'),
  }
}
