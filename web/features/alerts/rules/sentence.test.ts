import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../../../src/contract/endpoints.ts'
import { createTranslator, type Messages } from '../../../shared/i18n/messages.ts'
import { type Rule, ruleNotes, ruleSentence, toldNames } from './sentence.ts'

const messages = fileURLToPath(new URL('../../../messages', import.meta.url))
const read = (language: string): Messages => JSON.parse(readFileSync(`${messages}/${language}.json`, 'utf8'))
const translatorOf = (language: string) => createTranslator(language, read(language), read('en'))
const [english, chinese] = [translatorOf('en'), translatorOf('zh')]

const [example] = endpoints.listRules.example.response.rules
const known = {
  groups: [{ id: 'g1', name: 'Shops' }],
  channels: [
    { id: 'a', name: 'Pager' },
    { id: 'b', name: 'Chat' },
  ],
  zone: 'Europe/Berlin',
}
const anything: Rule['when'] = { severities: [], sites: [], groups: [], vectors: [], notices: ['started', 'worsened'] }
const night: Rule['at'] = { timeZone: 'Europe/Berlin', days: [], hours: '18:00-08:00' }
const day: Rule['at'] = { timeZone: 'Europe/Berlin', days: ['fri', 'mon'], hours: '08:00-18:00' }
const shops: Partial<Rule['when']> = { severities: ['critical', 'high'], groups: ['g1'] }
const dns = 'udp@attack@amp_flood_target-DNS'

describe('a rule as a sentence', () => {
  const rows: [when: Partial<Rule['when']>, at: Rule['at'], en: string, zh: string][] = [
    [{}, null, 'Every attack', '所有攻击'],
    [{ severities: ['low', 'medium', 'high', 'critical'] }, null, 'Every attack', '所有攻击'],
    [
      shops,
      night,
      'High and critical attacks on Shops, at night (18:00–08:00)',
      '夜间（18:00–08:00），针对 Shops，高和严重级别的攻击',
    ],
    [
      { vectors: [dns, 'unknown', 'tcp@*'], sites: ['*.example.net'], groups: ['gone'] },
      null,
      'Every attack of the kind DNS amplification, Traffic spike of unknown type, or tcp@* on a deleted group or *.example.net',
      '针对 已删除的分组或*.example.net，类型为 DNS 放大攻击、未知类型的流量突增或tcp@* 的所有攻击',
    ],
    [{}, day, 'Every attack, 08:00–18:00, Mon, Fri', '08:00–18:00，周一，周五，所有攻击'],
    [
      { severities: ['low'] },
      { timeZone: 'Asia/Shanghai', days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: '08:00-18:00' },
      'Low attacks, 08:00–18:00, Monday to Friday, Asia/Shanghai',
      '08:00–18:00，周一至周五，Asia/Shanghai，低级别的攻击',
    ],
    [{}, { timeZone: 'UTC', days: ['sun', 'sat'], hours: null }, 'Every attack, at weekends', '周末，所有攻击'],
    [{}, { timeZone: 'UTC', days: [], hours: null }, 'Every attack, at any time', '任何时间，所有攻击'],
  ]
  for (const [when, at, en, zh] of rows) {
    test(`says: ${en}`, () => {
      const rule = { when: { ...anything, ...when }, at }
      assert.deepEqual([ruleSentence(rule, english, known), ruleSentence(rule, chinese, known)], [en, zh])
    })
  }
})

test('who is told is every channel, or those that are still there', () => {
  assert.equal(toldNames({ send: null }, known), null)
  assert.deepEqual(toldNames({ send: ['b', 'gone'] }, known), ['Chat'])
  assert.deepEqual(toldNames({ send: [] }, known), [])
})

describe('what is said of a rule beside its sentence', () => {
  const rule = { ...example, when: anything, continuesMinutes: null, stop: false }
  const rows: [given: Partial<Rule>, notes: string[]][] = [
    [{}, []],
    [{ when: { ...anything, notices: ['worsened', 'started'] } }, []],
    [{ when: { ...anything, notices: ['vector'] } }, ['Tells only: another kind of attack']],
    [{ continuesMinutes: 90 }, ['Repeated every 1 h 30 min while it lasts']],
    [{ group: { by: ['vector', 'group'], waitSeconds: 10, everyMinutes: 5 }, endDelaySeconds: 60 }, []],
    [
      { group: { by: ['site', 'severity'], waitSeconds: 0, everyMinutes: 60 } },
      ['Told together by site and severity: the first at once, others every 1 h'],
    ],
    [
      { group: { by: [], waitSeconds: 30, everyMinutes: 5 }, endDelaySeconds: 0 },
      ['All are told together: the first after 30 s, others every 5 min', 'Ends are told at once'],
    ],
    [{ endDelaySeconds: 300 }, ['Ends wait 5 min']],
    [{ tests: true }, ['Pagers get simulated attacks as well']],
    [{ stop: true }, ['Rules below are skipped where it fits']],
  ]
  for (const [given, notes] of rows) {
    test(notes.join() || 'is nothing where it is as most are', () =>
      assert.deepEqual(ruleNotes({ ...rule, ...given }, english), notes),
    )
  }
})
