// What the service knows of exporters, as one: what happened to them, how they do, and who may be one.
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import type { Components } from '../components.ts'
import { admissionMetrics, ExporterAdmission } from './admission.ts'
import { ExporterBook } from './book.ts'
import { exporterMetrics } from './metrics.ts'
import { ExporterNotices, noticeMetrics } from './notices.ts'

export interface Exporters {
  notices: ExporterNotices
  exporters: ExporterBook
  admission: ExporterAdmission
}

/** `configured`: `ingest.exporters`. */
export async function startExporters(
  parts: Components,
  { configured, ...base }: { configured: readonly string[]; store: Store; clock: Clock; log: Logger },
): Promise<Exporters> {
  const notices = await parts.start(new ExporterNotices(base), noticeMetrics)
  const exporters = await parts.start(new ExporterBook({ ...base, notices }), exporterMetrics)
  const admission = await parts.start(new ExporterAdmission({ ...base, configured, exporters }), admissionMetrics)
  return { notices, exporters, admission }
}
