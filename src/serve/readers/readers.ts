// The threads that look through the store, each over a connection of its own, so that nobody waits on the main thread for what another user looks for.
// What a user asks is answered by one thread at a time, one question after the other, and users take turns. What waits is bounded, and who asks most gives way. A thread that ends or does
// not answer is replaced; what it was asked is answered with an error.
import { AppError } from '../../errors.ts'
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import type { Logger } from '../../log.ts'
import type { ReadRunner, ReadVerb } from '../../store/sqlite/reads/verbs.ts'
import { Ticker } from '../../ticker.ts'
import { Reader, type ReaderThread } from './reader.ts'

/** One user with much to read leaves the other to everybody else. */
const threadsDefault = 2
/** Users whose questions a thread answers at a time, a slice of each after the other. */
const usersAtOnce = 4
/** Questions of a user that are with the thread: the next is there when one is answered. */
const askedMax = 12
const waitingMax = 500
/** A thread that has not answered for as long is given up, in looks. */
const lookMs = 1_000
const lateLooks = 30

export interface Question {
  verb: ReadVerb
  args: readonly unknown[]
  holder: string
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Waiting extends Question {
  place: Place<Waiting> | null
}

export interface ReadersOptions {
  log: Logger
  /** Starts a thread over the database file. */
  startThread: () => ReaderThread
  /** Called on the main thread before an answer is looked at, with whose it is. */
  onAnswer?: (userId: string) => void
  threads?: number
}

export class Readers implements ReadRunner {
  readonly #options: ReadersOptions
  readonly #readers = new Set<Reader>()
  /** By user, in the order of whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Who answers each user, and how many questions. */
  readonly #running = new Map<string, { reader: Reader; asked: number }>()
  readonly #places: FairTable<Waiting>
  readonly #ticker = new Ticker(() => this.#look())
  #isStopped = false
  readonly counters = { answered: 0, failed: 0, refused: 0, ended: 0 }

  constructor(options: ReadersOptions) {
    this.#options = options
    this.#places = new FairTable({ max: waitingMax, onGiveWay: (question) => this.#refuse(question) })
  }

  start(): void {
    for (let n = 0; n < (this.#options.threads ?? threadsDefault); n++) this.#startReader()
    this.#ticker.start(lookMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#ticker.stop()
    await Promise.all([...this.#readers].map((reader) => reader.stop()))
    this.#rejectWaiting()
  }

  get waiting(): number {
    return this.#places.size
  }

  crowding(): Crowding {
    return this.#places.crowding()
  }

  run(holder: string, verb: ReadVerb, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const question: Waiting = { ...{ verb, args, holder, resolve, reject }, place: null }
      if (this.#readers.size === 0) return reject(closed())
      question.place = this.#places.take(question, { holder, nowMs: 0 })
      const queue = this.#waiting.get(holder)
      if (queue === undefined) this.#waiting.set(holder, [question])
      else queue.push(question)
      this.#dispatch()
    })
  }

  #dispatch(): void {
    for (const [holder, queue] of this.#waiting) {
      const running = this.#running.get(holder)
      const reader = running?.reader ?? this.#idlest()
      if (reader === null) continue
      const questions = queue.splice(0, askedMax - (running?.asked ?? 0))
      if (questions.length === 0) continue
      // The user comes last now, after all others that wait.
      this.#waiting.delete(holder)
      if (queue.length > 0) this.#waiting.set(holder, queue)
      this.#running.set(holder, { reader, asked: (running?.asked ?? 0) + questions.length })
      if (running === undefined) reader.users++
      for (const question of questions) {
        if (question.place !== null) this.#places.leave(question.place)
        reader.ask(question)
      }
    }
  }

  /** One question of the user less is with its thread. */
  #settle(holder: string): void {
    const running = this.#running.get(holder)
    if (running === undefined || --running.asked > 0) return
    this.#running.delete(holder)
    running.reader.users--
  }

  /** Null: all have as much to do as they may. */
  #idlest(): Reader | null {
    const [first] = [...this.#readers].sort((a, b) => a.users - b.users)
    return first === undefined || first.users >= usersAtOnce ? null : first
  }

  #startReader(): void {
    const reader: Reader = new Reader(this.#options.startThread(), {
      beforeAnswer: ({ holder }) => this.#options.onAnswer?.(holder),
      onAnswered: ({ holder }, isFailure) => {
        this.counters[isFailure ? 'failed' : 'answered']++
        this.#settle(holder)
        this.#dispatch()
      },
      onEnd: (error, left) => this.#replace(reader, error, left),
    })
    this.#readers.add(reader)
  }

  #replace(reader: Reader, error: unknown, left: readonly Question[]): void {
    this.#readers.delete(reader)
    for (const { holder, reject } of left) {
      this.#settle(holder)
      reject(closed())
    }
    if (this.#isStopped) return
    this.counters.ended++
    this.#options.log.error({ err: error }, 'a thread that reads the store has ended, and is replaced')
    // One that could do nothing is replaced with the next look: what ends at once would be started without a pause.
    if (reader.hasAnswered) this.#startReader()
    if (this.#readers.size === 0) this.#rejectWaiting()
    else this.#dispatch()
  }

  /** Gives up what is late, and starts what is missing. */
  #look(): void {
    for (const reader of this.#readers) if (reader.look() > lateLooks) void reader.stop()
    for (let n = this.#readers.size; n < (this.#options.threads ?? threadsDefault); n++) this.#startReader()
    this.#dispatch()
  }

  #refuse(question: Waiting): void {
    this.counters.refused++
    const queue = this.#waiting.get(question.holder) ?? []
    const others = queue.filter((each) => each !== question)
    if (others.length > 0) this.#waiting.set(question.holder, others)
    else this.#waiting.delete(question.holder)
    question.reject(new AppError('TOO_MANY_REQUESTS', 'too much is asked of the store at this moment'))
  }

  #rejectWaiting(): void {
    for (const queue of [...this.#waiting.values()]) {
      for (const { place, reject } of queue) {
        if (place !== null) this.#places.leave(place)
        reject(closed())
      }
    }
    this.#waiting.clear()
  }
}

function closed(): AppError {
  return new AppError('STORE_UNAVAILABLE', 'the store is not available: nothing can be read from it')
}
