import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointNames, endpoints } from '../../../src/contract/endpoints.ts'
import { auditWord, detailText } from './audit-words.ts'

test('every change of the interface has words of its own', () => {
  for (const name of endpointNames()) {
    if (endpoints[name].route.method !== 'GET') assert.notEqual(auditWord(name), null, name)
  }
  assert.equal(auditWord('constructor'), null)
  assert.equal(auditWord('listUsers'), null)
})

test('a detail says what is and what was before', () => {
  assert.equal(detailText({}), '')
  assert.equal(
    detailText({ role: 'viewer', allowed: null, before: { role: 'member', hasPassword: true } }),
    'role: viewer (before: member), allowed: null, hasPassword: … (before: true)',
  )
})
