// A provider whose every answer a test can choose, in the process of the test: RS256, one key at a time, no pages. A code is what the test says it is.
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface FakeProvider {
  issuer: string
  /** What the next ID tokens say beside issuer, audience, times and nonce. */
  claims: Record<string, unknown>
  /** In place of what would be right. */
  changed: { token?: Record<string, unknown>; discovery?: Record<string, unknown>; userInfo?: Record<string, unknown> }
  /** Signs with a key that it does not tell of. */
  isForged: boolean
  /** What was asked, by path. */
  asked: string[]
  /** A code for what the browser was sent with. */
  codeFor(location: string): string
  /** Signs with another key from now on, and names that one alone. */
  rotateKeys(): void
  stop(): Promise<void>
}

/** One key to begin with, another, and that of a forger: made once for all providers, since each takes some tenths of a second. */
const [firstKey, secondKey, forgedKey] = Array.from(
  { length: 3 },
  () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
)
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function startFakeProvider(clientId: string): Promise<FakeProvider> {
  let key = firstKey
  let kid = 1
  const codes = new Map<string, { nonce: string; challenge: string }>()
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    fake.asked.push(path)
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const answer = answerTo(path, body)
    response.writeHead(answer === null ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  const issuer = `http://127.0.0.1:${address.port}`

  function answerTo(path: string, body: URLSearchParams): object | null {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/end`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...fake.changed.discovery,
      }
    if (path === '/keys')
      return { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), kid: `${kid}`, alg: 'RS256' }] }
    if (path === '/userinfo') return { sub: fake.claims.sub, ...fake.changed.userInfo }
    if (path !== '/token') return null
    const code = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (code === undefined || challenge !== code.challenge) return null
    return { access_token: 'opaque', token_type: 'Bearer', id_token: idToken(code.nonce) }
  }

  function idToken(nonce: string): string {
    const seconds = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: clientId, iat: seconds, exp: seconds + 300, nonce, ...fake.claims }
    const content = `${base64url({ alg: 'RS256', kid: `${kid}` })}.${base64url({ ...claims, ...fake.changed.token })}`
    const signature = sign('sha256', Buffer.from(content), fake.isForged ? forgedKey : key)
    return `${content}.${signature.toString('base64url')}`
  }

  const fake: FakeProvider = {
    issuer,
    claims: {},
    changed: {},
    isForged: false,
    asked: [],
    codeFor: (location) => {
      const query = new URL(location).searchParams
      const code = `code-${codes.size}-${Math.random()}`
      codes.set(code, { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '' })
      return code
    },
    rotateKeys: () => {
      key = key === firstKey ? secondKey : firstKey
      kid++
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}
