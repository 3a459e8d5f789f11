// `floodgauge explain`: what holds for an address and why, by the configuration; with a running service also what that knows of it, why there was an event
// at some time or none, and what other settings would have found.
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
import { renderExplanation, renderWhatIf } from '../text/explanation.ts'
import { writeLine } from '../text/output.ts'
import { UsageError } from '../usage.ts'

interface ExplainOptions extends RemoteOptions {
  config?: string
  at?: string
  from?: string
  to?: string
  set?: string[]
}

/** What `--set` takes, as the interface has it. */
const settable = [
  'packetsPerSecond',
  'bytesPerSecond',
  'flowsPerSecond',
  'sensitivity',
  'enabled',
  'quietSeconds',
  'reopenSeconds',
] as const
type Settable = (typeof settable)[number]

export function registerExplain(program: Command): void {
  withRemote(program.command('explain').description('Show the settings that hold for an address, and why'))
    .argument('<ADDRESS>', 'an IPv4 address')
    .option('--config <FILE>', 'the configuration; without it, that of the service, when a token is given')
    .option('--at <TIME>', 'explain why there was an event at this time, or none')
    .option('--from <TIME>', 'judge the traffic from then on again, by the settings of --set')
    .option('--to <TIME>', 'to then; without it, until now')
    .option(
      '--set <NAME=VALUE>',
      `a setting to be tried: ${settable.join(', ')}; may be repeated`,
      (given: string, before: string[] = []) => [...before, given],
    )
    .action(explain)
}

async function explain(text: string, options: ExplainOptions): Promise<void> {
  const address = parseKey(text)
  if (address === null) throw new UsageError(`not an IPv4 address: ${text}`)
  const { at, from, to, set } = options
  const isTrial = from !== undefined || to !== undefined || set !== undefined
  if (at !== undefined && isTrial) throw new UsageError('--at goes without --from, --to and --set')
  if ((at !== undefined || isTrial) && options.config !== undefined)
    throw new UsageError('--config goes without a time: only the service knows the past')
  if (at !== undefined) return explainMoment(text, at, options)
  if (isTrial) return trySettings(text, options)
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

async function explainMoment(address: string, at: string, options: ExplainOptions): Promise<void> {
  const found = await withClient(options, (client) =>
    client.call('getExplanation', { params: { address }, query: { at } }),
  )
  await writeLine(options.json ? JSON.stringify(found) : renderExplanation(found))
}

async function trySettings(address: string, options: ExplainOptions): Promise<void> {
  const { from, to, set = [] } = options
  if (from === undefined || set.length === 0) throw new UsageError('give --from and at least one --set NAME=VALUE')
  const given = Object.fromEntries(set.map(settingOf))
  const query = { start: from, ...(to === undefined ? {} : { end: to }), ...given }
  const found = await withClient(options, (client) => client.call('getWhatIf', { params: { address }, query }))
  await writeLine(options.json ? JSON.stringify(found) : renderWhatIf(found))
}

function settingOf(text: string): [Settable, string] {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const known = settable.find((each) => each === name)
  if (known === undefined) throw new UsageError(`not a setting that can be tried: ${text} (${settable.join(', ')})`)
  return [known, value]
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
