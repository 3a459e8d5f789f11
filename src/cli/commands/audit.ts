// `floodgauge audit ...`: who has changed what, and whether the log of it is whole, on the data directory.
import { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { AppError } from '../../errors.ts'
import { hasStore, storeFileOf } from '../../store/data-directory.ts'
import { verifyAudit } from '../../store/sqlite/audit/verify.ts'
import type { AuditFilter, AuditRow } from '../../store/store.ts'
import { type DataOptions, isoTime, settingsOf, withData, withStore } from '../data.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { UsageError } from '../usage.ts'

interface ListOptions extends DataOptions {
  by?: string
  kind?: string
  refused?: boolean
  since?: string
  limit: string
}

const limitMax = 100_000
const pageMax = 500

const columns: Column<AuditRow>[] = [
  { title: 'SEQUENCE', width: 8, text: ({ sequence }) => String(sequence) },
  { title: 'TIME (UTC)', width: 19, text: ({ atMs }) => formatTime(isoTime(atMs)) },
  { title: 'WHO', width: 28, text: ({ actor }) => actor.name || actor.kind },
  { title: 'FROM', width: 16, text: ({ actor }) => actor.address || actor.kind },
  { title: 'WHAT', width: 18, text: ({ kind }) => kind },
  { title: 'OUTCOME', width: 15, text: ({ outcome, count }) => (count === 1 ? outcome : `${outcome} x${count}`) },
  { title: 'OBJECT', width: 0, text: ({ object, detailText }) => `${object} ${detailText}`.trim() },
]

export function registerAudit(program: Command): void {
  const audit = program.command('audit').description('Read the audit log, and check that it is whole')
  withData(audit.command('list').description('List entries, the newest first'))
    .option('--by <NAME>', 'whose name has this in it: an e-mail, or an account of this machine')
    .option('--kind <KIND>', 'what was done: an endpoint such as addUser, or a command such as "user add"')
    .option('--refused', 'refusals alone')
    .option('--since <DATE>', 'from that date on (2030-01-31, UTC)')
    .option('--limit <N>', 'how many', '100')
    .action(list)
  withData(audit.command('verify').description('Check that no entry was changed, taken out, exchanged or cut off'))
    .option('--head <HASH>', 'the hash of an entry that must be there, as the log of the service said it')
    .action(verify)
}

async function list(options: ListOptions): Promise<void> {
  const limit = /^\d{1,6}$/.test(options.limit) ? Number(options.limit) : 0
  if (limit < 1 || limit > limitMax)
    throw new UsageError(`--limit must be a whole number from 1 to ${limitMax}: ${options.limit}`)
  const filter = filterOf(options)
  await withStore(options, async (store) => {
    if (!options.json) await writeLine(tableHead(columns))
    let left = limit
    for (let below: number | null = null; ; ) {
      const { rows, next } = await store.auditPage(filter, { below, limit: Math.min(left, pageMax) })
      for (const row of rows) await writeLine(options.json ? jsonOf(row) : tableRow(columns, row))
      left -= rows.length
      if (next === null || left === 0) return
      below = next
    }
  })
}

function filterOf({ by, kind, refused, since }: ListOptions): AuditFilter {
  const startMs = since === undefined ? undefined : Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(since) ? since : '')
  if (Number.isNaN(startMs)) throw new UsageError(`--since must be a date such as 2030-01-31: ${since}`)
  return {
    ...(by !== undefined && { name: by }),
    ...(kind !== undefined && { kind }),
    ...(refused === true && { outcome: 'refused' as const }),
    ...(startMs !== undefined && { startMs }),
  }
}

function jsonOf({ sequence, atMs, kind, actor, object, outcome, count, detailText, hash }: AuditRow): string {
  const detail: unknown = JSON.parse(detailText)
  return JSON.stringify({ sequence, at: isoTime(atMs), kind, actor, object, outcome, count, detail, hash })
}

async function verify(options: DataOptions & { head?: string }): Promise<void> {
  const head = options.head?.toLowerCase() ?? null
  if (head !== null && !/^[0-9a-f]{64}$/.test(head)) throw new UsageError('--head must be 64 hexadecimal digits')
  const { dir } = settingsOf(options)
  if (!hasStore(dir)) throw new AppError('NOT_FOUND', `there is no store in ${dir}: --data says where it is`)
  const database = new DatabaseSync(storeFileOf(dir), { readOnly: true })
  try {
    const { fault, rows, last } = verifyAudit(database, head)
    if (options.json) await writeLine(JSON.stringify({ isWhole: fault === null, fault, rows, last }))
    if (fault !== null) throw new AppError('INTERNAL', `the audit log is not whole: ${fault.text}`)
    if (!options.json)
      await writeLine(`the audit log is whole: ${rows} entries, the last is ${last.sequence} ${last.hash}`)
  } finally {
    database.close()
  }
}
