// How long whoever fails again and again (an account, a remote address) has to wait: longer each time, up to a bound. The table is bounded: who has made
// most of its entries gives way, and whoever has to wait gives way to no newcomer, so that made-up names and addresses make nobody's failures forgotten.
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'

export interface BackOffOptions {
  /** Failures without a wait. */
  free: number
  /** After the next; twice as long after each more. */
  firstMs: number
  mostMs: number
  keysMax?: number
}

/** The part of the table that is for keys that have to wait. */
const waitingShare = 0.75

interface Failures {
  readonly key: string
  place: Place<Failures> | null
  count: number
  untilMs: number
  /** The wait before the last attempt. */
  beforeMs: number
}

export class BackOff {
  readonly #options: BackOffOptions
  readonly #failures = new Map<string, Failures>()
  readonly #places: FairTable<Failures>
  /** Keys whose failures were forgotten early. */
  evicted = 0

  constructor(options: BackOffOptions) {
    const { mostMs, keysMax: max = 10_000 } = options
    this.#options = options
    this.#places = new FairTable({
      ...{ max, provenMax: Math.floor(max * waitingShare), idleMs: 5 * mostMs },
      onGiveWay: ({ key }) => {
        this.#failures.delete(key)
        this.evicted++
      },
    })
  }

  /** What gave way here makes no attack go unseen. */
  crowding(): Crowding {
    return { ...this.#places.crowding(), provenGaveWay: 0 }
  }

  /** Milliseconds to wait; 0: an attempt may be made. */
  waitOf(key: string, nowMs: number): number {
    const known = this.#failures.get(key)
    return known === undefined || this.#isForgotten(known, nowMs) ? 0 : Math.max(0, known.untilMs - nowMs)
  }

  /**
   * Milliseconds to wait; 0: the attempt may be made, and counts as a failure until it is forgiven: many at once are many. `holder`: who takes the
   * place in the table, the block of the remote address.
   */
  take(key: string, nowMs: number, holder = key): number {
    const { free, firstMs, mostMs } = this.#options
    const failures = this.#failures.get(key) ?? { key, place: null, count: 0, untilMs: nowMs, beforeMs: nowMs }
    if (this.#isForgotten(failures, nowMs)) Object.assign(failures, { count: 0, untilMs: nowMs })
    const waitMs = failures.untilMs - nowMs
    if (waitMs > 0) return waitMs
    failures.count++
    failures.beforeMs = failures.untilMs
    const { count } = failures
    failures.untilMs = nowMs + (count <= free ? 0 : Math.min(mostMs, firstMs * 2 ** (count - free - 1)))
    this.#keep(failures, holder, nowMs)
    return 0
  }

  /** The last attempt was no failure. `entirely`: nor does any before it count any more; else they do, with the wait that they had. */
  forgive(key: string, { entirely }: { entirely: boolean }): void {
    const known = this.#failures.get(key)
    if (known === undefined) return
    if (entirely || known.count <= 1) {
      this.#failures.delete(key)
      if (known.place !== null) this.#places.leave(known.place)
    } else {
      known.count--
      known.untilMs = known.beforeMs
    }
  }

  #keep(failures: Failures, holder: string, nowMs: number): void {
    if (failures.place === null) failures.place = this.#places.take(failures, { holder, nowMs })
    else this.#places.touch(failures.place, nowMs)
    if (failures.place === null) return
    this.#failures.set(failures.key, failures)
    if (failures.count > this.#options.free) this.#places.prove(failures.place, nowMs)
  }

  /** After four times the longest wait; also when the clock was set back. */
  #isForgotten({ untilMs }: Pick<Failures, 'untilMs'>, nowMs: number): boolean {
    const { mostMs } = this.#options
    return nowMs > untilMs + 4 * mostMs || untilMs > nowMs + mostMs
  }
}
