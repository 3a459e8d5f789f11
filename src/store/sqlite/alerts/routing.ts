// What was found to be told about events, and to which channels it goes: written once, with the place up to which the log of changes was read.
import type { AlertStore, EventToTell, Routing } from '../../../alert/alert-store.ts'
import type { Told } from '../../../alert/notice.ts'
import type { Clock } from '../../../clock.ts'
import { severities } from '../../../events/severity.ts'
import type { Database } from '../database.ts'
import { summaryColumns, summaryFrom } from '../events/rows.ts'
import { json, number, type Row, text, textOrNull } from '../rows.ts'
import { createSurplus } from './surplus.ts'

type Verbs = Pick<AlertStore, 'toldUpTo' | 'eventsToTell' | 'toldOpen' | 'route'>

function prepareStatements(database: Database) {
  return {
    selectPlace: database.prepare('SELECT place FROM alert_cursor'),
    setPlace: database.prepare(
      'INSERT INTO alert_cursor VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET place = excluded.place',
    ),
    selectEvent: database.prepare(`
      SELECT *, (
        SELECT json_group_array(DISTINCT channel_id) FROM deliveries WHERE event_id = e.id AND state <> 'superseded') AS channel_ids
      FROM (SELECT ${summaryColumns.list} FROM events WHERE id = ?) e LEFT JOIN (
        SELECT event_id AS told_id, severity AS told_severity, label AS told_label, is_over AS told_is_over, number AS told_number
        FROM alert_states) ON told_id = e.id`),
    selectOpen: database.prepare('SELECT event_id FROM alert_states WHERE is_over = 0 ORDER BY event_id'),
    setTold: database.prepare(`
      INSERT INTO alert_states (event_id, severity, label, is_over, number)
      SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM events WHERE id = ?1)
      ON CONFLICT (event_id) DO UPDATE
      SET severity = excluded.severity, label = excluded.label, is_over = excluded.is_over, number = excluded.number`),
    // Users and channels may have been deleted since the log was read.
    insertNotice: database.prepare(`
      INSERT OR IGNORE INTO notices (user_id, event_id, kind, number, at_ms, facts)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1) RETURNING sequence`),
    insertDelivery: database.prepare(`
      INSERT INTO deliveries (channel_id, notice, event_id, number, state, attempts, created_ms, user_id, due_ms)
      SELECT ?1, ?2, ?3, ?4, 'due', 0, ?5, ?6, coalesce(
        (SELECT max(due_ms) FROM deliveries WHERE channel_id = ?1 AND event_id = ?3 AND state = 'due'), ?5)
      WHERE EXISTS (SELECT 1 FROM alert_channels WHERE id = ?1 AND user_id = ?6)`),
  }
}

export function createRouting(database: Database, { clock }: { clock: Clock }): Verbs {
  const statements = prepareStatements(database)
  const giveUpSurplus = createSurplus(database)

  const place = () => {
    const row = statements.selectPlace.get()
    return row === undefined ? null : number(row, 'place')
  }
  const write = ({ from, to, notices, told, waitingMax }: Routing): number | null => {
    if ((place() ?? from) !== from) return null
    statements.setPlace.run(to)
    const nowMs = clock.now()
    for (const { notice, channelIds } of notices) {
      const { userId, eventId, kind, number: ofEvent, atMs, facts } = notice
      const row = statements.insertNotice.get(userId, eventId, kind, ofEvent, atMs, JSON.stringify(facts))
      if (row === undefined) continue
      const sequence = number(row, 'sequence')
      for (const id of channelIds) statements.insertDelivery.run(id, sequence, eventId, ofEvent, nowMs, userId)
    }
    for (const [id, { severity, label, isOver, number: latest }] of told)
      statements.setTold.run(id, severity, label, Number(isOver), latest)
    const channelIds = new Set(notices.flatMap((each) => each.channelIds))
    return Array.from(channelIds, (id) => giveUpSurplus(id, { max: waitingMax, nowMs })).reduce((sum, n) => sum + n, 0)
  }

  return {
    async toldUpTo() {
      return database.read(place)
    },

    async eventsToTell(eventIds) {
      const rows = database.read(() => eventIds.map((id) => statements.selectEvent.get(id)))
      return rows.filter((row) => row !== undefined).map(eventToTellFrom)
    },

    async toldOpen() {
      return database.read(() => statements.selectOpen.all()).map((row) => text(row, 'event_id'))
    },

    async route(routing) {
      return database.write(() => write(routing), { durable: routing.notices.length > 0 })
    },
  }
}

function eventToTellFrom(row: Row): EventToTell {
  const told = row.told_id === null ? null : toldFrom(row)
  return { event: summaryFrom(row), told, channelIds: json(row, 'channel_ids') }
}

function toldFrom(row: Row): Told {
  const word = text(row, 'told_severity')
  return {
    // A word of a newer version is worse than what this one knows.
    severity: severities.find((each) => each === word) ?? 'critical',
    label: textOrNull(row, 'told_label'),
    isOver: number(row, 'told_is_over') === 1,
    number: number(row, 'told_number'),
  }
}
