// An online copy of the database: of one moment, opened again and compared with that moment, on the disk, and only then under its name.
import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { sync } from '../../data-directory.ts'
import { storeError } from '../errors.ts'
import { number } from '../rows.ts'
import { findDamage } from './quick-check.ts'

/** All pages in one step, however much is written meanwhile. It runs outside the main thread. */
const allPages = 0x7fff_ffff

/** What a database holds: the same in a copy as in its source at that moment. */
export interface BackupContent {
  schemaVersion: number
  users: number
  sites: number
  events: number
}

export interface BackupResult extends BackupContent {
  bytes: number
}

/** What a copy leaves free, so that a store on the same disk can still be written. */
const marginBytes = 64 * 1024 * 1024

/** What is appended to the name of a copy that is not finished. */
export const partSuffix = '.part'
const besides = ['', '-wal', '-shm', '-journal']

/** Copies the database at `path` to `toFile`, which must not exist, and checks the copy. Writers are not held up. */
export async function backupTo(path: string, toFile: string, freeIn = freeBytes): Promise<BackupResult> {
  if (existsSync(toFile)) throw new AppError('CONFLICT', `${toFile} exists already`)
  const part = `${toFile}${partSuffix}`
  try {
    requireRoom(path, freeIn(dirname(toFile)))
    createPrivate(part)
    const content = await copy(path, part)
    makePlain(part)
    checkCopy(part, content)
    sync(part)
    const { size: bytes } = statSync(part)
    renameSync(part, toFile)
    sync(dirname(toFile))
    return { ...content, bytes }
  } catch (error) {
    removePart(part)
    throw backupError(toFile, error)
  }
}

/** Removes an unfinished copy with what SQLite keeps beside it. */
export function removePart(part: string): void {
  for (const suffix of besides) rmSync(`${part}${suffix}`, { force: true })
}

/** What this user may write on the disk of a folder. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function requireRoom(path: string, free: number): void {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const needed = size(path) + size(`${path}-wal`) + marginBytes
  if (free >= needed) return
  const [has, needs] = [free, needed].map((bytes) => `${Math.ceil(bytes / 1024 / 1024)} MiB`)
  throw new AppError('STORE_UNAVAILABLE', `too little room for a backup: ${has} are free, ${needs} are needed`)
}

function createPrivate(file: string): void {
  removePart(file)
  closeSync(openSync(file, 'wx', 0o600))
}

/**
 * With a connection of its own, so that the store's own is not held up by the copying. What is counted and what is copied are read in one transaction:
 * they are of the same moment.
 */
async function copy(path: string, part: string): Promise<BackupContent> {
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    source.exec('BEGIN')
    const content = contentOf(source)
    await backup(source, part, { rate: allPages })
    return content
  } finally {
    source.close()
  }
}

/** One plain file, without a write-ahead log beside it. */
function makePlain(part: string): void {
  const database = new DatabaseSync(part)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
  } finally {
    database.close()
  }
}

/** The copy opens, is whole, and holds what its source held. */
function checkCopy(part: string, expected: BackupContent): void {
  const database = new DatabaseSync(part, { readOnly: true })
  try {
    const damage = findDamage(database)
    if (damage !== null) throw new AppError('STORE_UNAVAILABLE', `the copy is damaged: ${damage}`)
    const found = contentOf(database)
    for (const [what, count] of Object.entries(expected)) {
      const other = Object.entries(found).find(([name]) => name === what)?.[1]
      if (other !== count)
        throw new AppError('STORE_UNAVAILABLE', `the copy differs from the store: ${what} ${other}, not ${count}`)
    }
  } finally {
    database.close()
  }
}

/** A store of an older schema may lack a table: it can be backed up all the same. */
function contentOf(database: DatabaseSync): BackupContent {
  const count = (table: 'users' | 'sites' | 'events') => {
    const known = database
      .prepare("SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name = ?")
      .get(table)
    if (known === undefined || number(known, 'n') === 0) return 0
    const row = database.prepare(`SELECT count(*) AS n FROM ${table}`).get()
    return row === undefined ? 0 : number(row, 'n')
  }
  const version = database.prepare('PRAGMA user_version').get()
  return {
    schemaVersion: version === undefined ? 0 : number(version, 'user_version'),
    ...{ users: count('users'), sites: count('sites'), events: count('events') },
  }
}

function backupError(toFile: string, error: unknown): unknown {
  const known = storeError(error)
  if (known instanceof AppError) return known
  const reason = known instanceof Error ? known.message : String(known)
  return new AppError('STORE_UNAVAILABLE', `cannot back up to ${toFile}: ${reason}`, { cause: error })
}
