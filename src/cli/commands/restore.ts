// `floodgauge restore FILE`: puts a backup in the place of the store, which is set aside. Not beside a running service.
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import type { Detail } from '../../audit/entry.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { storeFileOf } from '../../store/data-directory.ts'
import { lostSecrets, SecretBox } from '../../store/secret-box.ts'
import { verifyAudit } from '../../store/sqlite/audit/verify.ts'
import { restoreFrom } from '../../store/sqlite/backup/restore.ts'
import { lockDirectory } from '../../store/sqlite/directory-lock.ts'
import { changing, type DataOptions, settingsOf, withData, withStoreIn } from '../data.ts'
import { writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

export function registerRestore(program: Command): void {
  withData(
    program.command('restore').description('Put a backup in the place of the store, while the service is stopped'),
  )
    .argument('<FILE>', 'made by `floodgauge backup`')
    .action(restore)
}

async function restore(given: string, options: DataOptions): Promise<void> {
  const { dir } = settingsOf(options)
  const file = resolve(given)
  const lock = lockDirectory(dir)
  try {
    const { oldFile } = restoreFrom(file, storeFileOf(dir), systemClock.now())
    const notes = await withStoreIn(dir, async (store) => {
      await changing(store, { kind: 'restore', object: file, detail: { oldFile, ...headOf(oldFile) } }, async () => {})
      return lostSecrets(store, new SecretBox(dir))
    }).catch(unreadable)
    if (notes !== null) process.stderr.write(`${printable(notes)}\n`)
    if (options.json) return await writeLine(JSON.stringify({ file, oldFile }))
    await writeLine(`restored ${printable(file)}`)
    if (oldFile !== null) await writeLine(`the store that was there is now ${printable(oldFile)}`)
  } finally {
    lock.close()
  }
}

/** The last entry of the audit log that was set aside: what it had is missing in the one that takes its place. */
function headOf(oldFile: string | null): Detail {
  if (oldFile === null) return {}
  const database = new DatabaseSync(oldFile, { readOnly: true })
  try {
    const { last } = verifyAudit(database)
    return { oldHead: { sequence: last.sequence, hash: last.hash } }
  } catch {
    // An older version had none, and a damaged store is why people restore.
    return {}
  } finally {
    database.close()
  }
}

/** A backup of an older version is brought up to date by the service, not by this command. */
function unreadable(error: unknown): string {
  if (error instanceof AppError && error.code === 'STORE_UNAVAILABLE')
    return `the audit log does not have it: ${error.message}`
  throw error
}
