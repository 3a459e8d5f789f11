// Who may send flows, and what happened to exporters.
import type { NoticeKind } from '../../collect/health/notice.ts'
import type { ExporterAdmission, ExporterNotices } from '../exporters.ts'
import type { Database } from './database.ts'
import { json, jsonOrNull, number, text, textOrNull } from './rows.ts'

export function createExporterAdmission(database: Database): ExporterAdmission & ExporterNotices {
  const select = database.prepare('SELECT entries, previous, changed_ms, changed_by FROM exporter_admission')
  const save = database.prepare(`
    INSERT INTO exporter_admission (id, entries, changed_ms, changed_by) VALUES (1, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      previous = entries, entries = excluded.entries, changed_ms = excluded.changed_ms, changed_by = excluded.changed_by`)
  const selectNotices = database.prepare('SELECT * FROM exporter_notices ORDER BY last_ms, kind, address')
  const deleteNotices = database.prepare('DELETE FROM exporter_notices')
  const saveNotice = database.prepare(
    'INSERT INTO exporter_notices (kind, address, first_ms, last_ms, count, text) VALUES (?, ?, ?, ?, ?, ?)',
  )

  return {
    async exporterAdmission() {
      const row = database.read(() => select.get())
      if (row === undefined) return null
      return {
        entries: json<string[]>(row, 'entries'),
        previous: jsonOrNull<string[]>(row, 'previous'),
        changedMs: number(row, 'changed_ms'),
        changedBy: textOrNull(row, 'changed_by'),
      }
    },

    async setExporterAdmission({ entries, changedMs, changedBy }) {
      database.write(() => save.run(JSON.stringify(entries), changedMs, changedBy))
    },

    async loadExporterNotices() {
      return database
        .read(() => selectNotices.all())
        .map((row) => ({
          kind: text(row, 'kind') as NoticeKind,
          address: text(row, 'address'),
          firstMs: number(row, 'first_ms'),
          lastMs: number(row, 'last_ms'),
          count: number(row, 'count'),
          text: text(row, 'text'),
        }))
    },

    async saveExporterNotices(notices) {
      database.write(
        () => {
          deleteNotices.run()
          for (const { kind, address, firstMs, lastMs, count, text } of notices)
            saveNotice.run(kind, address, Math.floor(firstMs), Math.floor(lastMs), count, text)
        },
        { durable: false },
      )
    },
  }
}
