// What the commands that work on the data directory share. They run beside a service on the same directory, or without one.
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Deed } from '../audit/deed.ts'
import type { Detail } from '../audit/entry.ts'
import { systemClock } from '../clock.ts'
import { type Config, loadConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import { hasStore, notedServiceUrl, storeFileOf } from '../store/data-directory.ts'
import type { StoreSettings } from '../store/settings.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'
import type { Store, User } from '../store/store.ts'

export interface DataOptions {
  data?: string
  config?: string
  json?: boolean
}

export function withData(command: Command): Command {
  return command
    .option('--data <DIR>', 'data directory (default: store.dir of the configuration)')
    .option('--config <FILE>', 'configuration file (YAML)')
    .option('--json', 'print JSON, one object a line')
}

/** The store's settings in force, with `--data` counted. */
export function settingsOf(options: DataOptions): StoreSettings {
  const { store } = configOf(options)
  return { ...store, dir: resolve(store.dir) }
}

/** Where people reach the service of the data directory: as configured, as the service has noted it, or where it would listen. */
export function serviceUrlOf(options: DataOptions): string {
  const { store, http } = configOf(options)
  return (http.publicUrl || notedServiceUrl(resolve(store.dir)) || `http://${http.listen}`).replace(/\/+$/, '')
}

function configOf({ data, config }: DataOptions): Config {
  return loadConfig({ file: config, env: process.env, flags: { data } })
}

/** Runs the work with the store of the directory, which must be there: a mistyped directory must not look like an empty one. */
export async function withStore<Result>(
  options: DataOptions,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { dir } = settingsOf(options)
  if (!hasStore(dir)) throw new AppError('NOT_FOUND', `there is no store in ${dir}: --data says where it is`)
  return withStoreIn(dir, work)
}

/** The same, where the directory and the store are made when they are missing. */
export async function withStoreIn<Result>(dir: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  // A running service may be of the version before: its store is not changed under it.
  const store = await openSqliteStore(storeFileOf(dir), { clock: systemClock, upgrade: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** What a command does to the store: its row in the audit log is written with it. */
export interface Change {
  /** The command in words. */
  kind: string
  object: string
  detail?: Detail
}

/** Runs a change of the store, in the name of the account that runs the command. */
export function changing<Result>(store: Store, { kind, object, detail = {} }: Change, work: () => Promise<Result>) {
  const actor = { kind: 'command' as const, userId: null, name: accountName(), credential: '', address: '' }
  return store.answerFor(new Deed({ kind, actor, object, detail }), work)
}

/** With the account behind sudo, where there is one. */
function accountName(): string {
  const { SUDO_USER: behind } = process.env
  const name = accountOf(process.getuid?.() ?? -1)
  return behind === undefined || behind === '' ? name : `${name} (${behind})`
}

/** A number that has no name in the machine's list stands for itself. */
function accountOf(uid: number): string {
  try {
    return userInfo().username
  } catch {
    return String(uid)
  }
}

export async function requireUser(store: Store, email: string): Promise<User> {
  const user = await store.userByEmail(email)
  if (user === null) {
    const text = `there is no user ${email}: \`user list\` shows those that there are, \`user add\` makes one`
    throw new AppError('NOT_FOUND', text)
  }
  return user
}

/** `2017-03-08T10:09:18+00:00`, as everywhere in the interface. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}
