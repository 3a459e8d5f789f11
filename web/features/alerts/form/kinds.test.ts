import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from './fields.ts'
import { canRotate, firstTyped, groupedKinds, isMade } from './kinds.ts'

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

test('the secret of a webhook is made, and another one on demand', () => {
  const [secret] = fieldsOf({ settings: {}, secrets: { properties: { secret: { type: 'string' } } } })
  assert.deepEqual([isMade('webhook', secret), isMade('ntfy', secret)], [true, false])
  assert.deepEqual([canRotate('webhook'), canRotate('ntfy')], [true, false])
})
