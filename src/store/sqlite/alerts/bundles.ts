// What waits to be told together, in SQLite.
import { digestKey } from '../../../alert/bundles/bundle-key.ts'
import type { BundlePlan, BundleStore, Gathered, WaitingDelivery } from '../../../alert/bundles/bundle-store.ts'
import { turnKindOf } from '../../../alert/notice.ts'
import { believesOpen } from '../../../alert/rules/course.ts'
import { holderKey } from '../../../alert/rules/hold.ts'
import { worseOf } from '../../../events/severity.ts'
import type { Database } from '../database.ts'
import { number, type Row, text, textOrNull } from '../rows.ts'
import { columns, deliveryFrom, told, toldKind, toldThread, withNotice } from './delivery-rows.ts'
import { severityFrom } from './joined.ts'
import { heldFrom } from './silences.ts'

function prepareStatements(database: Database) {
  return {
    waiting: database.prepare(`
      SELECT d.id, d.channel_id, d.user_id, d.event_id, d.held_by, d.due_ms, d.bundle, d.number, d.notice, n.kind, e.id IS NOT NULL OR EXISTS (SELECT 1 FROM deleted_events g WHERE g.event_id = d.event_id) AS is_there,
        json_extract(n.facts, '$.severity') AS severity, coalesce(json_extract(e.worst, '$.bytesPerSecond'), 0) AS weight,
        ${toldKind} AS told_kind, coalesce(${toldThread}, d.event_id) AS thread
      FROM deliveries d JOIN notices n ON n.sequence = d.notice LEFT JOIN events e ON e.id = d.event_id
      WHERE d.channel_id = ? AND d.bundle = ? AND d.state = 'held'`),
    thread: database.prepare('SELECT * FROM alert_threads WHERE channel_id = ? AND bundle = ?'),
    open: database.prepare(`
      SELECT d.event_id FROM deliveries d JOIN notices n ON n.sequence = d.notice
      WHERE d.channel_id = ? AND d.thread = ? AND d.state NOT IN ('superseded', 'held') AND n.kind <> 'ended'
        AND d.number = (SELECT max(p.number) FROM ${told}) AND EXISTS (SELECT 1 FROM events e WHERE e.id = d.event_id)`),
    latestDue: database.prepare(`
      SELECT ${columns} ${withNotice} WHERE d.channel_id = ? AND d.thread = ? AND d.state = 'due' ORDER BY d.notice DESC LIMIT 1`),
    recent: database.prepare(`
      SELECT count(*) AS messages FROM deliveries
      WHERE channel_id = ? AND created_ms > ? AND created_ms <= ? AND bundle IS NOT NULL AND carrier IS NULL
        AND state NOT IN ('held', 'superseded')`),
    // What is said before under the same name goes first.
    tell: database.prepare(`
      UPDATE deliveries SET state = 'due', created_ms = ?1, thread = ?2, due_ms = coalesce(
        (SELECT max(q.due_ms) FROM deliveries q WHERE q.channel_id = deliveries.channel_id AND q.thread = ?2 AND q.state = 'due'), ?1)
      WHERE id = ?3 AND state = 'held' AND due_ms = ?4`),
    join: database.prepare(`
      UPDATE deliveries SET state = 'joined', carrier = ?1, created_ms = ?2, thread = ?3 WHERE id = ?4 AND state = 'held'`),
    setThread: database.prepare(`
      INSERT INTO alert_threads (channel_id, bundle, thread, told_ms, severity) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (channel_id, bundle) DO UPDATE
      SET thread = excluded.thread, told_ms = excluded.told_ms, severity = excluded.severity`),
    wait: database.prepare(`
      UPDATE deliveries SET due_ms = ?1, held_by = coalesce(?2, held_by) WHERE id = ?3 AND state = 'held' AND due_ms = ?4`),
    move: database.prepare(
      `UPDATE deliveries SET bundle = '${digestKey}' WHERE id = ?1 AND state = 'held' AND due_ms = ?2`,
    ),
  }
}

export function createBundles(database: Database): BundleStore {
  const statements = prepareStatements(database)
  const threadOf = (channelId: string, bundle: string) => {
    const row = statements.thread.get(channelId, bundle)
    return row === undefined
      ? null
      : { thread: text(row, 'thread'), toldMs: number(row, 'told_ms'), severity: severityFrom(row) }
  }
  const tell = ({ channelId, bundle }: BundlePlan, { carrier, others, thread, isCurrent }: Gathered, nowMs: number) => {
    // Somebody else has told it, or it is not so any more: it is looked at again.
    if (statements.tell.run(nowMs, thread, carrier.id, carrier.dueMs).changes === 0) return
    for (const each of others)
      statements.join.run(carrier.id, nowMs, believesOpen(each) ? each.thread : thread, each.id)
    if (!isCurrent) return
    const before = threadOf(channelId, bundle)
    const severity = [carrier, ...others].map((each) => each.severity).reduce(worseOf)
    const highest = before?.thread === thread ? worseOf(before.severity, severity) : severity
    statements.setThread.run(channelId, bundle, thread, nowMs, highest)
  }

  return {
    async waitingIn(channelId, bundle) {
      return database.read(() => statements.waiting.all(channelId, bundle)).map(waitingFrom)
    },

    async threadOf(channelId, bundle) {
      return database.read(() => threadOf(channelId, bundle))
    },

    async openIn(channelId, thread) {
      return database.read(() => statements.open.all(channelId, thread)).map((row) => text(row, 'event_id'))
    },

    async latestDue(channelId, thread) {
      const row = database.read(() => statements.latestDue.get(channelId, thread))
      return row === undefined ? null : deliveryFrom(row)
    },

    async messagesBetween(channelId, fromMs, untilMs) {
      return number(database.read(() => statements.recent.get(channelId, fromMs, untilMs)) ?? {}, 'messages')
    },

    async carryOut(plan, nowMs) {
      database.write(() => {
        for (const message of plan.tell) tell(plan, message, nowMs)
        for (const { waiting, untilMs, holder } of plan.wait)
          statements.wait.run(untilMs, holder === null ? null : holderKey(holder), waiting.id, waiting.dueMs)
        for (const { id, dueMs } of plan.toDigest) statements.move.run(id, dueMs)
      })
    },
  }
}

function waitingFrom(row: Row): WaitingDelivery {
  const kind = textOrNull(row, 'told_kind')
  return {
    ...heldFrom(row),
    bundle: text(row, 'bundle'),
    number: number(row, 'number'),
    sequence: number(row, 'notice'),
    severity: severityFrom(row),
    isThere: number(row, 'is_there') === 1,
    weight: number(row, 'weight'),
    lastTold: kind === null ? null : turnKindOf(kind),
    thread: text(row, 'thread'),
  }
}
