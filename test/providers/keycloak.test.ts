// Single sign-on with Keycloak: groups become a role, a group that is left is a refusal, new keys are learnt, and the service goes on while the provider
// is away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { floodgauge, startService } from '../helpers/service.ts'
import { freePort } from '../live/free-port.ts'
import { skip } from '../live/requirements.ts'
import { client, Keycloak, person } from './keycloak.ts'

/** How long the service does not ask a provider again that did not answer, and a little. */
const askedAgainMs = 3_500

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const jsonOf = async (answer: Response) => JSON.parse(await answer.text())

function keycloakHome(): string {
  const home = process.env.KEYCLOAK_HOME
  if (home === undefined) throw new Error('KEYCLOAK_HOME does not say where Keycloak is (see .ci/run)')
  return home
}

test('Keycloak signs people in, and out of what they may no more', { skip, timeout: 1_500_000 }, async (t) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const keycloak = new Keycloak(keycloakHome(), { port: await freePort(), insidePort: await freePort() }, publicUrl)
  t.after(() => keycloak.stop())
  await keycloak.start()
  const service = await startService(undefined, {
    args: ['--http', `127.0.0.1:${port}`],
    env: {
      FLOODGAUGE_HTTP_PUBLIC_URL: publicUrl,
      FLOODGAUGE_SIGN_ON_OIDC_ISSUER: keycloak.issuer,
      FLOODGAUGE_SIGN_ON_OIDC_CLIENT_ID: client.id,
      FLOODGAUGE_SIGN_ON_OIDC_CLIENT_SECRET: client.secret,
      FLOODGAUGE_SIGN_ON_OIDC_GROUPS: '{ network-admins: admin }',
      FLOODGAUGE_SIGN_ON_OIDC_CREATE_USERS: 'true',
    },
  })
  t.after(() => service.stop())

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: publicUrl, ...headers },
      body: JSON.stringify(body),
    })
  const begin = async () => {
    const answer = await post('/sign-on', {})
    return { status: answer.status, body: await jsonOf(answer), cookie: cookieOf(answer) }
  }
  const signOn = async () => {
    const { status, body, cookie } = await begin()
    assert.equal(status, 200, JSON.stringify(body))
    const query = await keycloak.signIn(body.location)
    const answer = await post('/session/sign-on', { query }, { cookie })
    return { status: answer.status, body: await jsonOf(answer), cookie: cookieOf(answer) }
  }
  const statusOf = async (cookie: string) =>
    (await fetch(`${service.url}/api/v1/session`, { headers: { cookie } })).status

  await t.test('a group is a role', async () => {
    const { status, body, cookie } = await signOn()
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.identity.user.email, body.identity.user.role], [person.email, 'admin'])
    assert.equal(await statusOf(cookie), 200)
  })

  await t.test('Keycloak itself insists on PKCE', async () => {
    const { body } = await begin()
    const bare = new URL(body.location)
    for (const name of ['code_challenge', 'code_challenge_method']) {
      assert.equal(bare.searchParams.has(name), true)
      bare.searchParams.delete(name)
    }
    const answer = await fetch(bare, { redirect: 'manual' })
    assert.match(answer.headers.get('location') ?? '', /error=invalid_request.*code_challenge/)
  })

  await t.test('a new key costs one attempt at most', async () => {
    await keycloak.rotateKeys()
    const first = await signOn()
    assert.ok(first.status === 200 || first.status === 503, JSON.stringify(first.body))
    const second = await signOn()
    assert.equal(second.status, 200, JSON.stringify(second.body))
  })

  await t.test('while it is away that is told, sessions go on, and it is found again with other keys', async () => {
    const { cookie } = await signOn()
    const begun = await begin()
    const query = await keycloak.signIn(begun.body.location)
    await keycloak.away()
    const finished = await post('/session/sign-on', { query }, { cookie: begun.cookie })
    assert.equal(finished.status, 503)
    assert.match((await jsonOf(finished)).detail, /cannot be reached/)
    assert.equal(await statusOf(cookie), 200)
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    await keycloak.rotateKeys()
    await keycloak.back()
    await delay(askedAgainMs)
    await signOn()
    const again = await signOn()
    assert.equal(again.status, 200, JSON.stringify(again.body))
  })

  await t.test('who has left the groups is not let in: sessions end, and tokens are suspended until then', async () => {
    const ofTokens = (verb: string, ...more: string[]) =>
      floodgauge('token', verb, person.email, '--data', service.dataFolder, ...more)
    const authorization = `Bearer ${(await ofTokens('create', '--scope', 'read')).trim()}`
    const statusOfToken = async () =>
      (await fetch(`${service.url}/api/v1/session`, { headers: { authorization } })).status
    const { cookie } = await signOn()
    assert.deepEqual([await statusOf(cookie), await statusOfToken()], [200, 200])
    const groups = await keycloak.leaveGroups()
    const refused = await signOn()
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /none of the groups/)
    // What was looked up before is trusted for a second.
    await delay(1_100)
    assert.deepEqual([await statusOf(cookie), await statusOfToken()], [401, 401])
    assert.match(await ofTokens('list'), / suspended: single sign-on refuses its user since /)
    await groups.undo()
    assert.equal((await signOn()).status, 200)
    assert.equal(await statusOfToken(), 200)
    assert.match(await ofTokens('list'), / active$/m)
  })
})
