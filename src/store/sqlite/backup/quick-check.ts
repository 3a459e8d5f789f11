// Looks through a database for damage, as SQLite sees it.
import type { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '../errors.ts'

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes: ReadonlySet<number> = new Set([11, 26])

/** What is wrong; null: nothing. */
export function findDamage(database: DatabaseSync): string | null {
  try {
    database.exec('PRAGMA cell_size_check = ON')
    const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return found === 'ok' ? null : String(found)
  } catch (error) {
    // Anything else, such as a lack of memory, says nothing of the file.
    if (error instanceof Error && 'errcode' in error && damageCodes.has(Number(error.errcode) & 255))
      return reasonOf(error)
    throw error
  }
}
