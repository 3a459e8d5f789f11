// Work that is not to run twice at the same time: who asks for it while it runs gets the run that goes on.

export class OneAtATime {
  readonly #work: () => Promise<void>
  #running: Promise<void> | null = null

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  run(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Once more, after the run that goes on. */
  async runAgain(): Promise<void> {
    await this.#running
    await this.run()
  }
}
