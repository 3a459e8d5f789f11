// `floodgauge site ...`: the monitored sites, as a client of the HTTP interface.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { AddOutcome, BatchOutcome, CallOptions, Client, Site } from '../../../client/index.ts'
import { hostsMax } from '../../contract/limits.ts'
import { AppError } from '../../errors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { proofLines, renderSite, stateLine } from '../text/site.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

const stdinBytesMax = 64 * 1024 * 1024

type Verb = (client: Client, hosts: string[], options?: CallOptions) => Promise<AddOutcome | BatchOutcome>

const verbs: { name: string; done: string; description: string; call: Verb }[] = [
  { name: 'add', done: 'added', description: 'Monitor hosts', call: (client, hosts) => client.addSites(hosts) },
  { name: 'delete', done: 'deleted', description: 'Forget hosts', call: (client, hosts) => client.deleteSites(hosts) },
  {
    name: 'enable',
    done: 'enabled',
    description: 'Resume monitoring',
    call: (client, hosts) => client.enableSites(hosts),
  },
  {
    name: 'disable',
    done: 'disabled',
    description: 'Pause monitoring',
    call: (client, hosts) => client.disableSites(hosts),
  },
]

const columns: Column<Site>[] = [
  { title: 'HOST', width: 40, text: (site) => site.host },
  { title: 'STATE', width: 8, text: (site) => (site.is_enable ? 'enabled' : 'disabled') },
  { title: 'ADDED (UTC)', width: 19, text: (site) => formatTime(site.create_time) },
  { title: 'GROUP', width: 0, text: (site) => site.group_name },
]

export function registerSite(program: Command): void {
  const site = program.command('site').description('List and change the monitored sites of a running service')
  withRemote(site.command('list').description('List the sites')).action(listSites)
  withRemote(site.command('show').description('Show where a site leads, and what of that is seen in flows'))
    .argument('<HOST>', 'a host as it was added')
    .action(showSite)
  withRemote(site.command('verify').description('Look for the DNS record that proves a site now'))
    .argument('<HOST>', 'a host as it was added')
    .action(verifySite)
  for (const verb of verbs) {
    withRemote(site.command(verb.name).description(verb.description))
      .argument('<HOST...>', 'name, *.name, IPv4 address or range (CIDR); - reads them from standard input, one a line')
      .action((hosts: string[], options: RemoteOptions) => changeSites(verb, hosts, options))
  }
}

async function listSites(options: RemoteOptions): Promise<void> {
  const sites = await withClient(options, (client) => client.listSites())
  if (!options.json) await writeLine(tableHead(columns))
  for (const site of sites) await writeLine(options.json ? JSON.stringify(site) : tableRow(columns, site))
}

async function showSite(host: string, options: RemoteOptions): Promise<void> {
  const site = await withClient(options, (client) => client.getSite(host))
  if (site === null) throw new AppError('NOT_FOUND', `no site ${printable(host)} of this user`)
  await writeLine(options.json ? JSON.stringify(site) : renderSite(site))
}

async function verifySite(host: string, options: RemoteOptions): Promise<void> {
  const site = await withClient(options, (client) => client.verifySite(host))
  if (site === null) throw new AppError('NOT_FOUND', `no site ${printable(host)} of this user`)
  await writeLine(options.json ? JSON.stringify(site) : [stateLine(site), ...proofLines(site)].join('\n'))
  if (!site.isWatched) throw new AppError('CONFLICT', `${printable(host)} is not watched`)
}

async function changeSites(verb: (typeof verbs)[number], given: string[], options: RemoteOptions): Promise<void> {
  const hosts = await withStdin(given)
  const success: string[] = []
  const error: AddOutcome['error'] | BatchOutcome['error'] = []
  await withClient(options, async (client) => {
    for (let at = 0; at < hosts.length; at += hostsMax) {
      const outcome = await verb.call(client, hosts.slice(at, at + hostsMax))
      success.push(...outcome.success)
      Array.prototype.push.apply(error, outcome.error)
      if (!options.json) for (const host of outcome.success) await writeLine(`${verb.done} ${printable(host)}`)
      for (const failed of outcome.error) process.stderr.write(`${printable(reasonOf(failed, verb.done))}\n`)
    }
  })
  const status = error.length === 0 ? 1 : success.length === 0 ? -1 : 0
  if (options.json) await writeLine(JSON.stringify({ status, success, error }))
  if (status !== 1)
    throw new AppError('CONFLICT', `not ${verb.done}: ${error.length} of ${success.length + error.length}`)
}

function reasonOf(failed: string | Record<string, string>, done: string): string {
  if (typeof failed === 'string') return `${failed}: not ${done}, no such site of this user`
  return Object.entries(failed)
    .map(([host, reason]) => `${host}: ${reason}`)
    .join('; ')
}

/** `-` stands for the lines of standard input; blank lines and those that start with # are passed over. */
async function withStdin(given: string[]): Promise<string[]> {
  const at = given.indexOf('-')
  if (at === -1) return given
  const input = await text(process.stdin)
  if (input.length > stdinBytesMax) throw new UsageError('too many hosts on standard input')
  const lines = input.split('\n').map((line) => line.trim())
  const hosts = given.toSpliced(at, 1, ...lines.filter((line) => line !== '' && !line.startsWith('#')))
  if (hosts.length === 0) throw new UsageError('no hosts on standard input')
  return hosts
}
