// Structured logs: JSON lines on standard output. Untrusted text only ever goes into fields, which pino escapes.
import { write, writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Octets of log that wait for a reader that is slow; lines that come while as many wait are lost, and the next line says how many. */
const waitingMax = 1 << 20
/** How long a reader whose pipe is full is left alone before the next try. Milliseconds. */
const pauseMs = 100
/** Tries to write the last lines of a process that ends. */
const lastTries = 10

export function createLogger(level: LogLevel, fd = 1): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, new LogOutput(fd))
}

/**
 * Lines on their way to a file descriptor, one write at a time. A terminal that was closed or a disk that is full takes none: what cannot be written is
 * lost, and neither ends the process nor keeps it from ending. (pino's own output tries for ever at the end of the process.)
 */
class LogOutput {
  readonly #fd: number
  #lines: string[] = []
  #waiting = 0
  #isWriting = false
  /** What a busy reader did not take, and gets again. */
  #refused: Buffer = Buffer.alloc(0)
  /** Lines lost since one was taken last. */
  #lost = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#waiting >= waitingMax) {
      this.#lost++
      return
    }
    const lines = this.#lost === 0 ? line : lossLine(this.#lost) + line
    this.#lost = 0
    this.#lines.push(lines)
    this.#waiting += lines.length
    if (this.#isWriting) return
    this.#isWriting = true
    process.on('exit', this.#writeLast)
    this.#write(this.#take())
  }

  #write(octets: Buffer): void {
    write(this.#fd, octets, (error, written) => {
      const isRefused = error !== null && isBusy(error)
      if (isRefused) this.#refused = octets
      else if (error === null) this.#refused = octets.subarray(written)
      this.#waiting += this.#refused.length
      if (isRefused) {
        setTimeout(() => this.#write(this.#take()), pauseMs).unref()
        return
      }
      const next = this.#take()
      if (next.length > 0) this.#write(next)
      else {
        this.#isWriting = false
        process.off('exit', this.#writeLast)
      }
    })
  }

  #take(): Buffer {
    const octets = Buffer.concat([this.#refused, Buffer.from(this.#lines.join(''))])
    this.#refused = Buffer.alloc(0)
    this.#lines = []
    this.#waiting = 0
    return octets
  }

  /** The process ends: the write that is under way, which another thread does, gets a moment, so that its lines come first; then comes what waits behind it. */
  readonly #writeLast = () => {
    pause()
    let rest = this.#take()
    for (let tries = 0; rest.length > 0 && tries < lastTries; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        if (!(error instanceof Error && isBusy(error))) return
        tries++
        pause()
      }
    }
  }
}

/** Holds this thread up. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}

/** As pino would write it. */
function lossLine(lines: number): string {
  const text = 'log lines were lost: their reader was too slow'
  return `{"level":${pino.levels.values.warn}${pino.stdTimeFunctions.isoTime()},"lines":${lines},"msg":"${text}"}\n`
}

/** Whether the reader may take it later: a pipe that does not block is full. */
function isBusy(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EAGAIN' || error.code === 'EBUSY'
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
