// Makes a backup in a thread of its own.
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { storeFileOf } from '../../store/data-directory.ts'
import type { StoreSettings } from '../../store/settings.ts'
import type { MadeBackup } from '../../store/sqlite/backup/backup-folder.ts'
import type { BackupAnswer, BackupOrder } from '../../store/sqlite/backup/backup-thread.ts'

/** How long the end of the thread is waited for: one that reads a folder which does not answer cannot be ended. */
const endMs = 1_000

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
  })
  const { promise, resolve, reject } = Promise.withResolvers<BackupAnswer>()
  const stopped = () => resolve({ failure: 'the service was stopped' })
  if (signal.aborted) stopped()
  signal.addEventListener('abort', stopped, { once: true })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => resolve({ failure: 'the thread of the backup has ended' }))
  try {
    const answer = await promise
    if ('failure' in answer) throw new AppError('STORE_UNAVAILABLE', answer.failure)
    return answer.made
  } finally {
    signal.removeEventListener('abort', stopped)
    thread.unref()
    await Promise.race([thread.terminate(), wait(endMs, undefined, { ref: false })])
  }
}
