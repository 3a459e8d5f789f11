// The store in one SQLite file: write-ahead log, every acknowledged change on the disk. Any number of processes may have it open.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Store } from '../store.ts'
import { createBindings } from './bindings.ts'
import { Database } from './database.ts'
import { createEvents } from './events.ts'
import { migrate } from './migrate.ts'
import { createOperations } from './operations.ts'
import { createSites } from './sites.ts'
import { createTraffic } from './traffic.ts'
import { createUsers } from './users.ts'

export interface SqliteStoreOptions {
  clock: Clock
  /** Makes the ids of users and tokens. */
  newId?: () => string
}

const randomId = () => randomBytes(8).toString('hex')

/** Makes the file and its directory when they are missing, and brings the schema up to date. */
export async function openSqliteStore(path: string, { clock, newId = randomId }: SqliteStoreOptions): Promise<Store> {
  const database = new Database(path)
  try {
    migrate(database)
    return {
      ...createUsers(database, { clock, newId }),
      ...createSites(database),
      ...createEvents(database, { clock }),
      ...createTraffic(database),
      ...createBindings(database),
      ...createOperations(database),
    }
  } catch (error) {
    database.close()
    throw error
  }
}
