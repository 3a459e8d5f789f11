// Whether the console still hears the service, judged by the clock alone: a connection may look open for minutes after the other end has
// frozen or the network has gone. The service says something on its stream at least once in `heartbeatSeconds`.
import { heartbeatSeconds } from '../../../src/contract/limits.ts'

/**
 * `connecting`: there is no stream, since a moment ago; `live`: what is shown is what is so now; `polling`: the stream is silent, but the service
 * answers; `stale`: nothing comes from the service, so that what is shown is of an earlier time.
 */
export type Connection = 'off' | 'connecting' | 'live' | 'polling' | 'stale'

/** Two missed heartbeats, and a moment for the way. */
export const silentMs = 2 * heartbeatSeconds * 1000 + 2_000
/** A stream that is away for less is no news. */
export const lateMs = 4_000

export class Watchdog {
  readonly #now: () => number
  #isOn = false
  /** Whether the stream is open. */
  #isOpen = false
  /** When the stream was last known to work, or was first wanted. */
  #goodMs = 0
  /** When it was last started. */
  #startedMs = 0
  #heardMs: number | null = null
  #answeredMs: number | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** The stream is being connected, for the first time or again. */
  starting(): void {
    this.#startedMs = this.#now()
    if (!this.#isOn) this.#goodMs = this.#startedMs
    this.#isOn = true
    this.#isOpen = false
  }

  /** Something came on the stream, or it was opened. */
  heard(): void {
    this.#isOpen = true
    this.#heardMs = this.#now()
    this.#goodMs = this.#heardMs
  }

  /** The service answered a request. */
  answered(): void {
    this.#answeredMs = this.#now()
  }

  /** The stream has broken; the browser may be connecting again. */
  broken(): void {
    // What was open and not silent was good until now.
    if (this.#isOpen && !this.isSilent) this.#goodMs = this.#now()
    if (this.#isOpen) this.#startedMs = this.#now()
    this.#isOpen = false
  }

  stopped(): void {
    this.#isOn = false
    this.#isOpen = false
  }

  /** Whether the stream, open or being opened, has been silent for so long that only another one helps. */
  get isSilent(): boolean {
    const sinceMs = this.#isOpen ? this.#goodMs : this.#startedMs
    return this.#isOn && this.#now() - sinceMs > silentMs
  }

  get connection(): Connection {
    if (!this.#isOn) return 'off'
    const nowMs = this.#now()
    if (this.#isOpen && nowMs - this.#goodMs <= silentMs) return 'live'
    if (!this.#isOpen && nowMs - this.#goodMs <= lateMs) return 'connecting'
    const answeredMs = this.#answeredMs ?? Number.NEGATIVE_INFINITY
    return answeredMs > this.#goodMs && nowMs - answeredMs <= silentMs ? 'polling' : 'stale'
  }

  /** When the service last gave anything; null: never. */
  get lastDataMs(): number | null {
    const [heardMs, answeredMs] = [this.#heardMs ?? 0, this.#answeredMs ?? 0]
    return Math.max(heardMs, answeredMs) || null
  }
}
