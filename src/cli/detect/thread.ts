// Entry of a thread of `floodgauge detect --each`: does one run after another, and tells what it finds.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { BacktestProgress } from '../../pipeline/backtest.ts'
import { type DetectRun, detect } from './run.ts'

export type FromDetectThread =
  | { type: 'line'; line: string }
  | ({ type: 'progress' } & BacktestProgress)
  /** `failure`: the file can't be read to its end, and why. */
  | { type: 'done'; failure: string | null }

const progressEveryMs = 200

function serve(parent: MessagePort): void {
  const say = (message: FromDetectThread) => parent.postMessage(message)
  parent.on('message', async (run: DetectRun) => {
    let saidMs = 0
    const onProgress = (progress: BacktestProgress) => {
      if (Date.now() - saidMs < progressEveryMs) return
      saidMs = Date.now()
      say({ type: 'progress', ...progress })
    }
    try {
      await detect(run, { onLine: (line) => say({ type: 'line', line }), onProgress })
      say({ type: 'done', failure: null })
    } catch (error) {
      // Any other is a bug, and ends the thread.
      if (!(error instanceof AppError)) throw error
      say({ type: 'done', failure: error.message })
    }
  })
}

if (parentPort !== null) serve(parentPort)
