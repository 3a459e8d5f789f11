// The threads that look through the store, each over a connection of its own, so that nobody waits on the main thread for what another user looks for.
// What a user asks is answered by one thread at a time, one question after the other, and users take turns: who is answered gets no more while somebody else waits. What waits is bounded
// in number and time, and who asks most gives way. A thread that ends or does not answer is replaced; what it was asked is answered with an error.
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
const lookMs = 1_000
/** A thread that has not answered for as long is given up, in looks. */
const lateLooks = 30
/** A question that has waited for its turn for as long is answered with an error, in looks. */
const waitingLooks = 20
/** Threads that were given up and have not ended yet, as where the disk does not answer: with more of them no other is started. */
const endingMax = 4

export interface Question {
  verb: ReadVerb
  args: readonly unknown[]
  holder: string
  /** Asked once more, since the thread that had it was given up. */
  isRepeated: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Waiting extends Question {
  place: Place<Waiting> | null
  /** Looks that have found it waiting. */
  looks: number
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
  /** Given up, and not ended yet: nothing more is asked of them. */
  readonly #ending = new Set<Reader>()
  /** By user, in the order of whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Who answers each user, and how many questions. */
  readonly #running = new Map<string, { reader: Reader; asked: number }>()
  readonly #places: FairTable<Waiting>
  readonly #ticker = new Ticker(() => this.#look())
  #isStopped = false
  readonly counters = { answered: 0, failed: 0, refused: 0, late: 0, ended: 0 }

  constructor(options: ReadersOptions) {
    this.#options = options
    this.#places = new FairTable({ max: waitingMax, onGiveWay: (question) => this.#refuse(question) })
  }

  start(): void {
    this.#startMissing()
    this.#ticker.start(lookMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#ticker.stop()
    await Promise.all([...this.#readers, ...this.#ending].map((reader) => reader.stop()))
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
      if (this.#readers.size === 0) return reject(closed())
      const question = this.#placed({ verb, args, holder, isRepeated: false, resolve, reject })
      const queue = this.#waiting.get(holder)
      if (queue === undefined) this.#waiting.set(holder, [question])
      else queue.push(question)
      this.#dispatch()
    })
  }

  #placed(question: Question): Waiting {
    const waiting: Waiting = { ...question, place: null, looks: 0 }
    waiting.place = this.#places.take(waiting, { holder: question.holder, nowMs: 0 })
    return waiting
  }

  #dispatch(): void {
    for (const holder of this.#waiting.keys()) {
      if (this.#running.has(holder)) continue
      const reader = this.#idlest()
      // Who is answered gets no more, so that a turn ends.
      if (reader === null) return
      this.#running.set(holder, { reader, asked: 0 })
      reader.users++
      this.#hand(holder)
    }
    for (const holder of this.#running.keys()) this.#hand(holder)
  }

  /** Hands what a user waits for to who answers the user. */
  #hand(holder: string): void {
    const queue = this.#waiting.get(holder)
    const running = this.#running.get(holder)
    if (queue === undefined || running === undefined) return
    for (const question of queue.splice(0, askedMax - running.asked)) {
      if (question.place !== null) this.#places.leave(question.place)
      running.asked++
      running.reader.ask(question)
    }
    if (queue.length === 0) this.#waiting.delete(holder)
  }

  /** One question of the user less is with its thread. After the last one the turn is over, and the user comes after all others that wait. */
  #settle(holder: string): void {
    const running = this.#running.get(holder)
    if (running === undefined || --running.asked > 0) return
    this.#running.delete(holder)
    running.reader.users--
    const queue = this.#waiting.get(holder)
    if (queue === undefined) return
    this.#waiting.delete(holder)
    this.#waiting.set(holder, queue)
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
    this.#ending.delete(reader)
    if (!this.#readers.delete(reader)) return
    this.#fail(left)
    if (this.#isStopped) return
    this.counters.ended++
    this.#options.log.error({ err: error }, 'a thread that reads the store has ended, and is replaced')
    // One that could do nothing is replaced with the next look: what ends at once would be started without a pause.
    if (reader.hasAnswered) this.#startReader()
    this.#goOn()
  }

  /** Gives up what is late, and starts what is missing. */
  #look(): void {
    for (const reader of [...this.#readers]) if (reader.look() > lateLooks) this.#giveUp(reader)
    this.#startMissing()
    for (const question of [...this.#waiting.values()].flat()) {
      if (++question.looks <= waitingLooks) continue
      this.counters.late++
      if (question.place !== null) this.#places.leave(question.place)
      this.#forget(question)
      question.reject(new AppError('STORE_UNAVAILABLE', 'the store is not available: too much is read from it'))
    }
    this.#goOn()
  }

  /** Nothing more is asked of the thread. What may have been begun fails; what only waited behind is asked once more, of another. */
  #giveUp(reader: Reader): void {
    this.#readers.delete(reader)
    this.#ending.add(reader)
    this.counters.ended++
    this.#options.log.error('a thread that reads the store does not answer, and is replaced')
    for (const [holder, [begun, ...behind]] of Map.groupBy(reader.takeBack(), (question) => question.holder)) {
      const [over, again] = [true, false].map((isOver) => behind.filter(({ isRepeated }) => isRepeated === isOver))
      this.#fail([begun, ...over])
      for (const question of again.reverse()) {
        this.#settle(holder)
        const repeated = this.#placed({ ...question, isRepeated: true })
        this.#waiting.set(holder, [repeated, ...(this.#waiting.get(holder) ?? [])])
      }
    }
    void reader.stop()
  }

  #fail(questions: readonly Question[]): void {
    for (const { holder, reject } of questions) {
      this.#settle(holder)
      reject(closed())
    }
  }

  #startMissing(): void {
    const threads = this.#options.threads ?? threadsDefault
    while (this.#readers.size < threads && this.#readers.size + this.#ending.size < threads + endingMax)
      this.#startReader()
  }

  #goOn(): void {
    if (this.#readers.size === 0) this.#rejectWaiting()
    else this.#dispatch()
  }

  #refuse(question: Waiting): void {
    this.counters.refused++
    this.#forget(question)
    question.reject(new AppError('TOO_MANY_REQUESTS', 'too much is asked of the store at this moment'))
  }

  /** It waits no more. */
  #forget(question: Waiting): void {
    const others = this.#waiting.get(question.holder)?.filter((each) => each !== question) ?? []
    if (others.length > 0) this.#waiting.set(question.holder, others)
    else this.#waiting.delete(question.holder)
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
