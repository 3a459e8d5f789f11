// What was found to be told about events, and to which channels it goes: written once, with the place up to which the log of changes was read.
import type { AlertStore, EventToTell, Routing } from '../../../alert/alert-store.ts'
import { noReturns, type Returns, type Told, turnKindOf } from '../../../alert/notice.ts'
import type { KnownTogether } from '../../../alert/rules/address.ts'
import { holderKey, parseHolderKey } from '../../../alert/rules/hold.ts'
import type { ReminderChange } from '../../../alert/rules/rule-store.ts'
import type { Clock } from '../../../clock.ts'
import { severities } from '../../../events/severity.ts'
import type { Database } from '../database.ts'
import { summaryColumns, summaryFrom } from '../events/rows.ts'
import { isSameAttack, standingFor } from '../events/whole-attacks.ts'
import { json, number, type Row, text, textOrNull } from '../rows.ts'
import { toldKind } from './delivery-rows.ts'
import { createEscalationWriter } from './escalations.ts'
import { createSurplus } from './giving-up.ts'

type Verbs = Pick<AlertStore, 'toldUpTo' | 'eventsToTell' | 'toldOpen' | 'toldOpenBy' | 'openOrToldOpen' | 'route'>

/** The sites of some events, each with its group, as JSON. */
const hostsOf = (which: string) => `(
  SELECT json_group_array(json_object('host', s.host, 'group', g.group_id))
  FROM event_sites s LEFT JOIN sites g ON g.user_id = s.event_user AND g.host = s.host WHERE ${which})`

/** ?1: the event; ?2: the rule; ?3: when. */
const setReminder = `
  INSERT INTO alert_reminders (event_id, rule_id, due_ms) SELECT ?1, ?2, ?3
  WHERE EXISTS (SELECT 1 FROM events WHERE id = ?1) AND EXISTS (SELECT 1 FROM alert_rules WHERE id = ?2)
  -- A rule of the installation reminds once of an attack, whoever comes to it later; what an earlier version has planned goes on.
  AND (EXISTS (SELECT 1 FROM alert_reminders WHERE event_id = ?1 AND rule_id = ?2) OR NOT EXISTS (
    SELECT 1 FROM alert_rules r CROSS JOIN events e CROSS JOIN events o CROSS JOIN alert_reminders x
    WHERE r.id = ?2 AND r.is_of_installation = 1 AND e.id = ?1 AND ${isSameAttack('o', 'e')} AND o.id <> e.id
      AND x.event_id = o.id AND x.rule_id = r.id))
  ON CONFLICT (event_id, rule_id) DO UPDATE SET due_ms = excluded.due_ms`

