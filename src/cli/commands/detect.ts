// `floodgauge detect`: what the service would have found in captured exports, as one JSON line an event.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { presentEvent, presentEventDetail } from '../../api/present.ts'
import { loadConfig } from '../../config.ts'
import { formatTime } from '../../contract/time.ts'
import type { IncidentReport } from '../../detect/incident-report.ts'
import { formatIpv4 } from '../../net/ipv4.ts'
import { mergeRanges } from '../../net/prefix.ts'
import { eventFrom, eventId, listableAt } from '../../serve/event.ts'
import type { EventDetail } from '../../store/store.ts'
import { type HostRecord, parseHostRecord } from '../../targets/site.ts'
import { backtest } from '../backtest.ts'
import { writeLine } from '../output.ts'
import { UsageError } from '../usage.ts'

interface DetectOptions {
  watch: string
  config?: string
  sampling?: number
}

type Watched = Extract<HostRecord, { first: number }>

export function registerDetect(program: Command): void {
  program
    .command('detect')
    .description('Run detection over captured exports, in capture time, and print the events')
    .argument('<FILE...>', 'captures (.pcap, .pcap.gz), in order; - for standard input')
    .requiredOption('--watch <HOSTS>', 'IPv4 addresses and ranges, separated by commas; @FILE: one a line')
    .option('--config <FILE>', 'the configuration, for its `detect` section and `ingest.tunnels`')
    .option('--sampling <N>', 'in place of the sampling rate of every exporter: 1 of N packets', parseSampling)
    .action(run)
}

async function run(files: string[], options: DetectOptions): Promise<void> {
  const watched = hostsOf(options.watch).map(parseWatched)
  if (watched.length === 0) throw new UsageError('--watch names no host')
  const events = new EventLines(watched)
  const progress = createProgress()
  const { detect, ingest } = loadConfig({ file: options.config, env: process.env })
  await backtest({
    files,
    watched: mergeRanges(watched.map(({ first, last }) => [first, last])),
    settings: detect,
    tunnels: ingest.tunnels,
    sampling: options.sampling,
    onReports: (reports, atMs) => events.take(reports, atMs),
    onSecond: progress.show,
  })
  progress.clear()
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

function parseWatched(text: string): Watched {
  const parsed = parseHostRecord(text)
  if (!parsed.ok) throw new UsageError(`--watch: ${text}: ${parsed.reason}`)
  if (parsed.kind === 'fqdn' || parsed.kind === 'wildcard') {
    throw new UsageError(
      `--watch: ${text} is a name: where it led at the time of the capture is not known, give its addresses`,
    )
  }
  return parsed
}

/** Events in the order in which they became listable, each printed in its final form once those before it are over too. */
class EventLines {
  readonly #watched: Watched[]
  readonly #waiting: { event: EventDetail; over: boolean }[] = []

  constructor(watched: Watched[]) {
    // Of several hosts that hold an address, the smallest is its site.
    this.#watched = watched.toSorted((a, b) => a.last - a.first - (b.last - b.first))
  }

  async take(reports: IncidentReport[], atMs: number): Promise<void> {
    for (const report of reports) {
      const known = this.#waiting.find(({ event }) => event.incident === report.incident)
      const createdMs = known?.event.createdMs ?? listableAt(atMs)
      const over = report.phase === 'closed'
      const event = this.#eventFrom(report, createdMs)
      if (known === undefined) this.#waiting.push({ event, over })
      else Object.assign(known, { event, over })
    }
    for (let first = this.#waiting[0]; first?.over; first = this.#waiting[0]) {
      await writeLine(lineOf(first.event))
      this.#waiting.shift()
    }
  }

  #eventFrom(report: IncidentReport, createdMs: number): EventDetail {
    const site = this.#watched.find(({ first, last }) => report.address >= first && report.address <= last)
    const match = {
      userId: '',
      address: report.address,
      site: site?.host ?? formatIpv4(report.address),
      domain: '',
      dns: [],
    }
    const entropy = createHash('sha256').update(report.incident).digest()
    return eventFrom(report, match, { id: eventId(createdMs, entropy), createdMs })
  }
}

/** The interface's detail form, and what the interface leaves to /api/v1. */
function lineOf(event: EventDetail): string {
  const { startMs, endMs, peak, why } = event
  const { atMs, ...rates } = peak
  return JSON.stringify({
    ...presentEvent(event),
    ...presentEventDetail(event),
    start: formatTime(startMs),
    end: endMs === null ? null : formatTime(endMs),
    peak: { ...rates, at: formatTime(atMs) },
    why,
  })
}

/** On a terminal, a line on standard error that says how far it is. */
function createProgress() {
  const { stderr } = process
  let seconds = 0
  return {
    show: ({ nowMs, datagrams }: { nowMs: number; datagrams: number }) => {
      if (stderr.isTTY && seconds++ % 60 === 0) stderr.write(`\r${formatTime(nowMs)}  ${datagrams} datagrams \u001b[K`)
    },
    clear: () => {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}
