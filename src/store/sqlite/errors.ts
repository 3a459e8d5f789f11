// Which failures of SQLite are operating errors (the disk, another process, the file), and which are bugs that stay as they are.
import { AppError } from '../../errors.ts'

/** Primary result codes (https://www.sqlite.org/rescode.html) that no change of the program would avoid, in words. */
const operational: Readonly<Record<number, string>> = {
  3: 'access to the database file is denied',
  5: 'the database is locked by another process',
  6: 'the database is locked',
  7: 'out of memory',
  8: 'the database is read-only',
  10: 'the disk fails to read or write',
  11: 'the database file is damaged',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  15: 'the database is locked by another process',
  23: 'access to the database is denied',
  26: 'the file is not a database',
}

/** The extended result code of an error of SQLite; null for any other error. */
export function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

/** Whether another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === 5
}

/** Whether a row with the same unique key is there. */
export function isDuplicate(error: unknown): boolean {
  return resultCode(error) === 2067
}

/** The error to throw on: AppError STORE_UNAVAILABLE for an operating error, itself for a bug. */
export function storeError(error: unknown): unknown {
  const code = resultCode(error)
  if (code !== null) {
    const reason = operational[code & 0xff]
    if (reason === undefined) return error
    return new AppError('STORE_UNAVAILABLE', `the store is not available: ${reason}`, { cause: error })
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE')
    return new AppError('STORE_UNAVAILABLE', 'the store is closed', { cause: error })
  return error
}

/** Why something of the store's could not be had, in words. */
export function reasonOf(error: unknown): string {
  const known = storeError(error)
  return known instanceof Error ? known.message : String(known)
}
