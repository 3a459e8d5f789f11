// The thread that reads a database file to find damage: see serve/health/damage.ts.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { letCollectorsGoFirst } from '../../pipeline/threads/priority.ts'
import { findDamage } from './backup/quick-check.ts'

function damage(path: string): string | null {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return findDamage(database)
  } finally {
    database.close()
  }
}

letCollectorsGoFirst()
parentPort?.postMessage(damage(workerData))
