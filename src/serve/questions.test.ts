import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { Questions } from './questions.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

test('each question has its answer, in whatever order they come', async () => {
  const questions = new Questions<string>()
  const ids: number[] = []
  const answers = ['a', 'b'].map(() => questions.ask((id) => ids.push(id)))
  questions.answer(ids[1], 'second')
  questions.answer(ids[0], 'first')
  questions.answer(ids[0], 'again')
  assert.deepEqual(await Promise.all(answers), ['first', 'second'])
})

test('a question without an answer is given up after five seconds, and the answer dropped', async () => {
  const questions = new Questions<string>()
  let asked = 0
  const answer = questions.ask((id) => {
    asked = id
  })
  mock.timers.tick(4_999)
  assert.equal(await Promise.race([answer.catch(() => 'given up'), Promise.resolve('open')]), 'open')
  mock.timers.tick(1)
  await assert.rejects(answer, { code: 'DETECTION_BUSY' })
  questions.answer(asked, 'late')
})
