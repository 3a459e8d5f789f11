// The steps that rules take where nobody acknowledges an attack, in SQLite.
import type { Escalation, EscalationChanges, EscalationStore } from '../../../alert/escalation/escalation-store.ts'
import type { Database } from '../database.ts'
import { isSameAttack } from '../events/whole-attacks.ts'
import { number, numberOrNull, text } from '../rows.ts'
import { eventOfThread } from './delivery-rows.ts'

export function createEscalations(database: Database): EscalationStore {
  // An event may have been told with others: taking note of the first of them counts. Others may tell it under names of their own.
  const due = database.prepare(`
    SELECT x.event_id, x.rule_id, x.step, x.after_minutes, x.due_ms, EXISTS (
      SELECT 1 FROM event_notes a WHERE a.acknowledged_ms IS NOT NULL AND a.event_id IN (
        SELECT x.event_id UNION ALL
        SELECT ${eventOfThread('d.thread')} FROM deliveries d
        WHERE d.event_id = x.event_id AND d.user_id = r.user_id AND d.state NOT IN ('held', 'superseded'))) AS is_acknowledged
    FROM alert_escalations x JOIN alert_rules r ON r.id = x.rule_id
    WHERE x.state = 'waiting' AND x.due_ms <= ? ORDER BY x.due_ms LIMIT ?`)
  return {
    async dueEscalations({ nowMs, limit }) {
      const rows = database.read(() => due.all(nowMs, limit))
      return rows.map((row) => ({
        eventId: text(row, 'event_id'),
        ruleId: text(row, 'rule_id'),
        step: number(row, 'step'),
        afterMinutes: numberOrNull(row, 'after_minutes'),
        dueMs: number(row, 'due_ms'),
        isAcknowledged: number(row, 'is_acknowledged') === 1,
      }))
    },
  }
}

interface EscalationWriter {
  areAsTheyWere(changes: EscalationChanges): boolean
  write(changes: EscalationChanges): void
  /** Steps of an event that is over rest; those of one that goes on wait. */
  follow(eventId: string, isOver: boolean): void
}

/** Within the transaction that writes what is told. */
export function createEscalationWriter(database: Database): EscalationWriter {
  const begin = database.prepare(`
    INSERT OR IGNORE INTO alert_escalations (event_id, rule_id, step, due_ms, after_minutes, state) SELECT ?1, ?2, ?3, ?4, ?5, 'waiting'
    WHERE EXISTS (SELECT 1 FROM events WHERE id = ?1) AND EXISTS (SELECT 1 FROM alert_rules WHERE id = ?2)
      -- A rule of the installation does so once for an attack, whoever comes to it later.
      AND NOT EXISTS (
        SELECT 1 FROM alert_rules r CROSS JOIN events e CROSS JOIN events o CROSS JOIN alert_escalations x
        WHERE r.id = ?2 AND r.is_of_installation = 1 AND e.id = ?1 AND ${isSameAttack('o', 'e')} AND o.id <> e.id
          AND x.event_id = o.id AND x.rule_id = r.id)`)
  const isWaiting = database.prepare(
    `SELECT 1 FROM alert_escalations WHERE event_id = ? AND rule_id = ? AND step = ? AND state = 'waiting'`,
  )
  const setState = database.prepare(
    'UPDATE alert_escalations SET state = ? WHERE event_id = ? AND rule_id = ? AND step = ?',
  )
  const setStates = database.prepare('UPDATE alert_escalations SET state = ? WHERE event_id = ? AND state = ?')
  const settle = (state: 'done' | 'resting', all: readonly Escalation[]) => {
    for (const { eventId, ruleId, step } of all) setState.run(state, eventId, ruleId, step)
  }
  return {
    areAsTheyWere: ({ done, resting }) =>
      [...done, ...resting].every(({ eventId, ruleId, step }) => isWaiting.get(eventId, ruleId, step) !== undefined),
    write({ begun, done, resting }) {
      for (const { eventId, ruleId, step, dueMs, afterMinutes } of begun)
        begin.run(eventId, ruleId, step, dueMs, afterMinutes)
      settle('done', done)
      settle('resting', resting)
    },
    follow(eventId, isOver) {
      const [from, to] = isOver ? ['waiting', 'resting'] : ['resting', 'waiting']
      setStates.run(to, eventId, from)
    },
  }
}
