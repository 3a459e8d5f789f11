// `floodgauge restore FILE`: puts a backup in the place of the store, which is set aside. Not beside a running service.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import { lockDirectory, storeFileOf } from '../../store/data-directory.ts'
import { lostSecrets } from '../../store/lost-secrets.ts'
import { SecretBox } from '../../store/secret-box.ts'
import { restoreFrom } from '../../store/sqlite/backup/restore.ts'
import { type DataOptions, settingsOf, withData, withStoreIn } from '../data.ts'
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
    const lost = await withStoreIn(dir, (store) => lostSecrets(store, new SecretBox(dir)))
    if (lost !== null) process.stderr.write(`${printable(lost)}\n`)
    if (options.json) return await writeLine(JSON.stringify({ file, oldFile }))
    await writeLine(`restored ${printable(file)}`)
    if (oldFile !== null) await writeLine(`the store that was there is now ${printable(oldFile)}`)
  } finally {
    lock.close()
  }
}
