import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OwnQuestions } from './own-questions.ts'

it('what was asked is known for ten seconds at least and twenty at most, also when the clock is set back', () => {
  const own = new OwnQuestions()
  own.note('a.example', 100_000)
  own.note('b.example', 109_999)
  const known = (atMs: number) => ['a.example', 'b.example', 'c.example'].map((name) => own.has(name, atMs))
  assert.deepEqual(known(109_999), [true, true, false])
  assert.deepEqual(known(110_000), [true, true, false])
  assert.deepEqual(known(119_999), [true, true, false])
  assert.deepEqual(known(120_000), [false, false, false])
  own.note('c.example', 120_000)
  assert.deepEqual(known(60_000), [false, false, false])
})
