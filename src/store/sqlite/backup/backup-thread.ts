// The thread that makes a scheduled backup: copying and looking through a large store take seconds. See serve/backups/run-backup.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { letCollectorsGoFirst } from '../../../pipeline/threads/priority.ts'
import { reasonOf } from '../errors.ts'
import { addBackup, type MadeBackup } from './backup-folder.ts'

export interface BackupOrder {
  /** The database file. */
  path: string
  folder: string
  keep: number
  nowMs: number
}

export type BackupAnswer = { made: MadeBackup } | { failure: string }

async function answer({ path, folder, ...given }: BackupOrder): Promise<BackupAnswer> {
  try {
    return { made: await addBackup(path, folder, given) }
  } catch (error) {
    return { failure: reasonOf(error) }
  }
}

letCollectorsGoFirst()
parentPort?.postMessage(await answer(workerData))
