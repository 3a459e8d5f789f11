// What a configuration that fits its schema can still be wrong in: the files and directories that the service opens. The start of the service and
// `floodgauge check-config` ask the same functions, so that one passes what the other does.
import { dirname, resolve } from 'node:path'
import { requireSoundAlerts } from '../alert/settings.ts'
import { requireSoundSignOn } from '../api/sign-on/settings.ts'
import type { Config } from '../config.ts'
import { AppError, messageOf } from '../errors.ts'
import { readDatabase } from '../geo/databases.ts'
import { jitter } from '../names/resolve/schedule.ts'
import { readAuthorities, serversOf } from '../names/resolve/servers.ts'
import type { NamesSettings } from '../names/settings.ts'
import { zoneSources } from '../names/zones/settings.ts'
import { directoryFault } from '../store/data-directory.ts'

/** A sentence for each thing that the service would not start with. */
export function configFaults({ alerts, http, names, signOn, store }: Config): string[] {
  const checks = [
    () => serversOf(names),
    () => requireSoundSignOn(signOn, http.publicUrl),
    () => readAuthorities(names),
    () => zoneSources(names.zones),
    () => requireGrace(names),
    () => requireSoundAlerts(alerts),
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
export async function configWarnings({ geo, store: { backup } }: Config): Promise<string[]> {
  const looks = geo.databases.map(async (file) => {
    const fault = await readDatabase(file).then(() => null, messageOf)
    return fault === null ? [] : [`geo.databases: ${file} cannot be read: ${fault}; the service would start without it`]
  })
  const folderFault = backup.folder === '' ? null : directoryFault(resolve(backup.folder))
  const folder = `store.backup.folder: ${folderFault}; the service would start, and make no backups`
  return [...(folderFault === null ? [] : [folder]), ...(await Promise.all(looks)).flat()]
}

/** Throws AppError BAD_CONFIG. */
export function requireSoundConfig(config: Config): void {
  const faults = configFaults(config)
  if (faults.length > 0) throw new AppError('BAD_CONFIG', `configuration: ${faults.join('; ')}`)
}

/** Between two questions for its name an address must stay watched, and a failure must find something that it can hold. */
function requireGrace({
  graceSeconds,
  intervalMinSeconds,
  intervalMaxSeconds,
  timeoutSeconds,
  attempts,
}: NamesSettings) {
  const interval = Math.max(intervalMinSeconds, intervalMaxSeconds)
  const longest = interval + Math.round(interval * jitter) + timeoutSeconds * attempts
  if (graceSeconds >= longest) return
  throw new AppError(
    'BAD_CONFIG',
    `names.graceSeconds is ${graceSeconds}, and the time between two questions for a name may be ${longest} seconds: its addresses would not be watched in between. Raise it, or lower names.intervalMaxSeconds`,
  )
}

function requireDirectory(key: string, directory: string): void {
  const fault = directoryFault(directory)
  if (fault !== null) throw new AppError('BAD_CONFIG', `${key}: ${fault}`)
}
