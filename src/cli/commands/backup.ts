// `floodgauge backup FILE`: a copy of the store, made while the service runs.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type DataOptions, withData, withStore } from '../data.ts'
import { formatCount, writeLine } from '../output.ts'
import { printable } from '../terminal.ts'

export function registerBackup(program: Command): void {
  withData(program.command('backup').description('Copy the store to a file, beside a running service'))
    .argument('<FILE>', 'must not exist')
    .action(backup)
}

async function backup(given: string, options: DataOptions): Promise<void> {
  const file = resolve(given)
  await withStore(options, (store) => store.backup(file))
  const bytes = statSync(file).size
  await writeLine(
    options.json ? JSON.stringify({ file, bytes }) : `backed up to ${printable(file)} (${formatCount(bytes)}B)`,
  )
}
