// The signals that a running service acts on, one at a time and in the order in which they came.

export type Wish = 'stop' | 'reload'

export class Signals {
  readonly #came: Wish[] = []
  readonly #isOnTerminal: boolean
  #wake = () => {}

  /** `isOnTerminal`: the process belongs to a terminal, whose closing is told by SIGHUP and means the same as SIGTERM. */
  constructor({ isOnTerminal }: { isOnTerminal: boolean }) {
    this.#isOnTerminal = isOnTerminal
  }

  /** SIGHUP counts from here on: a service that is about to start is not ended by it. */
  listen(): void {
    process.on('SIGHUP', () => this.#take(this.#isOnTerminal ? 'stop' : 'reload'))
  }

  /** The others, which end a service that has not started yet at once, count from here on. */
  listenToAll(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#take('stop'))
  }

  async next(): Promise<Wish> {
    for (;;) {
      const wish = this.#came.includes('stop') ? 'stop' : this.#came.shift()
      if (wish !== undefined) return wish
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Several reloads that wait are one. */
  #take(wish: Wish): void {
    if (!this.#came.includes(wish)) this.#came.push(wish)
    this.#wake()
  }
}
