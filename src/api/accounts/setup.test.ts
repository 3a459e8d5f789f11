import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'

let api: TestApi

beforeEach(async () => {
  api = await createTestApi({ settings: { setupMinutes: 10 } })
})
afterEach(() => api.close())

const link = () => String(api.setupUrl('http://127.0.0.1:8080/'))
const code = () => String(new URL(link()).searchParams.get('code'))
const form = (fields: Record<string, string>) =>
  api.server.inject({
    method: 'POST',
    url: '/setup',
    headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'flood.example.net:8080' },
    payload: new URLSearchParams(fields).toString(),
  })

describe('the first user', () => {
  it('is made by the one-time link, and the token that it shows works', async () => {
    assert.match(link(), /^http:\/\/127\.0\.0\.1:8080\/setup\?code=[\w-]{32}$/)
    const page = await api.server.inject({ url: link() })
    assert.equal(page.statusCode, 200)
    assert.ok(page.body.includes(`value="${code()}"`))
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.doesNotMatch(page.body, /<script/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')

    const done = await form({ code: code(), email: ' Ann@example.net ' })
    assert.equal(done.statusCode, 200)
    const token = /<pre>([0-9a-f-]{36})<\/pre>/.exec(done.body)?.[1]
    assert.ok(token)
    assert.ok(done.body.includes('http://flood.example.net:8080/open/site/add'))
    const headers = { 'x-svc-authtoken': token, 'x-svc-authemail': 'ann@EXAMPLE.net' }
    const add = { method: 'POST' as const, url: '/open/site/add', headers, payload: { hosts: ['192.0.2.1'] } }
    assert.equal((await api.server.inject(add)).json().status, 1)
    assert.equal((await api.server.inject({ url: '/open/site', headers })).json().data[0].user_email, 'Ann@example.net')
  })

  it('may have a password, and then the link of the next start is no longer there', async () => {
    assert.equal((await form({ code: code(), email: 'a@b.net', password: 'correct horse battery' })).statusCode, 200)
    assert.deepEqual(
      (await api.store.listUsers()).map(({ role, hasPassword }) => [role === 'admin', hasPassword]),
      [[true, true]],
    )
  })

  it('is made once', async () => {
    const answers = await Promise.all([
      form({ code: code(), email: 'a@b.net' }),
      form({ code: code(), email: 'c@d.net' }),
    ])
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 404])
    assert.equal((await api.store.listUsers()).length, 1)
    assert.equal((await form({ code: code(), email: 'e@f.net' })).statusCode, 404)
    assert.equal((await api.server.inject({ url: link() })).statusCode, 404)
  })

  it('is not made without the code, or with no e-mail', async () => {
    for (const wrong of ['', 'x', `${code()}x`, code().toUpperCase()]) {
      assert.equal((await form({ code: wrong, email: 'a@b.net' })).statusCode, 403, wrong)
    }
    assert.equal((await form({ code: code(), email: 'a@b.net', password: 'short' })).statusCode, 400)
    for (const email of ['', 'a', '<b>@x y', 'a@b\nc']) {
      const answer = await form({ code: code(), email })
      assert.equal(answer.statusCode, 400, email)
      assert.ok(!answer.body.includes('<b>'))
    }
    assert.deepEqual(await api.store.listUsers(), [])
    assert.equal((await form({ code: code(), email: 'a@b.net' })).statusCode, 200)
  })

  it('is not made after the time is over', async () => {
    api.clock.advance(10 * 60_000)
    assert.equal((await api.server.inject({ url: link() })).statusCode, 410)
    assert.equal((await form({ code: code(), email: 'a@b.net' })).statusCode, 410)
    assert.deepEqual(await api.store.listUsers(), [])
  })

  it('is not made when the command line has made an admin who can sign in', async () => {
    const limits = { siteQuota: 10, allowed: null }
    await api.store.addUser({ email: 'cli@example.net', ...limits, role: 'admin', passwordHash: 'hash' })
    assert.equal((await api.server.inject({ url: link() })).statusCode, 404)
    assert.equal((await form({ code: code(), email: 'a@b.net' })).statusCode, 404)
  })

  it('is not locked out by users of the command line who cannot sign in, or are no admins', async () => {
    const given = { code: code(), email: 'OWNER@example.net', password: 'correct horse battery' }
    const limits = { siteQuota: 7, allowed: null }
    const owner = await api.store.addUser({ email: 'owner@example.net', ...limits })
    await api.store.addUser({ email: 'other@example.net', ...limits, passwordHash: 'hash' })
    await api.store.addUser({ email: 'token@example.net', ...limits, role: 'admin' })
    const state = async () => (await api.server.inject({ url: '/api/v1/setup' })).json().state
    assert.equal(await state(), 'open')

    const answer = await api.server.inject({ method: 'POST', url: '/api/v1/setup', payload: given })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(
      [answer.json().identity.user.id, answer.json().identity.user.isAdmin, answer.json().identity.user.siteQuota],
      [owner.id, true, 7],
    )
    const { email, password } = given
    const signIn = await api.server.inject({ method: 'POST', url: '/api/v1/session', payload: { email, password } })
    assert.equal(signIn.statusCode, 200)
    assert.equal(await state(), 'done')
    assert.equal((await api.store.listUsers()).length, 3)
  })

  it('can try again when the store failed', async () => {
    let isDown = true
    const flaky = await createTestApi({
      wrap: (store) => ({
        ...store,
        addUser: (user) => (isDown ? Promise.reject(new Error('disk')) : store.addUser(user)),
      }),
    })
    const payload = new URLSearchParams({ code: String(flaky.setupUrl('http://x')).slice(-32), email: 'a@b.net' })
    const send = () =>
      flaky.server.inject({
        method: 'POST',
        url: '/setup',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: payload.toString(),
      })
    assert.equal((await send()).statusCode, 500)
    isDown = false
    assert.equal((await send()).statusCode, 200)
    await flaky.close()
  })

  it('can not put anything into the page or the command line that it shows', async () => {
    const answer = await api.server.inject({
      method: 'POST',
      url: '/setup',
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: "x';id;'<script>" },
      payload: new URLSearchParams({ code: code(), email: "o'<i>brien&@example.net" }).toString(),
    })
    assert.ok(!answer.body.includes('<script') && !answer.body.includes('<i>'))
    assert.ok(!answer.body.includes(';id;'))
  })
})
