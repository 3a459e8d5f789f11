import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTranslator, type Messages } from '../../../shared/i18n/messages.ts'
import { escalationNotes, nextStep, type Step } from './escalation.ts'

const messages = fileURLToPath(new URL('../../../messages', import.meta.url))
const read = (language: string): Messages => JSON.parse(readFileSync(`${messages}/${language}.json`, 'utf8'))
const translatorOf = (language: string) => createTranslator(language, read(language), read('en'))
const channels = [
  { id: 'a', name: 'Phone' },
  { id: 'b', name: 'Boss' },
]
const known = { groups: [], channels, zone: 'UTC' }
const step = (afterMinutes: number, ...send: string[]): Step => ({ afterMinutes, unless: 'acknowledged', send })

test('each step is said with its channels that are still there', () => {
  const steps = [step(10, 'a', 'gone'), step(90, 'a', 'b'), step(95, 'gone')]
  assert.deepEqual(escalationNotes(steps, translatorOf('en'), known), [
    'Unless acknowledged within 10 min: Phone',
    'Unless acknowledged within 1 h 30 min: Phone and Boss',
  ])
  assert.deepEqual(escalationNotes(steps.slice(0, 1), translatorOf('zh'), known), ['10 分内无人确认则通知：Phone'])
})

test('the next step is later than those before it', () => {
  const next = (...minutes: number[]) =>
    nextStep(
      minutes.map((each) => step(each, 'a')),
      ['b'],
    )
  assert.deepEqual(
    [next(), next(10), next(30, 15), next(1_440)],
    [step(10, 'b'), step(15, 'b'), step(60, 'b'), step(1_440, 'b')],
  )
})
