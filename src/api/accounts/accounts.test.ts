import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { cheapHash, createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import type { User } from '../../store/store.ts'

const password = 'correct horse battery'
let api: TestApi
let ann: User
let users = 0
let passwordHash: string

before(async () => {
  passwordHash = cheapHash(password)
  api = await createTestApi()
})
after(() => api.close())
beforeEach(async () => {
  // Failures of the test before are forgotten.
  api.clock.advance(6 * 3_600_000)
  ann = await api.store.addUser({ email: `Ann${users++}@example.net`, siteQuota: 5, allowed: null, passwordHash })
})

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  payload?: object
  remoteAddress?: string
}

const call = (url: string, given: Call = {}) => api.server.inject({ method: 'GET', url, ...given })
const signIn = (email: string, word: string, given: Call = {}) =>
  call('/api/v1/session', { method: 'POST', payload: { email, password: word }, ...given })

/** Signs in as a browser does; gives what it sends from then on. */
async function browser(user = ann, word = password): Promise<Record<'cookie' | 'x-csrf-token', string>> {
  const answer = await signIn(user.email, word)
  assert.equal(answer.statusCode, 200, answer.body)
  const [cookie] = String(answer.headers['set-cookie']).split(';')
  return { cookie, 'x-csrf-token': answer.json().csrfToken }
}

