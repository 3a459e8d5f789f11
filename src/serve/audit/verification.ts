// Looks whether the audit log in a database file is whole, in a thread of its own: all of it is read.
import { Worker } from 'node:worker_threads'
import type { Verified } from '../../store/sqlite/audit/verify.ts'
import { answerOf } from '../../thread.ts'
import { threadMemory } from '../../thread-memory.ts'

/** Null: the signal has ended it. */
export function auditFaultIn(path: string, signal: AbortSignal): Promise<Verified | null> {
  const thread = new Worker(new URL('../../store/sqlite/audit/verify-thread.ts', import.meta.url), {
    name: 'audit',
    workerData: path,
    resourceLimits: threadMemory.errand,
  })
  return answerOf<Verified>(thread, { signal, failure: 'the audit log could not be checked' })
}
