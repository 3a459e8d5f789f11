// Exporters: the last known state of each of their streams.
import { reportForm, restoredReport, type SavedReport, savedReport } from '../../collect/health/report.ts'
import type { StreamReports } from '../exporters.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { json } from './rows.ts'

export function createExporters(database: Database): StreamReports {
  const saveReport = database.prepare(`
    INSERT INTO exporter_streams (address, protocol, port, domain, form, report) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (address, protocol, port, domain) DO UPDATE SET form = excluded.form, report = excluded.report`)
  const selectReports = database.prepare(`
    SELECT report FROM exporter_streams WHERE form = ? ORDER BY address, protocol, port, domain`)
  const deleteReport = database.prepare(
    'DELETE FROM exporter_streams WHERE address = ? AND protocol = ? AND port = ? AND domain = ?',
  )

  return {
    async saveStreamReports(reports) {
      await inChunks(reports, (chunk) =>
        database.write(
          () => {
            for (const report of chunk) {
              const { address, protocol, port, domain } = report
              saveReport.run(address, protocol, port, domain, reportForm, JSON.stringify(savedReport(report)))
            }
          },
          { durable: false },
        ),
      )
    },

    async loadStreamReports() {
      return database
        .read(() => selectReports.all(reportForm))
        .map((row) => restoredReport(json<SavedReport>(row, 'report')))
    },

    async deleteStreamReports(names) {
      await inChunks(names, (chunk) =>
        database.write(
          () => {
            for (const { address, protocol, port, domain } of chunk) deleteReport.run(address, protocol, port, domain)
          },
          { durable: false },
        ),
      )
    },
  }
}
