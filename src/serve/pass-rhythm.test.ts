import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PassRhythm } from './pass-rhythm.ts'

test('a pass is due when all collectors were heard since the last one', () => {
  const rhythm = new PassRhythm<string>()
  rhythm.add('a')
  rhythm.add('b')
  assert.deepEqual([rhythm.hear('a'), rhythm.hear('a'), rhythm.hear('b')], [false, false, true])
  rhythm.passed(10_000)
  assert.deepEqual([rhythm.hear('b'), rhythm.hear('a')], [false, true])
})

test('a silent collector is waited for, but not for long, whatever the clock does', () => {
  const rhythm = new PassRhythm<string>()
  rhythm.add('a')
  rhythm.passed(10_000)
  assert.deepEqual([rhythm.isDue(11_000), rhythm.isDue(11_500), rhythm.isDue(1_000)], [false, true, true])
})