function prepareStatements(database: Database) {
  return {
    selectPlace: database.prepare('SELECT place FROM alert_cursor'),
    setPlace: database.prepare(
      'INSERT INTO alert_cursor VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET place = excluded.place',
    ),
    selectEvent: database.prepare(`
      WITH e AS MATERIALIZED (
        SELECT * FROM (SELECT ${summaryColumns.list}, ${standingFor('events')} AS standing FROM events WHERE id = ?) LEFT JOIN (
          SELECT event_id AS told_id, severity AS told_severity, label AS told_label, is_over AS told_is_over, number AS told_number,
            returns AS told_returns
          FROM alert_states) ON told_id = id)
      SELECT *, (
        SELECT json_group_array(json_object('channel', k.channel_id, 'kind', k.kind, 'until', k.until, 'by', k.held_by, 'bundle', k.bundle)) FROM (
          SELECT d.channel_id, max(h.due_ms) AS until, h.held_by, (
            SELECT b.bundle FROM deliveries b
            WHERE b.event_id = d.event_id AND b.channel_id = d.channel_id AND b.state <> 'superseded' ORDER BY b.number DESC LIMIT 1) AS bundle, ${toldKind} AS kind
          FROM deliveries d LEFT JOIN deliveries h ON h.id = d.id AND h.state = 'held'
          WHERE d.event_id = e.id AND d.state <> 'superseded' GROUP BY d.channel_id) k) AS known,
        ${hostsOf('s.event_user = e.user_id AND s.event_created_ms = e.created_ms AND s.event_id = e.id')} AS hosts,
        CASE WHEN e.standing = e.id THEN ${hostsOf(`(s.event_user, s.event_created_ms, s.event_id) IN (
          SELECT o.user_id, o.created_ms, o.id FROM events o WHERE ${isSameAttack('o', 'e')})`)} END AS all_hosts,
        CASE WHEN e.standing = e.id AND told_id IS NULL THEN (
          SELECT json_group_array(o.id) FROM events o WHERE ${isSameAttack('o', 'e')} AND o.id <> e.id) END AS told_with,
        CASE WHEN e.standing <> e.id AND told_id IS NULL AND EXISTS (SELECT 1 FROM alert_states WHERE event_id = e.standing)
          AND NOT EXISTS (SELECT 1 FROM alert_told_with WHERE event_id = e.id) THEN e.standing END AS joins
      FROM e`),
    addToldWith: database.prepare(`
      INSERT OR IGNORE INTO alert_told_with SELECT ?1 WHERE EXISTS (SELECT 1 FROM events WHERE id = ?1)`),
    selectOpen: database.prepare('SELECT event_id FROM alert_states WHERE is_over = 0 ORDER BY event_id'),
    selectOpenBy: database.prepare(`
      SELECT s.event_id FROM alert_states s WHERE s.is_over = 0 AND EXISTS (
        SELECT 1 FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id
        WHERE d.event_id = s.event_id AND c.is_disabled = 0 AND c.kind IN (SELECT value FROM json_each(?)))
      ORDER BY s.event_id`),
    selectOpenOrTold: database.prepare(`
      SELECT event_id FROM alert_states WHERE is_over = 0
      UNION SELECT id FROM events INDEXED BY events_open WHERE end_ms IS NULL ORDER BY event_id`),
    setTold: database.prepare(`
      INSERT INTO alert_states (event_id, severity, label, is_over, number, returns)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM events WHERE id = ?1)
      ON CONFLICT (event_id) DO UPDATE
      SET severity = excluded.severity, label = excluded.label, is_over = excluded.is_over, number = excluded.number,
        returns = excluded.returns`),
    // Users and channels may have been deleted since the log was read.
    insertNotice: database.prepare(`
      INSERT OR IGNORE INTO notices (user_id, event_id, kind, number, at_ms, facts)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1) RETURNING sequence`),
    insertDelivery: database.prepare(`
      INSERT INTO deliveries (channel_id, notice, event_id, number, state, attempts, created_ms, user_id, rule_id, held_by, bundle, thread, due_ms)
      SELECT ?1, ?2, ?3, ?4, CASE WHEN ?8 IS NULL THEN 'due' ELSE 'held' END, 0, ?5, c.user_id, ?7, ?9, ?10, ?3, coalesce(?8,
        (SELECT max(due_ms) FROM deliveries WHERE channel_id = ?1 AND thread = ?3 AND state = 'due'), ?5)
      FROM alert_channels c JOIN users u ON u.id = c.user_id
      -- Admins are told about attacks on others.
      WHERE c.id = ?1 AND (u.id = ?6 OR u.role = 'admin')`),
    isPassed: database.prepare('SELECT 1 FROM alert_states WHERE event_id = ? AND number >= ?'),
    isNotice: database.prepare('SELECT 1 FROM notices WHERE event_id = ? AND number = ?'),
    replaceHeld: database.prepare(
      `UPDATE deliveries SET state = 'superseded' WHERE channel_id = ? AND event_id = ? AND state = 'held'`,
    ),
    setReminder: database.prepare(setReminder),
    isReminder: database.prepare('SELECT 1 FROM alert_reminders WHERE event_id = ? AND rule_id = ? AND due_ms = ?'),
    deleteReminder: database.prepare('DELETE FROM alert_reminders WHERE event_id = ? AND rule_id = ?'),
    deleteReminders: database.prepare('DELETE FROM alert_reminders WHERE event_id = ?'),
  }
}

