// The service's configuration: every component's settings under one roof, each declared by the component itself. This file only
// composes them; config/ reads the sources (default < YAML file < environment < flags) and refuses what does not fit.
import { type Static, Type } from 'typebox'
import { accessSettings } from './access/settings.ts'
import { alertSettings } from './alert/settings.ts'
import { httpSettings } from './api/settings.ts'
import { signOnSettings } from './api/sign-on/settings.ts'
import { auditSettings } from './audit/settings.ts'
import { ingestSettings } from './collect/settings.ts'
import { type KeyList, listKeys } from './config/keys.ts'
import { type ConfigSources, type LoadedConfig, loadTree } from './config/load.ts'
import { detectSettings } from './detect/settings.ts'
import { AppError } from './errors.ts'
import { geoSettings } from './geo/settings.ts'
import { logLevels } from './log.ts'
import { namesSettings } from './names/settings.ts'
import { storeSettings } from './store/settings.ts'

const logSettings = Type.Object(
  {
    level: Type.Enum([...logLevels], {
      default: 'info',
      description: 'The least severity that is written to the log.',
    }),
  },
  { additionalProperties: false, description: 'Structured logs: JSON lines on standard output.' },
)

export const configSchema = Type.Object(
  {
    http: httpSettings,
    signOn: signOnSettings,
    ingest: ingestSettings,
    detect: detectSettings,
    names: namesSettings,
    access: accessSettings,
    geo: geoSettings,
    store: storeSettings,
    alerts: alertSettings,
    audit: auditSettings,
    log: logSettings,
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

export const configKeys: KeyList = listKeys(configSchema)

/** The keys that `floodgauge serve` also takes as flags. */
export const flagKeys = {
  data: 'store.dir',
  http: 'http.listen',
  netflow: 'ingest.netflow',
  ipfix: 'ingest.ipfix',
  sflow: 'ingest.sflow',
} as const

/** The configuration in force, or AppError BAD_CONFIG with every key that is wrong and why. */
export function loadConfig(from: ConfigSources): Config {
  const { config, problems } = inspectConfig(from)
  if (config === null) throw new AppError('BAD_CONFIG', `configuration: ${problems.join('; ')}`)
  return config
}

/** The same without refusing: values, where each comes from, and the problems; `config` is null when there are some. */
export function inspectConfig(from: ConfigSources): LoadedConfig & { config: Config | null } {
  const loaded = loadTree(configKeys, flagKeys, from)
  return { ...loaded, config: loaded.problems.length > 0 ? null : checkedConfig(loaded) }
}

/** Every key of the tree has passed its schema, and the schemas of the keys make up the whole. */
function checkedConfig({ tree }: LoadedConfig): Config {
  return tree as Config
}
