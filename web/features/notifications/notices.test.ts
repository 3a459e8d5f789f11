import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overviewExample } from '../../../src/contract/events/examples.ts'
import english from '../../messages/en.json' with { type: 'json' }
import { createTranslator } from '../../shared/i18n/messages.ts'
import { noticesOf, permissionOf } from './notices.ts'

const translator = createTranslator('en', english, english)
const eventOf = (id: string, given: Partial<typeof overviewExample> = {}) => ({ ...overviewExample, id, ...given })

test('a notification says what attack hits whom, how severe and how much it is', () => {
  assert.deepEqual(noticesOf([eventOf('a')], translator), [
    {
      title: 'NTP amplification on www.example.com',
      body: 'High, *.example.com, 252\u00a0Mbps',
      tag: 'a',
      eventId: 'a',
    },
  ])
})

test('many at once are one, and simulated ones none', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => eventOf(`e${n}`))
  assert.equal(noticesOf(ids(3), translator).length, 3)
  const [many, ...others] = noticesOf(ids(40), translator)
  assert.deepEqual([others, many.title, many.eventId, many.body.split('\n').length], [[], '40 attacks began', null, 3])
  assert.deepEqual(noticesOf([eventOf('a', { isTest: true })], translator), [])
})

test('a browser that cannot, or may not, is known', () => {
  const of = (permission: string, isSecureContext = true) =>
    permissionOf({ isSecureContext, Notification: { permission } })
  assert.deepEqual([of('granted'), of('denied'), of('default')], ['granted', 'denied', 'unasked'])
  assert.deepEqual([of('granted', false), permissionOf({ isSecureContext: true })], ['absent', 'absent'])
})
