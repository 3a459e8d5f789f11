// Looks whether the audit log in a database file is whole, in a thread of its own: all of it is read.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { Verified } from '../../store/sqlite/audit/verify.ts'

/** Null: the signal has ended it. */
export async function auditFaultIn(path: string, signal: AbortSignal): Promise<Verified | null> {
  const thread = new Worker(new URL('../../store/sqlite/audit/verify-thread.ts', import.meta.url), {
    name: 'audit',
    workerData: path,
  })
  const { promise, resolve, reject } = Promise.withResolvers<Verified | null>()
  signal.addEventListener('abort', () => resolve(null), { once: true })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => reject(new AppError('STORE_UNAVAILABLE', 'the audit log could not be checked')))
  try {
    return await promise
  } finally {
    await thread.terminate()
  }
}
