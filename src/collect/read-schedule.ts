// When the sockets of a thread are read: all of them together, as each waking costs as much as some dozens of datagrams, and more often the more
// there is to read.

/** Reads one socket; gives about how much of its buffer was in use, from 0 to 1. */
export type SocketReader = () => number

/** Milliseconds from one reading to the next, at leisure first. */
export const paces: readonly number[] = [24, 12, 6, 3, 1]
/** Above it, the sockets are read at the next faster pace; below it, at the next slower. What remains of a buffer is for bursts and delays. */
const usedShare = { max: 1 / 4, min: 1 / 16 }

export class ReadSchedule {
  /** By reader, at how many milliseconds it must be read, at least. */
  readonly #readers = new Map<SocketReader, number>()
  /** A place in `paces`. */
  #pace = 0
  #timer: NodeJS.Timeout | null = null

  add(reader: SocketReader, everyMs: number): void {
    this.#readers.set(reader, everyMs)
    this.#keep(this.#pace)
  }

  remove(reader: SocketReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#stop()
  }

  /** Reads them beside the schedule: before work that takes long, which then has all of the buffers for what comes meanwhile. */
  readNow(): void {
    for (const reader of this.#readers.keys()) reader()
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** The pace, or the nearest to it that suits all readers. */
  #keep(pace: number): void {
    const everyMs = Math.min(...this.#readers.values())
    const slower = paces.filter((ms) => ms > everyMs).length
    const kept = Math.min(Math.max(pace, slower), paces.length - 1)
    if (kept === this.#pace && this.#timer !== null) return
    this.#stop()
    this.#pace = kept
    this.#timer = setInterval(() => this.#read(), paces[kept])
  }

  #read(): void {
    let share = 0
    for (const reader of this.#readers.keys()) share = Math.max(share, reader())
    if (this.#readers.size === 0) return
    if (share > usedShare.max) this.#keep(this.#pace + 1)
    else if (share < usedShare.min) this.#keep(this.#pace - 1)
  }
}
