// Structured logs: JSON lines on standard output. Untrusted text only ever goes into fields, which pino escapes.
import { type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function createLogger(level: LogLevel): Logger {
  const output = pino.destination(1)
  // A terminal that was closed, a disk that is full: what cannot be written is lost, and no reason to end.
  output.on('error', () => {})
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output)
}

/** Lets a message through at most once in some time, by default a minute, per key, and says how many it held back. Keys are few: reasons, not addresses. */
export class LogThrottle {
  readonly #intervalMs: number
  readonly #keysMax = 1_000
  readonly #last = new Map<string, { atMs: number; heldBack: number }>()

  constructor(intervalMs = 60_000) {
    this.#intervalMs = intervalMs
  }

  /** The number of messages held back since the last one that passed, or null: hold this one back too. */
  pass(key: string, nowMs: number): number | null {
    const entry = this.#last.get(key)
    // A clock that was set back holds nothing back.
    if (entry !== undefined && nowMs >= entry.atMs && nowMs - entry.atMs < this.#intervalMs) {
      entry.heldBack++
      return null
    }
    if (entry === undefined && this.#last.size >= this.#keysMax) this.#last.clear()
    this.#last.set(key, { atMs: nowMs, heldBack: 0 })
    return entry?.heldBack ?? 0
  }
}
