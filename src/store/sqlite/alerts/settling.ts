// What came of an attempt: of its message, of what was told with it, and of its channel.
import type { AlertStore, Settlement } from '../../../alert/alert-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { createReleases } from './ends/closings.ts'
import { createLots } from './joined.ts'

/** Attempts that are kept of a delivery. */
const attemptsKept = 50

function prepareStatements(database: Database) {
  return {
    settle: database.prepare(
      `UPDATE deliveries SET state = ?, attempts = ?, due_ms = ? WHERE id = ? AND state = 'sending'`,
    ),
    // What comes after it waits with it.
    wait: database.prepare(`
      UPDATE deliveries SET due_ms = max(due_ms, ?1) WHERE state = 'due' AND channel_id = ?2
        AND thread = (SELECT thread FROM deliveries WHERE id = ?3)`),
    health: database.prepare(`
      UPDATE alert_channels SET failures = ?, failing_since_ms = ?, closed_until_ms = ?, is_disabled = ?, last = coalesce(?, last)
      WHERE id = ?`),
    version: database.prepare('SELECT version FROM alert_channels WHERE id = ?'),
    again: database.prepare(`UPDATE deliveries SET state = 'due', due_ms = ? WHERE id = ? AND state = 'sending'`),
    // In the words of a partial index: what has been sent is not looked at.
    allDue: database.prepare(`
      UPDATE deliveries SET due_ms = ?1
      WHERE channel_id = ?2 AND state IN ('due', 'sending') AND state = 'due' AND due_ms > ?1`),
    addAttempt: database.prepare(
      'INSERT INTO delivery_attempts SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = ?1)',
    ),
    cutAttempts: database.prepare(`
      DELETE FROM delivery_attempts WHERE delivery_id = ?1 AND rowid NOT IN (
        SELECT rowid FROM delivery_attempts WHERE delivery_id = ?1 ORDER BY rowid DESC LIMIT ${attemptsKept})`),
  }
}

export function createSettling(database: Database, { clock }: { clock: Clock }): Pick<AlertStore, 'settle'> {
  const statements = prepareStatements(database)
  const shareLot = createLots(database)
  const releases = createReleases(database)

  const setHealth = ({ channelId, health, isBack }: Settlement, last: string | null) => {
    const { failures, failingSinceMs, closedUntilMs, isDisabled } = health
    statements.health.run(failures, failingSinceMs, closedUntilMs, Number(isDisabled), last, channelId)
    if (isBack) statements.allDue.run(clock.now(), channelId)
  }

  const settle = (settlement: Settlement) => {
    const { id, channelId, version, state, attempts, dueMs, result, into } = settlement
    const isCurrent = statements.version.get(channelId)?.version === version
    const last = result === null ? null : JSON.stringify(result)
    if (isCurrent || state === 'done' || state === 'superseded') {
      statements.settle.run(state, attempts, dueMs, id)
      if (state === 'due') statements.wait.run(dueMs, channelId, id)
      else shareLot(id, { state, nowMs: clock.now(), into })
      if (state === 'done' || state === 'dead') releases.ofDelivery(id, clock.now())
    } else statements.again.run(clock.now(), id)
    if (isCurrent) setHealth(settlement, last)
    if (last === null) return
    statements.addAttempt.run(id, last)
    statements.cutAttempts.run(id)
  }

  return {
    async settle(settlement) {
      // A loss of power may undo it: then the message is sent again.
      database.write(() => settle(settlement), { durable: false })
    },
  }
}
