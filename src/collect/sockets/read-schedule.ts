// Schedules the reading of a thread's sockets: all of them together, as each wake-up costs as much as some dozens of datagrams, and more often the more
// there is to read.

import { Ticker } from '../../ticker.ts'

/** Reads one socket, and returns the share of its buffer that was in use, about, 0 to 1. */
export type SocketReader = () => number

/** Milliseconds from one reading to the next, the slowest pace first. */
export const paces: readonly number[] = [72, 36, 18, 9, 4, 2, 1]
/** Use of a buffer above which the next faster pace is taken, and below which the next slower. The rest of a buffer is for bursts and delays. */
const usedShare = { max: 1 / 4, min: 1 / 16 }

/** What is called around each reading. */
export interface ReadHooks {
  begin: () => void
  /** `isEmpty`: nothing is left to be read. */
  end: (isEmpty: boolean) => void
}

export class ReadSchedule {
  readonly #hooks: ReadHooks
  /** Longest pause of each reader, milliseconds. */
  readonly #readers = new Map<SocketReader, number>()
  /** A place in `paces`. */
  #pace = 0
  readonly #ticker = new Ticker(() => this.#read())

  constructor(hooks: ReadHooks = { begin: () => {}, end: () => {} }) {
    this.#hooks = hooks
  }

  add(reader: SocketReader, everyMs: number): void {
    this.#readers.set(reader, everyMs)
    this.#keep(this.#pace)
  }

  remove(reader: SocketReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#ticker.stop()
  }

  /** Reads all sockets at once, beside the schedule: before long work, so that the buffers are empty for what comes meanwhile. */
  readNow(): void {
    this.#readAll()
  }

  /** The current pace, or the nearest one that suits all readers. */
  #keep(pace: number): void {
    const everyMs = Math.min(...this.#readers.values())
    const slower = paces.filter((ms) => ms > everyMs).length
    const kept = Math.min(Math.max(pace, slower), paces.length - 1)
    if (kept === this.#pace && this.#ticker.isRunning) return
    this.#pace = kept
    this.#ticker.start(paces[kept])
  }

  /** Returns the share of the fullest buffer that was in use. */
  #readAll(): number {
    this.#hooks.begin()
    let share = 0
    for (const reader of this.#readers.keys()) share = Math.max(share, reader())
    this.#hooks.end(share < 1)
    return share
  }

  #read(): void {
    const share = this.#readAll()
    if (this.#readers.size === 0) return
    if (share > usedShare.max) this.#keep(this.#pace + 1)
    else if (share < usedShare.min) this.#keep(this.#pace - 1)
  }
}
