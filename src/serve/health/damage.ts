// Looks for damage in the database file, in a thread of its own: all of it is read, which takes seconds where it is large.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'

/** What is wrong with the file, as SQLite says it; null: nothing, or the signal has ended the search. */
export async function damageIn(path: string, signal: AbortSignal): Promise<string | null> {
  const thread = new Worker(new URL('../../store/sqlite/damage-thread.ts', import.meta.url), {
    name: 'damage',
    workerData: path,
  })
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  signal.addEventListener('abort', () => resolve(null), { once: true })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => reject(new AppError('STORE_UNAVAILABLE', 'the store could not be checked')))
  try {
    return await promise
  } finally {
    await thread.terminate()
  }
}
