// `floodgauge user ...`: accounts, on the data directory.
import type { Command } from 'commander'
import { canonicalHostname } from '../../net/hostname.ts'
import { hasStore } from '../../store/data-directory.ts'
import { isEmail } from '../../store/email.ts'
import type { User } from '../../store/store.ts'
import { readNetworks } from '../../targets/site.ts'
import { type DataOptions, isoTime, requireUser, settingsOf, withData, withStore, withStoreIn } from '../data.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../output.ts'
import { printable } from '../terminal.ts'
import { UsageError } from '../usage.ts'

interface UserOptions extends DataOptions {
  quota?: string
  allow?: string
}

const quotaMax = 1_000_000

interface UserLine {
  email: string
  sites: number
  siteQuota: number
  allowed: string[] | null
  created: string
}

const columns: Column<UserLine>[] = [
  { title: 'EMAIL', width: 32, text: ({ email }) => email },
  { title: 'SITES', width: 13, text: ({ sites, siteQuota }) => `${sites} of ${siteQuota}` },
  { title: 'CREATED (UTC)', width: 19, text: ({ created }) => formatTime(created) },
  { title: 'ALLOWED', width: 0, text: ({ allowed }) => allowed?.join(',') ?? 'any' },
]

export function registerUser(program: Command): void {
  const user = program.command('user').description('Make, list and change users')
  withLimits(withData(user.command('add').description('Make a user')))
    .argument('<EMAIL>')
    .action(addUser)
  withData(user.command('list').description('List the users')).action(listUsers)
  withLimits(withData(user.command('set').description("Change a user's limits")))
    .argument('<EMAIL>')
    .action(setUser)
}

function withLimits(command: Command): Command {
  return command
    .option('--quota <N>', 'how many sites the user may have')
    .option('--allow <LIST>', 'networks (CIDR) and domains, by commas, in which sites must lie; any: anywhere')
}

async function addUser(email: string, options: UserOptions): Promise<void> {
  if (!isEmail(email)) throw new UsageError(`not an e-mail address: ${email}`)
  const { dir, siteQuota } = settingsOf(options)
  const limits = { siteQuota: parseQuota(options.quota) ?? siteQuota, allowed: parseAllowed(options.allow) ?? null }
  if (!hasStore(dir)) process.stderr.write(`a new store is made in ${printable(dir)}\n`)
  const user = await withStoreIn(dir, (store) => store.addUser({ email, ...limits }))
  await writeLine(options.json ? JSON.stringify(lineOf(user, 0)) : `added ${printable(user.email)}`)
}

async function listUsers(options: UserOptions): Promise<void> {
  const lines = await withStore(options, async (store) => {
    const users = await store.listUsers()
    return Promise.all(users.map(async (user) => lineOf(user, (await store.listSites(user.id)).length)))
  })
  if (!options.json) await writeLine(tableHead(columns))
  for (const line of lines) await writeLine(options.json ? JSON.stringify(line) : tableRow(columns, line))
}

async function setUser(email: string, options: UserOptions): Promise<void> {
  const siteQuota = parseQuota(options.quota)
  const allowed = parseAllowed(options.allow)
  if (siteQuota === undefined && allowed === undefined)
    throw new UsageError('nothing to change: give --quota or --allow')
  const line = await withStore(options, async (store) => {
    const user = await requireUser(store, email)
    await store.updateUser(user.id, {
      ...(siteQuota === undefined ? {} : { siteQuota }),
      ...(allowed === undefined ? {} : { allowed }),
    })
    return lineOf(await requireUser(store, email), (await store.listSites(user.id)).length)
  })
  await writeLine(options.json ? JSON.stringify(line) : `changed ${printable(line.email)}`)
}

function lineOf({ email, siteQuota, allowed, createdMs }: User, sites: number): UserLine {
  const list = allowed === null ? null : [...allowed.networks, ...allowed.domains]
  return { email, sites, siteQuota, allowed: list, created: isoTime(createdMs) }
}

function parseQuota(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const quota = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(quota <= quotaMax)) throw new UsageError(`--quota must be a whole number from 0 to ${quotaMax}: ${text}`)
  return quota
}

/** Undefined: not given. Null: anywhere. */
function parseAllowed(text: string | undefined): User['allowed'] | undefined {
  if (text === undefined) return undefined
  if (text === 'any') return null
  const allowed: NonNullable<User['allowed']> = { networks: [], domains: [] }
  for (const entry of text.split(',').map((each) => each.trim())) {
    const domain = canonicalHostname(entry.replace(/^\*\./, ''))
    if (/^[\d./]+$/.test(entry)) {
      if (readNetworks([entry]).length === 0) throw new UsageError(`--allow: not an IPv4 network: ${entry}`)
      allowed.networks.push(entry)
    } else if (domain !== null) allowed.domains.push(domain)
    else throw new UsageError(`--allow: neither a network nor a domain: ${entry}`)
  }
  return allowed
}
