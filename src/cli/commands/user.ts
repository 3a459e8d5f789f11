// `floodgauge user ...`: accounts, on the data directory.
import type { Command } from 'commander'
import { readNetworks } from '../../access/host-record.ts'
import { hasToHaveSay, policies } from '../../access/policy.ts'
import { type Role, roles } from '../../access/roles.ts'
import { sitesPerUser } from '../../contract/limits.ts'
import { AppError } from '../../errors.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { mayAdminister } from '../../store/accounts.ts'
import { hasStore } from '../../store/data-directory.ts'
import { isEmail } from '../../store/email.ts'
import { hashPassword, passwordFault } from '../../store/password.ts'
import type { Store, User } from '../../store/store.ts'
import {
  type Change,
  changing,
  type DataOptions,
  isoTime,
  requireUser,
  serviceUrlOf,
  settingsOf,
  withData,
  withStore,
  withStoreIn,
} from '../data.ts'
import { readPassword } from '../password-prompt.ts'
import { linkHours, makeSignInLink, parseHours, writeSignInLink } from '../sign-in-link.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'
import { registerSecondFactor } from './user-second-factor.ts'

interface UserOptions extends DataOptions {
  quota?: string
  allow?: string
  policy?: string
  role?: string
  /** The older word for it. */
  admin?: string
}

interface AddOptions extends UserOptions {
  password?: boolean
  link: boolean
}

interface UserLine {
  email: string
  sites: number
  siteQuota: number
  allowed: string[] | null
  /** Null: the installation's. */
  policy: User['policy']
  role: Role
  isAdmin: boolean
  /** Whether there is a password to sign in to the console with. */
  hasPassword: boolean
  /** Whether a code is asked for after it. */
  hasSecondFactor: boolean
  created: string
}

const columns: Column<UserLine>[] = [
  { title: 'EMAIL', width: 32, text: ({ email }) => email },
  { title: 'SITES', width: 13, text: ({ sites, siteQuota }) => `${sites} of ${siteQuota}` },
  { title: 'ROLE', width: 6, text: ({ role }) => role },
  { title: 'SIGN-IN', width: 11, text: signInOf },
  { title: 'CREATED (UTC)', width: 19, text: ({ created }) => formatTime(created) },
  { title: 'POLICY', width: 8, text: ({ policy }) => policy ?? '-' },
  {
    title: 'ALLOWED',
    width: 0,
    text: ({ allowed, policy }) => allowed?.join(',') ?? (policy === null || !hasToHaveSay(policy) ? 'any' : '-'),
  },
]

function signInOf({ hasPassword, hasSecondFactor }: UserLine): string {
  return hasPassword ? (hasSecondFactor ? 'two factors' : 'yes') : 'no password'
}

export function registerUser(program: Command): void {
  const user = program.command('user').description('Make, list and change users')
  withLimits(withData(user.command('add').description('Make a user')))
    .argument('<EMAIL>')
    .option('--password', 'ask for a password, or read it from a pipe, instead of printing a one-time link')
    .option('--no-link', 'print no link: the user has tokens only')
    .action(addUser)
  withData(user.command('link').description('Print a one-time link by which a user signs in and sets a password'))
    .argument('<EMAIL>')
    .option('--hours <N>', `how long it is valid, 1 to ${linkHours.max}`, String(linkHours.default))
    .option('--direct', 'the link signs in at once, without asking for a new password')
    .action(linkUser)
  withData(user.command('list').description('List the users')).action(listUsers)
  withLimits(withData(user.command('set').description("Change a user's role and limits")))
    .argument('<EMAIL>')
    .action(setUser)
  withData(
    user.command('password').description('Set the password with which a user signs in, read from standard input'),
  )
    .argument('<EMAIL>')
    .option('--none', 'take it away: the user cannot sign in any more')
    .action(setPassword)
  registerSecondFactor(user)
  withData(user.command('delete').description('Delete a user with all tokens, sites and events'))
    .argument('<EMAIL>')
    .option('--yes', 'I mean it')
    .action(deleteUser)
}

function withLimits(command: Command): Command {
  return command
    .option('--role <ROLE>', `what the user may do: ${roles.join(', ')} (the first user: admin, others: member)`)
    .option('--admin <yes|no>', 'yes: as --role admin; no: an admin becomes a member')
    .option('--quota <N>', 'how many sites the user may have')
    .option('--allow <LIST>', 'networks (CIDR) and domains, by commas, in which sites must lie; any: anywhere')
    .option(
      '--policy <POLICY>',
      `who may watch what, for this user: ${policies.join(', ')}; default: as access.policy says`,
    )
}

async function addUser(email: string, options: AddOptions): Promise<void> {
  if (!isEmail(email)) throw new UsageError(`not an e-mail address: ${email}`)
  const given = parseRole(options)
  const { dir, siteQuota } = settingsOf(options)
  const limits = {
    siteQuota: parseQuota(options.quota) ?? siteQuota,
    allowed: parseAllowed(options.allow) ?? null,
    policy: parsePolicy(options.policy) ?? null,
  }
  if (!hasStore(dir)) process.stderr.write(`a new store is made in ${printable(dir)}\n`)
  const passwordHash = options.password ? await readHash(email) : null
  const { user, link } = await withStoreIn(dir, async (store) => {
    if ((await store.userByEmail(email)) !== null) throw knownUser(email)
    // Nobody else could look after the installation.
    const role = given('member') ?? ((await store.listUsers()).length === 0 ? 'admin' : 'member')
    const isLinked = passwordHash === null && options.link
    const how = { base: serviceUrlOf(options), hours: linkHours.default }
    const detail = { role, ...limits, hasPassword: passwordHash !== null, isLinked }
    return changing(store, { kind: 'user add', object: email, detail }, async () => {
      const user = await store.addUser({ email, ...limits, role, ...(passwordHash === null ? {} : { passwordHash }) })
      return { user, link: isLinked ? await makeSignInLink(store, user, how) : null }
    })
  })
  if (options.json) return writeLine(JSON.stringify({ ...lineOf(user, 0), link }))
  await writeLine(`added ${printable(user.email)}${addedAs[user.role]}`)
  if (link !== null) await writeSignInLink(link, linkHours.default)
}

