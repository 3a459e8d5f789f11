// `floodgauge exporter ...`: who sends flows and who may, on the data directory. A running service takes a change up within two seconds.
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import { currentMs, leftOutBy, workingSenders } from '../../collect/admission.ts'
import { loadConfig } from '../../config.ts'
import { allowedEntriesMax } from '../../contract/limits.ts'
import { AppError } from '../../errors.ts'
import { parseAddressRange } from '../../net/address-range.ts'
import type { Store } from '../../store/store.ts'
import { changing, type DataOptions, isoTime, withData, withStore } from '../data.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

/** Entries that the audit log names. */
const namedMax = 20

interface ChangeOptions extends DataOptions {
  current?: boolean
  yes?: boolean
}

interface ExporterLine {
  address: string
  maySend: boolean
  protocols: string[]
  flows: number
  lastSeen: string
}

const columns: Column<ExporterLine>[] = [
  { title: 'ADDRESS', width: 39, text: ({ address }) => address },
  { title: 'MAY SEND', width: 8, text: ({ maySend }) => (maySend ? 'yes' : 'no') },
  { title: 'PROTOCOL', width: 10, text: ({ protocols }) => protocols.join(',') },
  { title: 'FLOWS', width: 12, right: true, text: ({ flows }) => String(flows) },
  { title: 'LAST SEEN (UTC)', width: 0, text: ({ lastSeen }) => formatTime(lastSeen) },
]

export function registerExporter(program: Command): void {
  const exporter = program.command('exporter').description('List who sends flows, and say who may')
  withData(exporter.command('list').description('List who has sent flows for minutes, and whether they may')).action(
    listExporters,
  )
  withChange(exporter.command('allow').description('Let exporters send, and nobody who is not on the list'))
    .argument('[ADDRESS...]', 'addresses and prefixes (192.0.2.1, 198.51.100.0/28, 2001:db8::/64)')
    .option('--current', 'everybody who has sent flows within a day')
    .action(allow)
  withChange(exporter.command('remove').description('Take exporters off the list'))
    .argument('<ADDRESS...>', 'entries of the list')
    .action(remove)
  withData(exporter.command('allow-all').description('Let anybody send')).action((options: DataOptions) =>
    change('allow-all', options, () => []),
  )
  withChange(exporter.command('undo').description('Go back to the list before the last change')).action(
    (options: ChangeOptions) =>
      change('undo', options, (_, previous) => {
        if (previous === null) throw new AppError('CONFLICT', 'there is no list before this one')
        return previous
      }),
  )
}

function withChange(command: Command): Command {
  return withData(command).option('--yes', 'exporters that send now may be left out')
}

async function listExporters(options: DataOptions): Promise<void> {
  const configured = configuredOf(options)
  const { reports, entries } = await withStore(options, async (store) => ({
    reports: await store.loadStreamReports(),
    entries: configured.length > 0 ? configured : ((await store.exporterAdmission())?.entries ?? []),
  }))
  const addresses = workingSenders(reports, 0)
  const leftOut = new Set(leftOutBy(entries, addresses))
  if (!options.json) await writeLine(tableHead(columns))
  for (const address of addresses) {
    const own = reports.filter((report) => report.address.replace(/%.*$/, '') === address)
    const line: ExporterLine = {
      address,
      maySend: !leftOut.has(address),
      protocols: [...new Set(own.map(({ protocol }) => protocol))].sort(),
      flows: own.reduce((sum, { counters }) => sum + counters.records, 0),
      lastSeen: isoTime(Math.max(...own.map(({ lastMs }) => lastMs))),
    }
    await writeLine(options.json ? JSON.stringify(line) : tableRow(columns, line))
  }
  if (!options.json) await writeLine(listText(entries, configured.length > 0))
}

async function allow(addresses: string[], options: ChangeOptions): Promise<void> {
  if (addresses.length === 0 && !options.current) throw new UsageError('give addresses, or --current')
  for (const address of addresses) {
    if (parseAddressRange(address) === null) throw new UsageError(`neither an address nor a prefix: ${address}`)
  }
  await change('allow', options, async (entries, _, store) => {
    const current = options.current
      ? workingSenders(await store.loadStreamReports(), systemClock.now() - currentMs)
      : []
    if (options.current && current.length === 0) {
      throw new AppError('CONFLICT', 'nobody has sent flows for minutes within a day: give addresses')
    }
    return [...new Set([...entries, ...current, ...addresses])]
  })
}

async function remove(addresses: string[], options: ChangeOptions): Promise<void> {
  await change('remove', options, (entries) => {
    const unknown = addresses.filter((address) => !entries.includes(address))
    if (unknown.length > 0) throw new AppError('NOT_FOUND', `not on the list: ${unknown.map(printable).join(', ')}`)
    const left = entries.filter((entry) => !addresses.includes(entry))
    if (left.length === 0) throw new UsageError('the list would be empty, and anybody may send: `exporter allow-all`')
    return left
  })
}

type Change = (entries: string[], previous: string[] | null, store: Store) => string[] | Promise<string[]>

/** Sets another list. It leaves out nobody who sends now, unless that is said. */
async function change(command: string, options: ChangeOptions, changed: Change): Promise<void> {
  const isConfigured = configuredOf(options).length > 0
  const { entries, leftOut } = await withStore(options, async (store) => {
    const before = await store.exporterAdmission()
    const entries = await changed(before?.entries ?? [], before?.previous ?? null, store)
    if (entries.length > allowedEntriesMax) throw new UsageError(`more than ${allowedEntriesMax} entries`)
    const nowMs = systemClock.now()
    const leftOut = leftOutBy(entries, workingSenders(await store.loadStreamReports(), nowMs - currentMs))
    if (leftOut.length > 0 && !options.yes) {
      const named = leftOut.map(printable).join(', ')
      throw new AppError('CONFLICT', `exporters that send now would be left out: ${named}. Say --yes if that is meant`)
    }
    const deed = {
      kind: `exporter ${command}`,
      object: entries.slice(0, namedMax).join(' '),
      detail: { entries: entries.length },
    }
    await changing(store, deed, () => store.setExporterAdmission({ entries, changedMs: nowMs, changedBy: null }))
    return { entries, leftOut }
  })
  if (options.json) return writeLine(JSON.stringify({ entries, leftOut, isInForce: !isConfigured }))
  await writeLine(listText(entries, false))
  if (leftOut.length > 0) await writeLine(`left out: ${leftOut.map(printable).join(', ')}`)
  if (isConfigured)
    process.stderr.write('It counts once ingest.exporters of the configuration is empty: that is in force.\n')
}

function configuredOf({ data, config }: DataOptions): string[] {
  return loadConfig({ file: config, env: process.env, flags: { data } }).ingest.exporters
}

function listText(entries: readonly string[], isConfigured: boolean): string {
  if (entries.length === 0) return 'anybody may send flows'
  const from = isConfigured ? ' (ingest.exporters of the configuration)' : ''
  return `may send flows${from}: ${entries.map(printable).join(', ')}`
}
