// Makes a backup in a thread of its own.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { storeFileOf } from '../../store/data-directory.ts'
import type { StoreSettings } from '../../store/settings.ts'
import type { MadeBackup } from '../../store/sqlite/backup/backup-folder.ts'
import type { BackupAnswer, BackupOrder } from '../../store/sqlite/backup/backup-thread.ts'
import { answerOf } from '../../thread.ts'
import { threadMemory } from '../../thread-memory.ts'

/** Makes one of the store in the folder of the settings. */
export function backupMaker({ dir, backup: { folder, keep } }: StoreSettings) {
  const path = storeFileOf(dir)
  return (nowMs: number, signal: AbortSignal) => runBackup({ path, folder, keep, nowMs }, signal)
}

/** Rejects with AppError STORE_UNAVAILABLE when there is none. A signal ends the thread; what it leaves is removed with the next backup. */
async function runBackup(order: BackupOrder, signal: AbortSignal): Promise<MadeBackup> {
  const thread = new Worker(new URL('../../store/sqlite/backup/backup-thread.ts', import.meta.url), {
    name: 'backup',
    workerData: order,
    resourceLimits: threadMemory.errand,
  })
  const answer = await answerOf<BackupAnswer>(thread, { signal, failure: 'the backup was not made' })
  if (answer === null) throw new AppError('STORE_UNAVAILABLE', 'the service was stopped')
  if ('failure' in answer) throw new AppError('STORE_UNAVAILABLE', answer.failure)
  return answer.made
}
