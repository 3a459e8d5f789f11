// Files and directories of the store: for their owner alone, and on the disk when that is said.
import { chmodSync, closeSync, existsSync, fsyncSync, lchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

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
