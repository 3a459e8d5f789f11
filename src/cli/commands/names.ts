// `floodgauge names ...`: tells a running service where names led, from passive DNS or a zone file, and asks it.
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { type Command, Option } from 'commander'
import type { NamesImport, PassiveDnsRecord } from '../../../client/index.ts'
import { importBytesMax } from '../../contract/limits.ts'
import { AppError } from '../../errors.ts'
import { zoneLines } from '../../names/passive-dns/zone-lines.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { isoTime } from '../data.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface ImportOptions extends RemoteOptions {
  format?: 'cof' | 'zone'
  origin?: string
}

const errorsShown = 10

export function registerNames(program: Command): void {
  const names = program.command('names').description('Tell where names led, and ask for it')
  withRemote(names.command('import').description('Import passive DNS (Common Output Format) or a zone file'))
    .argument('<FILE>', 'plain or gzipped; - is standard input')
    .addOption(
      new Option('--format <FORMAT>', 'what the file is; without it that is recognised').choices(['cof', 'zone']),
    )
    .option('--origin <ZONE>', 'of a zone file: the zone, where the file does not say it by $ORIGIN')
    .action(importFile)
  withRemote(names.command('query').description('Show where a name led, or what led to an address'))
    .argument('<QUESTION>', 'a domain name or an IPv4 address')
    .action(query)
}

const columns: Column<PassiveDnsRecord>[] = [
  { title: 'NAME', width: 30, text: ({ rrname }) => rrname },
  { title: 'TYPE', width: 5, text: ({ rrtype }) => rrtype },
  { title: 'LEADS TO', width: 30, text: ({ rdata }) => rdata },
  { title: 'FIRST (UTC)', width: 19, text: ({ time_first: seconds }) => formatSeconds(seconds) },
  { title: 'LAST (UTC)', width: 19, text: ({ time_last: seconds }) => formatSeconds(seconds) },
]

function formatSeconds(seconds: number): string {
  return formatTime(isoTime(seconds * 1_000))
}

async function query(question: string, options: RemoteOptions): Promise<void> {
  const records = await withClient(options, (client) => client.queryPassiveDns(question))
  if (!options.json) await writeLine(tableHead(columns))
  for (const record of records) await writeLine(options.json ? JSON.stringify(record) : tableRow(columns, record))
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { bytes, changedMs } = await read(file)
  const isZone = (options.format ?? formatOf(bytes)) === 'zone'
  if (!isZone && options.origin !== undefined) throw new UsageError('--origin is for a zone file')
  const zone = isZone ? linesOfZone(bytes, changedMs, options) : null
  const report = await withClient(options, (client) => client.importNames(zone?.lines ?? bytes))
  await writeLine(options.json ? JSON.stringify(report) : summaryOf(report))
  for (const { line, reason } of zone?.errors ?? report.errors)
    process.stderr.write(`${printable(file)}:${line}: ${printable(reason)}\n`)
  const broken = report.broken + (zone?.broken ?? 0)
  if (broken > 0) throw new AppError('BAD_REQUEST', `${broken} ${isZone ? 'records' : 'lines'} could not be read`)
}

interface Read {
  bytes: Buffer<ArrayBuffer>
  /** Unix milliseconds. */
  changedMs: number
}

async function read(file: string): Promise<Read> {
  try {
    const changedMs = file === '-' ? Date.now() : statSync(file).mtimeMs
    const given = file === '-' ? await buffer(process.stdin) : await readFile(file)
    const isGzip = given[0] === 0x1f && given[1] === 0x8b
    const bytes = Buffer.from(isGzip ? gunzipSync(given, { maxOutputLength: importBytesMax + 1 }) : given)
    if (bytes.length > importBytesMax) throw new AppError('TOO_LARGE', tooLarge)
    return { bytes, changedMs }
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('TOO_LARGE', tooLarge, { cause: error })
    if (error instanceof AppError) throw error
    throw new AppError('INTERNAL', `${file}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const tooLarge = `an import has at most ${importBytesMax} octets: split the file`

/** Passive DNS is objects, and no record of a zone begins with a brace. */
function formatOf(bytes: Buffer): 'cof' | 'zone' {
  return bytes.subarray(0, 4_096).toString('latin1').trimStart().startsWith('{') ? 'cof' : 'zone'
}

function linesOfZone(bytes: Buffer, changedMs: number, { origin: given }: ImportOptions) {
  const origin = given === undefined ? null : canonicalHostname(given)
  if (given !== undefined && origin === null) throw new UsageError(`--origin: no domain name: ${given}`)
  const [firstSeconds, nowSeconds] = [changedMs, Date.now()].map((ms) => Math.floor(ms / 1_000))
  const errors: { line: number; reason: string }[] = []
  const lines: string[] = []
  let broken = 0
  for (const line of zoneLines(bytes.toString('utf8'), { origin, firstSeconds, nowSeconds })) {
    if (line.kind === 'line') lines.push(`${line.text}\n`)
    if (line.kind !== 'broken') continue
    broken++
    if (errors.length < errorsShown) errors.push(line)
  }
  return { lines: Buffer.from(lines.join('')), errors, broken }
}

function summaryOf({ lines, observations, otherTypes, otherNames, omitted }: NamesImport): string {
  const parts = [
    `${lines} lines`,
    `${observations} pairs of a name and an address taken`,
    ...(otherNames > 0 ? [`${otherNames} of names of no site`] : []),
    ...(otherTypes > 0 ? [`${otherTypes} of other types`] : []),
    ...(omitted > 0 ? [`${omitted} values that there was no room for`] : []),
  ]
  return parts.join(', ')
}
