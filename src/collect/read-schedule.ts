// When the sockets of a thread are read: all of them together, as each waking costs as much as some dozens of datagrams, and more often the more
// there is to read.

/** Reads one socket; gives how much of its buffer was in use, from 0 to 1. */
export type SocketReader = () => number

/** From the longest time down in halves. */
const everyMsMin = 3
export const everyMsMax = 24
/** Above it, the sockets are read twice as often; below it, half as often. What remains of a buffer is for bursts and delays. */
const usedShare = { max: 1 / 4, min: 1 / 16 }

export class ReadSchedule {
  /** By reader, how seldom it may be read at most. */
  readonly #readers = new Map<SocketReader, number>()
  #everyMs = everyMsMax
  #timer: NodeJS.Timeout | null = null

  add(reader: SocketReader, atMostMs: number): void {
    this.#readers.set(reader, atMostMs)
    this.#readEvery(this.#everyMs)
  }

  remove(reader: SocketReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#stop()
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** As near to the time as the readers and the bounds allow. */
  #readEvery(ms: number): void {
    let everyMs = everyMsMax
    const wantedMs = Math.min(ms, ...this.#readers.values())
    while (everyMs > wantedMs && everyMs > everyMsMin) everyMs /= 2
    if (everyMs === this.#everyMs && this.#timer !== null) return
    this.#stop()
    this.#everyMs = everyMs
    this.#timer = setInterval(() => this.#read(), everyMs)
  }

  #read(): void {
    let share = 0
    for (const reader of this.#readers.keys()) share = Math.max(share, reader())
    if (this.#readers.size === 0) return
    if (share > usedShare.max) this.#readEvery(this.#everyMs / 2)
    else if (share < usedShare.min && this.#everyMs < everyMsMax) this.#readEvery(this.#everyMs * 2)
  }
}
