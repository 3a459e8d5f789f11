// What a configuration that fits its schema can still be wrong in: the files and directories that the service opens. The start of the service and
// `floodgauge check-config` ask the same functions, so that one passes what the other does.
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { readDatabase } from '../geo/databases.ts'
import { readAuthorities, serversOf } from '../names/resolve/servers.ts'
import { zoneSources } from '../names/zones/settings.ts'
import { directoryFault } from '../store/data-directory.ts'

/** A sentence for each thing that the service would not start with. */
export function configFaults({ names, store }: Config): string[] {
  const checks = [
    () => serversOf(names),
    () => readAuthorities(names),
    () => zoneSources(names.zones),
    () => requireDirectory('store.dir', resolve(store.dir)),
    ...names.dnstap.listen
      .filter((listen) => listen.startsWith('/'))
      .map((path) => () => requireDirectory('names.dnstap.listen', dirname(path))),
  ]
  return checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      if (error instanceof AppError && error.code === 'BAD_CONFIG') return [error.message]
      throw error
    }
  })
}

/** A sentence for each thing that the service goes on without, but not as it was meant. */
export async function configWarnings({ geo, names, store: { backup } }: Config): Promise<string[]> {
  const { graceSeconds, intervalMaxSeconds } = names
  const isShort = graceSeconds < intervalMaxSeconds
  const grace = `names.graceSeconds (${graceSeconds}) is below names.intervalMaxSeconds (${intervalMaxSeconds}): an address would not be watched between two questions for its name`
  const looks = geo.databases.map(async (file) => {
    const fault = await readDatabase(file).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return fault === null ? [] : [`geo.databases: ${file} cannot be read: ${fault}; the service would start without it`]
  })
  const folderFault = backup.folder === '' ? null : directoryFault(resolve(backup.folder))
  const folder = `store.backup.folder: ${folderFault}; the service would start, and make no backups`
  return [...(isShort ? [grace] : []), ...(folderFault === null ? [] : [folder]), ...(await Promise.all(looks)).flat()]
}

/** Throws AppError BAD_CONFIG. */
export function requireSoundConfig(config: Config): void {
  const faults = configFaults(config)
  if (faults.length > 0) throw new AppError('BAD_CONFIG', `configuration: ${faults.join('; ')}`)
}

function requireDirectory(key: string, directory: string): void {
  const fault = directoryFault(directory)
  if (fault !== null) throw new AppError('BAD_CONFIG', `${key}: ${fault}`)
}
