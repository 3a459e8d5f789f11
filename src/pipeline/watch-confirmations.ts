// Which version of the watch list each collector uses: it says so once a second, with its samples. A collector that is silent, or that goes on with an
// old list, watches something else than the sites say.

export class WatchConfirmations {
  /** The last list that was sent. */
  #last = { version: 0, sentMs: 0 }
  /** The earliest list that some collector does not use yet, nor a later one; null: there is none. */
  #awaited: { version: number; sentMs: number } | null = null
  readonly #heard = new Map<number, { version: number; atMs: number }>()

  /** A collector was started. */
  expect(collector: number, nowMs: number): void {
    this.#heard.set(collector, { version: 0, atMs: nowMs })
  }

  /** A list is sent to all. Returns its version. */
  sent(nowMs: number): number {
    this.#last = { version: this.#last.version + 1, sentMs: nowMs }
    this.#awaited ??= this.#last
    return this.#last.version
  }

  /** A collector says which list it uses. */
  confirmed(collector: number, version: number, nowMs: number): void {
    this.#heard.set(collector, { version, atMs: nowMs })
    if (this.#awaited === null) return
    const least = Math.min(...Array.from(this.#heard.values(), (heard) => heard.version))
    if (least < this.#awaited.version) return
    this.#awaited = least < this.#last.version ? this.#last : null
  }

  /** How long a collector has been silent, or without the list that it was sent, whichever is longer. */
  lateMs(nowMs: number): number {
    const heardMs = Array.from(this.#heard.values(), ({ atMs }) => atMs)
    const oldestMs = Math.min(nowMs, ...heardMs, this.#awaited?.sentMs ?? nowMs)
    return nowMs - oldestMs
  }
}
