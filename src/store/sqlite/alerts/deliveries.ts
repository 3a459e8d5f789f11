// Notices on their way to channels: which can be sent now, what came of it, and what there was.
import type { AlertStore, AttemptResult, Delivery, DeliveryFilter } from '../../../alert/alert-store.ts'
import { deliveryStates } from '../../../alert/alert-store.ts'
import { turnKinds } from '../../../alert/notice.ts'
import type { Clock } from '../../../clock.ts'
import { deletedPerChunk, untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { json, number, numberOrNull, type Row, text } from '../rows.ts'

type Verbs = Omit<
  AlertStore,
  | ('channelsOf' | 'channelById' | 'sealedChannels' | 'addChannel' | 'changeChannel' | 'deleteChannel')
  | ('toldUpTo' | 'eventsToTell' | 'toldOpen' | 'route')
>

/** Attempts that are kept of a delivery. */
const attemptsKept = 50

const columns = `d.id, d.channel_id, d.state, d.attempts, d.created_ms, d.due_ms, d.notice, n.user_id, n.event_id, n.kind, n.number, n.at_ms, n.facts`
const withNotice = 'FROM deliveries d JOIN notices n ON n.sequence = d.notice'
/** An earlier message of the same event goes first. */
const isFirst = `NOT EXISTS (
  SELECT 1 FROM deliveries e
  WHERE e.channel_id = d.channel_id AND e.event_id = d.event_id AND e.number < d.number AND e.state IN ('due', 'sending'))`
/** ?1: user, ?2: event, ?3: channel, ?4: state, ?5: id, ?6: number of the notice. */
const wanted = `n.user_id = ?1 AND (?2 IS NULL OR d.event_id = ?2) AND (?3 IS NULL OR d.channel_id = ?3)
  AND (?4 IS NULL OR d.state = ?4) AND (?5 IS NULL OR d.id = ?5) AND (?6 IS NULL OR d.number = ?6)`

function prepareStatements(database: Database) {
  return {
    // From one channel that something waits for to the next: however much waits for each.
    channels: database.prepare(`
      WITH RECURSIVE waiting (id) AS (
        SELECT min(channel_id) FROM deliveries WHERE state IN ('due', 'sending') UNION ALL
        SELECT (SELECT min(channel_id) FROM deliveries WHERE state IN ('due', 'sending') AND channel_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL)
      SELECT c.id, c.user_id, c.failures, c.closed_until_ms
      FROM waiting JOIN alert_channels c ON c.id = waiting.id WHERE c.is_disabled = 0`),
    // ?2: now; ?3: what was taken before is taken again.
    due: database.prepare(`
      SELECT d.id, d.due_ms FROM deliveries d
      WHERE d.channel_id = ?1 AND d.state IN ('due', 'sending') AND d.due_ms <= ?2
        AND (d.state = 'due' OR d.due_ms <= ?3) AND ${isFirst}
      ORDER BY d.due_ms, d.notice LIMIT 1`),
    next: database.prepare(`
      SELECT d.due_ms + CASE d.state WHEN 'due' THEN 0 ELSE ?2 END AS at_ms FROM deliveries d
      WHERE d.channel_id = ?1 AND d.state IN ('due', 'sending') AND ${isFirst} ORDER BY d.due_ms LIMIT 1`),
    lease: database.prepare(
      `UPDATE deliveries SET state = 'sending', due_ms = ? WHERE id = ? AND state IN ('due', 'sending')`,
    ),
    one: database.prepare(`SELECT ${columns} ${withNotice} WHERE d.id = ?`),
    settle: database.prepare(
      `UPDATE deliveries SET state = ?, attempts = ?, due_ms = ? WHERE id = ? AND state = 'sending'`,
    ),
    // What comes after it in its event waits with it.
    wait: database.prepare(`
      UPDATE deliveries SET due_ms = max(due_ms, ?1) WHERE state = 'due' AND channel_id = ?2
        AND event_id = (SELECT event_id FROM deliveries WHERE id = ?3)`),
    fortune: database.prepare(`
      UPDATE alert_channels SET failures = ?, failing_since_ms = ?, closed_until_ms = ?,
        -- Its user may have disabled it while the attempt was made.
        is_disabled = is_disabled OR ?, last = coalesce(?, last)
      WHERE id = ?`),
    allDue: database.prepare(
      `UPDATE deliveries SET due_ms = ?1 WHERE channel_id = ?2 AND state = 'due' AND due_ms > ?1`,
    ),
    addAttempt: database.prepare(
      'INSERT INTO delivery_attempts SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = ?1)',
    ),
    cutAttempts: database.prepare(`
      DELETE FROM delivery_attempts WHERE delivery_id = ?1 AND rowid NOT IN (
        SELECT rowid FROM delivery_attempts WHERE delivery_id = ?1 ORDER BY rowid DESC LIMIT ${attemptsKept})`),
    list: database.prepare(`
      SELECT ${columns} ${withNotice} WHERE ${wanted} AND (?7 IS NULL OR d.id < ?7) ORDER BY d.id DESC LIMIT ?8`),
    attempts: database.prepare(`
      SELECT a.result FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
      JOIN notices n ON n.sequence = d.notice WHERE n.user_id = ? AND d.id = ? ORDER BY a.rowid`),
    replay: database.prepare(`
      UPDATE deliveries SET state = 'due', attempts = 0, created_ms = ?7, due_ms = ?7 WHERE state IN ('dead', 'done') AND id IN (
        SELECT d.id ${withNotice} WHERE ${wanted})`),
    waiting: database.prepare(
      `SELECT count(*) AS count, min(created_ms) AS oldest FROM deliveries WHERE state IN ('due', 'sending')`,
    ),
    settledBefore: database.prepare(`
      SELECT sequence FROM notices n WHERE (at_ms < ?1 OR sequence <= ?2) AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.notice = n.sequence AND d.state IN ('due', 'sending'))
      ORDER BY sequence LIMIT ${deletedPerChunk}`),
    surplus: database.prepare('SELECT sequence FROM notices ORDER BY sequence DESC LIMIT 1 OFFSET ?'),
    deleteNotice: database.prepare('DELETE FROM notices WHERE sequence = ?'),
  }
}

export function createDeliveries(database: Database, { clock }: { clock: Clock }): Verbs {
  const statements = prepareStatements(database)
  const wantedBy = (userId: string, filter: Omit<DeliveryFilter, 'limit' | 'before'>) => {
    const { eventId = null, channelId = null, state = null, id = null, number: ofEvent = null } = filter
    return [userId, eventId, channelId, state, id, ofEvent] as const
  }

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

  return {
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
      const take = (id: number): Delivery[] => {
        if (statements.lease.run(nowMs, id).changes === 0) return []
        const taken = statements.one.get(id)
        return taken === undefined ? [] : [deliveryFrom(taken)]
      }
      // A loss of power gives them back, as the end of the lease does.
      return database.write(() => deliveryIds.flatMap(take), { durable: false })
    },

    async nextDue({ leaseMs, exceptChannels }) {
      const times = openChannels(exceptChannels).flatMap(({ id, closedUntilMs }) => {
        const row = database.read(() => statements.next.get(id, leaseMs))
        return row === undefined ? [] : [Math.max(closedUntilMs, number(row, 'at_ms'))]
      })
      return times.length === 0 ? null : Math.min(...times)
    },

    async settle({ id, channelId, state, attempts, dueMs, fortune, isBack, result }) {
      const { failures, failingSinceMs, closedUntilMs, isDisabled } = fortune
      const last = result === null ? null : JSON.stringify(result)
      database.write(() => {
        statements.settle.run(state, attempts, dueMs, id)
        if (state === 'due') statements.wait.run(dueMs, channelId, id)
        statements.fortune.run(failures, failingSinceMs, closedUntilMs, Number(isDisabled), last, channelId)
        if (isBack) statements.allDue.run(clock.now(), channelId)
        if (last === null) return
        statements.addAttempt.run(id, last)
        statements.cutAttempts.run(id)
      })
    },

    async deliveriesOf(userId, { before, limit, ...filter }) {
      const rows = database.read(() => statements.list.all(...wantedBy(userId, filter), before ?? null, limit))
      return rows.map(deliveryFrom)
    },

    async attemptsOf(userId, deliveryId) {
      return database
        .read(() => statements.attempts.all(userId, deliveryId))
        .map((row) => json<AttemptResult>(row, 'result'))
    },

    async replay(userId, filter) {
      return database.write(() => Number(statements.replay.run(...wantedBy(userId, filter), clock.now()).changes))
    },

    async waiting() {
      const row = database.read(() => statements.waiting.get()) ?? {}
      return { count: number(row, 'count'), oldestMs: numberOrNull(row, 'oldest') }
    },

    async pruneAlerts({ beforeMs, max }) {
      const surplus = database.read(() => statements.surplus.get(max))
      const through = surplus === undefined ? 0 : number(surplus, 'sequence')
      const step = () => {
        const rows = statements.settledBefore.all(beforeMs, through)
        for (const row of rows) statements.deleteNotice.run(number(row, 'sequence'))
        return rows.length === 0 ? null : rows.length
      }
      return untilDone(() => database.write(step, { durable: false }))
    },
  }
}

function deliveryFrom(row: Row): Delivery {
  const [state, kind] = [text(row, 'state'), text(row, 'kind')]
  return {
    id: number(row, 'id'),
    channelId: text(row, 'channel_id'),
    state: deliveryStates.find((each) => each === state) ?? 'superseded',
    attempts: number(row, 'attempts'),
    createdMs: number(row, 'created_ms'),
    dueMs: number(row, 'due_ms'),
    notice: {
      sequence: number(row, 'notice'),
      userId: text(row, 'user_id'),
      eventId: text(row, 'event_id'),
      // A kind of a newer version says that something is new.
      kind: turnKinds.find((each) => each === kind) ?? 'worsened',
      number: number(row, 'number'),
      atMs: number(row, 'at_ms'),
      facts: json(row, 'facts'),
    },
  }
}
