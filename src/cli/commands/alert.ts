// `floodgauge alert ...`: where a user is told about attacks, and what became of it, as a client of the HTTP interface.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { Client } from '../../../client/index.ts'
import { deliveryStates } from '../../alert/alert-store.ts'
import type { Channel } from '../../contract/alerts/channels.ts'
import type { Delivery } from '../../contract/alerts/deliveries.ts'
import { pageDeliveries } from '../../contract/limits.ts'
import { AppError, messageOf } from '../../errors.ts'
import { registerAddresses } from '../alerts/addresses.ts'
import { registerExchange } from '../alerts/exchange.ts'
import { registerRules } from '../alerts/rules.ts'
import { registerSilences } from '../alerts/silences.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'
import { registerRekey } from './alert-rekey.ts'

interface AddOptions extends RemoteOptions {
  name?: string
  set: string[]
  setFile: string[]
}

interface DeliveriesOptions extends RemoteOptions {
  state?: (typeof deliveryStates)[number]
  channel?: string
  event?: string
}

const channelColumns: Column<Channel>[] = [
  { title: 'ID', width: 16, text: ({ id }) => id },
  { title: 'KIND', width: 12, text: ({ kind }) => kind },
  { title: 'STATE', width: 11, text: ({ state }) => state },
  { title: 'LAST ATTEMPT (UTC)', width: 19, text: ({ last }) => (last === null ? '-' : formatTime(last.at)) },
  { title: 'RESULT', width: 24, text: ({ last }) => last?.text ?? '-' },
  { title: 'NAME', width: 0, text: ({ name }) => name },
]

const deliveryColumns: Column<Delivery>[] = [
  { title: 'FOUND (UTC)', width: 19, text: ({ at }) => formatTime(at) },
  { title: 'STATE', width: 10, text: ({ state }) => state },
  { title: 'KIND', width: 9, text: ({ kind }) => kind },
  { title: 'SEVERITY', width: 8, text: ({ severity }) => severity },
  { title: 'SITE', width: 24, text: ({ site }) => site ?? '-' },
  { title: 'FAILED', width: 6, right: true, text: ({ attempts }) => String(attempts) },
  { title: 'NEXT (UTC)', width: 19, text: ({ due }) => (due === null ? '-' : formatTime(due)) },
  { title: 'ID', width: 0, text: ({ id }) => id },
]

export function registerAlert(program: Command): void {
  const alert = program.command('alert').description('Say where you are told about attacks, and see what became of it')
  const channel = alert.command('channel').description('List and change the channels that messages go to')
  withRemote(channel.command('list').description('List the channels')).action(listChannels)
  withRemote(channel.command('add').description('Make a channel'))
    .argument('<KIND>', 'webhook, or another one that the service has')
    .option('--name <NAME>', 'what it is called (default: its kind)')
    .addOption(manyOf('--set <KEY=VALUE>', 'a setting or a secret of the kind, such as url=https://…'))
    .addOption(manyOf('--set-file <KEY=FILE>', 'the same, read from a file: other users of the machine see arguments'))
    .action(addChannel)
  withRemote(channel.command('test').description('Send a message about a made-up attack'))
    .argument('<ID>', 'the id of the channel')
    .action(testChannel)
  withRemote(channel.command('rotate').description('Make another secret; the one before it signs for a day as well'))
    .argument('<ID>', 'the id of the channel')
    .action(rotateSecret)
  withRemote(channel.command('delete').description('Delete a channel, with all that waits for it'))
    .argument('<ID>', 'the id of the channel')
    .action(deleteChannel)
  registerAddresses(alert)
  registerRules(alert)
  registerSilences(alert)
  registerExchange(alert)
  withRemote(alert.command('deliveries').description('List what was, or will be, sent, the latest first'))
    .addOption(new Option('--state <STATE>', 'in this state').choices(deliveryStates))
    .option('--channel <ID>', 'to this channel')
    .option('--event <ID>', 'about this event')
    .action(listDeliveries)
  registerRekey(alert)
  withRemote(alert.command('replay').description('Send again what was given up, or has arrived'))
    .argument('<ID>', 'the id of the delivery')
    .action(replayDelivery)
}

/** An option that may be given several times. */
function manyOf(flags: string, text: string): Option {
  return new Option(flags, text).default([], 'none').argParser((value, before: string[]) => [...before, value])
}

async function listChannels(options: RemoteOptions): Promise<void> {
  const { channels } = await withClient(options, (client) => client.call('listChannels'))
  if (!options.json) await writeLine(tableHead(channelColumns))
  for (const each of channels) await writeLine(options.json ? JSON.stringify(each) : tableRow(channelColumns, each))
}

