// What is kept so that a past moment can be explained: traces, and how well each minute was seen.
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import type { Store } from '../../store/store.ts'
import type { Components } from '../components.ts'
import type { ExporterBook } from '../exporters/book.ts'
import { SightLog, sightMetrics } from './sight-log.ts'

/** Notes how well each minute is seen. */
export function startSights(
  { parts, store, clock, log }: { parts: Components; store: Store; clock: Clock; log: Logger },
  { exporters, pipeline }: { exporters: ExporterBook; pipeline: Pick<Pipeline, 'tracesRefused' | 'behindMs'> },
): Promise<SightLog> {
  const own = () => ({
    socketDrops: exporters.reception().socketDrops,
    tracesRefused: pipeline.tracesRefused,
    behindMs: pipeline.behindMs,
  })
  return parts.start(new SightLog({ store, clock, log, reports: () => exporters.reports(), own }), sightMetrics)
}
