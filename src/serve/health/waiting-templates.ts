// Whether exporters that had been understood still are: a stream without its template is received, and not seen.
import type { Check } from '../../api/http/health.ts'
import type { StreamReport } from '../../collect/health/report.ts'

/** A stream that was not heard for as long waits for nothing. */
const heardWithinMs = 120_000

type Stream = Pick<StreamReport, 'lastMs' | 'counters' | 'waiting' | 'recordsPerSecond'>

interface TemplatesOptions {
  streams: Iterable<Stream>
  nowMs: number
  /** Only exporters that the operator has listed may send. */
  areListed: boolean
}

/**
 * A number, not who: anyone may ask. Where anybody may send, a stranger can make up an exporter that waits for ever: then it is a reason not to be ready only
 * when nobody's records are understood.
 */
export function checkTemplates({ streams, nowMs, areListed }: TemplatesOptions): Check {
  let waiting = 0
  let understood = 0
  for (const stream of streams) {
    if (nowMs - stream.lastMs > heardWithinMs || stream.counters.records === 0) continue
    // Its rate is of the last one to two minutes.
    if (stream.waiting.length > 0 && stream.recordsPerSecond === 0) waiting++
    else understood++
  }
  if (waiting === 0) return { ok: true, detail: 'no exporter that was understood waits for one' }
  const detail = `${waiting} ${waiting === 1 ? 'stream' : 'streams'} of exporters had records, and now wait for their templates`
  return { ok: !areListed && understood > 0, detail, isWarning: true }
}