export function createRouting(database: Database, { clock }: { clock: Clock }): Verbs {
  const statements = prepareStatements(database)
  const giveUpSurplus = createSurplus(database)
  const escalating = createEscalationWriter(database)

  const place = () => {
    const row = statements.selectPlace.get()
    return row === undefined ? null : number(row, 'place')
  }
  const isAsItWas = ({ eventId, ruleId, wasMs }: ReminderChange) =>
    wasMs === null || statements.isReminder.get(eventId, ruleId, wasMs) !== undefined
  /** Somebody else has told something of it since, though the log was read no further. */
  const isTold = ({ notice: { eventId, number: ofEvent } }: Routing['notices'][number]) =>
    statements.isNotice.get(eventId, ofEvent) !== undefined
  /** The event has had a notice of that number since it was read, as when the owner of another one of its attack was deleted. */
  const isPassed = ({ notice: { eventId, number: ofEvent } }: Routing['notices'][number]) =>
    statements.isPassed.get(eventId, ofEvent) !== undefined
  const write = ({ from, to, notices, told, toldWith = [], ...rest }: Routing): number | null => {
    const { reminders, escalations, waitingMax } = rest
    if ((place() ?? from) !== from || !reminders.every(isAsItWas) || !escalating.areAsTheyWere(escalations)) return null
    if (notices.some(isPassed) || (from === to && notices.some(isTold))) return null
    statements.setPlace.run(to)
    const nowMs = clock.now()
    writeNotices(statements, notices, nowMs)
    writeReminders(statements, reminders)
    escalating.write(escalations)
    for (const [id, { severity, label, isOver, number: latest, returns }] of told) {
      statements.setTold.run(id, severity, label, Number(isOver), latest, JSON.stringify(returns ?? noReturns))
      if (isOver) statements.deleteReminders.run(id)
      escalating.follow(id, isOver)
    }
    for (const id of toldWith) statements.addToldWith.run(id)
    let givenUp = 0
    for (const channelId of new Set(notices.flatMap((each) => each.to.map((to) => to.channelId))))
      givenUp += giveUpSurplus(channelId, { max: waitingMax, nowMs })
    return givenUp
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

    async toldOpenBy(kinds) {
      const rows = database.read(() => statements.selectOpenBy.all(JSON.stringify(kinds)))
      return rows.map((row) => text(row, 'event_id'))
    },

    async openOrToldOpen() {
      return database.read(() => statements.selectOpenOrTold.all()).map((row) => text(row, 'event_id'))
    },

    async route(routing) {
      // What goes to nobody is found again after a loss of power.
      const { reminders, escalations } = routing
      const isTimed = reminders.length > 0 || escalations.begun.length > 0 || escalations.done.length > 0
      const isDurable = isTimed || routing.notices.some(({ to }) => to.length > 0)
      return database.write(() => write(routing), { durable: isDurable })
    },
  }
}

type Statements = ReturnType<typeof prepareStatements>

function writeReminders(statements: Statements, reminders: readonly ReminderChange[]): void {
  for (const { eventId, ruleId, dueMs } of reminders) {
    if (dueMs === null) statements.deleteReminder.run(eventId, ruleId)
    else statements.setReminder.run(eventId, ruleId, dueMs)
  }
}

/** What was found, and to whom each goes: whatever was held back for a channel is replaced. */
function writeNotices(statements: Statements, notices: Routing['notices'], nowMs: number): void {
  for (const { notice, to: destinations } of notices) {
    if (destinations.length === 0) continue
    const { userId, eventId, kind, number: ofEvent, atMs, facts } = notice
    const row = statements.insertNotice.get(userId, eventId, kind, ofEvent, atMs, JSON.stringify(facts))
    if (row === undefined) continue
    const sequence = number(row, 'sequence')
    for (const { channelId, ruleId, course, bundle } of destinations) {
      statements.replaceHeld.run(channelId, eventId)
      if (course.what === 'drop') continue
      const hold = course.what === 'hold' ? course.hold : null
      const held = hold === null ? [null, null] : [hold.untilMs, holderKey(hold)]
      const cells = [channelId, sequence, eventId, ofEvent, nowMs, userId, ruleId, ...held, bundle ?? null]
      statements.insertDelivery.run(...cells)
    }
  }
}

function eventToTellFrom(row: Row): EventToTell {
  const told = row.told_id === null ? null : toldFrom(row)
  const incident = row.all_hosts === null ? null : placesFrom(json(row, 'all_hosts'))
  return {
    ...{ event: summaryFrom(row), told, known: knownFrom(row), incident, joins: textOrNull(row, 'joins') },
    toldWith: row.told_with === null ? [] : json(row, 'told_with'),
    ...placesFrom(json(row, 'hosts')),
  }
}

interface KnownRow {
  channel: string
  kind: string | null
  until: number | null
  by: string | null
  bundle: string | null
}

function knownFrom(row: Row): Map<string, KnownTogether> {
  const rows = json<KnownRow[]>(row, 'known')
  return new Map(
    rows.map(({ channel, kind, until, by, bundle }) => {
      const lastTold = kind === null ? null : turnKindOf(kind)
      return [
        channel,
        { lastTold, held: until === null ? null : { ...parseHolderKey(by ?? ''), untilMs: until }, bundle },
      ]
    }),
  )
}

function placesFrom(hosts: { host: string; group: string | null }[]): { sites: string[]; groups: string[] } {
  const groups = new Set(hosts.map(({ group }) => group).filter((group) => group !== null))
  return { sites: [...new Set(hosts.map(({ host }) => host))], groups: [...groups] }
}

function toldFrom(row: Row): Told {
  const word = text(row, 'told_severity')
  const returns = json<Returns>(row, 'told_returns')
  return {
    // A word of a newer version is worse than what this one knows.
    severity: severities.find((each) => each === word) ?? 'critical',
    label: textOrNull(row, 'told_label'),
    isOver: number(row, 'told_is_over') === 1,
    number: number(row, 'told_number'),
    ...(returns.count > 0 && { returns }),
  }
}
