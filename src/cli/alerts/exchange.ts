// `floodgauge alert export|import`: channels and rules as a file, to be kept with other configuration or taken to another installation. Secrets are
// never in it: nobody is given those of a channel, so that the file names variables of the environment that have them.
import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Static, Type } from 'typebox'
import { stringify } from 'yaml'
import type { Client } from '../../../client/index.ts'
import { type Channel, ChannelChange, ChannelRequest } from '../../contract/alerts/channels.ts'
import { type Rule, RuleRequest } from '../../contract/alerts/rules.ts'
import { messageOf } from '../../errors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { writeLine, writeText } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'
import { fitting, readYaml } from './files.ts'
import { namesOf, withIds, withNames } from './names.ts'
import { ruleName } from './rules.ts'

const { secrets: _secrets, ...changes } = ChannelChange.properties
const ChannelInFile = Type.Object({ ...changes, ...ChannelRequest.properties })
/** Rules are looked at one by one, so that an error names its rule. */
const AlertFile = Type.Object({
  channels: Type.Optional(Type.Array(ChannelInFile)),
  rules: Type.Optional(Type.Array(Type.Unknown())),
})

type ChannelInFile = Static<typeof ChannelInFile>

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
  const known = new Set(Object.keys(ChannelInFile.properties))
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
  await withClient(options, async (client) => {
    const before = (await client.call('listRules')).rules
    const made = await importChannels(client, channels, options)
    const referring = withIds(rules, await namesOf(client))
    // With the first channel of a user comes a rule that the file does not ask for.
    if (made > 0 && referring.length > 0 && before.length === 0) {
      for (const { id } of (await client.call('listRules')).rules) await client.call('deleteRule', { params: { id } })
    }
    await importRules(client, referring, { before, options })
  })
}

/** How many are new. */
async function importChannels(client: Client, channels: readonly ChannelInFile[], options: RemoteOptions) {
  const known = new Map((await client.call('listChannels')).channels.map((each) => [each.name, each]))
  let made = 0
  for (const { secrets = {}, ...channel } of channels) {
    const { name, kind, isDisabled = false, ...content } = channel
    const there = known.get(name)
    const values = secretsOf(secrets, there === undefined ? name : null)
    if (there !== undefined && there.kind !== kind)
      throw new UsageError(`the channel ${printable(name)} is of kind ${there.kind}, not ${printable(kind)}`)
    if (there !== undefined) {
      const body = { quiet: null, ...content, isDisabled, ...(Object.keys(values).length > 0 && { secrets: values }) }
      await client.call('changeChannel', { params: { id: there.id }, body })
      await say(options, { changed: 'channel', name })
      continue
    }
    const { channel: added, secret } = await client.call('addChannel', {
      body: { name, kind, ...content, secrets: values },
    })
    made++
    if (isDisabled) await client.call('changeChannel', { params: { id: added.id }, body: { isDisabled } })
    await say(options, { made: 'channel', name, ...(secret !== null && { secret }) })
  }
  return made
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

interface ImportOfRules {
  /** Those that were there. */
  before: readonly Rule[]
  options: RemoteOptions
}

/** They come first, in the order of the file. */
async function importRules(client: Client, rules: readonly RuleRequest[], { before, options }: ImportOfRules) {
  const ids: string[] = []
  for (const body of rules) {
    const there = before.find(({ id, name }) => name === body.name && !ids.includes(id))
    const { id } =
      there === undefined
        ? await client.call('addRule', { body })
        : await client.call('changeRule', { params: { id: there.id }, body })
    ids.push(id)
    await say(options, { [there === undefined ? 'made' : 'changed']: 'rule', name: body.name })
  }
  if (ids.length === 0) return
  const all = (await client.call('listRules')).rules.map(({ id }) => id)
  await client.call('orderRules', { body: { ids: [...ids, ...all.filter((id) => !ids.includes(id))] } })
}

interface Done {
  made?: string
  changed?: string
  name: string
  secret?: string
}

async function say({ json }: RemoteOptions, done: Done): Promise<void> {
  if (json) return writeLine(JSON.stringify(done))
  const { made, changed, name, secret } = done
  await writeLine(made === undefined ? `changed ${changed} ${printable(name)}` : `made ${made} ${printable(name)}`)
  if (secret !== undefined) await writeLine(`its secret, shown this once: ${secret}`)
}
