// The data directory: where the store's file lies in it, the address at which its service answers, for commands that run beside it, and how files are made
// in it: for their owner alone.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, messageOf } from '../errors.ts'

export function storeFileOf(directory: string): string {
  return join(directory, 'floodgauge.db')
}

/** Throws AppError STORE_UNAVAILABLE when it may not be looked for: a directory of another user is not an empty one. */
export function hasStore(directory: string): boolean {
  try {
    statSync(storeFileOf(directory))
    return true
  } catch (error) {
    if (isMissing(error)) return false
    const text = `cannot look into the data directory ${directory}: ${messageOf(error)}; run the command as the user that owns it, or as root`
    throw new AppError('STORE_UNAVAILABLE', text, { cause: error })
  }
}

/** Why this process could not keep its data there: a fragment of a sentence; null: it could, as far as can be told without trying. */
export function directoryFault(directory: string): string | null {
  try {
    const found = statSync(directory, { throwIfNoEntry: false })
    // It would be made, with those above it.
    if (found === undefined) return directory === dirname(directory) ? null : directoryFault(dirname(directory))
    if (!found.isDirectory()) return `${directory} is no directory`
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    const file = storeFileOf(directory)
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) accessSync(file, constants.R_OK | constants.W_OK)
    return null
  } catch (error) {
    return `${messageOf(error)} (as this user)`
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

export interface UrlNote {
  /** Takes it away. */
  close(): void
}

/** Notes the address of the service. It only saves people typing, so a directory that cannot take it is no failure. */
export function noteServiceUrl(directory: string, url: string): UrlNote {
  const path = urlFileOf(directory)
  try {
    writeFileSync(path, `${url}\n`, { mode: 0o600 })
  } catch {
    return { close: () => {} }
  }
  return { close: () => rmSync(path, { force: true }) }
}

/** Null: no service has noted it. One that was killed has left it. */
export function notedServiceUrl(directory: string): string | null {
  try {
    const url = readFileSync(urlFileOf(directory), 'utf8').trim()
    return URL.canParse(url) ? url : null
  } catch {
    return null
  }
}

function urlFileOf(directory: string): string {
  return join(directory, 'service.url')
}

/**
 * Makes the directory (0700) and the file (0600) where they are missing. Only a new file is opened here: closing any handle of a file that
 * this process has open elsewhere would drop the locks that SQLite holds on it (POSIX locks belong to the process, not to the handle).
 */
export function prepareFile(path: string): void {
  makeDirectory(dirname(path))
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    closeSync(openSync(path, 'a', 0o600))
    giveToOwner(path)
  } else if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

/** What root makes in the directory of another user belongs to that user: their service has to open it. */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  // It follows no link, which that user may have put there.
  if (uid !== 0) lchownSync(path, uid, gid)
}

/** With its parents, each 0700. (The recursive mkdir of Node.js never returns where nothing can be made, such as /proc.) */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
    giveToOwner(path)
  } catch (error) {
    // Another process was first.
    if (!existsSync(path)) throw error
  }
}

/** Returns when what was written to the file, or named in the directory, is on the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
