// Every endpoint as every role: what the contract says of it is what happens.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { type Role, reaches, roles, scopes } from '../../access/roles.ts'
import { endpointNames, endpoints } from '../../contract/endpoints.ts'
import type { Endpoint } from '../../contract/route.ts'

let api: TestApi
const sessions = new Map<Role, Record<string, string>>()
const tokens = new Map<Role, TestCaller>()

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 } })
  for (const role of roles) {
    // Made while the user was a member: what it is good for is decided at the time of use.
    const caller = await api.addCaller(`${role}@example.net`, { scopes: ['read', 'write'] })
    await api.store.updateUser(caller.user.id, { role })
    tokens.set(role, caller)
    sessions.set(role, await api.signedIn(caller.user))
  }
})
after(() => api.close())

/** Whether the gate refuses it: what it lets through fails otherwise, if at all, since nothing that it names is there. */
async function isRefused({ route }: Endpoint, headers: Record<string, string>): Promise<boolean> {
  const url = route.path.replaceAll(/\{\w+\}/g, 'nothing-like-it')
  // HEAD ends a stream at once.
  const method = route.givesStream === true ? 'HEAD' : route.method
  const { statusCode, body } = await api.server.inject({ method, url, headers })
  assert.notEqual(statusCode, 401, `${method} ${url}`)
  return (
    statusCode === 403 && (method === 'HEAD' || body.includes('lacks the scope') || body.includes('takes the role'))
  )
}

/** What viewers may change, all of it of their own account. `DELETE /api/v1/session` would end the session that asks. */
const viewersChange = [
  ...['signOut', 'endSession', 'changePassword', 'addToken', 'revokeToken'],
  ...['setUpSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes', 'endSecondFactor'],
]

/** What asks without a change, and has a body since there is much to say. */
const asks = ['previewAlert', 'previewMessage']

describe('roles', () => {
  it('are named by every endpoint, and fit its scope', () => {
    for (const name of endpointNames()) {
      const { method, scope, role }: Endpoint['route'] = endpoints[name].route
      const isChange = method !== 'GET' && !asks.includes(name)
      const least = isChange && !viewersChange.includes(name) ? 'member' : 'viewer'
      const expected = scope === 'public' ? null : scope === 'admin' ? 'admin' : least
      assert.equal(role, expected, name)
      assert.ok(!isChange || scope !== 'read', `${name}: who may read may not change`)
    }
  })

  for (const role of roles)
    it(`let ${role}s call what the contract says, signed in and by token`, async () => {
      for (const name of endpointNames()) {
        const endpoint: Endpoint = endpoints[name]
        const { scope, role: least, adminSeesAll } = endpoint.route
        if (least === null || name === 'signOut') continue
        assert.equal(await isRefused(endpoint, sessions.get(role) ?? {}), !reaches(role, least), `${name}, signed in`)
        const may = scopes.filter((each) => each !== 'admin' && (each !== 'write' || role !== 'viewer'))
        const isGood = scope === 'any' || may.some((each) => each === scope || (adminSeesAll && each === 'read'))
        const { headers = {} } = tokens.get(role) ?? {}
        assert.equal(await isRefused(endpoint, headers), !isGood, `${name}, by token`)
      }
    })
})
