import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { createTranslator, type Messages } from '../../shared/i18n/messages.ts'
import { differenceText, doubtsOf } from './difference.ts'
import type { WhatIf } from './queries.ts'

const english: Messages = JSON.parse(readFileSync(new URL('../../messages/en.json', import.meta.url), 'utf8'))
const { t } = createTranslator('en-GB', english, english)

const example = endpoints.getWhatIf.example.response
const [attack] = example.won
const attacks = (count: number) => Array.from({ length: count }, () => attack)
const said = (before: number, after: number, won: number, lost: number) =>
  differenceText(
    { ...example, before: attacks(before), after: attacks(after), won: attacks(won), lost: attacks(lost) },
    t,
  )

describe('what other settings would have changed', () => {
  test('is what they win and what they lose', () => {
    assert.equal(said(1, 2, 2, 1), '2 more attacks would have been detected. 1 attack would not have been detected.')
    assert.equal(said(0, 1, 1, 0), '1 more attack would have been detected.')
    assert.equal(said(3, 0, 0, 3), '3 attacks would not have been detected.')
  })

  test('is nothing only if as many attacks are detected at the same times', () => {
    assert.equal(said(2, 2, 0, 0), 'No difference: 2 attacks are detected at the same times.')
    assert.equal(said(0, 0, 0, 0), 'No difference: no attack is detected with either set of settings.')
    assert.equal(said(1, 2, 0, 0), 'At the same times, 2 attacks are detected instead of 1.')
  })
})

describe('that not all is found', () => {
  const { settings, changed, judged } = example
  const cases: [keyof Messages, Partial<WhatIf>][] = [
    ['whatIf.off', { settings: { ...settings, enabled: false } }],
    ['whatIf.cut', { isCut: true }],
    ['whatIf.untraced', { judged: { ...judged, untraced: 1 } }],
    ['whatIf.byTheMinute', { judged: { ...judged, minuteSeconds: 60 } }],
    ['whatIf.tooSensitive', { changed: { ...changed, sensitivity: 2.1 } }],
  ]

  test('is said where it is so, and not else', () => {
    assert.deepEqual(doubtsOf(example), [])
    for (const [doubt, change] of cases) assert.deepEqual(doubtsOf({ ...example, ...change }), [doubt])
  })
})
