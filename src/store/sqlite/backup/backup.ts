// An online copy of the database: consistent, checked, and only then under its name.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { storeError } from '../errors.ts'

/** All pages in one step: it sees one moment of the database, however much is written meanwhile. It runs outside the main thread. */
const allPages = 0x7fff_ffff

/** Copies the database at `path` to `toFile`, which must not exist. Writers are not held up. */
export async function backupTo(path: string, toFile: string): Promise<void> {
  if (existsSync(toFile)) throw new AppError('CONFLICT', `${toFile} exists already`)
  const part = `${toFile}.part`
  try {
    createPrivate(part)
    await copy(path, part)
    checkCopy(part)
    sync(part)
    renameSync(part, toFile)
    sync(dirname(toFile))
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${part}${suffix}`, { force: true })
    throw backupError(toFile, error)
  }
}

function createPrivate(file: string): void {
  rmSync(file, { force: true })
  closeSync(openSync(file, 'wx', 0o600))
}

/** With a connection of its own, so that the store's own is not held up by the copying. */
async function copy(path: string, part: string): Promise<void> {
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(source, part, { rate: allPages })
  } finally {
    source.close()
  }
}

/** The copy opens, is whole, and is one plain file, without a write-ahead log beside it. */
function checkCopy(part: string): void {
  const database = new DatabaseSync(part)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    const row = database.prepare('PRAGMA quick_check(1)').get()
    if (row?.quick_check !== 'ok') throw new AppError('STORE_UNAVAILABLE', 'the copy is damaged')
  } finally {
    database.close()
  }
}

export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function backupError(toFile: string, error: unknown): unknown {
  const known = storeError(error)
  if (known instanceof AppError) return known
  const reason = known instanceof Error ? known.message : String(known)
  return new AppError('STORE_UNAVAILABLE', `cannot back up to ${toFile}: ${reason}`, { cause: error })
}
