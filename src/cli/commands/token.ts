// `floodgauge token ...`: the tokens with which users' programs call the interface, on the data directory.
import type { Command } from 'commander'
import { type Scope, scopes as scopesKnown, scopesOf } from '../../access/roles.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { tokenState } from '../../store/accounts.ts'
import type { Token } from '../../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import { changing, type DataOptions, isoTime, requireUser, withData, withStore } from '../data.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface CreateOptions extends DataOptions {
  name: string
  scope?: string
  expires?: string
}

interface TokenLine {
  id: string
  name: string
  scopes: Scope[]
  created: string
  expires: string | null
  lastUsed: string | null
  state: ReturnType<typeof tokenState>
  /** Since when, and why; null: it is not. */
  suspended: { since: string; reason: 'sign-on-refused' } | null
}

const nameMax = 100

const columns: Column<TokenLine>[] = [
  { title: 'ID', width: 16, text: ({ id }) => id },
  { title: 'NAME', width: 16, text: ({ name }) => name },
  { title: 'SCOPES', width: 16, text: ({ scopes }) => scopes.join(',') },
  { title: 'CREATED (UTC)', width: 19, text: ({ created }) => formatTime(created) },
  { title: 'EXPIRES (UTC)', width: 19, text: ({ expires }) => (expires === null ? 'never' : formatTime(expires)) },
  { title: 'LAST USED (UTC)', width: 19, text: ({ lastUsed }) => (lastUsed === null ? 'never' : formatTime(lastUsed)) },
  { title: 'STATE', width: 0, text: ({ state, suspended }) => stateText(state, suspended) },
]

export function registerToken(program: Command): void {
  const token = program.command('token').description("Make, list and revoke users' tokens")
  withData(token.command('create').description('Make a token; its secret is printed once, and kept nowhere'))
    .argument('<EMAIL>')
    .option('--name <NAME>', 'what the token is for', 'default')
    .option(
      '--scope <LIST>',
      `what it may do, by commas: ${scopesKnown.join(', ')}; without it what the user may, but for admin`,
    )
    .option('--expires <WHEN>', 'after that time (30d, 12h, 45m) or at that date (2030-01-31, UTC); without it: never')
    .action(createToken)
  withData(token.command('list').description("List a user's tokens")).argument('<EMAIL>').action(listTokens)
  withData(token.command('revoke').description('Make a token invalid'))
    .argument('<ID>', 'as `token list` shows it')
    .action(revokeToken)
}

async function createToken(email: string, options: CreateOptions): Promise<void> {
  const name = parseName(options.name)
  const wanted = options.scope === undefined ? null : parseScopes(options.scope)
  const expiresMs = options.expires === undefined ? null : parseExpiry(options.expires, systemClock.now())
  const secret = newTokenSecret()
  const token = await withStore(options, async (store) => {
    const user = await requireUser(store, email)
    const scopes = wanted ?? scopesOf(user.role).filter((scope) => scope !== 'admin')
    const detail = { name, scopes, expires: expiresMs === null ? null : isoTime(expiresMs) }
    const token = { userId: user.id, name, scopes: [...scopes], expiresMs }
    return changing(store, { kind: 'token create', object: user.email, detail }, () =>
      store.addToken(token, hashTokenSecret(secret)),
    )
  })
  if (options.json) return writeLine(JSON.stringify({ ...lineOf(token), secret }))
  const end = expiresMs === null ? 'it never expires' : `it expires at ${isoTime(expiresMs)}`
  process.stderr.write(
    `token ${token.id} (${token.scopes.join(',')}) of ${printable(email)}; ${end}. Its secret, shown only now:\n`,
  )
  if (token.suspendedMs !== null)
    process.stderr.write('it does not work now: single sign-on refuses its user (see `token list`)\n')
  return writeLine(secret)
}

async function listTokens(email: string, options: DataOptions): Promise<void> {
  const tokens = await withStore(options, async (store) => store.listTokens((await requireUser(store, email)).id))
  if (!options.json) await writeLine(tableHead(columns))
  for (const line of tokens.map(lineOf)) await writeLine(options.json ? JSON.stringify(line) : tableRow(columns, line))
}

async function revokeToken(id: string, options: DataOptions): Promise<void> {
  await withStore(options, (store) =>
    changing(store, { kind: 'token revoke', object: id }, async () => {
      if (!(await store.revokeToken(id))) throw new AppError('NOT_FOUND', `there is no token ${id}`)
    }),
  )
  await writeLine(options.json ? JSON.stringify({ id, revoked: true }) : `revoked ${id}`)
}

function lineOf(token: Token): TokenLine {
  const { id, name, scopes, createdMs, expiresMs, lastUsedMs, suspendedMs } = token
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms))
  return {
    ...{ id, name, scopes, created: isoTime(createdMs), expires: time(expiresMs), lastUsed: time(lastUsedMs) },
    state: tokenState(token, systemClock.now()),
    suspended: suspendedMs === null ? null : { since: isoTime(suspendedMs), reason: 'sign-on-refused' },
  }
}

function stateText(state: TokenLine['state'], suspended: TokenLine['suspended']): string {
  if (state !== 'suspended' || suspended === null) return state
  return `suspended: single sign-on refuses its user since ${formatTime(suspended.since)}`
}

function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > nameMax) throw new UsageError(`--name must have 1 to ${nameMax} characters`)
  return name
}

function parseScopes(text: string): Scope[] {
  const given = text.split(',').map((each) => each.trim())
  const wrong = given.find((each) => !scopesKnown.some((scope) => scope === each))
  if (wrong !== undefined) throw new UsageError(`--scope: ${wrong || 'empty'} is not one of ${scopesKnown.join(', ')}`)
  return scopesKnown.filter((scope) => given.includes(scope))
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** `30d`, or a date, or a date-time with offset; Unix milliseconds, after now. */
export function parseExpiry(text: string, nowMs: number): number {
  const span = /^(\d{1,6})([mhdw])$/.exec(text)
  const atMs = span !== null ? nowMs + Number(span[1]) * unitMs[span[2]] : parseDate(text)
  if (Number.isNaN(atMs)) throw new UsageError(`--expires: neither a time span like 30d nor a date: ${text}`)
  if (atMs <= nowMs) throw new UsageError(`--expires: not in the future: ${text}`)
  return atMs
}

/** NaN for what is no date; Date.parse alone would take 2030-02-31 for March. */
function parseDate(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text)
  if (parts === null) return Number.NaN
  const day = Date.parse(parts[1])
  const real = !Number.isNaN(day) && new Date(day).toISOString().startsWith(parts[1])
  return real ? Date.parse(text) : Number.NaN
}
