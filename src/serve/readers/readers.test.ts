import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { serialize } from 'node:v8'
import { createLogger } from '../../log.ts'
import type { ReaderQuestion } from '../../store/sqlite/reads/messages.ts'
import { Readers } from './readers.ts'

/** A thread that answers when it is told to. */
class FakeThread extends EventEmitter {
  readonly asked: ReaderQuestion[] = []
  /** It does not even end when it is told to. */
  isStuck = false

  postMessage(question: ReaderQuestion): void {
    this.asked.push(question)
  }

  async terminate(): Promise<number> {
    if (!this.isStuck) this.emit('exit')
    return 0
  }

  unref(): void {}

  answer(value: unknown): void {
    const question = this.asked.shift()
    assert.ok(question)
    this.emit('message', { id: question.id, octets: serialize(value) })
  }
}

let threads: FakeThread[]
let readers: Readers
let answeredFor: string[]

beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval'] })
  threads = []
  answeredFor = []
  readers = new Readers({
    log: createLogger('silent'),
    startThread: () => {
      const thread = new FakeThread()
      threads.push(thread)
      return thread
    },
    onAnswer: (userId) => answeredFor.push(userId),
  })
  readers.start()
})
afterEach(() => mock.timers.reset())

const ask = (user: string, what = 'x') => readers.run(user, 'bestSites', [user, what])
/** What the threads have been asked and have not answered, by user. */
const asked = () => threads.flatMap((thread) => thread.asked.map(({ args }) => args[0])).toSorted()
/** Answers that come later fail where nobody looks. */
const quietly = (answer: Promise<unknown>) => answer.catch(() => {})
const codeOf = (answer: Promise<unknown>) => answer.catch((error) => error.code)
const waitSeconds = (seconds: number) => {
  for (let second = 0; second < seconds; second++) mock.timers.tick(1_000)
}

