// A backup put in the place of the database. The database that was there is set aside under another name, never lost.
import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { giveToOwner, makeDirectory, sync } from '../../data-directory.ts'
import { Database } from '../database.ts'
import { isBusy, resultCode, storeError } from '../errors.ts'
import { applicationId, migrate } from '../migrate.ts'
import { number } from '../rows.ts'

interface RestoreResult {
  /** Where the database that was there is now; null when there was none. */
  oldFile: string | null
}

/** `path`: the database's place. `nowMs` dates the name of the file that is set aside. */
export function restoreFrom(backupFile: string, path: string, nowMs: number): RestoreResult {
  const fresh = `${path}.restoring`
  try {
    prepareCopy(backupFile, fresh)
    const oldFile = existsSync(path) ? setAside(path, asideName(path, nowMs), fresh) : null
    if (oldFile === null) renameSync(fresh, path)
    sync(dirname(resolve(path)))
    return { oldFile }
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${fresh}${suffix}`, { force: true })
    const known = storeError(error)
    if (known instanceof AppError) throw known
    const reason = known instanceof Error ? known.message : String(known)
    throw new AppError('STORE_UNAVAILABLE', `cannot restore ${backupFile}: ${reason}`, { cause: error })
  }
}

function asideName(path: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '')
  const name = `${path}.before-restore-${time}`
  for (let number = 1; ; number++) {
    const each = number === 1 ? name : `${name}-${number}`
    if (!existsSync(each)) return each
  }
}

/** Copies the backup beside the database, and makes sure that it is whole, ours, and can be brought to this version's schema. */
function prepareCopy(backupFile: string, fresh: string): void {
  if (!statSync(backupFile, { throwIfNoEntry: false })?.isFile())
    throw new AppError('NOT_FOUND', `there is no backup ${backupFile}`)
  makeDirectory(dirname(resolve(fresh)))
  copyFileSync(backupFile, fresh)
  chmodSync(fresh, 0o600)
  giveToOwner(resolve(fresh))
  checkBackup(backupFile, fresh)
  const database = new Database(fresh)
  try {
    migrate(database)
    // What was under way then has arrived long since, or is about attacks that are over.
    database.exec(`UPDATE deliveries SET state = 'superseded' WHERE state IN ('held', 'due', 'sending', 'joined')`)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
  sync(fresh)
}

function checkBackup(backupFile: string, fresh: string): void {
  const copy = new DatabaseSync(fresh)
  try {
    const owner = copy.prepare('PRAGMA application_id').get()
    if (owner === undefined || number(owner, 'application_id') !== applicationId)
      throw new AppError('BAD_REQUEST', `${backupFile} is no backup of Floodgauge`)
    if (copy.prepare('PRAGMA integrity_check(1)').get()?.integrity_check !== 'ok')
      throw new AppError('BAD_REQUEST', `${backupFile} is damaged`)
  } catch (error) {
    if (error instanceof AppError || resultCode(error) === null) throw error
    throw new AppError('BAD_REQUEST', `${backupFile} is no backup of Floodgauge, or damaged`, { cause: error })
  } finally {
    copy.close()
  }
}

/** Swaps the files while nobody else can have the old one open. */
function setAside(path: string, aside: string, fresh: string): string {
  // SQLite may throw away the log of a database that it can't read: a second name keeps it.
  const log = `${aside}-wal`
  if (existsSync(`${path}-wal`)) linkSync(`${path}-wal`, log)
  let old: DatabaseSync | null = null
  try {
    old = closeWal(path)
    // First a second name for the old file, then the new one in its place in one step: at no moment is there none.
    linkSync(path, aside)
    // What is left beside the new file would be taken for its own.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    renameSync(fresh, path)
    if (old !== null) rmSync(log, { force: true })
    return aside
  } catch (error) {
    if (existsSync(`${path}-wal`)) rmSync(log, { force: true })
    throw error
  } finally {
    old?.close()
  }
}

/**
 * Moves the write-ahead log into the file, which needs every other process to have closed it, and locks it. A database that cannot be read
 * is set aside as it is: null.
 */
function closeWal(path: string): DatabaseSync | null {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { timeout: 1_000 })
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if (isBusy(error)) throw new AppError('CONFLICT', `${path} is in use by another process`, { cause: error })
    return null
  }
}
