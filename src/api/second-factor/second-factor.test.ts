import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { cheapHash, createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { authenticator } from '../../../test/helpers/authenticator.ts'
import type { User } from '../../store/store.ts'

const password = 'correct horse battery'
let api: TestApi
let passwordHash: string
let users = 0
let ann: User

before(async () => {
  passwordHash = cheapHash(password)
  api = await createTestApi()
})
after(() => api.close())
beforeEach(async () => {
  // Failures of the test before are forgotten.
  api.clock.advance(6 * 3_600_000)
  ann = await newUser(api)
})

function newUser({ store }: TestApi, role: User['role'] = 'member'): Promise<User> {
  return store.addUser({ email: `ann${users++}@example.net`, siteQuota: 5, allowed: null, role, passwordHash })
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  payload?: object
  remoteAddress?: string
}

const ask = (of: TestApi, url: string, given: Call = {}) => of.server.inject({ method: 'GET', url, ...given })
const signIn = (given: object, rest: Call = {}, of = api) =>
  ask(of, '/api/v1/session', { method: 'POST', payload: { email: ann.email, password, ...given }, ...rest })

/** An authenticator with the secret, and codes of no present step. */
function deviceOf(secret: string, { clock }: TestApi) {
  const device = authenticator(secret, () => clock.now())
  return { code: () => device.code(), wrong: () => device.code(1_000) }
}

/** Signed in without a second factor, and then with one. */
async function turnedOn(of = api, user = ann) {
  const headers = await of.signedIn(user)
  const begun = await ask(of, '/api/v1/second-factor', { method: 'POST', headers, payload: { password } })
  assert.equal(begun.statusCode, 200, begun.body)
  const device = deviceOf(begun.json().secret, of)
  const payload = { code: device.code() }
  const confirmed = await ask(of, '/api/v1/second-factor', { method: 'PUT', headers, payload })
  assert.equal(confirmed.statusCode, 200, confirmed.body)
  const recoveryCodes: string[] = confirmed.json().recoveryCodes
  of.clock.advance(30_000)
  return { headers, device, recoveryCodes, uri: String(begun.json().uri) }
}

describe('a second factor', () => {
  it('is set up with the password, confirmed by a code, and asked for from then on', async () => {
    const headers = await api.signedIn(ann)
    const setUp = (word: string) =>
      ask(api, '/api/v1/second-factor', { method: 'POST', headers, payload: { password: word } })
    const get = async () => (await ask(api, '/api/v1/second-factor', { headers })).json()
    const off = { isOn: false, isRequired: false, since: null, recoveryCodesLeft: 0 }
    assert.deepEqual(await get(), off)
    assert.equal((await setUp('another password')).statusCode, 403)
    const first = deviceOf((await setUp(password)).json().secret, api)
    const begun = (await setUp(password)).json()
    assert.match(
      begun.uri,
      /^otpauth:\/\/totp\/Floodgauge:ann\d+%40example\.net\?secret=[A-Z2-7]{32}&issuer=Floodgauge$/,
    )
    const device = deviceOf(begun.secret, api)
    const confirm = (code: string) => ask(api, '/api/v1/second-factor', { method: 'PUT', headers, payload: { code } })
    for (const code of [first.code(), device.wrong()]) assert.equal((await confirm(code)).statusCode, 403)
    assert.deepEqual(await get(), off)
    assert.equal((await signIn({})).statusCode, 200, 'it is not asked for before it is confirmed')

    const code = device.code()
    const { recoveryCodes } = (await confirm(code)).json()
    assert.equal(new Set(recoveryCodes).size, 10)
    for (const each of recoveryCodes) assert.match(each, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    assert.equal((await get()).recoveryCodesLeft, 10)
    assert.equal((await ask(api, '/api/v1/session', { headers })).json().secondFactor, 'on')
    assert.equal((await confirm(code)).statusCode, 409)
    assert.equal((await setUp(password)).statusCode, 409)

    const without = await signIn({})
    assert.deepEqual([without.statusCode, without.json().errors[0].pointer], [401, '/code'])
    assert.equal(without.headers['set-cookie'], undefined)
    const used = await signIn({ code })
    assert.deepEqual([used.statusCode, used.json().errors[0].pointer], [401, '/code'])
    api.clock.advance(30_000)
    const answer = await signIn({ code: `${device.code().slice(0, 3)} ${device.code().slice(3)}` })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().secondFactor, 'on')
    assert.equal((await signIn({ code: device.code() })).statusCode, 401, 'a step is taken once')
  })

  it('tells nothing to who does not have the password', async () => {
    const { device } = await turnedOn()
    const plain = await signIn({ password: 'another password' })
    const guessed = await signIn({ password: 'another password', code: device.code() })
    const unknown = await signIn({ email: 'nobody@example.net', code: device.code() })
    for (const each of [guessed, unknown]) {
      assert.equal(each.statusCode, 401)
      assert.deepEqual(each.json(), plain.json())
    }
    // Nor has the code been used up by it.
    assert.equal((await signIn({ code: device.code() })).statusCode, 200)
  })

  it('is not guessed at for long, wherever from, and its owner with a known browser does not wait', async () => {
    const { device } = await turnedOn()
    const cookies = [(await signIn({ code: device.code() })).headers['set-cookie'] ?? []].flat()
    const cookie = cookies.find((text) => text.startsWith('floodgauge-device='))?.split(';')[0] ?? ''
    api.clock.advance(30_000)
    const guessAll = async (headers: Record<string, string>) => {
      const statuses = []
      for (let n = 0; n < 8; n++) {
        const remoteAddress = `198.51.100.${n}`
        statuses.push((await signIn({ code: device.wrong() }, { remoteAddress, headers })).statusCode)
      }
      return statuses
    }
    const slow = [401, 401, 401, 401, 401, 401, 429, 429]
    assert.deepEqual(await guessAll({}), slow)
    assert.equal((await signIn({ code: device.code() })).statusCode, 429, 'nor is the right one looked at')
    assert.equal((await signIn({ code: device.code() }, { headers: { cookie } })).statusCode, 200)
    api.clock.advance(30_000)
    assert.equal((await signIn({}, { headers: { cookie } })).statusCode, 401, 'the cookie alone proves nothing')
    assert.deepEqual(await guessAll({ cookie }), slow)
  })

  it('gives way to a recovery code, each once, however it is typed', async () => {
    const { headers, device, recoveryCodes } = await turnedOn()
    const typed = ` ${recoveryCodes[0].toUpperCase().replaceAll('-', ' ')} `
    assert.equal((await signIn({ code: typed })).statusCode, 200)
    assert.equal((await signIn({ code: recoveryCodes[0] })).statusCode, 401)
    assert.equal((await ask(api, '/api/v1/second-factor', { headers })).json().recoveryCodesLeft, 9)
    const renew = (code: string) =>
      ask(api, '/api/v1/second-factor/recovery-codes', { method: 'POST', headers, payload: { code } })
    assert.equal((await renew(device.wrong())).statusCode, 403)
    const fresh = (await renew(device.code())).json().recoveryCodes
    assert.equal((await signIn({ code: recoveryCodes[1] })).statusCode, 401)
    assert.equal((await signIn({ code: fresh[1] })).statusCode, 200)
    assert.equal((await renew(fresh[2])).statusCode, 200)
    const other = await newUser(api)
    await turnedOn(api, other)
    assert.equal((await signIn({ email: other.email, code: fresh[3] })).statusCode, 401)
  })

  it('is turned off by a code, and can be set up again', async () => {
    const { headers, device, recoveryCodes } = await turnedOn()
    const end = (code: string, of = headers) =>
      ask(api, '/api/v1/second-factor/off', { method: 'POST', headers: of, payload: { code } })
    assert.equal((await end(device.wrong())).statusCode, 403)
    assert.deepEqual((await end(device.code())).json(), { deleted: true })
    assert.equal((await end(device.code())).statusCode, 409)
    assert.equal((await signIn({})).statusCode, 200)
    assert.equal((await signIn({ code: recoveryCodes[0] })).statusCode, 200, 'a code that nobody needs does no harm')
    const again = await turnedOn()
    assert.equal((await signIn({ code: recoveryCodes[0] })).statusCode, 401)
    assert.equal((await signIn({ code: again.recoveryCodes[0] })).statusCode, 200)
  })

  it('is of people: a token sees it, and changes nothing of it', async () => {
    const caller = await api.addCaller(`token${users}@example.net`, { scopes: ['read', 'write', 'admin'] })
    const { headers } = caller
    assert.equal((await ask(api, '/api/v1/second-factor', { headers })).json().isOn, false)
    const calls = [
      ['POST', '', { password }],
      ['PUT', '', { code: '123456' }],
      ['POST', '/recovery-codes', { code: '123456' }],
      ['POST', '/off', { code: '123456' }],
    ] as const
    for (const [method, path, payload] of calls)
      assert.equal((await ask(api, `/api/v1/second-factor${path}`, { method, headers, payload })).statusCode, 403)
    const without = await api.store.addUser({ email: `bob${users}@example.net`, siteQuota: 5, allowed: null })
    const signedIn = await api.signedIn(without)
    const setUp = await ask(api, '/api/v1/second-factor', { method: 'POST', headers: signedIn, payload: { password } })
    assert.equal(setUp.statusCode, 409)
  })

  it('does not stand in the way of a token, nor of a one-time link', async () => {
    await turnedOn()
    const { headers } = await api.addCaller(ann.email)
    assert.equal((await ask(api, '/open/site', { headers })).statusCode, 200)
  })

  it('is reset for others by an admin, who turns off their own with a code', async () => {
    const admin = await newUser(api, 'admin')
    const { headers } = await turnedOn(api, admin)
    await turnedOn()
    const reset = (id: string, of = headers) =>
      ask(api, `/api/v1/users/${id}/second-factor`, { method: 'DELETE', headers: of })
    assert.equal((await reset(admin.id)).statusCode, 409)
    assert.equal((await reset('nobody')).statusCode, 404)
    assert.equal((await reset(admin.id, await api.signedIn(ann))).statusCode, 403)
    const listed = async () =>
      (await ask(api, '/api/v1/users', { headers })).json().users.find(({ id }: User) => id === ann.id).hasSecondFactor
    assert.equal(await listed(), true)
    assert.deepEqual((await reset(ann.id)).json(), { deleted: true })
    assert.deepEqual((await reset(ann.id)).json(), { deleted: false })
    assert.equal(await listed(), false)
    assert.equal((await signIn({})).statusCode, 200)
  })

  it('whose key is elsewhere is said to be so, recovery codes go on, and nothing is let through', async () => {
    const { device, recoveryCodes, headers } = await turnedOn()
    renameSync(api.secrets.file, `${api.secrets.file}.away`)
    const refused = await signIn({ code: device.code() })
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().detail, /secrets\.key.*recovery code/)
    assert.equal((await signIn({ code: recoveryCodes[0] })).statusCode, 200)
    const payload = { code: recoveryCodes[1] }
    const end = await ask(api, '/api/v1/second-factor/off', { method: 'POST', headers, payload })
    assert.equal(end.statusCode, 200)
    renameSync(`${api.secrets.file}.away`, api.secrets.file)
  })
})

