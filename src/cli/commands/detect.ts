// `floodgauge detect`: what the service would have found in captured exports, as one JSON line an event.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { parseHostRecord } from '../../access/host-record.ts'
import { loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { detectEach } from '../detect/each.ts'
import type { WatchedHost } from '../detect/event-lines.ts'
import { DetectProgress } from '../detect/progress.ts'
import { type DetectRun, detect } from '../detect/run.ts'
import { writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface DetectOptions {
  watch: string
  config?: string
  sampling?: number
  each?: true
  jobs?: number
}

export function registerDetect(program: Command): void {
  program
    .command('detect')
    .description('Run detection over captured exports, in capture time, and print the events')
    .argument('<FILE...>', 'captures (.pcap, .pcap.gz), one stream in this order; - for standard input')
    .requiredOption('--watch <HOSTS>', 'IPv4 addresses and ranges, separated by commas; @FILE: one a line')
    .option('--config <FILE>', 'the configuration, for its `detect` section and `ingest.tunnels`')
    .option('--sampling <N>', 'in place of the sampling rate of every exporter: 1 of N packets', parseSampling)
    .option('--each', 'each FILE is a run of its own, side by side with others; each event says its `file`')
    .option('--jobs <N>', 'runs at a time (with --each); by default one for each processor', parseJobs)
    .action(run)
}

async function run(files: string[], options: DetectOptions): Promise<void> {
  const { each = false, jobs, sampling } = options
  if (jobs !== undefined && !each) throw new UsageError('--jobs is for --each: several FILEs are one stream otherwise')
  if (each && files.includes('-')) throw new UsageError('--each reads files, and not standard input')
  const watched = hostsOf(options.watch).map(parseWatched)
  if (watched.length === 0) throw new UsageError('--watch names no host')
  const { detect: settings, ingest } = loadConfig({ file: options.config, env: process.env })
  const common = { watched, settings, tunnels: ingest.tunnels, sampling, namesFile: each }
  const runs = each ? files.map((file) => ({ ...common, files: [file] })) : [{ ...common, files }]
  const progress = new DetectProgress(
    runs.map((one) => one.files),
    process.stderr.isTTY,
  )
  let events = 0
  const onLine = (line: string) => {
    events++
    return writeLine(line)
  }
  try {
    if (each) await runEach(runs, { jobs: jobs ?? availableParallelism(), progress, onLine })
    else await detect(runs[0], { onLine, onProgress: (reached) => progress.show(0, reached) })
  } finally {
    progress.clear()
  }
  if (events === 0) process.stderr.write('no events\n')
}

interface EachOptions {
  jobs: number
  progress: DetectProgress
  onLine: (line: string) => Promise<void>
}

async function runEach(runs: readonly DetectRun[], { jobs, progress, onLine }: EachOptions): Promise<void> {
  const failed = await detectEach(runs, jobs, {
    onLine,
    onFailure: (failure) => {
      progress.clear()
      process.stderr.write(`floodgauge: ${printable(failure)}\n`)
    },
    onProgress: (at, reached) => progress.show(at, reached),
    onDone: (at) => progress.done(at),
  })
  if (failed > 0) throw new AppError('BAD_CAPTURE', `${failed} of ${runs.length} files could not be read to their end`)
}

function parseJobs(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError('--jobs is a whole number from 1 to 999')
  return Number(text)
}

function parseSampling(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--sampling is a whole number from 1')
  return Number(text)
}

function hostsOf(watch: string): string[] {
  const lines = watch.startsWith('@') ? readLines(watch.slice(1)) : watch.split(',')
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    throw new UsageError(`--watch: ${file} can't be read (${error instanceof Error ? error.message : error})`)
  }
}

function parseWatched(text: string): WatchedHost {
  const parsed = parseHostRecord(text)
  if (!parsed.ok) throw new UsageError(`--watch: ${text}: ${parsed.reason}`)
  if (parsed.kind === 'fqdn' || parsed.kind === 'wildcard') {
    throw new UsageError(
      `--watch: ${text} is a name: where it led at the time of the capture is not known, give its addresses`,
    )
  }
  return parsed
}
