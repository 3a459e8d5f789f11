// `floodgauge backup FILE`: a copy of the store, made while the service runs.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { AppError } from '../../errors.ts'
import { hasStore, storeFileOf } from '../../store/data-directory.ts'
import { SecretBox } from '../../store/secret-box.ts'
import { backupTo } from '../../store/sqlite/backup/backup.ts'
import { type DataOptions, settingsOf, withData } from '../data.ts'
import { formatCount, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

export function registerBackup(program: Command): void {
  withData(program.command('backup').description('Copy the store to a file, beside a running service'))
    .argument('<FILE>', 'must not exist')
    .action(backup)
}

async function backup(given: string, options: DataOptions): Promise<void> {
  const file = resolve(given)
  const { dir } = settingsOf(options)
  if (!hasStore(dir)) throw new AppError('NOT_FOUND', `there is no store in ${dir}: --data says where it is`)
  // Without opening it as a store: one of an older schema can be backed up too.
  const { bytes, users, sites, events } = await backupTo(storeFileOf(dir), file)
  const { file: keyFile } = new SecretBox(dir)
  if (existsSync(keyFile))
    process.stderr.write(`the key ${printable(keyFile)} of secrets is not in it: keep a copy of the key elsewhere\n`)
  await writeLine(
    options.json
      ? JSON.stringify({ file, bytes, users, sites, events })
      : `backed up to ${printable(file)} (${formatCount(bytes)}B), and verified: ${users} users, ${sites} sites, ${events} events`,
  )
}
