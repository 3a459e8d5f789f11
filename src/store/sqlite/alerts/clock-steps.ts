// Times of what waits, when the machine's clock was set: they move with it, and those that lie further ahead than anything of their kind become now.
import type { AlertStore } from '../../../alert/alert-store.ts'
import { type Delay, longestMs, wallTimes } from '../../../alert/delays.ts'
import { heldByEnd, heldByGroup } from '../../../alert/rules/hold.ts'
import type { Database } from '../database.ts'

const isWaiting = `state IN ('due', 'sending')`
const isCarried = `carrier IS NOT NULL AND state = 'joined'`
const isGathered = `held_by IN ('${heldByGroup}', '${heldByEnd}')`

/** THE table: where each is. `isWaiting` stands beside a narrower condition where it lets SQLite take the index that is limited to these states. */
const places: readonly { delay: Delay; table: string; column: string; where: string }[] = [
  { delay: 'attempt', table: 'deliveries', column: 'due_ms', where: `${isWaiting} AND state = 'due'` },
  { delay: 'lease', table: 'deliveries', column: 'due_ms', where: `${isWaiting} AND state = 'sending'` },
  { delay: 'since', table: 'deliveries', column: 'created_ms', where: isWaiting },
  { delay: 'since', table: 'deliveries', column: 'created_ms', where: isCarried },
  { delay: 'since', table: 'deliveries', column: 'created_ms', where: `state = 'held'` },
  { delay: 'silence', table: 'deliveries', column: 'due_ms', where: `state = 'held' AND NOT ${isGathered}` },
  { delay: 'gathering', table: 'deliveries', column: 'due_ms', where: `state = 'held' AND ${isGathered}` },
  { delay: 'probe', table: 'alert_channels', column: 'closed_until_ms', where: 'closed_until_ms > 0' },
  { delay: 'since', table: 'alert_channels', column: 'failing_since_ms', where: 'true' },
  { delay: 'secret', table: 'alert_channels', column: 'old_secret_until_ms', where: 'true' },
  { delay: 'since', table: 'alert_threads', column: 'told_ms', where: 'true' },
  { delay: 'since', table: 'mail_addresses', column: 'asked_ms', where: 'true' },
  { delay: 'since', table: 'mail_askings', column: 'asked_ms', where: 'true' },
  { delay: 'since', table: 'mail_deferrals', column: 'since_ms', where: 'true' },
  { delay: 'probe', table: 'alert_closings', column: 'due_ms', where: 'true' },
  { delay: 'since', table: 'alert_closings', column: 'created_ms', where: 'true' },
  { delay: 'reminder', table: 'alert_reminders', column: 'due_ms', where: 'true' },
  { delay: 'escalation', table: 'alert_escalations', column: 'due_ms', where: `state <> 'done'` },
]

/** ?1: now, ?2: the step. */
const moved: Readonly<Record<'back' | 'forward', (column: string, delayMs: number) => string>> = {
  // What lies behind now is due, or old, all the same; it may have been written since the step.
  back: (column) => `${column} > ?1`,
  // What was planned before the step lies no further ahead of the time that it was then.
  forward: (column, delayMs) => `${column} <= ?1 - ?2 + ${delayMs}`,
}

export function createClockSteps(database: Database): Pick<AlertStore, 'followClock'> {
  const hasten = places.map(({ delay, table, column, where }) => ({
    delay,
    update: database.prepare(
      `UPDATE ${table} SET ${column} = ?1 WHERE ${where} AND ${column} > ?1 + ${longestMs[delay]}`,
    ),
  }))
  const durations = places.filter(({ delay }) => !wallTimes.has(delay))
  const moving = (way: keyof typeof moved) =>
    durations.map(({ delay, table, column, where }) =>
      database.prepare(
        `UPDATE ${table} SET ${column} = ${column} + ?2 WHERE ${where} AND ${moved[way](column, longestMs[delay])}`,
      ),
    )
  const moves = { back: moving('back'), forward: moving('forward') }

  return {
    async followClock({ nowMs, stepMs }) {
      const counts: Partial<Record<Delay, number>> = {}
      database.write(() => {
        if (stepMs !== 0) for (const update of moves[stepMs < 0 ? 'back' : 'forward']) update.run(nowMs, stepMs)
        for (const { delay, update } of hasten) counts[delay] = (counts[delay] ?? 0) + Number(update.run(nowMs).changes)
      })
      return counts
    },
  }
}
