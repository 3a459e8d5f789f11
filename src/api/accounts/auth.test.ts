import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createTestApi, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { ManualClock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'

let api: TestApi
let lookups = 0
let hits = 0
let users = 0
let caller: TestCaller

const counted = (store: Store): Store => ({
  ...store,
  credentialByHash: async (hash) => {
    const credential = await store.credentialByHash(hash)
    lookups++
    if (credential !== null) hits++
    return credential
  },
})

before(async () => {
  api = await createTestApi({ wrap: counted, settings: { failuresPerMinute: 20 } })
})
after(() => api.close())
beforeEach(async () => {
  // A minute on, the failures of the test before are forgotten.
  api.clock.advance(61_000)
  caller = await api.addCaller(`user${users++}@example.net`)
})

const get = (headers: Record<string, string | string[]>, url = '/open/site') => api.server.inject({ url, headers })
const post = (headers: Record<string, string>) =>
  api.server.inject({ method: 'POST', url: '/open/site/add', headers, payload: { hosts: ['a.example.com'] } })

describe('credentials', () => {
  it('are the token and the e-mail of its owner, whose case does not matter', async () => {
    const email = String(caller.headers['x-svc-authemail'])
    for (const each of [email, email.toUpperCase()]) {
      assert.equal((await get({ ...caller.headers, 'x-svc-authemail': each })).statusCode, 200)
    }
    assert.equal((await get({ ...caller.headers, 'x-svc-authtoken': caller.secret.toUpperCase() })).statusCode, 200)
  })

  it('are refused alike and at the same cost, whatever is wrong', async () => {
    const other = await api.addCaller('other@example.net')
    const expired = await api.addCaller('expired@example.net', { expiresMs: api.clock.now() })
    const revoked = await api.addCaller('revoked@example.net')
    await api.store.revokeToken(revoked.tokenId)
    const { 'x-svc-authtoken': token, 'x-svc-authemail': email } = caller.headers
    const wrong: Record<string, Record<string, string>> = {
      nothing: {},
      'no token': { 'x-svc-authemail': email },
      'no e-mail': { 'x-svc-authtoken': token },
      'empty values': { 'x-svc-authtoken': '', 'x-svc-authemail': '' },
      'an unknown token': { ...caller.headers, 'x-svc-authtoken': '00000000-0000-4000-8000-000000000000' },
      'a token that is no token': { ...caller.headers, 'x-svc-authtoken': "' OR 1=1 --" },
      'an unknown e-mail': { ...caller.headers, 'x-svc-authemail': 'nobody@example.net' },
      "another user's e-mail": { ...caller.headers, 'x-svc-authemail': other.user.email },
      'an expired token': expired.headers,
      'a revoked token': revoked.headers,
      'other header names': { 'x-acme-authtoken': token, 'x-acme-authemail': email },
      'another scheme': { authorization: `Bearer ${token}` },
    }
    const answers: { headers: object; body: string }[] = []
    for (const [name, headers] of Object.entries(wrong)) {
      // The token is fresh in memory: that must not show.
      await get(caller.headers)
      const before = lookups
      const hitsBefore = hits
      const answer = await get(headers)
      assert.equal(answer.statusCode, 401, name)
      assert.deepEqual([lookups - before, hits - hitsBefore], [2, 1], name)
      answers.push({ headers: answer.headers, body: answer.body })
    }
    const [first] = answers
    assert.match(JSON.stringify(first.headers), /"www-authenticate":"SVC-AuthToken realm=/)
    const plain = (each: (typeof answers)[0]) => ({ ...each, headers: { ...each.headers, date: '' } })
    for (const answer of answers) assert.deepEqual(plain(answer), plain(first))
  })

  it('are refused before anything else of the request is looked at', async () => {
    const answer = await api.server.inject({
      method: 'POST',
      url: '/open/site/add',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    assert.equal(answer.statusCode, 401)
    assert.equal((await get({}, '/open/event/ddos?last=0')).statusCode, 401)
  })

  it('that are revoked or expire are refused within a second', async () => {
    const short = await api.addCaller('short@example.net', { expiresMs: api.clock.now() + 500 })
    assert.deepEqual([(await get(caller.headers)).statusCode, (await get(short.headers)).statusCode], [200, 200])
    await api.store.revokeToken(caller.tokenId)
    api.clock.advance(500)
    assert.equal((await get(short.headers)).statusCode, 401)
    api.clock.advance(500)
    assert.equal((await get(caller.headers)).statusCode, 401)
  })

  it('that are good are looked up once a second', async () => {
    const before = lookups
    for (let i = 0; i < 10; i++) await get(caller.headers)
    assert.equal(lookups - before, 1)
    api.clock.advance(1_000)
    await get(caller.headers)
    assert.equal(lookups - before, 2)
  })

  it('have header names by the vendor word', async () => {
    const acme = await createTestApi({ settings: { vendor: 'Acme' } })
    const ann = await acme.addCaller('ann@example.net')
    const headers = { 'X-ACME-AuthToken': ann.secret, 'x-acme-authemail': 'ann@example.net' }
    const codes = [headers, ann.headers].map((each) => acme.server.inject({ url: '/open/site', headers: each }))
    assert.deepEqual(
      (await Promise.all(codes)).map(({ statusCode }) => statusCode),
      [200, 401],
    )
    const { json } = await acme.server.inject({ url: '/openapi.json' })
    assert.equal(json().components.securitySchemes.AuthToken.name, 'X-Acme-AuthToken')
    await acme.close()
  })
})

describe('scopes', () => {
  it('are read for GET and write for POST, each for itself', async () => {
    const reader = await api.addCaller('reader@example.net', { scopes: ['read'] })
    const writer = await api.addCaller('writer@example.net', { scopes: ['write'] })
    const admin = await api.addCaller('admin@example.net', { scopes: ['admin'] })
    const codes = async ({ headers }: TestCaller) => [(await get(headers)).statusCode, (await post(headers)).statusCode]
    assert.deepEqual(await codes(reader), [200, 403])
    assert.deepEqual(await codes(writer), [403, 200])
    assert.deepEqual(await codes(admin), [403, 403])
    const { headers, body } = await post(reader.headers)
    assert.match(body, /scope `write`/)
    assert.ok(headers.ratelimit)
  })
})

describe('failures from one address', () => {
  const guess = () => get({ ...caller.headers, 'x-svc-authtoken': 'wrong' })

  it('are limited; tokens that were good lately go on, and the count ends with the minute', async () => {
    await get(caller.headers)
    const codes = []
    for (let i = 0; i < 22; i++) codes.push((await guess()).statusCode)
    assert.deepEqual(codes, [...Array(20).fill(401), 429, 429])
    const before = lookups
    const refused = await guess()
    assert.deepEqual([refused.statusCode, lookups - before], [429, 0])
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    api.clock.advance(1_500)
    assert.equal((await get(caller.headers)).statusCode, 200)
    const fresh = await api.addCaller('fresh@example.net')
    assert.equal((await get(fresh.headers)).statusCode, 429)
    api.clock.advance(60_000)
    assert.equal((await get(fresh.headers)).statusCode, 200)
  })
})

describe('the rate limit', () => {
  it('is of the token, told on every authenticated answer, and ends in 429', async () => {
    const limited = await createTestApi({ settings: { ratePerMinute: 3 } })
    const ann = await limited.addCaller('ann@example.net')
    const second = await limited.addCaller('ann@example.net')
    const send = (url: string, { headers }: TestCaller) => limited.server.inject({ url, headers })
    const one = await send('/open/site', ann)
    assert.equal(one.headers['ratelimit-policy'], '"token";q=3;w=60')
    assert.equal(one.headers.ratelimit, '"token";r=2;t=60')
    limited.clock.advance(10_000)
    const two = await send('/open/event/ddos?last=0', ann)
    assert.deepEqual([two.statusCode, two.headers.ratelimit], [400, '"token";r=1;t=50'])
    await send('/open/event/ddos/detail/x', ann)
    const over = await send('/open/site', ann)
    assert.deepEqual([over.statusCode, over.headers.ratelimit], [429, '"token";r=0;t=50'])
    assert.equal(over.headers['retry-after'], '50')
    assert.equal((await send('/open/site', second)).statusCode, 200)
    limited.clock.advance(50_000)
    assert.equal((await send('/open/site', ann)).statusCode, 200)
    await limited.close()
  })

  it('is 600 a minute unless set, and 0 is off', async () => {
    assert.match(String((await get(caller.headers)).headers['ratelimit-policy']), /q=600;w=60/)
    const free = await createTestApi({ settings: { ratePerMinute: 0 } })
    const ann = await free.addCaller('ann@example.net')
    const { headers } = await free.server.inject({ url: '/open/site', headers: ann.headers })
    assert.equal(headers.ratelimit ?? headers['ratelimit-policy'], undefined)
    await free.close()
  })
})

describe('uses of tokens', () => {
  it('are written when the server closes, the last of each', async () => {
    const touched: { id: string; atMs: number }[][] = []
    const clock = new ManualClock(startMs)
    const short = await createTestApi({
      clock,
      wrap: (store) => ({
        ...store,
        touchTokens: async (used) => {
          touched.push(used)
        },
      }),
    })
    const ann = await short.addCaller('ann@example.net')
    await short.server.inject({ url: '/open/site', headers: ann.headers })
    clock.advance(10)
    await short.server.inject({ url: '/open/site', headers: ann.headers })
    await short.server.inject({ url: '/open/site', headers: { ...ann.headers, 'x-svc-authtoken': 'wrong' } })
    assert.deepEqual(touched, [])
    await short.close()
    assert.deepEqual(touched, [[{ id: ann.tokenId, atMs: startMs + 10 }]])
  })
})
