import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { claimOf, emailOf, isComplete, roleOf } from './claims.ts'
import { type OidcSettings, oidcSettings } from './settings.ts'

const settings = (changed: Partial<OidcSettings> = {}): OidcSettings =>
  Value.Parse(oidcSettings, { ...Object(Value.Default(oidcSettings, {})), ...changed })

test('a claim is found by its name, or by the way to it, among own members only', () => {
  const claims = { 'https://example.net/groups': ['a'], 'a.b': 1, a: { b: 2 }, realm_access: { roles: ['ops'] } }
  assert.deepEqual(claimOf(claims, 'https://example.net/groups'), ['a'])
  assert.equal(claimOf(claims, 'a.b'), 1)
  assert.deepEqual(claimOf(claims, 'realm_access.roles'), ['ops'])
  for (const name of ['none', 'realm_access.none', 'a.b.c', 'constructor', '__proto__', 'realm_access.__proto__'])
    assert.equal(claimOf(claims, name), undefined, name)
})

test('an e-mail counts when the provider vouches for it, and is of a domain that is let in', () => {
  const email = 'Ann@Example.net'
  for (const email_verified of [true, 'true', 1, '1'])
    assert.equal(emailOf({ email, email_verified }, settings({ domains: ['EXAMPLE.net'] })), email)
  for (const email_verified of [undefined, false, 'false', 0, null, [true], {}])
    assert.match(JSON.stringify(emailOf({ email, email_verified }, settings())), /verified/)
  for (const given of [undefined, 1, 'ann', ['ann@example.net']])
    assert.match(JSON.stringify(emailOf({ email: given, email_verified: true }, settings())), /does not tell/)
  const others = ['ann@evil.example', 'ann@sub.example.net', 'ann@notexample.net']
  for (const each of others)
    assert.match(
      JSON.stringify(emailOf({ email: each, email_verified: true }, settings({ domains: ['example.net'] }))),
      /domain/,
    )
  assert.equal(emailOf({ email, xms_edov: true }, settings({ verifiedClaim: 'xms_edov' })), email)
})

test('of several groups the one counts that may do most; none is a refusal, where groups count', () => {
  const given = settings({ groups: { ops: 'admin', web: 'member', screen: 'viewer' } })
  assert.equal(roleOf({ groups: ['web', 'ops', 'screen'] }, given), 'admin')
  assert.equal(roleOf({ groups: ['screen', 'other'] }, given), 'viewer')
  assert.equal(roleOf({ groups: 'web' }, given), 'member')
  for (const groups of [undefined, [], ['other'], 'OPS', [1, null], { ops: true }, 'constructor'])
    assert.match(JSON.stringify(roleOf({ groups }, given)), /refusal/)
  assert.equal(roleOf({ groups: ['ops'] }, settings()), undefined)
  assert.equal(roleOf({ teams: { all: ['ops'] } }, { ...given, groupsClaim: 'teams.all' }), 'admin')
})

test('more is asked only where something that counts is missing', () => {
  const claims = { email: 'a@example.net', email_verified: true }
  assert.equal(isComplete(claims, settings()), true)
  assert.equal(isComplete(claims, settings({ groups: { ops: 'admin' } })), false)
  assert.equal(isComplete({ email: 'a@example.net' }, settings()), false)
})
