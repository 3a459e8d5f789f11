// `floodgauge alert silence ...`: times in which some attacks are told to nobody.
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import type { Silence } from '../../contract/alerts/silences.ts'
import { formatTime as isoTime } from '../../contract/time.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { parseDuration } from '../text/duration.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'
import { idOf, namesOf, withNames } from './names.ts'

interface SilenceOptions extends RemoteOptions {
  for?: string
  reason?: string
  from?: string
  group: string[]
  vector: string[]
  all?: true
}

const aboutText = ({ sites, groups, vectors }: Silence) => [...sites, ...groups, ...vectors].join(',') || 'everything'

const columns: Column<Silence>[] = [
  { title: 'ID', width: 16, text: ({ id }) => id },
  { title: 'FROM (UTC)', width: 19, text: ({ from }) => formatTime(from) },
  { title: 'UNTIL (UTC)', width: 19, text: ({ until }) => formatTime(until) },
  { title: 'HELD', width: 4, right: true, text: ({ attacks }) => String(attacks) },
  { title: 'OPEN', width: 4, right: true, text: ({ openAttacks }) => String(openAttacks) },
  { title: 'ABOUT', width: 20, text: aboutText },
  { title: 'REASON', width: 0, text: ({ reason }) => reason },
]

const several = (value: string, before: string[]) => [...before, value]

export function registerSilences(alert: Command): void {
  const silence = withRemote(alert.command('silence').description('Tell nobody about some attacks for a time'))
    .argument('[HOSTS...]', 'sites, or networks and wildcards that have sites')
    .option('--for <TIME>', 'how long, such as 2h: 30d at most')
    .option('--reason <TEXT>', 'why')
    .option('--from <TIME>', 'when it begins, as 2026-03-02T20:00:00+01:00 (default: now)')
    .option('--group <NAME>', 'sites of this group, too (may be given several times)', several, [])
    .option('--vector <LABEL>', 'these attacks alone, `*` stands for any characters (likewise)', several, [])
    .option('--all', 'every attack on any site')
    .action(addSilence)
  withRemote(silence.command('list').description('List silences: first those that have not ended')).action(
    // Options after its name are taken for those of the command above, which has the same.
    (_options, command: Command) => listSilences(command.optsWithGlobals()),
  )
  withRemote(silence.command('delete').description('End a silence now, or delete one that has not begun'))
    .argument('<ID>', 'the id of the silence')
    .action((id: string, _options, command: Command) => endSilence(id, command.optsWithGlobals()))
}

async function addSilence(sites: readonly string[], options: SilenceOptions): Promise<void> {
  const { for: length, reason, from, group, vector, all } = options
  if (length === undefined) throw new UsageError('no time: give --for, such as --for 2h')
  if (reason === undefined) throw new UsageError('no reason: give --reason')
  // A forgotten host would silence everything.
  const isAbout = sites.length + group.length + vector.length > 0
  if (isAbout === (all === true)) throw new UsageError('name hosts, groups or vectors, or give --all')
  const fromMs = from === undefined ? systemClock.now() : Date.parse(from)
  if (Number.isNaN(fromMs)) throw new UsageError(`not a time: ${printable(from ?? '')}`)
  const until = isoTime(fromMs + parseDuration(length))
  const made = await withClient(options, async (client) => {
    const names = group.length === 0 ? null : await namesOf(client)
    const groups = names === null ? [] : group.map((each) => idOf(names, 'groups', each))
    const times = { ...(from !== undefined && { from: isoTime(fromMs) }), until }
    return client.call('addSilence', { body: { reason, sites: [...sites], groups, vectors: vector, ...times } })
  })
  await writeLine(options.json ? JSON.stringify(made) : `made silence ${made.id}, until ${formatTime(made.until)} UTC`)
}

async function listSilences(options: RemoteOptions): Promise<void> {
  const silences = await withClient(options, async (client) => {
    const given = (await client.call('listSilences')).silences
    return options.json ? given : withNames(given, await namesOf(client))
  })
  if (!options.json) await writeLine(tableHead(columns))
  for (const each of silences) await writeLine(options.json ? JSON.stringify(each) : tableRow(columns, each))
}

async function endSilence(id: string, options: RemoteOptions): Promise<void> {
  const outcome = await withClient(options, (client) => client.call('endSilence', { params: { id } }))
  await writeLine(options.json ? JSON.stringify(outcome) : `ended ${printable(id)}`)
}
