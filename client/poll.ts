// Near-real-time events by polling: every few minutes the events of a window that overlaps the one before, each event once.
import { ProblemError } from './problem.ts'
import type { Timing } from './request.ts'
import type { DdosEvent } from './types.ts'

export interface PollOptions {
  /** Between the starts of two calls. */
  everyMs?: number
  /** How far each call looks back. More than `everyMs`, so that no event falls between two calls. */
  windowMs?: number
  signal?: AbortSignal
  /** Called for each call that failed and will be made again: the network, a timeout, a busy or broken service. */
  onError?: (error: unknown) => void
  /** How many events are remembered to know them again. */
  seenMax?: number
}

interface Source {
  timing: Timing
  eventsFrom(start: Date, signal: AbortSignal | undefined): AsyncIterable<DdosEvent>
}

const defaults = { everyMs: 5 * 60_000, windowMs: 10 * 60_000, seenMax: 50_000 }

/**
 * Ends when the signal is aborted. A failed call is made again at the next turn, and the window then reaches back to the last call that
 * succeeded, so that an outage hides no event. Throws only what trying again cannot help: a refused token, a bad request.
 */
export async function* pollEvents(
  source: Source,
  options: PollOptions = {},
): AsyncGenerator<DdosEvent, void, undefined> {
  const { everyMs, windowMs, seenMax } = { ...defaults, ...withoutUndefined(options) }
  if (!(windowMs > everyMs)) throw new RangeError('windowMs must be greater than everyMs')
  const { signal } = options
  const seen = new RecentIds(seenMax)
  /** When the last call that succeeded was made; at first, as if one had been made in time before this. */
  let coveredMs = source.timing.now() - everyMs
  while (!signal?.aborted) {
    const calledMs = source.timing.now()
    const startMs = Math.min(calledMs, coveredMs + everyMs) - windowMs
    try {
      for await (const event of source.eventsFrom(new Date(startMs), signal)) {
        if (seen.add(event._id)) yield event
        if (signal?.aborted) return
      }
      coveredMs = calledMs
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ProblemError && !error.isTransient) throw error
      options.onError?.(error)
    }
    await source.timing.sleep(Math.max(0, calledMs + everyMs - source.timing.now()), signal)
  }
}

/** The ids seen most recently. */
class RecentIds {
  readonly #max: number
  readonly #ids = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  /** False when the id is known. Either way it is now the most recent. */
  add(id: string): boolean {
    const isNew = !this.#ids.delete(id)
    this.#ids.add(id)
    if (this.#ids.size > this.#max) {
      for (const oldest of this.#ids) {
        this.#ids.delete(oldest)
        break
      }
    }
    return isNew
  }
}

function withoutUndefined(options: PollOptions): PollOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
