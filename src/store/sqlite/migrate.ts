// Brings a database to the schema of this version. Migrations are the numbered files of migrations/; the number of the last one that
// was applied is the database's `user_version`.
import { readdirSync, readFileSync } from 'node:fs'
import { AppError } from '../../errors.ts'
import type { Database } from './database.ts'
import { number } from './rows.ts'

export interface Migration {
  version: number
  name: string
  sql: string
}

/** Marks the file as ours (`file` and `PRAGMA application_id` show it): "FLGA". */
export const applicationId = 0x464c4741

/** In order; their numbers are 1, 2, 3, ... without a gap. */
export function readMigrations(): Migration[] {
  const folder = new URL('./migrations/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.toSorted().map((file) => ({
    version: Number.parseInt(file, 10),
    name: file,
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }))
}

export function schemaVersion(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get()
  return row === undefined ? 0 : number(row, 'user_version')
}

interface MigrateOptions {
  migrations?: Migration[]
  /** False: a database of an older schema is refused, since an older service may be at work on it. A new one is set up all the same. */
  upgrade?: boolean
}

/** Applies what is missing, all in one transaction: the schema is either the old or the new one. Several processes may try at once. */
export function migrate(
  database: Database,
  { migrations = readMigrations(), upgrade = true }: MigrateOptions = {},
): void {
  const newest = migrations.length
  const found = schemaVersion(database)
  if (found === newest) return
  checkVersion(database, found, newest)
  if (found > 0 && !upgrade)
    throw new AppError(
      'STORE_UNAVAILABLE',
      `${database.path} has schema ${found}, of an older Floodgauge: start the service of this version once, it brings the store up to date`,
    )
  if (found > 0) database.copyTo(`${database.path}.schema-${found}`)
  database.write(() => {
    // Asked again now that no other process can change it.
    const version = schemaVersion(database)
    checkVersion(database, version, newest)
    for (const migration of migrations.slice(version)) database.exec(migration.sql)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${newest}`)
  })
}

function checkVersion(database: Database, version: number, newest: number): void {
  if (version > newest) {
    const text = `${database.path} has schema ${version}, of a newer Floodgauge; this one knows schemas up to ${newest}. Start the newer version, or restore a backup of before`
    throw new AppError('STORE_UNAVAILABLE', text)
  }
  if (version > 0) return
  const row = database.prepare(`SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'`).get()
  // Asked again: another process may just have set it up.
  if (row !== undefined && number(row, 'tables') > 0 && schemaVersion(database) === 0)
    throw new AppError('STORE_UNAVAILABLE', `${database.path} is a database of another program`)
}
