// Looks for damage in the database file, in a thread of its own: all of it is read, which takes seconds where it is large.
import { Worker } from 'node:worker_threads'
import { answerOf } from '../../thread.ts'
import { threadMemory } from '../../thread-memory.ts'

/** What is wrong with the file, as SQLite says it; null: nothing, or the signal has ended the search. */
export function damageIn(path: string, signal: AbortSignal): Promise<string | null> {
  const thread = new Worker(new URL('../../store/sqlite/damage-thread.ts', import.meta.url), {
    name: 'damage',
    workerData: path,
    resourceLimits: threadMemory.errand,
  })
  return answerOf<string>(thread, { signal, failure: 'the store could not be checked' })
}
