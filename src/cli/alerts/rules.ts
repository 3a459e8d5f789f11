// `floodgauge alert rule ...`, `alert preview`: which attacks are told to which channels, and who would be told.
import { type Command, Option } from 'commander'
import type { Client } from '../../../client/index.ts'
import { type Preview, type Rule, RuleRequest } from '../../contract/alerts/rules.ts'
import { severities } from '../../events/severity.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { fitting, readYaml } from './files.ts'
import { namesOf, withIds, withNames } from './names.ts'

interface AddOptions extends RemoteOptions {
  file: string
}

interface PreviewOptions extends RemoteOptions {
  event?: string
  notice?: (typeof notices)[number]
  severity?: (typeof severities)[number]
  vector?: string
  at?: string
}

const notices = ['started', 'worsened', 'vector', 'ended', 'resumed'] as const

const listText = (texts: readonly string[], none: string) => (texts.length === 0 ? none : texts.join(','))

const ruleColumns: Column<Rule>[] = [
  { title: 'ID', width: 16, text: ({ id }) => id },
  { title: 'REACH', width: 12, text: ({ reach }) => reach },
  { title: 'SEVERITIES', width: 13, text: ({ when }) => listText(when.severities, 'any') },
  { title: 'SITES', width: 20, text: ({ when: { sites, groups } }) => listText([...sites, ...groups], 'any') },
  { title: 'SENDS TO', width: 20, text: ({ send }) => (send === null ? 'all channels' : listText(send, 'nobody')) },
  { title: 'NAME', width: 0, text: ({ name }) => name },
]

type Told = Preview['told'][number] & { rule: string }
type Escalated = Preview['escalated'][number] & { rule: string }

const toldColumns: Column<Told>[] = [
  { title: 'TOLD (UTC)', width: 19, text: ({ at }) => formatTime(at) },
  { title: 'HELD BY', width: 7, text: ({ heldBy }) => heldBy ?? '-' },
  { title: 'CHANNEL', width: 20, text: ({ channel }) => channel },
  { title: 'RULE', width: 0, text: ({ rule }) => rule },
]

const escalatedColumns: Column<Escalated>[] = [
  { title: 'UNLESS ACKNOWLEDGED BY (UTC)', width: 28, text: ({ at }) => formatTime(at) },
  { title: 'CHANNEL', width: 20, text: ({ channel }) => channel },
  { title: 'RULE', width: 0, text: ({ rule }) => rule },
]

const judgementColumns: Column<Preview['rules'][number]>[] = [
  { title: 'FITS', width: 4, text: ({ unmet }) => (unmet === null ? 'yes' : 'no') },
  { title: 'NOT MET', width: 9, text: ({ unmet }) => unmet ?? '-' },
  { title: 'RULE', width: 0, text: ({ name }) => name },
]

export function registerRules(alert: Command): void {
  const rule = alert.command('rule').description('List and change the rules that say which attacks are told to whom')
  withRemote(rule.command('list').description('List the rules, in the order in which they are looked at')).action(
    listRules,
  )
  withRemote(rule.command('add').description('Make rules, after the others'))
    .requiredOption(
      '-f, --file <FILE>',
      'a rule or a list of rules as YAML, with channels and groups by name; `-`: input',
    )
    .action(addRules)
  withRemote(rule.command('delete').description('Delete a rule; ends still go where beginnings went'))
    .argument('<ID>', 'the id of the rule')
    .action(deleteRule)
  withRemote(alert.command('preview').description('Say who would be told about an attack, and why others not'))
    .argument('[HOST]', 'the site that is attacked (default: that of the event)')
    .option('--event <ID>', 'an event of yours (default: an attack that is made up)')
    .addOption(new Option('--notice <WORD>', 'what is told').choices(notices))
    .addOption(new Option('--severity <WORD>', 'how severe it is').choices(severities))
    .option('--vector <LABEL>', 'the label of the attack')
    .option('--at <TIME>', 'when, as 2026-03-02T20:00:00+01:00 (default: now)')
    .action(preview)
}

async function listRules(options: RemoteOptions): Promise<void> {
  const rules = await withClient(options, async (client) => {
    const given = (await client.call('listRules')).rules
    return options.json ? given : withNames(given, await namesOf(client))
  })
  if (!options.json) await writeLine(tableHead(ruleColumns))
  for (const each of rules) await writeLine(options.json ? JSON.stringify(each) : tableRow(ruleColumns, each))
}

async function addRules({ file, ...options }: AddOptions): Promise<void> {
  const given = await readYaml(file)
  const rules = Array.isArray(given) ? given : [given]
  await withClient(options, async (client) => {
    const names = await namesOf(client)
    // All are looked at before the first is made.
    const checked = rules.map((each, n) => withIds(fitting(RuleRequest, each, ruleName(each, n)), names))
    for (const body of checked) await writeMade(await client.call('addRule', { body }), options)
  })
}

/** What a rule of a file is called in errors. */
export function ruleName(rule: unknown, number: number): string {
  const name: unknown = typeof rule === 'object' && rule !== null && 'name' in rule ? rule.name : undefined
  return typeof name === 'string' ? `the rule ${name}` : `rule ${number + 1}`
}

function writeMade(rule: Rule, { json }: RemoteOptions): Promise<void> {
  return writeLine(json ? JSON.stringify(rule) : `made rule ${rule.id}: ${printable(rule.name)}`)
}

async function deleteRule(id: string, options: RemoteOptions): Promise<void> {
  const outcome = await withClient(options, (client) => client.call('deleteRule', { params: { id } }))
  await writeLine(options.json ? JSON.stringify(outcome) : `deleted ${printable(id)}`)
}

async function preview(host: string | undefined, options: PreviewOptions): Promise<void> {
  const { event: eventId, notice, severity, vector, at } = options
  const body = { eventId, notice, severity, vector, host, at }
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const said = await withClient(options, (client: Client) => client.call('previewAlert', { body: given }))
  if (options.json) return writeLine(JSON.stringify(said))
  const ruleNames = new Map(said.rules.map(({ ruleId, name }) => [ruleId, name]))
  if (said.told.length === 0) await writeLine('nobody would be told')
  else await writeLine(tableHead(toldColumns))
  for (const each of said.told) {
    const rule = each.ruleId === null ? '(told before)' : (ruleNames.get(each.ruleId) ?? each.ruleId)
    await writeLine(tableRow(toldColumns, { ...each, rule }))
  }
  if (said.escalated.length > 0) await writeLine(`\n${tableHead(escalatedColumns)}`)
  for (const each of said.escalated)
    await writeLine(tableRow(escalatedColumns, { ...each, rule: ruleNames.get(each.ruleId) ?? each.ruleId }))
  await writeLine(`\n${tableHead(judgementColumns)}`)
  for (const each of said.rules) await writeLine(tableRow(judgementColumns, each))
}
