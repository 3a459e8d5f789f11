import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reaches, roleFrom, roles, scopes, scopesOf, scopesWithin } from './roles.ts'

describe('roles', () => {
  it('may each do what the one before may, and more; the last may do everything', () => {
    for (const [i, role] of roles.entries()) {
      const lesser = i === 0 ? [] : scopesOf(roles[i - 1])
      assert.ok(lesser.every((scope) => scopesOf(role).includes(scope)))
      assert.ok(scopesOf(role).length > lesser.length)
      for (const [j, other] of roles.entries()) assert.equal(reaches(role, other), i >= j)
    }
    assert.deepEqual(scopesOf('admin'), scopes)
  })

  it('bound what tokens are good for', () => {
    assert.deepEqual(scopesWithin('viewer', scopes), ['read'])
    assert.deepEqual(scopesWithin('member', ['admin', 'write']), ['write'])
    assert.deepEqual(scopesWithin('admin', ['admin']), ['admin'])
    assert.deepEqual(scopesWithin('viewer', ['write', 'admin']), [])
  })

  it('that nobody knows allow least', () => {
    assert.equal(roleFrom('admin'), 'admin')
    for (const word of ['owner', '', 'Admin', 'constructor']) assert.equal(roleFrom(word), 'viewer')
  })
})