describe('a second factor that the installation asks for', () => {
  for (const requirement of ['admins', 'all'] as const) {
    it(`leaves who has none nothing but to set it up: ${requirement}`, async (t) => {
      const of = await createTestApi({ signOn: { requireSecondFactor: requirement } })
      t.after(() => of.close())
      ann = await newUser(of, requirement === 'admins' ? 'admin' : 'member')
      const answer = await signIn({}, {}, of)
      assert.deepEqual([answer.json().secondFactor, answer.json().scopes], ['missing', []])
      const headers = {
        cookie: String(answer.headers['set-cookie']).split(';')[0],
        'x-csrf-token': answer.json().csrfToken,
      }
      for (const url of ['/open/site', '/api/v1/tokens', '/api/v1/users', '/api/v1/stream'])
        assert.equal((await ask(of, url, { headers })).statusCode, 403, url)
      const token = { name: 'x', scopes: ['read'] }
      assert.equal((await ask(of, '/api/v1/tokens', { method: 'POST', headers, payload: token })).statusCode, 403)
      assert.equal((await ask(of, '/api/v1/session', { headers })).json().secondFactor, 'missing')

      const begun = (await ask(of, '/api/v1/second-factor', { method: 'POST', headers, payload: { password } })).json()
      const device = deviceOf(begun.secret, of)
      const payload = { code: device.code() }
      assert.equal((await ask(of, '/api/v1/second-factor', { method: 'PUT', headers, payload })).statusCode, 200)
      assert.equal((await ask(of, '/open/site', { headers })).statusCode, 200)
      of.clock.advance(30_000)
      const code = { code: device.code() }
      const end = await ask(of, '/api/v1/second-factor/off', { method: 'POST', headers, payload: code })
      assert.equal(end.statusCode, 409)
    })
  }

  it('asks nobody else: other roles, who has no password, tokens', async (t) => {
    const of = await createTestApi({ signOn: { requireSecondFactor: 'admins' } })
    t.after(() => of.close())
    ann = await newUser(of)
    assert.equal((await signIn({}, {}, of)).json().secondFactor, 'off')
    const admin = await of.store.addUser({
      email: `root${users}@example.net`,
      siteQuota: 5,
      allowed: null,
      role: 'admin',
    })
    const headers = await of.signedIn(admin)
    assert.equal((await ask(of, '/api/v1/users', { headers })).statusCode, 200)
    await of.store.setPassword(admin.id, passwordHash)
    const caller = await of.addCaller(admin.email, { scopes: ['admin'] })
    assert.equal((await ask(of, '/api/v1/users', { headers: caller.headers })).statusCode, 200)
  })
})