describe('signing in', () => {
  it('gives a session that is good wherever a token is, for what the user may do', async () => {
    const answer = await signIn(` ${ann.email.toUpperCase()} `.trim(), password, {
      headers: { 'user-agent': 'Browser/1' },
    })
    assert.equal(answer.statusCode, 200)
    const [cookie] = [answer.headers['set-cookie'] ?? []].flat()
    assert.match(cookie, /^floodgauge=[0-9a-f]{64}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/)
    const { user, scopes, session, csrfToken } = answer.json()
    assert.deepEqual(
      [user.email, scopes, session.agent, session.isThis],
      [ann.email, ['read', 'write'], 'Browser/1', true],
    )
    const headers = { cookie: cookie.split(';')[0], 'x-csrf-token': csrfToken }
    const add = await call('/open/site/add', { method: 'POST', headers, payload: { hosts: ['192.0.2.1'] } })
    assert.equal(add.json().status, 1)
    const list = await call('/open/site', { headers: { cookie: headers.cookie } })
    assert.equal(list.json().data[0].user_email, ann.email)
    const who = (await call('/api/v1/session', { headers })).json()
    assert.deepEqual([who.user.id, who.csrfToken], [ann.id, csrfToken])
    assert.equal((await call('/api/v1/exporters', { headers })).statusCode, 403)
    await api.store.updateUser(ann.id, { role: 'admin' })
    api.clock.advance(1_000)
    assert.equal((await call('/api/v1/exporters', { headers })).statusCode, 200)
  })

  it('with what is wrong is answered alike, and takes alike', async () => {
    const without = await api.store.addUser({ email: `bob${users}@example.net`, siteQuota: 5, allowed: null })
    const answers = [
      await signIn(ann.email, 'wrong password'),
      await signIn('nobody@example.net', password),
      await signIn(without.email, password),
      await signIn(without.email, ''.padEnd(30, 'x')),
    ]
    const plain = answers.map(({ statusCode, body, headers }) => ({
      statusCode,
      body,
      headers: { ...headers, date: '' },
    }))
    assert.equal(plain[0].statusCode, 401)
    assert.match(String(plain[0].headers['www-authenticate']), /realm/)
    for (const each of plain) assert.deepEqual(each, plain[0])
  })

  it('again and again makes the account wait, known or not, and nobody else', async () => {
    for (const email of [ann.email, `nobody${users}@example.net`]) {
      // From many addresses, so that these need not wait.
      const attempt = (n: number) => signIn(email, 'wrong password', { remoteAddress: `198.51.100.${n}` })
      for (let n = 0; n < 6; n++) assert.equal((await attempt(n)).statusCode, 401, `${email} ${n}`)
      const refused = await attempt(7)
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '1'])
    }
    assert.equal((await signIn(ann.email, password, { remoteAddress: '203.0.113.1' })).statusCode, 429)
    api.clock.advance(1_000)
    assert.equal((await signIn(ann.email, password, { remoteAddress: '203.0.113.1' })).statusCode, 200)
    for (let n = 0; n < 5; n++) await signIn(ann.email, 'wrong', { remoteAddress: '203.0.113.2' })
    assert.equal((await signIn(ann.email, password, { remoteAddress: '203.0.113.3' })).statusCode, 200)
  })

  it('by strangers keeps nobody waiting who has signed in from their browser before', async () => {
    const cookies = [await signIn(ann.email, password)].flatMap(({ headers }) => headers['set-cookie'] ?? [])
    const device = cookies.find((text) => text.startsWith('floodgauge-device='))?.split(';')[0] ?? ''
    assert.match(device, /=[0-9a-f]{64}$/)
    const stranger = (n: number) => ({ remoteAddress: `198.51.100.${n}` })
    for (let n = 0; n < 8; n++) await signIn(ann.email, 'wrong password', stranger(n))
    assert.equal((await signIn(ann.email, password, stranger(9))).statusCode, 429)
    for (const cookie of ['floodgauge-device=0', `floodgauge-device=${'0'.repeat(64)}`])
      assert.equal((await signIn(ann.email, password, { headers: { cookie } })).statusCode, 429)
    assert.equal((await signIn(ann.email, password, { headers: { cookie: device } })).statusCode, 200)
    // Who has stolen it guesses no faster than a stranger.
    const guesses = []
    for (let n = 0; n < 8; n++)
      guesses.push((await signIn(ann.email, 'wrong', { headers: { cookie: device }, ...stranger(100 + n) })).statusCode)
    assert.deepEqual(guesses, [401, 401, 401, 401, 401, 401, 429, 429])
    await api.store.setPassword(ann.id, cheapHash('another password'))
    for (let n = 0; n < 6; n++) await signIn(ann.email, 'wrong', stranger(200 + n))
    const again = await signIn(ann.email, 'another password', { headers: { cookie: device } })
    assert.equal(again.statusCode, 429, 'a new password ends it')
  })

  it('that is refused since the account waits does not make the address wait', async () => {
    for (let n = 0; n < 6; n++) await signIn(ann.email, 'wrong', { remoteAddress: `198.51.100.${n}` })
    for (let n = 0; n < 30; n++) await signIn(ann.email, password, { remoteAddress: '203.0.113.9' })
    const other = await api.store.addUser({
      email: `else${users}@example.net`,
      siteQuota: 5,
      allowed: null,
      passwordHash,
    })
    assert.equal((await signIn(other.email, password, { remoteAddress: '203.0.113.9' })).statusCode, 200)
  })

  it('as oneself now and then lets nobody guess at the accounts of others without end', async () => {
    const from = { remoteAddress: '203.0.113.50' }
    let answered = 0
    for (let n = 0; n < 72; n++) {
      const { statusCode } = await signIn(`victim${n}@example.net`, 'Summer2026!', from)
      if (statusCode === 401) answered++
      if (n % 9 === 8) await signIn(ann.email, password, from)
    }
    assert.ok(answered < 20, `${answered} guesses were answered`)
  })

  it('again and again makes the address wait, whatever the account; of IPv6 the whole /64', async () => {
    for (const addresses of [['192.0.2.77'], ['2001:db8::1', '2001:db8:0:0:1::2', '2001:db8::ffff:1:2']]) {
      const from = (n: number) => ({ remoteAddress: addresses[n % addresses.length] })
      for (let n = 0; n < 11; n++)
        assert.equal((await signIn(`n${n}@example.net`, 'wrong', from(n))).statusCode, 401, `${n}`)
      assert.equal((await signIn(ann.email, password, from(1))).statusCode, 429)
    }
    assert.equal((await signIn(ann.email, password, { remoteAddress: '2001:db8:0:1::1' })).statusCode, 200)
  })

  it('of very many at once is refused for some, and none waits for ever', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => signIn(ann.email, password, { remoteAddress: `203.0.113.${100 + n}` })),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    // As many as look right before the first is found to be so, by the account; the others by the number at once.
    assert.ok(codes.every((code) => code === 200 || code === 429))
    assert.ok(codes.includes(200) && codes.includes(429))
    api.clock.advance(60_000)
    assert.equal((await signIn(ann.email, password)).statusCode, 200)
  })

  it('takes a body of the right shape only', async () => {
    for (const payload of [
      {},
      { email: 'a@b.c' },
      { email: 1, password },
      { email: ann.email, password: 'x'.repeat(1001) },
    ]) {
      assert.equal((await call('/api/v1/session', { method: 'POST', payload })).statusCode, 400)
    }
  })
})

