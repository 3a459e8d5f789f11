// `floodgauge decode`: prints the flow records of a capture, one JSON line each, as their exporters sent them; or what its exporters do well and badly.
import { type Command, Option } from 'commander'
import { readCapture } from '../../collect/capture/reader.ts'
import { Decoder } from '../../decode/decoder.ts'
import type { StreamTable } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import { recordAt } from '../../flow/record.ts'
import { printSummary } from '../detect/summary.ts'
import { writeText } from '../text/output.ts'
import { Progress } from '../text/progress.ts'
import { UsageError } from '../usage.ts'

export function registerDecode(program: Command): void {
  program
    .command('decode')
    .description('Print the flow records of a capture as JSON lines, as exported')
    .argument('<file>', 'capture of NetFlow, IPFIX or sFlow: pcap or pcapng, also gzipped; - is standard input')
    .option('--reverse', 'print the way back of a record of two directions (RFC 5103) as well, as a line of its own')
    .option('--inner', 'print the inner packet where a sampled one carries another through a tunnel')
    .option('--late', 'print records that came before their template as well, once it has come')
    .addOption(
      new Option(
        '--summary',
        'print instead what each exporter sends and how, and what should be changed in it',
      ).conflicts(['reverse', 'inner', 'late']),
    )
    .option('--json', 'print the summary as JSON, one object')
    .action(run)
}

/** Characters that are written at once. */
const chunkLength = 1 << 16

interface Options {
  reverse?: boolean
  inner?: boolean
  late?: boolean
  summary?: boolean
  json?: boolean
}

async function run(file: string, { summary = false, json = false, ...options }: Options) {
  if (json && !summary) throw new UsageError('--json is for --summary: records are printed as JSON in any case')
  if (summary) await printSummary(file, { json })
  else await decode(file, options)
}

async function decode(file: string, { reverse = false, inner = false, late = false }: Options): Promise<void> {
  let text = ''
  const decoder = new Decoder({
    exportedTimes: true,
    wayBack: reverse,
    tunnels: inner ? 'inner' : 'outer',
    ...(late ? {} : { waitingBytesMax: 0 }),
    sink: (batch) => {
      text += linesOf(batch, decoder.streams)
    },
  })
  const capture = readCapture(file)
  const progress = new Progress(file, capture)
  for await (const { payload, address, port, timeMs } of capture) {
    decoder.decode(payload, { address, port, receivedMs: timeMs })
    decoder.flush()
    if (text.length > chunkLength) {
      const whole = text
      text = ''
      progress.show()
      await writeText(whole)
    }
  }
  progress.end()
  await writeText(text)
}

function linesOf(batch: Batch, streams: StreamTable): string {
  let lines = ''
  for (let row = 0; row < batch.rows; row++) {
    const stream = streams.list[batch.columns.exporter[row]]
    const { protocol, ...record } = recordAt(batch, row)
    const line = { protocol, exporter: stream?.address ?? null, domain: stream?.domain ?? null, ...record }
    lines += `${JSON.stringify(line)}\n`
  }
  return lines
}
