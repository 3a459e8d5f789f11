// Looks through a capture for the health of its exporters: the same watch that the service has over its own.
import { presentExporterDetail } from '../../api/exporters/present.ts'
import { readCapture } from '../../collect/capture/reader.ts'
import { exportersOf } from '../../collect/health/exporter.ts'
import { notExportsOf } from '../../collect/health/reception.ts'
import { StreamWatches } from '../../collect/health/stream-watches.ts'
import { Decoder } from '../../decode/decoder.ts'
import { writeLine } from '../text/output.ts'
import { Progress } from '../text/progress.ts'
import { type CaptureFacts, renderSummary } from '../text/summary.ts'

const lookEveryMs = 1_000

export async function printSummary(file: string, { json = false }: { json?: boolean }): Promise<void> {
  const decoder = new Decoder({ exportedTimes: true, sink: (batch) => watches.sample(batch) })
  const watches = new StreamWatches({
    streams: decoder.streams,
    recordsPerBatch: Number.POSITIVE_INFINITY,
    rateMs: Number.POSITIVE_INFINITY,
    recentMs: Number.POSITIVE_INFINITY,
    recordsMs: Number.POSITIVE_INFINITY,
    exportedTimes: true,
  })
  const capture = readCapture(file)
  const progress = new Progress(file, capture)
  let [fromMs, toMs]: (number | null)[] = [null, null]
  let lookedMs = Number.NEGATIVE_INFINITY
  let streams = 0
  for await (const { payload, address, port, timeMs } of capture) {
    decoder.decode(payload, { address, port, receivedMs: timeMs })
    decoder.flush()
    fromMs = Math.min(fromMs ?? timeMs, timeMs)
    toMs = Math.max(toMs ?? timeMs, timeMs)
    // A new stream is looked at at once, so that it is known when it began.
    if (toMs - lookedMs >= lookEveryMs || decoder.streams.size !== streams) {
      watches.look(toMs)
      lookedMs = toMs
      streams = decoder.streams.size
      progress.show()
    }
  }
  progress.end()
  const nowMs = toMs ?? 0
  watches.look(nowMs)
  const exporters = exportersOf(watches.reports(nowMs), nowMs)
  const facts: CaptureFacts = {
    file: file === '-' ? 'standard input' : file,
    fromMs,
    toMs,
    datagrams: decoder.counters.datagrams,
    framesSkipped: capture.skipped,
    notExports: notExportsOf(decoder.counters),
  }
  if (json) await writeLine(JSON.stringify({ capture: facts, exporters: exporters.map(presentExporterDetail) }))
  else await writeLine(renderSummary(facts, exporters))
}
