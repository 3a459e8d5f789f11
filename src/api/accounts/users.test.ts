import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import type { Scope } from '../../access/roles.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'

const password = 'correct horse battery'
let api: TestApi
let admin: TestCaller
let ann: TestCaller
let bob: TestCaller
let users = 0

before(async () => {
  api = await createTestApi()
  admin = await api.addCaller('admin@example.net', { scopes: ['read', 'write', 'admin'] })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
})
after(() => api.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (who: TestCaller | Record<string, string>, method: Method, url: string, payload?: object) => {
  const headers = isCaller(who) ? who.headers : who
  return api.server.inject(payload === undefined ? { method, url, headers } : { method, url, headers, payload })
}
const isCaller = (who: TestCaller | Record<string, string>): who is TestCaller => 'tokenId' in who
const add = (given: object = {}) =>
  call(admin, 'POST', '/api/v1/users', { email: `user${users++}@example.net`, ...given })

describe('users', () => {
  it('are for admins', async () => {
    const { user } = ann
    for (const [method, url, payload] of [
      ['GET', '/api/v1/users'],
      ['POST', '/api/v1/users', { email: 'eve@example.net' }],
      ['PATCH', `/api/v1/users/${user.id}`, { isAdmin: true }],
      ['DELETE', `/api/v1/users/${user.id}`],
    ] as const)
      for (const who of [ann, await api.signedIn(user)])
        assert.equal((await call(who, method, url, payload)).statusCode, 403, `${method} ${url}`)
  })

  it('are made, listed, changed and deleted', async () => {
    const allowed = { networks: ['192.0.2.0/24'], domains: ['*.Example.com'] }
    const made = await add({ siteQuota: 7, allowed, policy: 'assigned', password })
    assert.equal(made.statusCode, 200, made.body)
    const { id, email } = made.json()
    assert.deepEqual(made.json().allowed, { networks: ['192.0.2.0/24'], domains: ['example.com'] })
    await api.store.addSites(id, ['192.0.2.1'], 1)
    const { users: list } = (await call(admin, 'GET', '/api/v1/users')).json()
    assert.equal(list.find((each: { id: string }) => each.id === id).siteCount, 1)
    const signIn = await api.server.inject({ method: 'POST', url: '/api/v1/session', payload: { email, password } })
    assert.equal(signIn.statusCode, 200)
    const [cookie] = String(signIn.headers['set-cookie']).split(';')
    const changes = api.changes()
    const changed = await call(admin, 'PATCH', `/api/v1/users/${id}`, {
      siteQuota: 0,
      allowed: null,
      policy: null,
      isAdmin: true,
      password: 'another password',
    })
    const { siteQuota, policy, isAdmin } = changed.json()
    assert.deepEqual([siteQuota, changed.json().allowed, policy, isAdmin], [0, null, null, true])
    assert.ok(api.changes() > changes)
    assert.equal((await call({ cookie }, 'GET', '/api/v1/session')).statusCode, 401)
    assert.equal((await call(admin, 'DELETE', `/api/v1/users/${id}`)).statusCode, 200)
    assert.deepEqual(await api.store.listSites(id), [])
    for (const method of ['DELETE', 'PATCH'] as const)
      assert.equal(
        (await call(admin, method, `/api/v1/users/${id}`, method === 'PATCH' ? {} : undefined)).statusCode,
        404,
      )
  })

  it('have the installation’s limits where nothing is said, and one e-mail each', async () => {
    const { siteQuota, allowed, policy, isAdmin } = (await add()).json()
    assert.deepEqual([siteQuota, allowed, policy, isAdmin], [1_000, null, null, false])
    const taken = await add({ email: 'ANN@example.net' })
    assert.deepEqual([taken.statusCode, taken.json().reason], [409, 'user-exists'])
  })

  it('are not made of what is wrong', async () => {
    for (const wrong of [
      { email: 'a b c' },
      { password: 'short' },
      { siteQuota: -1 },
      { policy: 'anything' },
      { allowed: { networks: ['192.0.2.0/33'], domains: [] } },
      { allowed: { networks: [], domains: ['a b'] } },
      { allowed: { networks: [] } },
    ])
      assert.equal((await add(wrong)).statusCode, 400, JSON.stringify(wrong))
  })

  it('cannot delete themselves, nor stop being admins by themselves', async () => {
    const { id } = admin.user
    const kept = await call(admin, 'DELETE', `/api/v1/users/${id}`)
    assert.deepEqual([kept.statusCode, kept.json().reason], [409, 'own-user'])
    assert.equal((await call(admin, 'PATCH', `/api/v1/users/${id}`, { isAdmin: false })).statusCode, 409)
    assert.equal((await call(admin, 'PATCH', `/api/v1/users/${id}`, { siteQuota: 9 })).statusCode, 200)
  })

  it('have roles, which `isAdmin` is the older word for', async () => {
    const shown = (answer: Awaited<ReturnType<typeof add>>) => [answer.json().role, answer.json().isAdmin]
    assert.deepEqual(shown(await add()), ['member', false])
    assert.deepEqual(shown(await add({ isAdmin: true })), ['admin', true])
    const viewer = await add({ role: 'viewer' })
    assert.deepEqual(shown(viewer), ['viewer', false])
    const change = (given: object) => call(admin, 'PATCH', `/api/v1/users/${viewer.json().id}`, given)
    assert.deepEqual(shown(await change({ isAdmin: false })), ['viewer', false], 'who is no admin stays what they are')
    assert.deepEqual(shown(await change({ isAdmin: true })), ['admin', true])
    assert.deepEqual(shown(await change({ isAdmin: false })), ['member', false])
    assert.deepEqual(shown(await change({ role: 'viewer', isAdmin: false })), ['viewer', false])
    assert.deepEqual((await change({ role: 'viewer', isAdmin: true })).statusCode, 400)
    assert.deepEqual((await change({ role: 'owner' })).statusCode, 400)
  })

  it('keep an admin, even if two take the role from each other in one moment', async () => {
    const own = await createTestApi()
    try {
      const given = { scopes: ['read', 'write', 'admin'] satisfies Scope[] }
      const [one, two] = [await own.addCaller('one@example.net', given), await own.addCaller('two@example.net', given)]
      const demote = (by: TestCaller, whom: TestCaller) =>
        own.server.inject({
          method: 'PATCH',
          url: `/api/v1/users/${whom.user.id}`,
          headers: by.headers,
          payload: { role: 'viewer' },
        })
      const codes = (await Promise.all([demote(one, two), demote(two, one)])).map(({ statusCode }) => statusCode)
      assert.deepEqual(codes.toSorted(), [200, 409])
      const left = (await own.store.listUsers()).filter(({ role }) => role === 'admin')
      assert.equal(left.length, 1)
      await assert.rejects(own.store.deleteUser(left[0].id, { keepAdmin: true }), { code: 'CONFLICT' })
    } finally {
      await own.close()
    }
  })
})

describe('tokens', () => {
  it('are made by who has signed in, for no more than they may do, and work', async () => {
    const session = await api.signedIn(ann.user)
    const body = { name: 'poller', scopes: ['read', 'read'], expiresInDays: 30 }
    assert.equal((await call(ann, 'POST', '/api/v1/tokens', body)).statusCode, 403)
    const escalated = await call(session, 'POST', '/api/v1/tokens', { ...body, scopes: ['read', 'admin'] })
    assert.equal(escalated.statusCode, 403)
    const made = await call(session, 'POST', '/api/v1/tokens', body)
    assert.equal(made.statusCode, 200, made.body)
    const { token, secret } = made.json()
    assert.deepEqual(token.scopes, ['read'])
    const headers = { 'x-svc-authtoken': secret, 'x-svc-authemail': 'ann@example.net' }
    assert.equal((await call(headers, 'GET', '/open/site')).statusCode, 200)
    assert.equal((await call(headers, 'POST', '/open/site/add', { hosts: ['192.0.2.1'] })).statusCode, 403)
    assert.equal((await call(session, 'DELETE', `/api/v1/tokens/${token.id}`)).statusCode, 200)
    api.clock.advance(1_000)
    assert.equal((await call(headers, 'GET', '/open/site')).statusCode, 401)
  })

  it('of one who is no admin any more are not for `admin`, in whatever moment they are made', async () => {
    const { user } = await api.addCaller('cleo@example.net')
    await api.store.updateUser(user.id, { role: 'admin' })
    const session = await api.signedIn(user)
    const body = { name: 'n', scopes: ['read', 'admin'] }
    assert.equal((await call(session, 'POST', '/api/v1/tokens', body)).statusCode, 200)
    // The gate still trusts what it looked up before: only the store knows.
    await api.store.updateUser(user.id, { role: 'member' })
    assert.equal((await call(session, 'POST', '/api/v1/tokens', body)).statusCode, 403)
    assert.ok((await api.store.listTokens(user.id)).every(({ scopes }) => !scopes.includes('admin')))
  })

  it('are good for no more than their user’s role at the time of use', async () => {
    const vera = await api.addCaller('vera@example.net')
    const site = () => call(vera, 'POST', '/open/site/add', { hosts: ['192.0.2.77'] })
    assert.equal((await site()).statusCode, 200)
    await call(admin, 'PATCH', `/api/v1/users/${vera.user.id}`, { role: 'viewer' })
    api.clock.advance(1_000)
    const refused = await site()
    assert.deepEqual([refused.statusCode, refused.json().detail], [403, 'The token lacks the scope `write`'])
    assert.equal((await call(vera, 'GET', '/open/site')).statusCode, 200)
    assert.deepEqual((await call(vera, 'GET', '/api/v1/session')).json().scopes, ['read'])
    await call(admin, 'PATCH', `/api/v1/users/${vera.user.id}`, { role: 'member' })
    api.clock.advance(1_000)
    assert.equal((await site()).statusCode, 200)
  })

  it('of a viewer are for `read`, and a session of theirs changes nothing but how they sign in', async () => {
    const { user } = await api.addCaller('vic@example.net', { role: 'viewer', scopes: ['read'] })
    const session = await api.signedIn(user)
    assert.deepEqual((await call(session, 'GET', '/api/v1/session')).json().scopes, ['read'])
    const made = await call(session, 'POST', '/api/v1/tokens', { name: 'n', scopes: ['read'] })
    assert.equal(made.statusCode, 200, made.body)
    for (const scopes of [['write'], ['read', 'admin']])
      assert.equal((await call(session, 'POST', '/api/v1/tokens', { name: 'n', scopes })).statusCode, 403)
    const refused = await call(session, 'POST', '/open/site/add', { hosts: ['192.0.2.1'] })
    assert.deepEqual([refused.statusCode, refused.json().detail], [403, 'The session lacks the scope `write`'])
    assert.equal((await call(session, 'DELETE', `/api/v1/tokens/${made.json().token.id}`)).statusCode, 200)
    assert.equal((await call(session, 'DELETE', '/api/v1/session')).statusCode, 200)
  })

  it('that a token makes do not outlive it, nor does a token that was revoked make any', async () => {
    const { user } = await api.addCaller('dora@example.net', { role: 'admin' })
    const given = { userId: user.id, name: 'short', scopes: ['read', 'write', 'admin'] as Scope[] }
    const expiresMs = api.clock.now() + 45 * 60_000
    const secret = newTokenSecret()
    const maker = await api.store.addToken({ ...given, expiresMs }, hashTokenSecret(secret))
    const headers = { 'x-svc-authtoken': secret, 'x-svc-authemail': user.email }
    for (const expiresInDays of [null, 30]) {
      const made = await call(headers, 'POST', '/api/v1/tokens', { name: 'n', scopes: ['read'], expiresInDays })
      assert.equal(made.statusCode, 200, made.body)
      assert.equal(Date.parse(made.json().token.expiresAt), expiresMs)
    }
    await api.store.revokeToken(maker.id)
    assert.equal((await call(headers, 'POST', '/api/v1/tokens', { name: 'n', scopes: ['read'] })).statusCode, 403)
  })

  it('are listed and revoked by their owner, and by admins', async () => {
    const { tokens } = (await call(bob, 'GET', '/api/v1/tokens')).json()
    assert.deepEqual(
      tokens.map(({ id }: { id: string }) => id),
      [bob.tokenId],
    )
    assert.ok(!JSON.stringify(tokens).includes(bob.secret))
    assert.equal((await call(ann, 'DELETE', `/api/v1/tokens/${bob.tokenId}`)).statusCode, 404)
    for (const user of [bob.user.id, 'all', 'nobody'])
      assert.equal((await call(ann, 'GET', `/api/v1/tokens?user=${user}`)).statusCode, 403, user)
    const all = (await call(admin, 'GET', '/api/v1/tokens?user=all')).json().tokens
    assert.ok(all.length >= 3)
    assert.equal((await call(admin, 'GET', '/api/v1/tokens?user=nobody')).statusCode, 404)
    assert.equal((await call(admin, 'DELETE', `/api/v1/tokens/${bob.tokenId}`)).statusCode, 200)
  })

  it('have plain names, and are 100 at most', async () => {
    const session = await api.signedIn((await api.addCaller('many@example.net')).user)
    const body = { name: 'n', scopes: ['read'] }
    for (const wrong of [
      { name: '' },
      { name: 'a\nb' },
      { name: 'x'.repeat(101) },
      { scopes: [] },
      { expiresInDays: 0 },
    ])
      assert.equal((await call(session, 'POST', '/api/v1/tokens', { ...body, ...wrong })).statusCode, 400)
    for (let n = 1; n < 100; n++) assert.equal((await call(session, 'POST', '/api/v1/tokens', body)).statusCode, 200)
    assert.equal((await call(session, 'POST', '/api/v1/tokens', body)).statusCode, 409)
  })
})
