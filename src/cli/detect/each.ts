// Independent runs of detection side by side, in threads. What they find is told run by run, in the order of the runs: the lines of a run wait
// until those before it are done.
import { Worker } from 'node:worker_threads'
import type { BacktestProgress } from '../../pipeline/backtest.ts'
import { endThread } from '../../thread.ts'
import type { DetectRun } from './run.ts'
import type { FromDetectThread } from './thread.ts'

export interface EachTold {
  onLine: (line: string) => Promise<void>
  onFailure: (failure: string) => void
  onProgress: (run: number, progress: BacktestProgress) => void
  onDone: (run: number) => void
}

/** What a run has found and could not be told yet. */
interface Outcome {
  lines: string[]
  failure: string | null
  isDone: boolean
}

/** How many of the runs failed. Throws when a thread meets a bug. */
export async function detectEach(runs: readonly DetectRun[], jobs: number, told: EachTold): Promise<number> {
  const outcomes = runs.map((): Outcome => ({ lines: [], failure: null, isDone: false }))
  let taken = 0
  let turn = 0
  let writing = Promise.resolve()
  /** Tells what may be told by now. */
  const tell = async () => {
    for (; turn < runs.length; turn++) {
      const outcome = outcomes[turn]
      for (let line = outcome.lines.shift(); line !== undefined; line = outcome.lines.shift()) await told.onLine(line)
      if (!outcome.isDone) return
      if (outcome.failure !== null) told.onFailure(outcome.failure)
    }
  }
  const work = (thread: Worker) =>
    new Promise<void>((resolve, reject) => {
      let run = -1
      const next = () => {
        run = taken++
        if (run < runs.length) thread.postMessage(runs[run])
        else resolve()
      }
      thread.on('error', reject)
      thread.on('message', (message: FromDetectThread) => {
        if (message.type === 'progress') return told.onProgress(run, message)
        const outcome = outcomes[run]
        if (message.type === 'line') outcome.lines.push(message.line)
        else Object.assign(outcome, { isDone: true, failure: message.failure })
        if (run === turn) writing = writing.then(tell)
        if (message.type === 'line') return
        told.onDone(run)
        next()
      })
      next()
    })
  const threads = Array.from({ length: Math.min(jobs, runs.length) }, () => {
    return new Worker(new URL('./thread.ts', import.meta.url), { name: 'detect' })
  })
  try {
    await Promise.all(threads.map(work))
  } finally {
    await Promise.all(threads.map(endThread))
  }
  await writing
  await tell()
  return outcomes.filter(({ failure }) => failure !== null).length
}