async function addChannel(kind: string, options: AddOptions): Promise<void> {
  const given = [...options.set.map(keyAndValue), ...options.setFile.map(keyAndFile)]
  const body = { kind, name: options.name ?? kind }
  const made = await withClient(options, async (client) =>
    client.call('addChannel', { body: { ...body, ...(await sorted(client, kind, given)) } }),
  )
  if (options.json) return writeLine(JSON.stringify(made))
  await writeLine(`made channel ${made.channel.id}`)
  const { unconfirmed, confirmedBy } = made.channel
  for (const { address } of unconfirmed)
    await writeLine(
      `${printable(address)} has to be confirmed ${confirmedBy === 'link' ? 'by the link that was sent there' : 'by an admin'}`,
    )
  if (made.secret !== null) await writeLine(`its secret, shown this once: ${made.secret}`)
}

/** Settings and secrets, each as its kind has it: a text, or what the text says in JSON. */
async function sorted(client: Client, kind: string, given: readonly [key: string, value: string][]) {
  const { kinds } = await client.call('listChannelKinds')
  const known = kinds.find((each) => each.kind === kind)
  if (known === undefined) {
    const names = kinds.map((each) => each.kind).join(', ')
    throw new UsageError(`the service has no channels of kind ${printable(kind)}, but of ${names}`)
  }
  const settings: Record<string, unknown> = {}
  const secrets: Record<string, string> = {}
  const [ofSettings, ofSecrets] = [propertiesOf(known.settings), propertiesOf(known.secrets)]
  for (const [key, value] of given) {
    if (Object.hasOwn(ofSecrets, key)) secrets[key] = value
    else if (Object.hasOwn(ofSettings, key)) settings[key] = ofSettings[key] === 'string' ? value : jsonOr(value)
    else {
      const names = [...Object.keys(ofSettings), ...Object.keys(ofSecrets)].join(', ')
      throw new UsageError(`channels of kind ${kind} have no ${printable(key)}, but ${names}`)
    }
  }
  return { settings, secrets }
}

/** The types of the properties of a JSON Schema, by name; a type that is not said: null. */
function propertiesOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = schema.properties ?? {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, Object(property).type ?? null] as const),
  )
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function keyAndValue(text: string): [key: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`not KEY=VALUE: ${printable(text)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function keyAndFile(text: string): [key: string, value: string] {
  const [key, file] = keyAndValue(text)
  try {
    return [key, readFileSync(file, 'utf8').trim()]
  } catch (error) {
    throw new UsageError(`cannot read ${printable(file)}: ${printable(messageOf(error))}`)
  }
}

async function testChannel(id: string, options: RemoteOptions): Promise<void> {
  const outcome = await withClient(options, (client) => client.call('testChannel', { params: { id } }))
  const { isDone, text, milliseconds } = outcome
  if (options.json) await writeLine(JSON.stringify(outcome))
  else if (isDone) await writeLine(`sent in ${milliseconds} ms: ${text}`)
  if (!isDone) throw new AppError('CONFLICT', `not sent: ${text}`)
}

async function rotateSecret(id: string, options: RemoteOptions): Promise<void> {
  const rotated = await withClient(options, (client) => client.call('rotateSecret', { params: { id } }))
  if (options.json) return writeLine(JSON.stringify(rotated))
  const { secret, channel } = rotated
  await writeLine(`its secret, shown this once: ${secret}`)
  if (channel.oldSecretUntil !== null)
    await writeLine(`the one before it signs until ${formatTime(channel.oldSecretUntil)} UTC`)
}

async function deleteChannel(id: string, options: RemoteOptions): Promise<void> {
  const outcome = await withClient(options, (client) => client.call('deleteChannel', { params: { id } }))
  await writeLine(options.json ? JSON.stringify(outcome) : `deleted ${printable(id)}`)
}

async function listDeliveries({ state, channel, event, ...options }: DeliveriesOptions): Promise<void> {
  const query = { state, channel, event, limit: pageDeliveries.max }
  if (!options.json) await writeLine(tableHead(deliveryColumns))
  await withClient(options, async (client) => {
    for (let before: string | undefined; ; ) {
      const { deliveries, next } = await client.call('listDeliveries', { query: { ...query, before } })
      for (const each of deliveries)
        await writeLine(options.json ? JSON.stringify(each) : tableRow(deliveryColumns, each))
      if (next === null) return
      before = next
    }
  })
}

async function replayDelivery(id: string, options: RemoteOptions): Promise<void> {
  const outcome = await withClient(options, (client) => client.call('replayDelivery', { params: { id } }))
  if (options.json) return writeLine(JSON.stringify(outcome))
  if (outcome.replayed === 0) throw new AppError('CONFLICT', 'it waits already, or nobody wants it any more')
  await writeLine('it is sent again')
}
