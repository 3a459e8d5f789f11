import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from './fields.ts'
import { firstTyped, groupedKinds, isLater, isMade } from './kinds.ts'

const kindOf = (kind: string) => ({ kind, settings: {}, secrets: {} })
const kinds = ['webhook', 'mail', 'syslog', 'pagerduty', 'exec', 'carrier-pigeon'].map(kindOf)
const names = (isAdmin: boolean) =>
  groupedKinds(kinds, isAdmin).map((group) => [group.title, group.kinds.map(({ kind }) => kind)])

test('kinds are in groups, one that is not known among the programs; what is the installation’s is for admins', () => {
  assert.deepEqual(names(true), [
    ['channelGroup.people', ['mail']],
    ['channelGroup.pagers', ['pagerduty']],
    ['channelGroup.programs', ['webhook', 'syslog', 'exec', 'carrier-pigeon']],
  ])
  assert.deepEqual(names(false).at(-1), ['channelGroup.programs', ['webhook', 'carrier-pigeon']])
  assert.deepEqual(groupedKinds([], true), [])
})

test('a new channel speaks the language and has the time zone of whoever makes it, where it can', () => {
  const reader = { email: 'ann@example.net', language: 'zh-CN', timeZone: 'Asia/Shanghai' }
  const properties = { to: { type: 'array' }, language: { enum: ['en', 'zh'] }, timeZone: { type: 'string' } }
  const fields = fieldsOf({ settings: { properties }, secrets: {} })
  assert.deepEqual(firstTyped('mail', fields, reader), {
    'settings.to': 'ann@example.net',
    'settings.language': 'zh',
    'settings.timeZone': 'Asia/Shanghai',
  })
  assert.deepEqual(firstTyped('slack', fields, { ...reader, language: 'fr' }), { 'settings.timeZone': 'Asia/Shanghai' })
  assert.deepEqual(firstTyped('webhook', [], reader), {})
})

test('the secret of a webhook is made, and the one before is asked for in a change alone', () => {
  const properties = { secret: { type: 'string' }, before: { type: 'string' } }
  const [secret, before] = fieldsOf({ settings: {}, secrets: { properties } })
  assert.deepEqual([isMade('webhook', secret), isMade('webhook', before), isMade('ntfy', secret)], [true, false, false])
  assert.deepEqual([isLater('webhook', secret), isLater('webhook', before)], [false, true])
})
