import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTranslator, type Messages } from '../../../shared/i18n/messages.ts'
import { reportNote } from './report.ts'

const messages = fileURLToPath(new URL('../../../messages', import.meta.url))
const read = (language: string): Messages => JSON.parse(readFileSync(`${messages}/${language}.json`, 'utf8'))

test('a report is said with its day, hour, and zone where that is another than the reader’s', () => {
  const note = (language: string, zone: string, day: 'wed' | null) =>
    reportNote({ day, hour: 8, timeZone: 'Europe/Berlin' }, createTranslator(language, read(language), read('en')), {
      zone,
    })
  assert.equal(note('en', 'Europe/Berlin', null), 'Reports daily at 08:00')
  assert.equal(note('en', 'UTC', 'wed'), 'Reports every Wednesday at 08:00 (Europe/Berlin)')
  assert.equal(note('zh', 'Europe/Berlin', 'wed'), '每星期三 08:00 报告')
  assert.equal(reportNote(null, createTranslator('en', read('en'), read('en')), { zone: 'UTC' }), null)
})
