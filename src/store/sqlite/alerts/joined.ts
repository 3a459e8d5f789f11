// What is told with another message: how the receiver reads it, and what becomes of it.
import type { DeliveryState } from '../../../alert/alert-store.ts'
import { heaviestMax, type OtherAttack, type OtherAttacks } from '../../../alert/bundles/others.ts'
import { heldByEnd } from '../../../alert/rules/hold.ts'
import { type Severity, severities, severityRank } from '../../../events/severity.ts'
import { formatKey } from '../../../net/address.ts'
import type { Database } from '../database.ts'
import { number, type Row, text } from '../rows.ts'
import { isAwaited } from './delivery-rows.ts'

/** Null: nothing is told with it. */
export function createOthers(database: Database): (carrier: number, eventId: string) => OtherAttacks | null {
  const select = database.prepare(`
    SELECT json_extract(n.facts, '$.severity') AS severity, e.site, e.address, e.end_ms IS NOT NULL AS is_over,
      coalesce(json_extract(e.worst, '$.bytesPerSecond'), 0) AS weight, max(d.number)
    FROM deliveries d JOIN notices n ON n.sequence = d.notice JOIN events e ON e.id = d.event_id JOIN users u ON u.id = d.user_id
    -- Attacks on others are an admin's to see, as long as the user is one.
    WHERE d.carrier = ? AND d.event_id <> ? AND (e.user_id = u.id OR u.role = 'admin') GROUP BY d.event_id`)
  return (carrier, eventId) => {
    const attacks = select.all(carrier, eventId).map(attackFrom)
    if (attacks.length === 0) return null
    const bySeverity: Partial<Record<Severity, number>> = {}
    for (const { severity } of attacks) bySeverity[severity] = (bySeverity[severity] ?? 0) + 1
    const over = attacks.filter(({ isOver }) => isOver).length
    return { count: attacks.length, over, bySeverity, heaviest: attacks.sort(heavier).slice(0, heaviestMax) }
  }
}

function heavier(a: OtherAttack, b: OtherAttack): number {
  return severityRank(b.severity) - severityRank(a.severity) || b.bytesPerSecond - a.bytesPerSecond
}

function attackFrom(row: Row): OtherAttack {
  return {
    site: text(row, 'site'),
    address: formatKey(number(row, 'address')),
    severity: severityFrom(row),
    bytesPerSecond: number(row, 'weight'),
    isOver: number(row, 'is_over') === 1,
  }
}

/** A word of a newer version is worse than what this one knows. */
export function severityFrom(row: Row): Severity {
  const word = text(row, 'severity')
  return severities.find((each) => each === word) ?? 'critical'
}

/** Within a transaction: what a message carries gets the state that it has got, or is carried by the later message `into`, as it is itself. */
export function createLots(
  database: Database,
): (id: number, given: { state: DeliveryState; nowMs: number; into: number | undefined }) => void {
  const follow = database.prepare(
    `UPDATE deliveries SET state = ?1, due_ms = ?2 WHERE carrier = ?3 AND state = 'joined'`,
  )
  // Nothing is said of the carrier's event any more: what it carried are messages of their own.
  const part = database.prepare(
    `UPDATE deliveries SET state = 'due', due_ms = ?1, carrier = NULL WHERE carrier = ?2 AND state = 'joined'`,
  )
  // An end that somebody waits for is not given up with the beginning that carries it: it is gathered again.
  const waitOn = database.prepare(`
    UPDATE deliveries AS d SET state = 'held', held_by = '${heldByEnd}', due_ms = ?1, carrier = NULL
    WHERE d.carrier = ?2 AND d.state = 'joined' AND d.bundle IS NOT NULL AND ${isAwaited} AND NOT EXISTS (
      SELECT 1 FROM deliveries c JOIN notices n ON n.sequence = c.notice WHERE c.id = ?2 AND n.kind = 'ended')`)
  // What says less than the later message about the same event is not needed.
  const merge = database.prepare(`
    UPDATE deliveries SET carrier = ?1, state = CASE
      WHEN event_id IN (SELECT x.event_id FROM deliveries x WHERE x.id = ?1 OR (x.carrier = ?1 AND x.state = 'joined' AND x.number > deliveries.number))
      THEN 'superseded' ELSE 'joined' END
    WHERE (id = ?2 AND state = 'superseded') OR (carrier = ?2 AND state = 'joined')`)
  return (id, { state, nowMs, into }) => {
    if (into !== undefined) merge.run(into, id)
    else if (state === 'superseded') part.run(nowMs, id)
    else {
      if (state === 'dead') waitOn.run(nowMs, id)
      follow.run(state, nowMs, id)
    }
  }
}
