// `floodgauge explain`: what holds for an address and why, by the configuration; with a running service also what that knows of it.
import type { Command } from 'commander'
import type { Target } from '../../../client/index.ts'
import { presentTarget } from '../../api/targets/present.ts'
import { loadConfig } from '../../config.ts'
import { floorsOf } from '../../detect/judge/judge.ts'
import { configuredSites, SettingsTable } from '../../detect/targets/target-settings.ts'
import { AppError } from '../../errors.ts'
import { parseKey } from '../../net/address.ts'
import { vectors } from '../../vectors/vectors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { renderFloors, renderSettings, renderState } from '../text/explain.ts'
import { writeLine } from '../text/output.ts'
import { UsageError } from '../usage.ts'

interface ExplainOptions extends RemoteOptions {
  config?: string
}

export function registerExplain(program: Command): void {
  withRemote(program.command('explain').description('Show the settings that hold for an address, and why'))
    .argument('<ADDRESS>', 'an IPv4 address')
    .option('--config <FILE>', 'the configuration; without it, that of the service, when a token is given')
    .action(explain)
}

async function explain(text: string, options: ExplainOptions): Promise<void> {
  const address = parseKey(text)
  if (address === null) throw new UsageError(`not an IPv4 address: ${text}`)
  const asked = options.email && options.token ? await targetOf(text, options) : null
  const { settings } = asked === null || options.config !== undefined ? configured(address, options) : asked
  const target = asked === null ? null : { ...asked, settings }
  if (options.json) {
    const { value } = settings.sensitivity
    const floors = vectors.map((vector) => ({
      attackType: vector.label,
      learnt: floorsOf(vector, true, value),
      unlearnt: floorsOf(vector, false, value),
    }))
    return writeLine(JSON.stringify({ ...(target ?? { address: text, settings }), floors }))
  }
  await writeLine(renderSettings(settings))
  if (settings.enabled.value) await writeLine(`\n${renderFloors(settings.sensitivity.value)}`)
  if (target !== null) await writeLine(`\n${renderState(target)}`)
}

async function targetOf(address: string, options: RemoteOptions): Promise<Target> {
  const target = await withClient(options, (client) => client.getTarget(address))
  if (target === null) throw new AppError('NOT_FOUND', `${address} belongs to no enabled site of this user`)
  return target
}

/** As the configuration alone has it. */
function configured(address: number, { config }: ExplainOptions): Target {
  const { detect } = loadConfig({ file: config, env: process.env })
  if (configuredSites(detect).some(({ kind }) => kind === 'fqdn' || kind === 'wildcard'))
    process.stderr.write(
      'settings of sites that are names are left out: where these lead only a running service knows\n',
    )
  const settings = new SettingsTable(detect).of(address)
  return presentTarget(address, { settings, learning: null, ageSeconds: 0, classes: [], incidents: [] }, true)
}
