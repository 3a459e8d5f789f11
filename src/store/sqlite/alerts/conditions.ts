// The installation's own conditions, and what they are found by.
import type { AttemptResult } from '../../../alert/alert-store.ts'
import type { Condition } from '../../../alert/own/condition.ts'
import type { ConditionStore } from '../../../alert/own/condition-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { json, jsonOrNull, number, numberOrNull, type Row, text } from '../rows.ts'
import { createReleases } from './ends/closings.ts'

export function createConditions(database: Database, { clock }: { clock: Clock }): ConditionStore {
  const releases = createReleases(database)
  const select = database.prepare('SELECT content FROM own_conditions ORDER BY rowid')
  const clear = database.prepare('DELETE FROM own_conditions')
  const insert = database.prepare('INSERT INTO own_conditions VALUES (?, ?)')
  const lastSign = database.prepare('SELECT at_ms FROM sign_of_life')
  const sign = database.prepare(
    'INSERT INTO sign_of_life VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET at_ms = excluded.at_ms',
  )
  const failing = database.prepare(`
    SELECT c.id, c.user_id, c.name, c.last, c.failing_since_ms, u.email,
      (SELECT max(due_ms) FROM deliveries d WHERE d.channel_id = c.id AND d.state = 'dead' AND d.due_ms > ?2) AS dead_ms,
      c.failing_since_ms < ?1 OR c.is_disabled = 1 AS is_failing
    FROM alert_channels c JOIN users u ON u.id = c.user_id
    -- Nobody misses what a channel is not sent that its user has turned off; one that its receiver has ended (410) fails until a user looks at it.
    WHERE c.is_disabled = 0 OR c.failing_since_ms IS NOT NULL ORDER BY c.id`)

  return {
    async conditions() {
      return database.read(() => select.all()).map((row) => json<Condition>(row, 'content'))
    },

    async saveConditions(conditions) {
      database.write(() => {
        clear.run()
        for (const each of conditions) insert.run(each.id, JSON.stringify(each))
        releases.ofConditions(clock.now())
      })
    },

    async lastSignOfLife() {
      const row = database.read(() => lastSign.get())
      return row === undefined ? null : number(row, 'at_ms')
    },

    async signOfLife(atMs) {
      database.write(() => sign.run(atMs), { durable: false })
    },

    async failingChannels({ failingBeforeMs, deadAfterMs }) {
      const rows = database.read(() => failing.all(failingBeforeMs, deadAfterMs))
      return rows.filter(isFailing).map((row) => ({
        ...{ id: text(row, 'id'), userId: text(row, 'user_id'), name: text(row, 'name'), email: text(row, 'email') },
        sinceMs: numberOrNull(row, 'failing_since_ms') ?? number(row, 'dead_ms'),
        text: jsonOrNull<AttemptResult>(row, 'last')?.text ?? '',
      }))
    },
  }
}

/** What was given up counts until something arrives. */
function isFailing(row: Row): boolean {
  if (row.is_failing === 1) return true
  return row.dead_ms !== null && jsonOrNull<AttemptResult>(row, 'last')?.isDone !== true
}
