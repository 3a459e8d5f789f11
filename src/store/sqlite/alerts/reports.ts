// When rules report, and which attacks a report is about, in SQLite.
import type { ReportState, ReportStore } from '../../../alert/reports/report-store.ts'
import type { Database } from '../database.ts'
import { isSameAttack, standingOrder } from '../events/whole-attacks.ts'
import { json, number, text } from '../rows.ts'
import { ruleFrom } from './rules.ts'

export function createReports(database: Database): ReportStore {
  const rules = database.prepare(`
    SELECT r.* FROM alert_rules r JOIN users u ON u.id = r.user_id
    WHERE json_extract(r.content, '$.report') IS NOT NULL AND (r.is_of_installation = 0 OR u.role = 'admin') ORDER BY r.id`)
  const select = database.prepare('SELECT content FROM alert_reports ORDER BY rule_id')
  const clear = database.prepare('DELETE FROM alert_reports')
  const insert = database.prepare(
    'INSERT INTO alert_reports SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM alert_rules WHERE id = ?1)',
  )
  // ?1: a user; null: anybody, where the first event of an attack stands for it.
  const users = 'e.user_id IN (SELECT id FROM users WHERE ?1 IS NULL OR id = ?1) AND e.is_test = 0'
  const isFirst = `(?1 IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM events o WHERE ${isSameAttack('o', 'e')} AND (${standingOrder('o')}) < (${standingOrder('e')})))`
  const attacks = database.prepare(`
    SELECT id, count(*) OVER () AS attacks FROM (
      SELECT e.id, e.worst FROM events e WHERE ${users} AND e.created_ms >= ?2 AND e.created_ms < ?3 AND ${isFirst}
      UNION ALL
      SELECT e.id, e.worst FROM events e WHERE ${users} AND e.end_ms IS NULL AND e.created_ms < ?2 AND ${isFirst})
    ORDER BY coalesce(json_extract(worst, '$.bytesPerSecond'), 0) DESC, id LIMIT ?4`)

  return {
    async reportingRules() {
      return database.read(() => rules.all()).map(ruleFrom)
    },

    async reports() {
      return database.read(() => select.all()).map((row) => json<ReportState>(row, 'content'))
    },

    async saveReports(states) {
      database.write(() => {
        clear.run()
        for (const each of states) insert.run(each.ruleId, JSON.stringify(each))
      })
    },

    async attacksBetween({ userId, fromMs, untilMs, limit }) {
      const rows = database.read(() => attacks.all(userId, fromMs, untilMs, limit))
      const count = rows.length === 0 ? 0 : number(rows[0], 'attacks')
      return { count, heaviest: rows.map((row) => text(row, 'id')) }
    },
  }
}
