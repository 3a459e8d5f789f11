// A thread that answers the reading verbs over a connection of its own: see serve/readers. Several go on at a time, one slice of each after the other.
import { serialize } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../errors.ts'
import { letCollectorsGoFirst } from '../../../pipeline/threads/priority.ts'
import { Database } from '../database.ts'
import type { ReaderAnswer, ReaderQuestion } from './messages.ts'
import { createReading } from './verbs.ts'

letCollectorsGoFirst()

const verbs: Record<string, (...args: never[]) => Promise<unknown>> = {
  ...createReading(new Database(workerData, { isReadOnly: true })),
}

async function answerTo({ id, verb, args }: ReaderQuestion): Promise<ReaderAnswer> {
  try {
    return { id, octets: serialize(await verbs[verb](...(args as never[]))) }
  } catch (error) {
    if (error instanceof AppError) return { id, refusal: { code: error.code, text: error.message } }
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** The last answer of each holder that is still to be made. */
const last = new Map<string, Promise<void>>()

parentPort?.on('message', (question: ReaderQuestion) => {
  const { holder } = question
  const before = last.get(holder) ?? Promise.resolve()
  const done = before.then(async () => {
    parentPort?.postMessage(await answerTo(question))
    if (last.get(holder) === done) last.delete(holder)
  })
  last.set(holder, done)
})
