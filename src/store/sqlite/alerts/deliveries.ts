// What was, or will be, sent: as its users look at it, send it again, and as it is deleted in the end.
import type { AlertStore, AttemptResult, DeliveryFilter, ListedDelivery } from '../../../alert/alert-store.ts'
import type { Clock } from '../../../clock.ts'
import { deletedPerChunk, untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { json, number, type Row, text, textOrNull } from '../rows.ts'
import { columns, deliveryFrom, unsettled, withNotice } from './delivery-rows.ts'
import { closableKindsSql } from './ends/closings.ts'

type Verbs = Pick<AlertStore, 'deliveriesOf' | 'attemptsOf' | 'replay' | 'waiting' | 'overdue' | 'pruneAlerts'>

/** ?1: user, ?2: channel, ?3: state, ?4: id, ?5: number of the notice. */
const wanted = `(?2 IS NULL OR d.channel_id = ?2) AND (?3 IS NULL OR d.state = ?3)
  AND (?4 IS NULL OR d.id = ?4) AND (?5 IS NULL OR d.number = ?5)`
/** By the index of users, which has them in order, or by that of events; ?6. */
const ofUser = `d.user_id = ?1 AND ?6 IS NULL AND ${wanted}`
const ofEvent = `+d.user_id = ?1 AND d.event_id = ?6 AND ${wanted}`
/** By the indexes of channels, and of what has not arrived. */
const ofChannel = `d.user_id = ?1 AND d.channel_id = ?2 AND ?6 IS NULL AND ${wanted}`
const ofState = `d.user_id = ?1 AND d.state = ?3 AND d.state NOT IN ('done', 'superseded') AND ?6 IS NULL AND ${wanted}`
/** One alone, and what was given up for a channel: neither is looked for among all that the user was sent. */
const ofId = `d.id = ?4 AND +d.user_id = ?1 AND (?6 IS NULL OR d.event_id = ?6) AND ${wanted}`
const ofDead = `d.channel_id = ?2 AND d.state = 'dead' AND +d.user_id = ?1 AND ?6 IS NULL AND ${wanted}`

/**
 * The receiver keeps an incident open until it is told the end, and has been told the opposite since: a beginning that came after its end would be closed by nobody.
 * What was given up goes along, in order, but where one message alone (?4) is asked for.
 */
const isUndone = `EXISTS (
  SELECT 1 FROM alert_channels c
    JOIN deliveries p ON p.event_id = deliveries.event_id AND p.channel_id = c.id AND p.number > deliveries.number
    JOIN notices m ON m.sequence = p.notice
  WHERE c.id = deliveries.channel_id AND c.kind IN (${closableKindsSql})
    AND (p.state IN ('done', 'sending') OR (p.state = 'dead' AND ?4 IS NOT NULL))
    AND (m.kind = 'ended') <> (SELECT n.kind = 'ended' FROM notices n WHERE n.sequence = deliveries.notice))`

const site = `(SELECT e.site FROM events e JOIN users u ON u.id = d.user_id
  WHERE e.id = n.event_id AND (e.user_id = u.id OR u.role = 'admin')) AS site`

const listedFrom = (row: Row): ListedDelivery => ({ ...deliveryFrom(row), site: textOrNull(row, 'site') })

function prepareStatements(database: Database) {
  const list = (which: string) =>
    database.prepare(`
      SELECT ${columns}, ${site} ${withNotice} WHERE ${which} AND (?7 IS NULL OR d.id < ?7) ORDER BY d.id DESC LIMIT ?8`)
  const again = (which: string) => `
    state IN ('dead', 'done') AND carrier IS NULL AND id IN (SELECT d.id FROM deliveries d WHERE ${which})`
  const replay = (which: string) =>
    database.prepare(`
      UPDATE deliveries SET state = 'due', attempts = 0, created_ms = ?7, due_ms = ?7
      WHERE ${again(which)} AND NOT ${isUndone} RETURNING id`)
  const undone = (which: string) =>
    database.prepare(`SELECT count(*) AS messages FROM deliveries WHERE ${again(which)} AND ${isUndone}`)
  return {
    list: { ofUser: list(ofUser), ofEvent: list(ofEvent), ofChannel: list(ofChannel), ofState: list(ofState) },
    replay: { ofUser: replay(ofUser), ofEvent: replay(ofEvent), ofId: replay(ofId), ofDead: replay(ofDead) },
    undone: { ofUser: undone(ofUser), ofEvent: undone(ofEvent), ofId: undone(ofId), ofDead: undone(ofDead) },
    // What was told with it goes with it again.
    rejoin: database.prepare(`UPDATE deliveries SET state = 'joined' WHERE carrier = ? AND state IN ('dead', 'done')`),
    attempts: database.prepare(`
      SELECT a.result FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE d.user_id = ? AND d.id = ? ORDER BY a.rowid`),
    waiting: database.prepare(`
      SELECT c.kind, count(*) AS count, min(d.created_ms) AS oldest FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id
      WHERE d.state IN ('due', 'sending') GROUP BY c.kind`),
    // A channel that works and whose message waits is not looked at, unless the user's others take up the places; one of an admin that fails leaves the
    // installation's messages unread.
    overdue: database.prepare(`
      SELECT count(*) FILTER (WHERE c.is_disabled = 0 AND (
          (c.failures = 0 AND c.closed_until_ms <= ?1 AND EXISTS (
            SELECT 1 FROM deliveries d WHERE d.channel_id = c.id AND d.state = 'due' AND d.due_ms < ?1)
            AND (u.role = 'admin' OR NOT EXISTS (
              SELECT 1 FROM alert_channels o WHERE o.user_id = c.user_id AND (json_extract(o.last, '$.atMs') >= ?1 OR EXISTS (
                -- In the words of a partial index.
                SELECT 1 FROM deliveries s WHERE s.channel_id = o.id AND s.state IN ('due', 'sending')
                  AND s.state = 'sending' AND s.due_ms >= ?1)))))
          OR (u.role = 'admin' AND c.failing_since_ms < ?1 AND EXISTS (
            SELECT 1 FROM deliveries d WHERE d.channel_id = c.id AND d.state IN ('due', 'sending'))))) AS waiting,
        count(*) FILTER (WHERE c.is_disabled = 1 AND u.role = 'admin' AND c.failing_since_ms < ?1) AS gone
      FROM alert_channels c JOIN users u ON u.id = c.user_id`),
  }
}

/**
 * `d` is the latest message that arrived on its channel about an attack that goes on, or about which more waits for the channel: the end is sent to whoever has such a
 * message. Each channel has at most one for each attack that goes on.
 */
const isEndToCome = `d.state = 'done' AND NOT EXISTS (
  SELECT 1 FROM deliveries p
  WHERE p.event_id = d.event_id AND p.channel_id = d.channel_id AND p.number > d.number AND p.state = 'done'
) AND (
  EXISTS (SELECT 1 FROM alert_states s WHERE s.event_id = d.event_id AND s.is_over = 0) OR EXISTS (
    SELECT 1 FROM deliveries p
    WHERE p.event_id = d.event_id AND p.channel_id = d.channel_id AND p.number > d.number AND p.state IN ${unsettled}))`

function preparePruning(database: Database) {
  return {
    // Notices are in the order of time, but where the clock was set back.
    young: database.prepare('SELECT sequence FROM notices WHERE at_ms >= ? ORDER BY sequence LIMIT 1'),
    last: database.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM notices'),
    settledThrough: database.prepare(`
      SELECT sequence FROM notices n WHERE sequence <= ? AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.notice = n.sequence AND (d.state IN ${unsettled} OR ${isEndToCome}))
      ORDER BY sequence LIMIT ${deletedPerChunk}`),
    deleteNotice: database.prepare('DELETE FROM notices WHERE sequence = ?'),
    deleteSilences: database.prepare(`
      DELETE FROM alert_silences WHERE id IN (
        SELECT id FROM alert_silences WHERE until_ms < ? LIMIT ${deletedPerChunk})`),
    deleteThreads: database.prepare(`
      DELETE FROM alert_threads WHERE (channel_id, bundle) IN (
        SELECT channel_id, bundle FROM alert_threads WHERE told_ms < ? LIMIT ${deletedPerChunk})`),
    deleteDeletedEvents: database.prepare(`
      DELETE FROM deleted_events WHERE event_id IN (
        SELECT event_id FROM deleted_events g WHERE NOT EXISTS (
          SELECT 1 FROM deliveries d WHERE d.event_id = g.event_id AND d.state IN ${unsettled})
        LIMIT ${deletedPerChunk})`),
  }
}

/** How the fewest are looked at. */
function listedBy({ state, channelId }: Pick<DeliveryFilter, 'state' | 'channelId'>) {
  if (state != null && state !== 'done' && state !== 'superseded') return 'ofState'
  return channelId == null ? 'ofUser' : 'ofChannel'
}

export function createDeliveries(database: Database, { clock }: { clock: Clock }): Verbs {
  const statements = prepareStatements(database)
  const pruning = preparePruning(database)
  const wantedBy = (userId: string, filter: Omit<DeliveryFilter, 'limit' | 'before'>) => {
    const { eventId = null, channelId = null, state = null, id = null, number: place = null } = filter
    const by = eventId === null ? ('ofUser' as const) : ('ofEvent' as const)
    return { by, cells: [userId, channelId, state, id, place, eventId] as const }
  }
  /** The place through which notices are old, or too many. */
  const oldThrough = ({ beforeMs, max }: { beforeMs: number; max: number }): number => {
    const last = number(pruning.last.get() ?? {}, 'sequence')
    const young = pruning.young.get(beforeMs)
    return Math.max(last - max, young === undefined ? last : number(young, 'sequence') - 1)
  }

  return {
    async deliveriesOf(userId, { before, limit, ...filter }) {
      const { by: place, cells } = wantedBy(userId, filter)
      const by = place === 'ofUser' ? listedBy(filter) : place
      return database.read(() => statements.list[by].all(...cells, before ?? null, limit)).map(listedFrom)
    },

    async attemptsOf(userId, deliveryId) {
      return database
        .read(() => statements.attempts.all(userId, deliveryId))
        .map((row) => json<AttemptResult>(row, 'result'))
    },

    async replay(userId, filter) {
      const { by: place, cells } = wantedBy(userId, filter)
      const isOfDead = (filter.channelId ?? null) !== null && filter.state === 'dead' && place === 'ofUser'
      const by = (filter.id ?? null) !== null ? 'ofId' : isOfDead ? 'ofDead' : place
      return database.write(() => {
        const undone = number(statements.undone[by].get(...cells) ?? {}, 'messages')
        const rows = statements.replay[by].all(...cells, clock.now())
        for (const row of rows) statements.rejoin.run(number(row, 'id'))
        return { replayed: rows.length, leftOut: undone }
      })
    },

    async waiting() {
      const rows = database.read(() => statements.waiting.all())
      const byKind = Object.fromEntries(rows.map((row) => [text(row, 'kind'), number(row, 'count')]))
      return { byKind, oldestMs: rows.length === 0 ? null : Math.min(...rows.map((row) => number(row, 'oldest'))) }
    },

    async overdue(beforeMs) {
      const row = database.read(() => statements.overdue.get(beforeMs)) ?? {}
      return { waiting: number(row, 'waiting'), gone: number(row, 'gone') }
    },

    async pruneAlerts(limits) {
      const through = database.read(() => oldThrough(limits))
      const inSteps = (step: () => number) => untilDone(() => database.write(step, { durable: false }) || null)
      await inSteps(() => Number(pruning.deleteThreads.run(limits.beforeMs).changes))
      await inSteps(() => Number(pruning.deleteSilences.run(limits.beforeMs).changes))
      await inSteps(() => Number(pruning.deleteDeletedEvents.run().changes))
      return inSteps(() => {
        const rows = pruning.settledThrough.all(through)
        for (const row of rows) pruning.deleteNotice.run(number(row, 'sequence'))
        return rows.length
      })
    },
  }
}
