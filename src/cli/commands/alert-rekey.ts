// `floodgauge alert rekey`: another key for the secrets at rest, while the service is stopped.
import type { Command } from 'commander'
import { AppError } from '../../errors.ts'
import { SecretBox } from '../../store/secret-box.ts'
import { rekey } from '../../store/secrets/rekey.ts'
import { lockDirectory } from '../../store/sqlite/directory-lock.ts'
import { changing, type DataOptions, settingsOf, withData, withStore } from '../data.ts'
import { writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

export function registerRekey(alert: Command): void {
  withData(
    alert
      .command('rekey')
      .description('Seal the secrets of channels and second factors with a new key, while the service is stopped'),
  ).action(change)
}

async function change(options: DataOptions): Promise<void> {
  const { dir } = settingsOf(options)
  const secrets = new SecretBox(dir)
  const found = await withStore(options, async (store) => {
    const lock = lockDirectory(dir)
    try {
      if (!secrets.hasKey())
        throw new AppError('NOT_FOUND', `there is no key ${secrets.file}: nothing was sealed with it`)
      return await changing(store, { kind: 'alert rekey', object: secrets.file }, () => rekey(store, secrets))
    } finally {
      lock.close()
    }
  })
  if (options.json) return writeLine(JSON.stringify(found))
  await writeLine(`sealed ${found.resealed} secrets with a new key, which is in ${printable(secrets.file)}`)
  if (found.left > 0) await writeLine(`left ${found.left} as they are: the key that they were sealed with is not here`)
}
