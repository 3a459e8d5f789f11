// Room for what is sent beside the messages that wait in the store: reports, what is wrong with the installation, repetitions, incidents that are closed. Each user
// has a share, so that receivers of one that say nothing hold up nobody else's.
import { sendingMax, sendingPerUser, sendingToFailing } from '../turns.ts'

/** Who takes part: whose channel it is, and whether it failed the last time. */
export interface Party {
  userId: string
  isFailing: boolean
}

interface Waiting extends Party {
  begin(): void
  leave(): void
  isLeft(): boolean
}

export class Room {
  readonly #waiting = new Map<string, { working: Waiting[]; failing: Waiting[] }>()
  readonly #byUser = new Map<string, number>()
  #all = 0
  #failing = 0

  /**
   * Does the work for each, as soon as there is a place; of one user's first what works, in the order given. What has none after so long is left out: its turn comes
   * the next time. Rejects with what work rejects with, when all of it is over.
   */
  async each<Job extends Party>(
    jobs: readonly Job[],
    work: (job: Job) => Promise<void>,
    waitMs: number,
  ): Promise<void> {
    let isOver = false
    const done = jobs.map((job) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const { userId, isFailing } = job
      const begin = () =>
        void work(job)
          .then(resolve, reject)
          .finally(() => this.#end(job))
      this.#add({ userId, isFailing, begin, leave: resolve, isLeft: () => isOver })
      return promise
    })
    this.#fill()
    const limit = setTimeout(() => {
      isOver = true
      this.#leave()
    }, waitMs)
    const results = await Promise.allSettled(done)
    clearTimeout(limit)
    const failure = results.find((result) => result.status === 'rejected')
    if (failure !== undefined) throw failure.reason
  }

  #add(waiting: Waiting): void {
    const queues = this.#waiting.get(waiting.userId) ?? { working: [], failing: [] }
    queues[waiting.isFailing ? 'failing' : 'working'].push(waiting)
    this.#waiting.set(waiting.userId, queues)
  }

  /** One of each user after the other, beginning with who has least under way. */
  #fill(): void {
    const users = [...this.#waiting.keys()].toSorted((a, b) => this.#underWay(a) - this.#underWay(b))
    for (let isFull = false; !isFull; ) {
      isFull = true
      for (const userId of users) {
        const next = this.#next(userId)
        if (next === undefined) continue
        isFull = false
        this.#all++
        if (next.isFailing) this.#failing++
        this.#byUser.set(userId, this.#underWay(userId) + 1)
        next.begin()
      }
    }
  }

  #next(userId: string): Waiting | undefined {
    const queues = this.#waiting.get(userId)
    if (queues === undefined || this.#all >= sendingMax || this.#underWay(userId) >= sendingPerUser) return undefined
    const next = queues.working.shift() ?? (this.#failing < sendingToFailing ? queues.failing.shift() : undefined)
    if (queues.working.length + queues.failing.length === 0) this.#waiting.delete(userId)
    return next
  }

  #end({ userId, isFailing }: Party): void {
    this.#all--
    if (isFailing) this.#failing--
    const left = this.#underWay(userId) - 1
    if (left === 0) this.#byUser.delete(userId)
    else this.#byUser.set(userId, left)
    this.#fill()
  }

  #underWay(userId: string): number {
    return this.#byUser.get(userId) ?? 0
  }

  #leave(): void {
    for (const [userId, { working, failing }] of this.#waiting) {
      for (const each of [...working, ...failing]) if (each.isLeft()) each.leave()
      const stays = (each: Waiting) => !each.isLeft()
      const queues = { working: working.filter(stays), failing: failing.filter(stays) }
      if (queues.working.length + queues.failing.length === 0) this.#waiting.delete(userId)
      else this.#waiting.set(userId, queues)
    }
  }
}
