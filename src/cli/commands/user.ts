// `floodgauge user ...`: accounts, on the data directory.
import type { Command } from 'commander'
import { canonicalHostname } from '../../net/hostname.ts'
import { hasStore } from '../../store/data-directory.ts'
import { isEmail } from '../../store/email.ts'
import { hashPassword, passwordFault } from '../../store/password.ts'
import type { User } from '../../store/store.ts'
import { hasToHaveSay, policies } from '../../targets/policy.ts'
import { readNetworks } from '../../targets/site.ts'
import { type DataOptions, isoTime, requireUser, settingsOf, withData, withStore, withStoreIn } from '../data.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../output.ts'
import { readPassword } from '../password-prompt.ts'
import { printable } from '../terminal.ts'
import { UsageError } from '../usage.ts'

interface UserOptions extends DataOptions {
  quota?: string
  allow?: string
  policy?: string
  admin?: string
}

const quotaMax = 1_000_000

interface UserLine {
  email: string
  sites: number
  siteQuota: number
  allowed: string[] | null
  /** Null: the installation's. */
  policy: User['policy']
  isAdmin: boolean
  created: string
}

const columns: Column<UserLine>[] = [
  { title: 'EMAIL', width: 32, text: ({ email }) => email },
  { title: 'SITES', width: 13, text: ({ sites, siteQuota }) => `${sites} of ${siteQuota}` },
  { title: 'ADMIN', width: 5, text: ({ isAdmin }) => (isAdmin ? 'yes' : 'no') },
  { title: 'CREATED (UTC)', width: 19, text: ({ created }) => formatTime(created) },
  { title: 'POLICY', width: 8, text: ({ policy }) => policy ?? '-' },
  {
    title: 'ALLOWED',
    width: 0,
    text: ({ allowed, policy }) => allowed?.join(',') ?? (policy === null || !hasToHaveSay(policy) ? 'any' : '-'),
  },
]

export function registerUser(program: Command): void {
  const user = program.command('user').description('Make, list and change users')
  withLimits(withData(user.command('add').description('Make a user')))
    .argument('<EMAIL>')
    .action(addUser)
  withData(user.command('list').description('List the users')).action(listUsers)
  withLimits(withData(user.command('set').description("Change a user's limits")))
    .argument('<EMAIL>')
    .option('--admin <yes|no>', 'whether the user looks after the installation')
    .action(setUser)
  withData(
    user.command('password').description('Set the password with which a user signs in, read from standard input'),
  )
    .argument('<EMAIL>')
    .option('--none', 'take it away: the user cannot sign in any more')
    .action(setPassword)
  withData(user.command('delete').description('Delete a user with all tokens, sites and events'))
    .argument('<EMAIL>')
    .option('--yes', 'I mean it')
    .action(deleteUser)
}

function withLimits(command: Command): Command {
  return command
    .option('--quota <N>', 'how many sites the user may have')
    .option('--allow <LIST>', 'networks (CIDR) and domains, by commas, in which sites must lie; any: anywhere')
    .option(
      '--policy <POLICY>',
      `who may watch what, for this user: ${policies.join(', ')}; default: as access.policy says`,
    )
}

async function addUser(email: string, options: UserOptions): Promise<void> {
  if (!isEmail(email)) throw new UsageError(`not an e-mail address: ${email}`)
  const { dir, siteQuota } = settingsOf(options)
  const limits = {
    siteQuota: parseQuota(options.quota) ?? siteQuota,
    allowed: parseAllowed(options.allow) ?? null,
    policy: parsePolicy(options.policy) ?? null,
  }
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
  const policy = parsePolicy(options.policy)
  const isAdmin = parseYesNo(options.admin)
  if ([siteQuota, allowed, policy, isAdmin].every((each) => each === undefined))
    throw new UsageError('nothing to change: give --quota, --allow, --policy or --admin')
  const line = await withStore(options, async (store) => {
    const user = await requireUser(store, email)
    await store.updateUser(user.id, {
      ...(siteQuota === undefined ? {} : { siteQuota }),
      ...(allowed === undefined ? {} : { allowed }),
      ...(policy === undefined ? {} : { policy }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
    })
    return lineOf(await requireUser(store, email), (await store.listSites(user.id)).length)
  })
  await writeLine(options.json ? JSON.stringify(line) : `changed ${printable(line.email)}`)
}

async function setPassword(email: string, options: DataOptions & { none?: boolean }): Promise<void> {
  const passwordHash = options.none ? null : await readHash(email)
  await withStore(options, async (store) => store.setPassword((await requireUser(store, email)).id, passwordHash))
  const done = passwordHash === null ? 'has no password any more' : 'has a new password'
  await writeLine(
    options.json
      ? JSON.stringify({ email, hasPassword: passwordHash !== null })
      : `${printable(email)} ${done}; all sessions have ended`,
  )
}

async function readHash(email: string): Promise<string> {
  const password = await readPassword(process.stdin, process.stderr)
  const fault = passwordFault(password, email)
  if (fault !== null) throw new UsageError(fault)
  return hashPassword(password)
}

async function deleteUser(email: string, options: DataOptions & { yes?: boolean }): Promise<void> {
  if (!options.yes) throw new UsageError(`all sites and events of ${email} would be deleted: say so with --yes`)
  await withStore(options, async (store) => store.deleteUser((await requireUser(store, email)).id))
  await writeLine(options.json ? JSON.stringify({ email, deleted: true }) : `deleted ${printable(email)}`)
}

function lineOf({ email, siteQuota, allowed, policy, isAdmin, createdMs }: User, sites: number): UserLine {
  const list = allowed === null ? null : [...allowed.networks, ...allowed.domains]
  return { email, sites, siteQuota, allowed: list, policy, isAdmin, created: isoTime(createdMs) }
}

function parseQuota(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const quota = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(quota <= quotaMax)) throw new UsageError(`--quota must be a whole number from 0 to ${quotaMax}: ${text}`)
  return quota
}

/** Undefined: not given. Null: the installation's. */
function parsePolicy(text: string | undefined): User['policy'] | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  const found = policies.find((policy) => policy === text)
  if (found === undefined) throw new UsageError(`--policy must be one of ${policies.join(', ')}, default: ${text}`)
  return found
}

function parseYesNo(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--admin must be yes or no: ${text}`)
  return text === 'yes'
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
