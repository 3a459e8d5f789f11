// Room for what is sent beside the messages that wait in the store: reports, what is wrong with the installation, repetitions, incidents that are closed. Each user
// has a share of it and a channel is sent one thing at a time, so that receivers of one user that say nothing hold up nobody else's, and a slow one no other channel.
import { sendingMax, sendingPerUser, sendingToFailing } from '../turns.ts'

/** Who takes part: which channel it is, whose, and whether it failed the last time. */
export interface Party {
  userId: string
  channelId: string
  isFailing: boolean
}

interface Waiting extends Party {
  begin(): void
  leave(): void
  isLeft(): boolean
}

/** By channel, whose turn is next first. */
type Queues = Map<string, Waiting[]>

/** For so long a look waits for channels. */
const lookWaitMs = 10_000

export class Room {
  readonly #waiting = new Map<string, Queues>()
  readonly #byUser = new Map<string, number>()
  /** Channels that are being sent something. */
  readonly #underWay = new Set<string>()
  readonly #waitMs: number
  #failing = 0

  /** `waitMs`: for so long it is waited where nothing else is said. */
  constructor(waitMs = lookWaitMs) {
    this.#waitMs = waitMs
  }

  /**
   * Does the work for each, as soon as there is a place; of one user's first what works, in the order given. After so long it waits no more: what has no place by
   * then is left out, since its turn comes the next time, and what is under way goes on. Rejects with what work rejects with until then: nobody hears what it
   * rejects with later.
   */
  async each<Job extends Party>(
    jobs: readonly Job[],
    work: (job: Job) => Promise<void>,
    waitMs = this.#waitMs,
  ): Promise<void> {
    const over = Promise.withResolvers<void>()
    let isOver = false
    const done = jobs.map((job) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const { userId, channelId, isFailing } = job
      const begin = () => {
        this.#underWay.add(channelId)
        void work(job)
          .then(resolve, reject)
          .finally(() => this.#end(job))
      }
      this.#add({ userId, channelId, isFailing, begin, leave: resolve, isLeft: () => isOver })
      return promise
    })
    this.#fill()
    const limit = setTimeout(over.resolve, waitMs)
    const failures: unknown[] = []
    for (const each of done) each.catch((error) => failures.push(error))
    await Promise.race([Promise.allSettled(done), over.promise])
    clearTimeout(limit)
    isOver = true
    this.#leave()
    if (failures.length > 0) throw failures[0]
  }

  #add(waiting: Waiting): void {
    const { userId, channelId } = waiting
    const queues: Queues = this.#waiting.get(userId) ?? new Map()
    const queue = queues.get(channelId) ?? []
    queue.push(waiting)
    queues.set(channelId, queue)
    this.#waiting.set(userId, queues)
  }

  /** One of each user after the other, beginning with who has least under way. */
  #fill(): void {
    const users = [...this.#waiting.keys()].toSorted((a, b) => this.#ofUser(a) - this.#ofUser(b))
    for (let isFull = false; !isFull; ) {
      isFull = true
      for (const userId of users) {
        const next = this.#next(userId)
        if (next === undefined) continue
        isFull = false
        if (next.isFailing) this.#failing++
        this.#byUser.set(userId, this.#ofUser(userId) + 1)
        next.begin()
      }
    }
  }

  #next(userId: string): Waiting | undefined {
    const queues = this.#waiting.get(userId)
    if (queues === undefined || this.#underWay.size >= sendingMax || this.#ofUser(userId) >= sendingPerUser)
      return undefined
    const free = [...queues].filter(([channelId]) => !this.#underWay.has(channelId))
    const [channelId, queue] =
      free.find(([, [first]]) => !first.isFailing) ?? (this.#failing < sendingToFailing ? free[0] : undefined) ?? []
    if (channelId === undefined || queue === undefined) return undefined
    const next = queue.shift()
    // The other channels come first.
    queues.delete(channelId)
    if (queue.length > 0) queues.set(channelId, queue)
    if (queues.size === 0) this.#waiting.delete(userId)
    return next
  }

  #end({ userId, channelId, isFailing }: Party): void {
    this.#underWay.delete(channelId)
    if (isFailing) this.#failing--
    const left = this.#ofUser(userId) - 1
    if (left === 0) this.#byUser.delete(userId)
    else this.#byUser.set(userId, left)
    this.#fill()
  }

  #ofUser(userId: string): number {
    return this.#byUser.get(userId) ?? 0
  }

  #leave(): void {
    for (const [userId, queues] of this.#waiting) {
      for (const [channelId, queue] of queues) {
        for (const each of queue) if (each.isLeft()) each.leave()
        const stay = queue.filter((each) => !each.isLeft())
        if (stay.length === 0) queues.delete(channelId)
        else queues.set(channelId, stay)
      }
      if (queues.size === 0) this.#waiting.delete(userId)
    }
  }
}