describe('the threads that read the store', () => {
  it('answer all questions of a user by one of them, and each to who asked', async () => {
    const answers = [ask('ann', '1'), ask('ann', '2'), ask('bob', '3')]
    assert.deepEqual(
      threads.map((thread) => thread.asked.map(({ holder }) => holder)),
      [['ann', 'ann'], ['bob']],
    )
    threads[0].answer(['a'])
    threads[1].answer('c')
    threads[0].answer(new Map([['b', 1]]))
    assert.deepEqual(await Promise.all(answers), [['a'], new Map([['b', 1]]), 'c'])
    assert.deepEqual(answeredFor, ['ann', 'bob', 'ann'])
    assert.equal(readers.counters.answered, 3)
  })

  it('give users turns, however much one of them asks', () => {
    for (let n = 0; n < 100; n++) void quietly(ask('ann'))
    for (let n = 0; n < 20; n++) void quietly(ask(`u${n}`))
    assert.deepEqual(
      threads.map((thread) => new Set(thread.asked.map(({ holder }) => holder)).size),
      [4, 4],
    )
    assert.equal(asked().filter((user) => user === 'ann').length, 12)
    // In as many answers to each there was one for every other user.
    for (let n = 0; n < 30; n++) for (const thread of threads) if (thread.asked.length > 0) thread.answer(n)
    assert.equal(new Set(answeredFor).size, 21)
    assert.equal(asked().filter((user) => user === 'ann').length, 12)
  })

  it('give turns while users always ask for more than one thing', () => {
    const users = Array.from({ length: 11 }, (_, n) => `u${n}`)
    for (const user of users) for (let each = 0; each < 2; each++) void quietly(ask(user))
    for (let n = 0; n < 110; n++) {
      for (const thread of threads) {
        const { holder } = thread.asked[0]
        thread.answer(n)
        // Whoever is answered asks again at once.
        void quietly(ask(holder))
      }
    }
    const counts = users.map((user) => answeredFor.filter((each) => each === user).length)
    assert.ok(Math.min(...counts) >= 15 && Math.max(...counts) <= 25, `220 answers: ${counts}`)
  })

  it('answer with an error what has waited for its turn for twenty seconds, and count it', async () => {
    for (let n = 0; n < 8; n++) void quietly(ask(`busy${n}`))
    const late = [ask('ann'), ask('ann')].map(codeOf)
    waitSeconds(20)
    assert.deepEqual([readers.counters.late, readers.waiting], [0, 2])
    waitSeconds(1)
    assert.deepEqual([readers.counters.late, readers.waiting], [2, 0])
    assert.deepEqual(await Promise.all(late), ['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'])
    threads[0].answer('there is room')
    const later = ask('ann')
    while (threads[0].asked.length > 0) threads[0].answer('hers')
    assert.equal(await later, 'hers')
  })

  it('turn away who asks most when too many questions wait', async () => {
    const many = Array.from({ length: 600 }, () => ask('ann').catch((error) => error.code))
    const one = ask('bob', 'b')
    assert.equal(readers.counters.refused, 89)
    assert.equal(
      (await Promise.all(many.slice(12, 101))).every((code) => code === 'TOO_MANY_REQUESTS'),
      true,
    )
    threads.find((thread) => thread.asked.some(({ args }) => args[0] === 'bob'))?.answer('found')
    assert.equal(await one, 'found')
    assert.deepEqual(readers.crowding().holder, 'ann')
    await readers.stop()
  })

  it('are replaced when they end: what they were asked fails, and the next answers what comes', async () => {
    const [lost, kept] = [ask('ann'), ask('bob')]
    threads[1].answer('bob’s')
    threads[0].emit('error', new Error('out of memory'))
    threads[0].emit('exit')
    await assert.rejects(lost, { code: 'STORE_UNAVAILABLE' })
    assert.equal(await kept, 'bob’s')
    const next = ask('ann')
    threads[1].answer('hers')
    assert.equal(await next, 'hers')
    assert.deepEqual([readers.counters.ended, threads.length], [1, 2])
    // One that has answered nothing is replaced with the next look.
    mock.timers.tick(1_000)
    assert.equal(threads.length, 3)
  })

  it('answer with an error, and do not hang, while there is none', async () => {
    const waiting = [ask('ann'), ask('ann'), ask('bob')].map((each) => each.catch((error) => error.code))
    for (const thread of threads) thread.emit('exit')
    assert.deepEqual(await Promise.all(waiting), Array(3).fill('STORE_UNAVAILABLE'))
    await assert.rejects(ask('cid'), { code: 'STORE_UNAVAILABLE' })
    mock.timers.tick(1_000)
    const later = ask('cid')
    threads[2].answer('there')
    assert.equal(await later, 'there')
  })

  it('are given up when they do not answer for half a minute', async () => {
    const stuck = ask('ann')
    for (let second = 0; second < 30; second++) mock.timers.tick(1_000)
    assert.equal(readers.counters.ended, 0)
    mock.timers.tick(1_000)
    await assert.rejects(stuck, { code: 'STORE_UNAVAILABLE' })
    assert.equal(readers.counters.ended, 1)
  })

  it('ask nothing more of one that is given up, even if it does not end', async () => {
    const answers = ['1', '2', '3'].map((what) => codeOf(ask('ann', what)))
    threads[0].isStuck = true
    waitSeconds(31)
    assert.deepEqual([readers.counters.ended, threads.length, threads[0].asked.length], [1, 3, 3])
    // What had only waited behind is asked of another, once more, in its order.
    const thread = threads.find((each, n) => n > 0 && each.asked.length > 0)
    assert.ok(thread)
    assert.deepEqual(
      thread.asked.map(({ args }) => args[1]),
      ['2', '3'],
    )
    threads[0].answer('too late')
    thread.answer('second')
    assert.deepEqual(await Promise.all(answers.slice(0, 2)), ['STORE_UNAVAILABLE', 'second'])
    thread.isStuck = true
    waitSeconds(31)
    assert.equal(await answers[2], 'STORE_UNAVAILABLE')
    for (let n = 0; n < 8; n++) void quietly(ask(`u${n}`))
    assert.deepEqual([threads[0].asked.length, thread.asked.length], [2, 1])
    // When it does end after all, nobody is counted twice.
    threads[0].emit('exit')
    assert.deepEqual([readers.counters.ended, threads.length], [2, 4])
  })

  it('are not started without end where none of them ends', async () => {
    for (let n = 0; n < 20; n++) {
      for (const thread of threads) thread.isStuck = true
      for (let user = 0; user < 2; user++) void quietly(ask(`u${user}`))
      waitSeconds(31)
    }
    assert.equal(threads.length, 6)
    await assert.rejects(ask('ann'), { code: 'STORE_UNAVAILABLE' })
    threads[0].emit('exit')
    waitSeconds(1)
    const answer = ask('ann')
    threads[6].answer('there')
    assert.equal(await answer, 'there')
  })

  it('tell operating errors as they are, and bugs as bugs', async () => {
    const answers = [ask('ann'), ask('bob')]
    const [a, b] = threads.map((thread) => ({ thread, id: thread.asked[0].id }))
    a.thread.emit('message', { id: a.id, refusal: { code: 'STORE_UNAVAILABLE', text: 'the disk fails' } })
    b.thread.emit('message', { id: b.id, failure: 'TypeError: x' })
    await assert.rejects(answers[0], { code: 'STORE_UNAVAILABLE', message: 'the disk fails' })
    await assert.rejects(answers[1], { message: /TypeError: x/ })
    assert.equal(readers.counters.failed, 2)
  })

  it('leave nobody waiting when the service stops', async () => {
    const waiting = [ask('ann'), ask('ann')].map((each) => each.catch((error) => error.code))
    await readers.stop()
    assert.deepEqual(await Promise.all(waiting), ['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'])
    mock.timers.tick(5_000)
    await nextTurn()
    assert.equal(threads.length, 2)
  })
})
