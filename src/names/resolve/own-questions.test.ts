import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OwnQuestions } from './own-questions.ts'

it('what was asked is known for ten seconds at least and twenty at most, also when the clock is set back', () => {
  const asked = () => {
    const own = new OwnQuestions()
    own.note('a.example', 100_000)
    own.note('b.example', 109_999)
    return own
  }
  const known = (own: OwnQuestions, atMs: number) =>
    ['a.example', 'b.example', 'c.example'].map((name) => own.takeEcho(name, 'ns1', atMs))
  assert.deepEqual(known(asked(), 109_999), [true, true, false])
  assert.deepEqual(known(asked(), 110_000), [true, true, false])
  assert.deepEqual(known(asked(), 119_999), [true, true, false])
  const own = asked()
  assert.deepEqual(known(own, 120_000), [false, false, false])
  own.note('c.example', 120_000)
  assert.deepEqual(known(own, 60_000), [false, false, false])
})

it('each sensor reports each question once, and what it reports beyond that others asked for', () => {
  const own = new OwnQuestions()
  own.note('a.example', 100_000)
  own.note('a.example', 105_000)
  own.note('a.example', 112_000)
  const told = (sensor: string) => Array.from({ length: 5 }, () => own.takeEcho('a.example', sensor, 113_000))
  assert.deepEqual(told('ns1'), [true, true, true, false, false])
  assert.deepEqual(told('ns2'), [true, true, true, false, false])
})

it('sensors that make up identities are one after the first hundreds', () => {
  const own = new OwnQuestions()
  own.note('a.example', 100_000)
  const echoes = Array.from({ length: 1_000 }, (_, i) => own.takeEcho('a.example', `ns${i}`, 100_000)).filter(Boolean)
  assert.equal(echoes.length, 257)
})
