import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'

let api: TestApi
let ann: TestCaller
let bob: TestCaller

before(async () => {
  api = await createTestApi()
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net', { scopes: ['read'] })
})
after(() => api.close())

const get = (headers: Record<string, string>, url = '/api/v1/session') => api.server.inject({ url, headers })

describe('a token by itself', () => {
  it('is taken as Authorization: Bearer, whatever the case of the scheme', async () => {
    for (const authorization of [
      `Bearer ${ann.secret}`,
      `bearer  ${ann.secret}`,
      `BEARER ${ann.secret.toUpperCase()}`,
    ]) {
      const answer = await get({ authorization })
      assert.equal(answer.statusCode, 200, authorization)
      assert.equal(answer.json().user.email, 'ann@example.net')
      assert.deepEqual([answer.json().scopes, answer.json().session], [['read', 'write'], null])
    }
    const authorization = `Bearer ${ann.secret}`
    assert.equal((await get({ authorization, 'x-svc-authemail': 'ANN@example.net' })).statusCode, 200)
    const made = await api.server.inject({
      ...{ method: 'POST', url: '/api/v1/groups', headers: { authorization }, payload: { name: 'Shops' } },
    })
    assert.equal(made.statusCode, 200, made.body)
  })

  it('has the scopes of its token, and expires and is revoked like any', async () => {
    const authorization = `Bearer ${bob.secret}`
    const add = { method: 'POST' as const, url: '/api/v1/groups', headers: { authorization }, payload: { name: 'x' } }
    assert.equal((await api.server.inject(add)).statusCode, 403)
    const gone = await api.addCaller('gone@example.net', { expiresMs: api.clock.now() + 500 })
    assert.equal((await get({ authorization: `Bearer ${gone.secret}` })).statusCode, 200)
    api.clock.advance(500)
    assert.equal((await get({ authorization: `Bearer ${gone.secret}` })).statusCode, 401)
  })

  it('is refused alike when it is wrong, with both ways named', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${ann.secret}x` },
      { authorization: `Basic ${ann.secret}` },
      { authorization: `Bearer ${ann.secret}`, 'x-svc-authemail': 'bob@example.net' },
      { authorization: `Bearer ${ann.secret}`, 'x-svc-authtoken': bob.secret },
    ]
    const bodies = new Set<string>()
    for (const headers of wrong) {
      const answer = await get(headers)
      assert.equal(answer.statusCode, 401, JSON.stringify(headers))
      const challenge = 'SVC-AuthToken realm="floodgauge", Bearer realm="floodgauge"'
      assert.equal(answer.headers['www-authenticate'], challenge)
      bodies.add(answer.body)
    }
    assert.equal(bodies.size, 1)
  })

  it('is not offered under /open, whose challenge stays as it was', async () => {
    for (const url of ['/open/site', '/open/site/', '/open/event/ddos']) {
      const answer = await get({ authorization: `Bearer ${ann.secret}` }, url)
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['www-authenticate'], 'SVC-AuthToken realm="floodgauge"')
    }
  })
})
