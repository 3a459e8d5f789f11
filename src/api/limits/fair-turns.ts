// Work that takes long and is asked for at will: each user's goes one after the other, and few may wait.

/** Turns of one user, the running one among them. */
const waitingMax = 6

export class Turns {
  readonly #last = new Map<string, { count: number; done: Promise<unknown> }>()

  /** Null: too many of the user wait already. */
  take<Value>(userId: string, work: () => Promise<Value>): Promise<Value> | null {
    const { count, done } = this.#last.get(userId) ?? { count: 0, done: Promise.resolve() }
    if (count >= waitingMax) return null
    const value = done.then(work)
    const settled = value.then(
      () => this.#leave(userId),
      () => this.#leave(userId),
    )
    this.#last.set(userId, { count: count + 1, done: settled })
    return value
  }

  #leave(userId: string): void {
    const last = this.#last.get(userId)
    if (last === undefined || last.count === 1) this.#last.delete(userId)
    else last.count--
  }
}