describe('a session', () => {
  it('changes nothing without its token, nor for a page of another service', async () => {
    const { cookie, ...token } = await browser()
    const change = (headers: Record<string, string>) =>
      call('/open/site/add', { method: 'POST', headers: { cookie, ...headers }, payload: { hosts: ['192.0.2.9'] } })
    const other = await browser()
    const forged: Record<string, string>[] = [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other['x-csrf-token'] },
      { 'x-csrf-token': `${token['x-csrf-token']}é` },
      { ...token, origin: 'https://evil.example' },
      { ...token, origin: 'null' },
      { ...token, 'sec-fetch-site': 'cross-site' },
      { ...token, 'sec-fetch-site': 'same-site' },
      { ...token, 'sec-fetch-site': 'none' },
    ]
    for (const headers of forged) assert.equal((await change(headers)).statusCode, 403, JSON.stringify(headers))
    assert.deepEqual(await api.store.listSites(ann.id), [])
    for (const headers of [
      token,
      { ...token, origin: 'http://flood.example:8080', host: 'flood.example:8080' },
      { ...token, 'sec-fetch-site': 'same-origin', origin: 'http://elsewhere.example' },
    ])
      assert.equal((await change(headers)).statusCode, 200, JSON.stringify(headers))
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      assert.equal((await signIn(ann.email, password, { headers })).statusCode, 403)
  })

  it('ends when it is signed out, at once', async () => {
    const headers = await browser()
    assert.equal((await call('/open/site', { headers })).statusCode, 200)
    const out = await call('/api/v1/session', { method: 'DELETE', headers })
    assert.deepEqual(out.json(), { ended: true, location: null })
    assert.match(String(out.headers['set-cookie']), /^floodgauge=; Path=\/; Max-Age=0; /)
    assert.equal((await call('/open/site', { headers })).statusCode, 401)
    assert.deepEqual(await api.store.listSessions(ann.id), [])
  })

  it('ends when it is not used, and after its time in any case', async () => {
    const headers = await browser()
    for (let hours = 0; hours < 14 * 24; hours += 23) {
      assert.equal((await call('/open/site', { headers })).statusCode, 200, String(hours))
      api.clock.advance(23 * 3_600_000)
    }
    assert.equal((await call('/open/site', { headers })).statusCode, 401)
    const idle = await browser()
    api.clock.advance(24 * 3_600_000)
    assert.equal((await call('/open/site', { headers: idle })).statusCode, 401)
    const fresh = await browser()
    assert.equal((await call('/api/v1/sessions', { headers: fresh })).json().sessions.length, 1)
  })

  it('is listed, and ended by its user alone', async () => {
    const [first, second] = [await browser(), await browser()]
    const bob = await api.addCaller(`bob${users++}@example.net`)
    const { sessions } = (await call('/api/v1/sessions', { headers: first })).json()
    assert.deepEqual(sessions.map(({ isThis }: { isThis: boolean }) => isThis).sort(), [false, true])
    const { id } = sessions.find(({ isThis }: { isThis: boolean }) => !isThis)
    const end = (headers: Record<string, string>) => call(`/api/v1/sessions/${id}`, { method: 'DELETE', headers })
    assert.equal((await end(bob.headers)).statusCode, 404)
    assert.equal((await call('/open/site', { headers: second })).statusCode, 200)
    assert.equal((await end(first)).statusCode, 200)
    assert.equal((await call('/open/site', { headers: second })).statusCode, 401)
    assert.equal((await end(first)).statusCode, 404)
  })

  it('is missing with a cookie that is malformed, or is there twice', async () => {
    const { cookie } = await browser()
    const secret = cookie.split('=')[1]
    for (const wrong of [
      '',
      'floodgauge=',
      `floodgauge=${secret.slice(1)}0`,
      `${cookie}; ${cookie}`,
      `__Host-other=${secret}`,
      `other=${secret}`,
      `floodgauge="${secret}"`,
    ])
      assert.equal((await call('/open/site', { headers: { cookie: wrong } })).statusCode, 401, wrong)
    assert.equal((await call('/open/site', { headers: { cookie: `a=b; ${cookie} ; c` } })).statusCode, 200)
  })

  it('does not stand in for a token that is wrong', async () => {
    const headers = { ...(await browser()), 'x-svc-authtoken': 'wrong', 'x-svc-authemail': ann.email }
    assert.equal((await call('/open/site', { headers })).statusCode, 401)
  })

  it('counts its requests as a token does', async () => {
    const strict = await createTestApi({ settings: { ratePerMinute: 2 } })
    const { user } = await strict.addCaller('ann@example.net')
    const [first, second] = [await strict.signedIn(user), await strict.signedIn(user)]
    const get = async (headers: Record<string, string>) =>
      (await strict.server.inject({ url: '/open/site', headers })).statusCode
    assert.deepEqual([await get(first), await get(first), await get(first), await get(second)], [200, 200, 429, 200])
    await strict.close()
  })

  it('over HTTPS has a cookie for it alone', async () => {
    const secure = await createTestApi({ settings: { publicUrl: 'https://flood.example' } })
    await secure.store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null, passwordHash })
    const payload = { email: 'ann@example.net', password }
    const post = (host: string) =>
      secure.server.inject({ method: 'POST', url: '/api/v1/session', headers: { host }, payload })
    const [cookie, device] = [(await post('flood.example')).headers['set-cookie'] ?? []].flat()
    assert.match(cookie, /^__Host-floodgauge=[0-9a-f]{64}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
    assert.match(device, /^__Host-floodgauge-device=[0-9a-f]{64}; Path=\/; .*; Secure$/)
    // Also by a name that a proxy has put in its place.
    assert.match(String((await post('127.0.0.1:8080')).headers['set-cookie']), /^__Host-floodgauge=.*Secure$/)
    const get = (host: string, name: string) => {
      const secret = /=([0-9a-f]+)/.exec(cookie)?.[1]
      return secure.server.inject({ url: '/open/site', headers: { host, cookie: `${name}=${secret}` } })
    }
    assert.equal((await get('flood.example', '__Host-floodgauge')).statusCode, 200)
    // Set by somebody else for a name above ours, or without HTTPS.
    assert.equal((await get('flood.example', 'floodgauge')).statusCode, 401)
    await secure.close()
  })
})

