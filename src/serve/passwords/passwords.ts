// Has passwords looked at by a thread of their own, of the lowest priority: each takes a processor for some 60 ms, and who guesses must not keep traffic and
// readers waiting for it. How many are asked at a time is bounded by who asks (api/accounts/sign-in.ts). The thread is made when it is first needed.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { PasswordHashing } from '../../store/password.ts'
import { endThread } from '../../thread.ts'
import { threadMemory } from '../../thread-memory.ts'
import type { PasswordAnswer, PasswordQuestion } from './password-thread.ts'

/** What is needed of a worker thread. */
export interface PasswordWorker {
  postMessage(question: PasswordQuestion): void
  terminate(): Promise<number>
  unref(): void
  on(event: 'message', listener: (answer: PasswordAnswer) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

interface Asked {
  resolve: (value: string | boolean) => void
  reject: (error: AppError) => void
}

type Question = Omit<PasswordQuestion, 'id'>

export class PasswordThread implements PasswordHashing {
  readonly #log: Logger
  readonly #startThread: () => PasswordWorker
  #thread: PasswordWorker | null = null
  readonly #asked = new Map<number, Asked>()
  #lastId = 0

  constructor({ log, startThread = startPasswordThread }: { log: Logger; startThread?: () => PasswordWorker }) {
    this.#log = log
    this.#startThread = startThread
  }

  async stop(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    this.#rejectAll()
    if (thread !== null) await endThread(thread)
  }

  async hash(password: string): Promise<string> {
    return String(await this.#ask({ password }))
  }

  async isPassword(password: string, passwordHash: string | null): Promise<boolean> {
    return (await this.#ask({ password, passwordHash })) === true
  }

  #ask(question: Question): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#asked.set(id, { resolve, reject })
      this.#thread ??= this.#started()
      this.#thread.postMessage({ id, ...question })
    })
  }

  #started(): PasswordWorker {
    const thread = this.#startThread()
    thread.on('message', ({ id, value }) => {
      this.#asked.get(id)?.resolve(value)
      this.#asked.delete(id)
    })
    thread.on('error', (error) => this.#log.error({ err: error }, 'the thread that looks at passwords has failed'))
    thread.on('exit', () => {
      // The next password has another one made.
      if (this.#thread !== thread) return
      this.#thread = null
      this.#rejectAll()
    })
    return thread
  }

  #rejectAll(): void {
    for (const { reject } of this.#asked.values()) {
      reject(new AppError('STORE_UNAVAILABLE', 'passwords can not be looked at: the thread that does has ended'))
    }
    this.#asked.clear()
  }
}

function startPasswordThread(): PasswordWorker {
  const thread = new Worker(new URL('./password-thread.ts', import.meta.url), {
    name: 'passwords',
    resourceLimits: threadMemory.errand,
  })
  // It ends with the process.
  thread.unref()
  return thread
}
