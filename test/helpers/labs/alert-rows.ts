// The store of a service that tells attacks, looked at and made older by tests while others write it.
import { DatabaseSync } from 'node:sqlite'
import { storeFileOf } from '../../../src/store/data-directory.ts'

export type Row = Record<string, unknown>

export function read(directory: string, sql: string): Row[] {
  const database = new DatabaseSync(storeFileOf(directory), { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

export function count(directory: string, what: string): number {
  return Number(read(directory, `SELECT count(*) AS count FROM ${what}`)[0].count)
}

export function countByState(directory: string): Record<string, number> {
  const rows = read(directory, 'SELECT state, count(*) AS count FROM deliveries GROUP BY state ORDER BY state')
  return Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]))
}

/** As if what waits, is held back or was under way had waited long enough, and what was sent had been sent in another hour. */
export function passTime(directory: string): void {
  const database = new DatabaseSync(storeFileOf(directory), { timeout: 5_000 })
  database.exec(`
    UPDATE deliveries SET due_ms = 0 WHERE state IN ('due', 'held', 'sending');
    UPDATE deliveries SET created_ms = created_ms - 3600000 WHERE state NOT IN ('due', 'held', 'sending');
    UPDATE alert_threads SET told_ms = 0;
    UPDATE alert_channels SET closed_until_ms = 0`)
  database.close()
}
