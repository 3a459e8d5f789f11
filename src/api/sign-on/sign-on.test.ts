import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { cheapHash, createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { type FakeProvider, startFakeProvider } from '../../../test/helpers/servers/sign-on/fake-provider.ts'
import { ManualClock } from '../../clock.ts'
import { formatTime } from '../../contract/time.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import type { OidcSettings } from './settings.ts'

const publicUrl = 'http://127.0.0.1:8080'
const ann = { sub: 'ann-1', email: 'ann@example.net', email_verified: true, groups: ['web'] }
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

interface Given {
  oidc?: Partial<OidcSettings>
  passwords?: boolean
  clock?: ManualClock
}

async function prepare(given: Given = {}): Promise<{ api: TestApi; provider: FakeProvider }> {
  const provider = await startFakeProvider('floodgauge')
  provider.claims = ann
  const oidc = { issuer: provider.issuer, clientId: 'floodgauge', createUsers: true, ...given.oidc }
  const api = await createTestApi({
    // Tokens are checked by the machine's time.
    clock: given.clock ?? new ManualClock(Date.now()),
    settings: { publicUrl },
    signOn: { oidc, passwords: given.passwords ?? true },
  })
  opened.push(
    () => api.close(),
    () => provider.stop(),
  )
  return { api, provider }
}

const post = (api: TestApi, url: string, payload: object, headers: Record<string, string> = {}) =>
  api.server.inject({ method: 'POST', url, payload, headers })

async function start(api: TestApi, next = '/') {
  const answer = await post(api, '/api/v1/sign-on', { next })
  assert.equal(answer.statusCode, 200, answer.body)
  const location: string = answer.json().location
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  return {
    location,
    cookie,
    state: new URL(location).searchParams.get('state') ?? '',
    set: answer.headers['set-cookie'],
  }
}

const finish = (api: TestApi, cookie: string, query: Record<string, string>) =>
  post(api, '/api/v1/session/sign-on', { query: new URLSearchParams(query).toString() }, { cookie })

async function signOn({ api, provider }: { api: TestApi; provider: FakeProvider }, next = '/') {
  const { location, cookie, state } = await start(api, next)
  return finish(api, cookie, { code: provider.codeFor(location), state })
}

describe('single sign-on', () => {
  it('sends the browser to the provider with PKCE, state and nonce, bound to it by a cookie', async () => {
    const { api, provider } = await prepare({ oidc: { label: 'Example Ltd', scopes: ['openid', 'email', 'groups'] } })
    const ways = await api.server.inject({ url: '/api/v1/sign-on' })
    assert.deepEqual(ways.json(), { passwords: true, provider: { label: 'Example Ltd' } })
    assert.deepEqual(provider.asked, [], 'nothing is asked before somebody wants to sign in')
    const [first, second] = [await start(api), await start(api)]
    const url = new URL(first.location)
    assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`)
    const query = Object.fromEntries(url.searchParams)
    assert.deepEqual(
      [query.client_id, query.response_type, query.redirect_uri, query.scope, query.code_challenge_method],
      ['floodgauge', 'code', `${publicUrl}/sign-on`, 'openid email groups', 'S256'],
    )
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.notEqual(query[name], new URL(second.location).searchParams.get(name))
    assert.match(
      String(first.set),
      /^floodgauge-sign-on=[0-9a-f]{64}; Path=\/; Max-Age=900; HttpOnly; SameSite=Strict$/,
    )
    assert.equal(provider.asked.length, 1, 'discovery is asked for once')
  })

  it('makes a user, with the role of the groups, and a session that ends when it is configured to', async () => {
    const given = await prepare({ oidc: { groups: { web: 'member', ops: 'admin' }, sessionHours: 2 } })
    const { api, provider } = given
    const answer = await signOn(given, '/events?severity=high')
    assert.equal(answer.statusCode, 200, answer.body)
    const { identity, next } = answer.json()
    assert.deepEqual(
      [identity.user.email, identity.user.role, identity.session.way, identity.hasPassword, next],
      ['ann@example.net', 'member', 'provider', false, '/events?severity=high'],
    )
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    assert.match(cookies[0], /^floodgauge=[0-9a-f]{64}; .*Max-Age=7200;/)
    assert.match(cookies.at(-1) ?? '', /^floodgauge-sign-on=; .*Max-Age=0;/)
    const headers = { cookie: cookies[0].split(';')[0] }
    assert.equal((await api.server.inject({ url: '/open/site', headers })).statusCode, 200)

    provider.claims = { ...ann, groups: ['web', 'ops'], email: 'renamed@example.net' }
    const again = (await signOn(given)).json().identity.user
    assert.deepEqual([again.id, again.email, again.role], [identity.user.id, 'ann@example.net', 'admin'])
    assert.equal((await api.server.inject({ url: '/api/v1/users', headers })).statusCode, 200, 'of all sessions')
    provider.claims = { ...ann, groups: [] }
    const refused = await signOn(given)
    assert.deepEqual(
      [refused.statusCode, refused.json().detail],
      [403, 'You are in none of the groups that are let in here'],
    )
    assert.equal((await api.server.inject({ url: '/open/site', headers })).statusCode, 401, 'the sessions before end')

    provider.claims = ann
    const last = [(await signOn(given)).headers['set-cookie'] ?? []].flat()[0].split(';')[0]
    api.clock.advance(2 * 3_600_000 - 1_000)
    assert.equal((await api.server.inject({ url: '/open/site', headers: { cookie: last } })).statusCode, 200)
    api.clock.advance(1_000)
    assert.equal((await api.server.inject({ url: '/open/site', headers: { cookie: last } })).statusCode, 401)
  })

  it('suspends the tokens of whom it lets in no more, until it does again or an admin takes the user from the provider', async () => {
    const given = await prepare({ oidc: { groups: { web: 'member' } } })
    const { api, provider } = given
    const { user } = (await signOn(given)).json().identity
    const secret = newTokenSecret()
    const token = { userId: user.id, name: '', scopes: ['read' as const], expiresMs: null }
    await api.store.addToken(token, hashTokenSecret(secret))
    /** What was looked up before is trusted for a second. */
    const statusOfToken = async () => {
      api.clock.advance(1_000)
      const headers = { 'x-svc-authtoken': secret, 'x-svc-authemail': ann.email }
      return (await api.server.inject({ url: '/open/site', headers })).statusCode
    }
    const root = await api.addCaller('root@example.net', { role: 'admin', scopes: ['read', 'admin'] })
    const listed = async () => {
      const answer = await api.server.inject({ url: `/api/v1/tokens?user=${user.id}`, headers: root.headers })
      const [{ state, suspension }] = answer.json().tokens
      return [state, suspension]
    }
    let since = ''
    const inTurn: [Record<string, unknown>, number, number][] = [
      [ann, 200, 200],
      [{ ...ann, groups: ['others'] }, 403, 401],
      [{ ...ann, groups: [] }, 403, 401],
      [ann, 200, 200],
      [{ ...ann, email_verified: false }, 403, 401],
    ]
    for (const [claims, status, ofToken] of inTurn) {
      provider.claims = claims
      if (status === 200) since = ''
      else if (since === '') since = formatTime(api.clock.now())
      assert.deepEqual([(await signOn(given)).statusCode, await statusOfToken()], [status, ofToken])
      const expected = status === 200 ? ['active', null] : ['suspended', { since, reason: 'sign-on-refused' }]
      assert.deepEqual(await listed(), expected, 'since the first refusal')
    }
    const { rows } = await api.store.auditPage({}, { below: null, limit: 100 })
    const ofTokens = rows.filter(({ kind }) => /^service\..*Tokens$/.test(kind)).toReversed()
    assert.deepEqual(
      ofTokens.map(({ kind, object, outcome, actor: { name } }) => [kind, object, outcome, name]),
      ['suspend', 'resume', 'suspend'].map((each) => [`service.${each}Tokens`, ann.email, 'done', ann.email]),
    )
    await api.store.deleteIdentities(user.id)
    assert.equal(await statusOfToken(), 200)
  })

  it('lets nobody in by an answer that another browser asked for, is old, or was used', async () => {
    const { api, provider } = await prepare({ clock: new ManualClock(Date.now()) })
    const [mine, other] = [await start(api), await start(api)]
    const code = provider.codeFor(mine.location)
    assert.equal((await finish(api, other.cookie, { code, state: mine.state })).statusCode, 403)
    assert.equal((await finish(api, '', { code, state: mine.state })).statusCode, 403)
    assert.equal((await finish(api, mine.cookie, { code, state: other.state })).statusCode, 403)
    assert.equal((await finish(api, mine.cookie, { code })).statusCode, 403)
    assert.equal((await finish(api, mine.cookie, { code: 'guessed', state: mine.state })).statusCode, 403)
    assert.equal((await finish(api, mine.cookie, { error: 'access_denied', state: mine.state })).statusCode, 403)
    assert.equal((await finish(api, mine.cookie, { code, state: mine.state })).statusCode, 200)
    assert.equal((await finish(api, mine.cookie, { code, state: mine.state })).statusCode, 403, 'a code counts once')
    // A code of this browser's, in the state of an attacker's sign-in.
    assert.equal(
      (await finish(api, mine.cookie, { code: provider.codeFor(other.location), state: mine.state })).statusCode,
      403,
    )
    const late = await start(api)
    api.clock.advance(900_000)
    assert.equal(
      (await finish(api, late.cookie, { code: provider.codeFor(late.location), state: late.state })).statusCode,
      403,
    )
    const forged = await post(api, '/api/v1/session/sign-on', { query: '' }, { 'sec-fetch-site': 'cross-site' })
    assert.equal(forged.statusCode, 403)
    assert.match(forged.json().detail, /pages of this service/)
  })

  it('lets nobody in by an ID token that is forged, for others, of another time or nonce', async () => {
    const given = await prepare()
    const { provider, api } = given
    const seconds = Math.floor(Date.now() / 1000)
    const wrong: Record<string, unknown>[] = [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: 'another client' },
      { iss: 'https://evil.example' },
      { exp: seconds - 120 },
      { iat: undefined },
      { sub: undefined },
      { aud: ['floodgauge', 'another'], azp: 'another' },
    ]
    for (const token of wrong) {
      provider.changed = { token }
      const answer = await signOn(given)
      assert.ok([403, 503].includes(answer.statusCode), `${JSON.stringify(token)}: ${answer.body}`)
      api.clock.advance(60_000)
    }
    provider.changed = {}
    provider.isForged = true
    assert.ok([403, 503].includes((await signOn(given)).statusCode), 'a signature of another key')
    provider.isForged = false
    provider.changed = { token: { exp: seconds - 30 } }
    assert.equal((await signOn(given)).statusCode, 200, 'clocks differ a little')
    assert.equal((await api.store.listUsers()).length, 1)
  })

  it('learns new keys of the provider by the first token that they sign', async () => {
    const given = await prepare()
    assert.equal((await signOn(given)).statusCode, 200)
    given.provider.rotateKeys()
    assert.equal((await signOn(given)).statusCode, 503)
    assert.equal((await signOn(given)).statusCode, 200, 'within the minute for which keys are kept')
  })

  it('is for whom the rules let in', async () => {
    const given = await prepare({ oidc: { createUsers: false, domains: ['example.net'] } })
    const { provider, api } = given
    const refusals: [Record<string, unknown>, RegExp][] = [
      [ann, /You are no user here/],
      [{ ...ann, email_verified: false }, /verified/],
      [{ ...ann, email: 'ann@evil.example' }, /domain/],
      [{ sub: 'x' }, /does not tell/],
    ]
    for (const [claims, reason] of refusals) {
      provider.claims = claims
      const answer = await signOn(given)
      assert.equal(answer.statusCode, 403)
      assert.match(answer.json().detail, reason)
    }
    provider.claims = ann
    await api.store.addUser({ email: 'ANN@example.net', siteQuota: 1, allowed: null })
    assert.match((await signOn(given)).json().detail, /not linked/)
    assert.equal(
      (await api.store.listUsers()).some(({ hasIdentity }) => hasIdentity),
      false,
    )
  })

  it('links a user by e-mail once, where it is configured, and to nobody else after that', async () => {
    const given = await prepare({ oidc: { linkByEmail: true } })
    const { provider, api } = given
    const user = await api.store.addUser({ email: 'ANN@example.net', siteQuota: 1, allowed: null, role: 'admin' })
    provider.claims = { ...ann, email_verified: false }
    assert.equal((await signOn(given)).statusCode, 403)
    provider.claims = ann
    const [first, second] = await Promise.all([signOn(given), signOn(given)])
    for (const answer of [first, second]) {
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual([answer.json().identity.user.id, answer.json().identity.user.role], [user.id, 'admin'])
    }
    // The e-mail was given to somebody else at the provider.
    provider.claims = { ...ann, sub: 'eve-2' }
    assert.match((await signOn(given)).json().detail, /another one at the provider/)
    assert.equal(await api.store.deleteIdentities(user.id), true)
    assert.equal((await signOn(given)).json().identity.user.id, user.id)
  })

  it('leaves the last admin one, whatever the groups say', async () => {
    const given = await prepare({ oidc: { linkByEmail: true, groups: { ops: 'admin', web: 'member' } } })
    const limits = { siteQuota: 1, allowed: null }
    await given.api.store.addUser({ email: 'ann@example.net', ...limits, role: 'admin', passwordHash: 'none' })
    given.provider.claims = { ...ann, groups: ['web'] }
    assert.equal((await signOn(given)).json().identity.user.role, 'admin')
  })

  it('asks the provider about users for what the token lacks, and of the same user only', async () => {
    const given = await prepare()
    const { provider } = given
    provider.claims = { sub: 'ann-1' }
    provider.changed = { userInfo: { email: ann.email, email_verified: true } }
    assert.equal((await signOn(given)).json().identity.user.email, ann.email)
    provider.changed = { userInfo: { ...ann, sub: 'eve' } }
    assert.notEqual((await signOn(given)).statusCode, 200)
  })

  it('asks no host but those that are configured', async () => {
    const trap = await startFakeProvider('floodgauge')
    opened.push(() => trap.stop())
    for (const discovery of [{ token_endpoint: `${trap.issuer}/token` }, { jwks_uri: `${trap.issuer}/keys` }]) {
      const given = await prepare()
      given.provider.changed = { discovery }
      assert.equal((await signOn(given)).statusCode, 503)
    }
    const given = await prepare()
    given.provider.changed = { discovery: { issuer: trap.issuer } }
    assert.equal((await post(given.api, '/api/v1/sign-on', {})).statusCode, 503)
    assert.deepEqual(trap.asked, [])
  })

  it('with a provider that is down is said to be so, and harms nothing else', async () => {
    const given = await prepare()
    const { api, provider } = given
    const passwordHash = cheapHash('correct horse battery')
    await api.store.addUser({ email: 'bob@example.net', siteQuota: 1, allowed: null, passwordHash })
    await provider.stop()
    opened.pop()
    const answer = await post(api, '/api/v1/sign-on', {})
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '5'])
    assert.match(answer.json().detail, /cannot be reached/)
    const bob = { email: 'bob@example.net', password: 'correct horse battery' }
    assert.equal((await post(api, '/api/v1/session', bob)).statusCode, 200)
  })

  it('is bounded for strangers, and counts', async () => {
    const { api } = await prepare()
    const { cookie, state } = await start(api)
    const statuses = []
    for (let n = 0; n < 24; n++) statuses.push((await finish(api, cookie, { code: `guess ${n}`, state })).statusCode)
    assert.deepEqual([statuses[0], statuses.at(-1)], [403, 429])
    const metrics = (await api.server.inject({ url: '/metrics' })).body
    assert.match(metrics, /floodgauge_http_sign_ons_total\{result="refused"\} 2[01]/)
  })

  it('leads out of the provider at the end', async () => {
    const given = await prepare()
    const answer = await signOn(given)
    const cookie = [answer.headers['set-cookie'] ?? []].flat()[0].split(';')[0]
    const headers = { cookie, 'x-csrf-token': answer.json().identity.csrfToken }
    const out = (await given.api.server.inject({ method: 'DELETE', url: '/api/v1/session', headers })).json()
    const url = new URL(out.location)
    assert.deepEqual([out.ended, url.origin + url.pathname], [true, `${given.provider.issuer}/end`])
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      client_id: 'floodgauge',
      post_logout_redirect_uri: `${publicUrl}/sign-in`,
    })
  })

  it('may be the only way, beside one-time links', async () => {
    const given = await prepare({ passwords: false })
    const { api } = given
    const passwordHash = cheapHash('correct horse battery')
    await api.store.addUser({ email: 'bob@example.net', siteQuota: 1, allowed: null, passwordHash })
    const bob = { email: 'bob@example.net', password: 'correct horse battery' }
    assert.equal((await post(api, '/api/v1/session', bob)).statusCode, 403)
    assert.equal((await signOn(given)).statusCode, 200)
    const none = await createTestApi()
    opened.push(() => none.close())
    for (const [url, payload] of [
      ['/api/v1/sign-on', {}],
      ['/api/v1/session/sign-on', { query: '' }],
    ] as const)
      assert.equal((await post(none, url, payload)).statusCode, 409)
  })
})
