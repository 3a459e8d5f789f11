// The lock that makes one service of a data directory at a time.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../errors.ts'
import { prepareFile } from '../data-directory.ts'
import { isBusy, reasonOf } from './errors.ts'

export interface DirectoryLock {
  /** Releases it. */
  close(): void
}

/**
 * Locks the directory for a service, or for what must not run beside one; throws AppError CONFLICT when it is locked. The lock is a
 * transaction on an empty database: the kernel ends it with the process, however that dies, so that it never has to be cleared by hand.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'service.lock')
  let file: DatabaseSync | null = null
  try {
    prepareFile(path)
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file?.close()
    if (!isBusy(error)) {
      const text = `cannot lock the data directory ${directory}: ${reasonOf(error)}`
      throw new AppError('STORE_UNAVAILABLE', text, { cause: error })
    }
    throw new AppError('CONFLICT', `a Floodgauge service is running on the data directory ${directory}`, {
      cause: error,
    })
  }
}