describe('a password', () => {
  const change = (headers: Record<string, string>, current: string, word: string) =>
    call('/api/v1/password', { method: 'PUT', headers, payload: { current, password: word } })

  it('is changed by who knows it; every session ends, and the caller gets another', async () => {
    const [first, second] = [await browser(), await browser()]
    assert.equal((await change(first, 'wrong password', 'another password')).statusCode, 403)
    assert.equal((await call('/open/site', { headers: second })).statusCode, 200)
    const done = await change(first, password, 'another password')
    assert.equal(done.statusCode, 200, done.body)
    for (const old of [first, second]) assert.equal((await call('/open/site', { headers: old })).statusCode, 401)
    const [cookie] = String(done.headers['set-cookie']).split(';')
    const headers = { cookie, 'x-csrf-token': done.json().csrfToken }
    assert.equal((await change(headers, 'another password', 'a third password')).statusCode, 200)
    assert.equal((await signIn(ann.email, password)).statusCode, 401)
    assert.equal((await signIn(ann.email, 'a third password')).statusCode, 200)
  })

  it('is neither too short, too long nor too plain', async () => {
    const headers = await browser()
    for (const word of ['short', 'x'.repeat(201), 'aaaaaaaaaaaa', ann.email.padEnd(10), 'ababababab']) {
      if (word.trim() !== ann.email) assert.equal((await change(headers, password, word)).statusCode, 400, word)
    }
    assert.equal((await change(headers, password, ann.email.toUpperCase())).statusCode, 400)
  })

  it('cannot be guessed faster by who is signed in', async () => {
    const headers = await browser()
    for (let n = 0; n < 6; n++) assert.equal((await change(headers, `wrong ${n}`, 'another password')).statusCode, 403)
    assert.equal((await change(headers, password, 'another password')).statusCode, 429)
  })
})

describe('set-up as JSON', () => {
  it('makes the first user, an admin, with a password, a session and a token, once', async () => {
    const fresh = await createTestApi()
    const url = '/api/v1/setup'
    const state = async () => (await fresh.server.inject({ url })).json().state
    const code = String(new URL(String(fresh.setupUrl('http://x'))).searchParams.get('code'))
    const post = (payload: object, headers = {}) => fresh.server.inject({ method: 'POST', url, headers, payload })
    assert.equal(await state(), 'open')
    const good = { code, email: 'ann@example.net', password }
    assert.equal((await post({ ...good, code: 'x' })).statusCode, 403)
    assert.equal((await post({ ...good, email: 'ann' })).statusCode, 400)
    assert.equal((await post({ ...good, password: 'ann@example.net' })).statusCode, 400)
    assert.equal((await post(good, { origin: 'https://evil.example' })).statusCode, 403)
    const answers = await Promise.all([post(good), post({ ...good, email: 'eve@example.net' })])
    const made = answers.find(({ statusCode }) => statusCode === 200)
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409])
    assert.ok(made)
    const { identity, token } = made.json()
    assert.deepEqual(identity.scopes, ['read', 'write', 'admin'])
    const [cookie] = String(made.headers['set-cookie']).split(';')
    const tokenHeaders = { 'x-svc-authtoken': token, 'x-svc-authemail': identity.user.email }
    for (const headers of [{ cookie }, tokenHeaders])
      assert.equal((await fresh.server.inject({ url: '/api/v1/exporters', headers })).statusCode, 200)
    assert.equal(await state(), 'done')
    assert.equal((await post(good)).statusCode, 409)
    await fresh.close()
  })

  it('is over after a time', async () => {
    const fresh = await createTestApi({ settings: { setupMinutes: 1 } })
    fresh.clock.advance(60_000)
    assert.equal((await fresh.server.inject({ url: '/api/v1/setup' })).json().state, 'expired')
    await fresh.close()
  })
})
