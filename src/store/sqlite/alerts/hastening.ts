// Times that were planned by a clock that was wrong: they lie further ahead than anything of their kind, and become now.
import type { AlertStore } from '../../../alert/alert-store.ts'
import { type Delay, longestMs } from '../../../alert/delays.ts'
import { heldByEnd, heldByGroup } from '../../../alert/rules/hold.ts'
import type { Database } from '../database.ts'

const isWaiting = `state IN ('due', 'sending')`
const isGathered = `held_by IN ('${heldByGroup}', '${heldByEnd}')`

/** THE table: where each is. */
const places: readonly { delay: Delay; table: string; column: string; where: string }[] = [
  { delay: 'attempt', table: 'deliveries', column: 'due_ms', where: `${isWaiting} AND state = 'due'` },
  { delay: 'lease', table: 'deliveries', column: 'due_ms', where: `${isWaiting} AND state = 'sending'` },
  { delay: 'since', table: 'deliveries', column: 'created_ms', where: isWaiting },
  { delay: 'silence', table: 'deliveries', column: 'due_ms', where: `state = 'held' AND NOT ${isGathered}` },
  { delay: 'gathering', table: 'deliveries', column: 'due_ms', where: `state = 'held' AND ${isGathered}` },
  { delay: 'probe', table: 'alert_channels', column: 'closed_until_ms', where: 'true' },
  { delay: 'since', table: 'alert_channels', column: 'failing_since_ms', where: 'true' },
  { delay: 'secret', table: 'alert_channels', column: 'old_secret_until_ms', where: 'true' },
  { delay: 'since', table: 'alert_threads', column: 'told_ms', where: 'true' },
  { delay: 'since', table: 'mail_addresses', column: 'asked_ms', where: 'true' },
  { delay: 'since', table: 'mail_askings', column: 'asked_ms', where: 'true' },
  { delay: 'probe', table: 'alert_closings', column: 'due_ms', where: 'true' },
  { delay: 'since', table: 'alert_closings', column: 'created_ms', where: 'true' },
  { delay: 'reminder', table: 'alert_reminders', column: 'due_ms', where: 'true' },
  { delay: 'escalation', table: 'alert_escalations', column: 'due_ms', where: `state <> 'done'` },
]

export function createHastening(database: Database): Pick<AlertStore, 'hasten'> {
  const updates = places.map(({ delay, table, column, where }) => ({
    delay,
    update: database.prepare(`UPDATE ${table} SET ${column} = ?1 WHERE ${where} AND ${column} > ?1 + ?2`),
  }))
  return {
    async hasten(nowMs) {
      const counts: Partial<Record<Delay, number>> = {}
      database.write(() => {
        for (const { delay, update } of updates)
          counts[delay] = (counts[delay] ?? 0) + Number(update.run(nowMs, longestMs[delay]).changes)
      })
      return counts
    },
  }
}
