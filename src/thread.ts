// Waits for worker threads: for the one answer of a thread that was made for it, and for the end of any. Neither wait is without a bound: a thread that
// is in a call of the system which does not return, as a file of a server that is gone, cannot be ended.
import type { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'

/** How long the end of a thread is waited for. */
const endMs = 1_000
/** An answer takes at most this: to read a store of a terabyte takes about half of it. */
const answerMs = 6 * 3_600_000

interface AnswerOptions {
  /** Ends the thread. */
  signal: AbortSignal
  /** Text of the error where there is no answer. */
  failure: string
}

/**
 * Its first message, which ends it; null: the signal did. Rejects with what it threw, or with AppError STORE_UNAVAILABLE when it gives none. `Answer` is
 * what the caller's thread posts.
 */
export async function answerOf<Answer>(thread: Worker, { signal, failure }: AnswerOptions): Promise<Answer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | null>()
  const refuse = (why: string) => reject(new AppError('STORE_UNAVAILABLE', `${failure}: ${why}`))
  const stopped = () => resolve(null)
  if (signal.aborted) stopped()
  signal.addEventListener('abort', stopped, { once: true })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => refuse('its thread ended without an answer'))
  const late = setTimeout(refuse, answerMs, `its thread gave no answer in ${answerMs / 3_600_000} hours`)
  try {
    return await promise
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stopped)
    await endThread(thread)
  }
}

/** Ends it; resolves when it has ended, or does not in time: then it ends with the process, which it does not keep. */
export async function endThread(thread: Pick<Worker, 'terminate' | 'unref'>): Promise<void> {
  thread.unref()
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, endMs)
  await Promise.race([thread.terminate(), late])
  clearTimeout(timer)
}
