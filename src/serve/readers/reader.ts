// One thread that answers questions about the store, and what it has been asked.
import { deserialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { ReaderAnswer, ReaderQuestion } from '../../store/sqlite/reads/messages.ts'
import { endThread } from '../../thread.ts'
import { threadMemory } from '../../thread-memory.ts'
import type { Question } from './readers.ts'

/** What a reader needs of a worker thread. */
export interface ReaderThread {
  postMessage(question: ReaderQuestion): void
  terminate(): Promise<number>
  unref(): void
  on(event: 'message', listener: (answer: ReaderAnswer) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

/** A thread over a database file. */
export function startReaderThread(path: string): ReaderThread {
  const thread = new Worker(new URL('../../store/sqlite/reads/reader-thread.ts', import.meta.url), {
    name: 'reader',
    workerData: path,
    resourceLimits: threadMemory.reader,
  })
  // It ends with the process.
  thread.unref()
  return thread
}

interface ReaderEvents {
  beforeAnswer: (question: Question) => void
  onAnswered: (question: Question, isFailure: boolean) => void
  onEnd: (error: unknown, left: readonly Question[]) => void
}

export class Reader {
  readonly #thread: ReaderThread
  readonly #events: ReaderEvents
  readonly #asked = new Map<number, Question>()
  #lastId = 0
  #error: unknown = null
  #looks = 0
  hasAnswered = false
  /** Whose questions it answers. */
  users = 0

  constructor(thread: ReaderThread, events: ReaderEvents) {
    this.#thread = thread
    this.#events = events
    thread.on('message', (answer) => this.#take(answer))
    thread.on('error', (error) => {
      this.#error = error
    })
    thread.on('exit', () => {
      events.onEnd(this.#error, this.takeBack())
    })
  }

  ask(question: Question): void {
    const id = ++this.#lastId
    this.#asked.set(id, question)
    this.#thread.postMessage({ id, holder: question.holder, verb: question.verb, args: question.args })
  }

  /** How often it was looked at since it answered last, or had nothing to answer. */
  look(): number {
    this.#looks = this.#asked.size === 0 ? 0 : this.#looks + 1
    return this.#looks
  }

  /** What it has not answered; answers to it are looked at no more. */
  takeBack(): Question[] {
    const left = [...this.#asked.values()]
    this.#asked.clear()
    return left
  }

  async stop(): Promise<void> {
    await endThread(this.#thread)
  }

  #take(answer: ReaderAnswer): void {
    const question = this.#asked.get(answer.id)
    if (question === undefined) return
    this.#asked.delete(answer.id)
    this.#looks = 0
    this.hasAnswered = true
    this.#events.beforeAnswer(question)
    if ('octets' in answer) question.resolve(deserialize(answer.octets))
    else if ('refusal' in answer) question.reject(new AppError(answer.refusal.code, answer.refusal.text))
    else question.reject(new Error(`a reader failed: ${answer.failure}`))
    this.#events.onAnswered(question, !('octets' in answer))
  }
}
