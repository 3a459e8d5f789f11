// `floodgauge alert export|import`: channels and rules as a file, to be kept with other configuration or taken to another installation. Secrets are
// never in it: nobody is given those of a channel, so that the file names variables of the environment that have them.
import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Type } from 'typebox'
import { stringify } from 'yaml'
import type { Channel } from '../../contract/alerts/channels.ts'
import { ImportedChannel } from '../../contract/alerts/import.ts'
import { RuleRequest } from '../../contract/alerts/rules.ts'
import { messageOf } from '../../errors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { writeLine, writeText } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'
import { fitting, readYaml } from './files.ts'
import { namesOf, withNames } from './names.ts'
import { ruleName } from './rules.ts'

/** Rules are looked at one by one, so that an error names its rule. */
const AlertFile = Type.Object({
  channels: Type.Optional(Type.Array(ImportedChannel)),
  rules: Type.Optional(Type.Array(Type.Unknown())),
})

const reference = 'env:'
const head = `# Channels and rules of alerts, for \`floodgauge alert import\`.
# \`${reference}NAME\`: a secret, which is read from that variable of the environment; a channel that is there keeps its own where the variable is not set.
`

export function registerExchange(alert: Command): void {
  withRemote(alert.command('export').description('Write channels and rules as YAML, without secrets'))
    .argument('[FILE]', 'where to (default: standard output)')
    .action(exportAlerts)
  withRemote(
    alert.command('import').description('Make the channels and rules of a file; change those of the same name'),
  )
    .argument('<FILE>', 'as `alert export` writes it; `-`: standard input')
    .action(importAlerts)
}

async function exportAlerts(file: string | undefined, options: RemoteOptions): Promise<void> {
  const content = await withClient(options, async (client) => {
    const [{ channels }, { rules }, { kinds }, names] = await Promise.all([
      client.call('listChannels'),
      client.call('listRules'),
      client.call('listChannelKinds'),
      namesOf(client),
    ])
    const secretsOf = new Map(kinds.map(({ kind, secrets }) => [kind, Object.keys(Object(secrets.properties))]))
    return {
      channels: channels.map((channel) => fileOf(channel, secretsOf.get(channel.kind) ?? [])),
      rules: rules.map(({ id: _, ...rule }) => withNames(rule, names)),
    }
  })
  const text = options.json ? `${JSON.stringify(content)}\n` : head + stringify(content, { lineWidth: 0 })
  if (file === undefined) return writeText(text)
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`cannot write ${printable(file)}: ${printable(messageOf(error))}`)
  }
}

/** What of a channel can be given; what it would say anyway is left out. */
function fileOf(channel: Channel, secretNames: readonly string[]) {
  const known = new Set(Object.keys(ImportedChannel.properties))
  const kept = Object.entries(channel).filter(([key, value]) => known.has(key) && value !== null)
  const secrets = Object.fromEntries(secretNames.map((name) => [name, reference + variableOf(channel.name, name)]))
  return {
    ...Object.fromEntries(kept),
    ...(secretNames.length > 0 && { secrets }),
    ...(channel.state === 'disabled' && { isDisabled: true }),
  }
}

/** `Night shift`, `url` -> `ALERT_NIGHT_SHIFT_URL`. */
function variableOf(channel: string, secret: string): string {
  const words = `alert ${channel} ${secret.replace(/([a-z0-9])([A-Z])/g, '$1 $2')}`
  return words.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}

async function importAlerts(file: string, options: RemoteOptions): Promise<void> {
  const given = fitting(AlertFile, await readYaml(file), 'the file')
  const channels = given.channels ?? []
  const rules = (given.rules ?? []).map((each, n) => fitting(RuleRequest, each, ruleName(each, n)))
  for (const [what, names] of [
    ['channels', channels.map(({ name }) => name)],
    ['rules', rules.map(({ name }) => name)],
  ] as const) {
    const twice = names.find((name, n) => names.indexOf(name) !== n)
    if (twice !== undefined) throw new UsageError(`two ${what} have one name: ${printable(twice)}`)
  }
  const done = await withClient(options, async (client) => {
    const known = new Set((await client.call('listChannels')).channels.map(({ name }) => name.toLowerCase()))
    const sent = channels.map(({ secrets = {}, ...channel }) => ({
      ...channel,
      secrets: secretsOf(secrets, known.has(channel.name.toLowerCase()) ? null : channel.name),
    }))
    return client.call('importAlerts', { body: { channels: sent, rules } })
  })
  if (options.json) return writeLine(JSON.stringify(done))
  for (const { name, isNew, secret } of done.channels) {
    await writeLine(`${isNew ? 'made' : 'changed'} channel ${printable(name)}`)
    if (secret !== null) await writeLine(`its secret, shown this once: ${secret}`)
  }
  for (const { name, isNew } of done.rules) await writeLine(`${isNew ? 'made' : 'changed'} rule ${printable(name)}`)
}

/** `added`: the name of a channel that is new, which has no secret of its own where a variable is not set. */
function secretsOf(given: Readonly<Record<string, string>>, added: string | null): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, text] of Object.entries(given)) {
    if (!text.startsWith(reference)) {
      values[name] = text
      continue
    }
    const variable = text.slice(reference.length)
    const value = process.env[variable]
    if (value !== undefined && value !== '') values[name] = value
    else if (added !== null)
      process.stderr.write(printable(`${variable} is not set: ${added} is made without ${name}`).concat('\n'))
  }
  return values
}
