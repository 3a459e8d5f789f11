// Which records go into the lists of an attack: those of its active time, so that lists and sums agree. While the attack is quiet nobody knows whether
// what comes is ordinary traffic or its next pulse: such records wait among those of the last moments (recent-records.ts).

import { pauseSecondsMin } from './tally.ts'

/** Nothing of an attack is seen for so long: it is quiet. Shorter gaps are the unevenness of any traffic. Seconds. */
export const quietAfterSeconds = 5

/** The second of a pass, Unix time, and the slot that was taken in last before it. */
export interface Now {
  second: number
  slot: number
}

export class ListGate {
  readonly #startSecond: number
  #isQuiet = false
  /** Records of slots up to this one are in the lists already, as far as they belong there. */
  #throughSlot = -1
  /** The latest slot when the attack went on last: until another one comes, the lists may still miss records of this one. */
  #wokenSlot = -1
  /** Records that end earlier are not missing. Unix time, seconds. */
  #fromSecond: number

  constructor(startSecond: number) {
    this.#startSecond = startSecond
    this.#fromSecond = startSecond
  }

  get isQuiet(): boolean {
    return this.#isQuiet
  }

  /** Whether a record that ends in that second goes into the lists now. */
  takes(endSecond: number, lastSecond: number): boolean {
    if (endSecond < this.#startSecond) return false
    return !this.#isQuiet || endSecond <= lastSecond + quietAfterSeconds
  }

  /** Whether a record of the last moments is missing in the lists, since the attack was not known yet, or was quiet. */
  misses(endSecond: number, slot: number): boolean {
    return slot > this.#throughSlot && endSecond >= this.#fromSecond
  }

  /** It goes on after a restart: nothing was heard of it yet. */
  resume(): void {
    this.#isQuiet = true
  }

  /** The attack was seen last in that second. */
  rest(lastSecond: number, { second, slot }: Now): void {
    if (this.#isQuiet || second - lastSecond <= quietAfterSeconds || slot === this.#wokenSlot) return
    this.#throughSlot = slot
    this.#isQuiet = true
  }

  /** The attack goes on from that second, be it that its end was reported; `lastSecond`: where it was seen last before. True: its lists miss records. */
  wake(fromSecond: number, lastSecond: number, { slot }: Pick<Now, 'slot'>): boolean {
    if (!this.#isQuiet) return false
    this.#wokenSlot = slot
    // What came in a gap that is no pause belongs to the attack.
    const isPause = fromSecond - lastSecond > pauseSecondsMin
    this.#fromSecond = isPause ? fromSecond : lastSecond + quietAfterSeconds + 1
    this.#isQuiet = false
    return true
  }
}