const addedAs: Readonly<Record<Role, string>> = {
  viewer: ', who changes nothing',
  member: '',
  admin: ', who looks after the installation',
}

function knownUser(email: string): AppError {
  return new AppError('CONFLICT', `there is a user ${email} already: \`user link\` prints a link that signs them in`)
}

async function linkUser(email: string, options: DataOptions & { hours: string; direct?: boolean }): Promise<void> {
  const hours = parseHours(options.hours)
  const { direct: isDirect = false } = options
  const link = await withStore(options, async (store) => {
    const user = await requireUser(store, email)
    const how = { base: serviceUrlOf(options), hours, isDirect }
    const change = { kind: 'user link', object: user.email, detail: { hours, isDirect } }
    return changing(store, change, () => makeSignInLink(store, user, how))
  })
  if (options.json) await writeLine(JSON.stringify({ email, link }))
  else await writeSignInLink(link, hours)
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
  const given = parseRole(options)
  if ([siteQuota, allowed, policy, options.role, options.admin].every((each) => each === undefined))
    throw new UsageError('nothing to change: give --role, --quota, --allow or --policy')
  const line = await withStore(options, async (store) => {
    const user = await requireUser(store, email)
    const role = given(user.role)
    const change = {
      ...(siteQuota === undefined ? {} : { siteQuota }),
      ...(allowed === undefined ? {} : { allowed }),
      ...(policy === undefined ? {} : { policy }),
      ...(role === undefined ? {} : { role }),
    }
    const { siteQuota: quota, allowed: had, policy: by, role: was } = user
    const detail = { ...change, before: { siteQuota: quota, allowed: had, policy: by, role: was } }
    await warned(store, { kind: 'user set', object: user.email, detail }, () => store.updateUser(user.id, change))
    return lineOf(await requireUser(store, email), (await store.listSites(user.id)).length)
  })
  await writeLine(options.json ? JSON.stringify(line) : `changed ${printable(line.email)}`)
}

async function setPassword(email: string, options: DataOptions & { none?: boolean }): Promise<void> {
  const passwordHash = options.none ? null : await readHash(email)
  await withStore(options, async (store) => {
    const { id, email: object } = await requireUser(store, email)
    const detail = { hasPassword: passwordHash !== null }
    await warned(store, { kind: 'user password', object, detail }, () => store.setPassword(id, passwordHash))
  })
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
  if (fault !== null) throw new UsageError(fault.text)
  return hashPassword(password)
}

async function deleteUser(email: string, options: DataOptions & { yes?: boolean }): Promise<void> {
  if (!options.yes) throw new UsageError(`all sites and events of ${email} would be deleted: say so with --yes`)
  await withStore(options, async (store) => {
    const { id, email: object } = await requireUser(store, email)
    await warned(store, { kind: 'user delete', object }, () => store.deleteUser(id))
  })
  await writeLine(options.json ? JSON.stringify({ email, deleted: true }) : `deleted ${printable(email)}`)
}

/** Runs a change after which nobody may look after the installation; that is the operator's choice, but must not be made by mistake. */
async function warned<Result>(store: Store, change: Change, work: () => Promise<Result>): Promise<Result> {
  const isAdministered = async () => (await store.listUsers()).some(mayAdminister)
  const before = await isAdministered()
  const result = await changing(store, change, work)
  if (before && !(await isAdministered()))
    process.stderr.write(
      'Now nobody who looks after the installation can sign in: `user set EMAIL --role admin` and `user link EMAIL` let somebody in.\n',
    )
  return result
}

function lineOf(user: User, sites: number): UserLine {
  const { email, siteQuota, allowed, policy, role, hasPassword, hasSecondFactor, createdMs } = user
  const list = allowed === null ? null : [...allowed.networks, ...allowed.domains]
  const rights = { siteQuota, allowed: list, policy, role, isAdmin: role === 'admin' }
  return { email, sites, ...rights, hasPassword, hasSecondFactor, created: isoTime(createdMs) }
}

function parseQuota(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const quota = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(quota <= sitesPerUser.max))
    throw new UsageError(`--quota must be a whole number from 0 to ${sitesPerUser.max}: ${text}`)
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

/** What `--role` or `--admin` makes of a user who has a role; it answers undefined where neither is given. */
function parseRole({ role: text, admin }: UserOptions): (had: Role) => Role | undefined {
  if (text !== undefined && admin !== undefined) throw new UsageError('--admin is the older word for --role: give one')
  if (admin !== undefined && admin !== 'yes' && admin !== 'no')
    throw new UsageError(`--admin must be yes or no: ${admin}`)
  if (admin === 'yes') return () => 'admin'
  if (admin === 'no') return (had) => (had === 'admin' ? 'member' : had)
  if (text === undefined) return () => undefined
  const role = roles.find((each) => each === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}: ${text}`)
  return () => role
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
