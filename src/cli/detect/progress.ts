// How far detection over captures is: one line on standard error that is written over, and only where a person looks.
import { statSync } from 'node:fs'
import { formatTime } from '../../contract/time.ts'
import type { BacktestProgress } from '../../pipeline/backtest.ts'
import { formatCount } from '../text/output.ts'

const everyMs = 200

export class DetectProgress {
  readonly #isShown: boolean
  readonly #startedMs = Date.now()
  readonly #sizes: number[]
  /** By run. */
  readonly #reached = new Map<number, BacktestProgress>()
  readonly #done = new Set<number>()
  #writtenMs = 0

  /** `runs`: the files of each. */
  constructor(runs: readonly (readonly string[])[], isShown: boolean) {
    this.#isShown = isShown
    this.#sizes = runs.map((files) => files.reduce((sum, file) => sum + sizeOf(file), 0))
  }

  /** Call it often: it writes only now and then. */
  show(run: number, progress: BacktestProgress): void {
    this.#reached.set(run, progress)
    if (!this.#isShown || Date.now() - this.#writtenMs < everyMs) return
    this.#writtenMs = Date.now()
    process.stderr.write(`\r\x1b[K${this.text(Date.now() - this.#startedMs)}`)
  }

  /** Whether it failed or not. */
  done(run: number): void {
    this.#done.add(run)
  }

  /** Out of the way of other lines. */
  clear(): void {
    if (this.#writtenMs > 0) process.stderr.write('\r\x1b[K')
  }

  /** `passedMs`: since the start. */
  text(passedMs: number): string {
    const size = this.#sizes.reduce((total, each) => total + each, 0)
    // The last report of a finished run may be older than its end.
    const read = this.#sizes.reduce((total, each, run) => {
      return total + (this.#done.has(run) ? each : (this.#reached.get(run)?.bytesRead ?? 0))
    }, 0)
    const datagrams = [...this.#reached.values()].reduce((total, progress) => total + progress.datagrams, 0)
    const rate = (datagrams / Math.max(1, passedMs)) * 1000
    const parts = [
      Number.isNaN(size) ? `${formatCount(read, 'B')} read` : `${Math.floor((read / Math.max(1, size)) * 100)} %`,
      this.#sizes.length > 1 ? `${this.#done.size} of ${this.#sizes.length} files` : this.#captureTime(),
      `${formatCount(Math.round(rate))} datagrams/s`,
    ]
    return parts.filter((part) => part !== '').join(', ')
  }

  #captureTime(): string {
    const progress = this.#reached.get(0)
    return progress === undefined ? '' : formatTime(progress.nowMs)
  }
}

/** NaN when it can't be told. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return Number.NaN
  }
}
