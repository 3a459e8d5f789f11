// Decides which records go into the lists of an attack: those of its active time, so that lists and sums agree. While the attack is quiet its traffic may be
// ordinary or the next pulse: such records wait among those of the last moments (recent-records.ts).
import { incidents } from '../lines/incidents.ts'

const { leadSeconds, pauseSecondsMin, quietAfterSeconds } = incidents

/** The second of a pass, Unix time, and the slot that was taken in last before it. */
export interface Now {
  second: number
  slot: number
}

/** Where an attack began, where its latest episode began, and where it was last active. Unix time, seconds. */
interface AttackTimes {
  startSecond: number
  episodeStart: number
  lastSecond: number
}

export class ListGate {
  #isQuiet = false
  /** Records of slots up to this one are in the lists already, as far as they belong there. */
  #throughSlot = -1
  /** The latest slot when the attack became active again: the lists may miss records of it until another one comes. */
  #wokenSlot = -1
  /** Records of earlier seconds are not missing. Unix time, seconds. */
  #fromSecond: number

  constructor(startSecond: number) {
    this.#fromSecond = startSecond
  }

  get isQuiet(): boolean {
    return this.#isQuiet
  }

  /** The part of a record that goes into the lists now, 0 to 1: from `leadSeconds` before the attack, or its return, until it was quiet. */
  takes(second: number, lasted: number, { startSecond, episodeStart, lastSecond }: AttackTimes): number {
    const since = second + lasted < episodeStart ? startSecond : episodeStart
    return shareSince(second, lasted, since, this.#isQuiet ? lastSecond + quietAfterSeconds : undefined)
  }

  /** The part of a record of the last moments that is missing in the lists because the attack was not known yet, or was quiet. */
  misses(second: number, lasted: number, slot: number): number {
    return slot > this.#throughSlot ? shareWithin(second, lasted, this.#fromSecond) : 0
  }

  /** Continues after a restart, quiet until there is traffic. */
  resume(): void {
    this.#isQuiet = true
  }

  /** Closes the gate when the attack, last active in that second, is quiet. */
  rest(lastSecond: number, { second, slot }: Now): void {
    if (this.#isQuiet || second - lastSecond <= quietAfterSeconds || slot === this.#wokenSlot) return
    this.#throughSlot = slot
    this.#isQuiet = true
  }

  /** Opens the gate: the attack is active from that second on, and was before in `lastSecond`. True when its lists miss records. */
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

/** The part of a record that belongs to an attack since its beginning, 0 to 1, with the `leadSeconds` before, in which it rose. */
export function shareSince(second: number, lasted: number, since: number, through?: number): number {
  return second + lasted < since ? 0 : shareWithin(second, lasted, since - leadSeconds, through)
}

/** The part of a record in the seconds `from` to `through`, 0 to 1: its packets are spread evenly, as in the rates. */
function shareWithin(second: number, lasted: number, from: number, through = Number.POSITIVE_INFINITY): number {
  const first = Math.max(second, from)
  const last = Math.min(second + lasted, through)
  return last < first ? 0 : (last - first + 1) / (lasted + 1)
}
