import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { hashTokenSecret } from '../../store/token-secret.ts'

const password = 'correct horse battery'
let api: TestApi
let userId: string

beforeEach(async () => {
  api = await createTestApi()
  userId = (await api.store.addUser({ email: 'Ann@example.net', siteQuota: 1, allowed: null, role: 'admin' })).id
})
afterEach(() => api.close())

async function link(code: string): Promise<void> {
  const expiresMs = api.clock.now() + 3_600_000
  await api.store.setSignInLink(userId, { codeHash: hashTokenSecret(code), expiresMs })
}

const redeem = (payload: object, headers: Record<string, string> = {}) =>
  api.server.inject({ method: 'POST', url: '/api/v1/session/link', payload, headers })

describe('a one-time link', () => {
  it('signs in once and sets the password', async () => {
    await link('code')
    const answer = await redeem({ email: ' ann@EXAMPLE.net', code: 'code', password })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json().scopes, ['read', 'write', 'admin'])
    const cookie = String(answer.headers['set-cookie']).split(';')[0]
    const session = await api.server.inject({ url: '/api/v1/session', headers: { cookie } })
    assert.equal(session.json().user.email, 'Ann@example.net')
    const signIn = { method: 'POST' as const, url: '/api/v1/session', payload: { email: 'ann@example.net', password } }
    assert.equal((await api.server.inject(signIn)).statusCode, 200)

    const again = await redeem({ email: 'ann@example.net', code: 'code', password: 'another good password' })
    assert.equal(again.statusCode, 403)
    assert.equal((await api.server.inject(signIn)).statusCode, 200)
  })

  it('signs in without a password, and changes none', async () => {
    await link('code')
    assert.equal((await redeem({ email: 'ann@example.net', code: 'code' })).statusCode, 200)
    assert.equal((await api.store.userById(userId))?.hasPassword, false)
    assert.equal((await redeem({ email: 'ann@example.net', code: 'code' })).statusCode, 403)
  })

  it('is refused alike when it is wrong, too old, or of another e-mail, and lives on', async () => {
    await link('code')
    const wrong = [
      { email: 'ann@example.net', code: 'other', password },
      { email: 'bob@example.net', code: 'code', password },
    ]
    const answers = await Promise.all(wrong.map((each) => redeem(each)))
    assert.deepEqual([...new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))].length, 1)
    assert.equal(answers[0].statusCode, 403)
    assert.equal(
      (await redeem({ email: 'ann@example.net', code: 'code', password: 'ann@example.net' })).statusCode,
      400,
    )
    const foreign = await redeem({ email: 'ann@example.net', code: 'code' }, { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.statusCode, 403)
    assert.equal(foreign.headers['set-cookie'], undefined)
    api.clock.advance(3_600_000 - 1)
    assert.equal((await redeem({ email: 'ann@example.net', code: 'code', password })).statusCode, 200)
    await link('late')
    api.clock.advance(3_600_000)
    assert.equal((await redeem({ email: 'ann@example.net', code: 'late', password })).statusCode, 403)
  })
})
