import assert from 'node:assert/strict'
import { EventEmitter, getEventListeners } from 'node:events'
import { describe, it, mock, type TestContext } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { answerOf, endThread } from './thread.ts'

const threadOf = (code: string) => new Worker(code, { eval: true })
const failure = 'no answer of the test'
const asking = () => ({ signal: new AbortController().signal, failure })

/** A thread that never ends, nor answers. */
function stuckThread() {
  const thread = threadOf('')
  const wait = mock.method(thread, 'terminate', () => new Promise<number>(() => {}))
  thread.removeAllListeners('exit')
  mock.method(thread, 'once', EventEmitter.prototype.on.bind(new EventEmitter()))
  return { thread, wait }
}

async function passTime(context: TestContext, ms: number): Promise<void> {
  await immediate()
  context.mock.timers.tick(ms)
  await immediate()
}

describe('the answer of a thread', () => {
  it('is its first message, which ends it', async () => {
    const thread = threadOf("require('node:worker_threads').parentPort.postMessage(7); setInterval(() => {}, 1000)")
    let ends = 0
    thread.once('exit', () => ends++)
    const asked = asking()
    assert.equal(await answerOf<number>(thread, asked), 7)
    assert.equal(ends, 1)
    assert.equal(getEventListeners(asked.signal, 'abort').length, 0)
  })

  it('is an error where the thread fails, or ends without one', async () => {
    await assert.rejects(answerOf(threadOf("throw new Error('broken')"), asking()), /^Error: broken$/)
    await assert.rejects(answerOf(threadOf(''), asking()), { code: 'STORE_UNAVAILABLE', message: /^no answer of the/ })
  })

  it('is null for a signal, before or after', async () => {
    const endless = 'setInterval(() => {}, 1000)'
    assert.equal(await answerOf(threadOf(endless), { signal: AbortSignal.abort(), failure }), null)
    const stop = new AbortController()
    const answer = answerOf(threadOf(endless), { signal: stop.signal, failure })
    stop.abort()
    assert.equal(await answer, null)
  })

  it('is not waited for without end, nor is the end of the thread', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const { thread, wait } = stuckThread()
    const answer = assert.rejects(answerOf(thread, asking()), /: its thread gave no answer in 6 hours$/)
    await passTime(context, 6 * 3_600_000)
    assert.equal(wait.mock.callCount(), 1)
    await passTime(context, 1_000)
    await answer
    let isOver = false
    const end = endThread(thread).then(() => {
      isOver = true
    })
    await passTime(context, 999)
    assert.equal(isOver, false)
    await passTime(context, 1)
    await end
  })
})
