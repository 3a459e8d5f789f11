import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { before, describe, it } from 'node:test'
import { pino } from 'pino'
import { cheapHash, createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import type { HttpSettings } from '../settings.ts'

const email = 'ann@example.net'
const password = 'correct horse battery'
let passwordHash: string
/** Log lines of the API that was made last. */
let logged: string[] = []

before(async () => {
  passwordHash = cheapHash(password)
})

function open(settings: Partial<HttpSettings>): Promise<TestApi> {
  const lines: string[] = []
  logged = lines
  return createTestApi({ settings, log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) })
}

async function withApi(settings: Partial<HttpSettings>, look: (api: TestApi) => Promise<void>): Promise<void> {
  const api = await open(settings)
  try {
    await api.store.addUser({ email, siteQuota: 1, allowed: null, passwordHash })
    await look(api)
  } finally {
    await api.close()
  }
}

const signIn = ({ server }: TestApi, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  server.inject({ method: 'POST', url: '/api/v1/session', headers, payload: { email, password }, remoteAddress })

const secure = /^__Host-floodgauge=[0-9a-f]{64}; Path=\/; .*; Secure$/
const plain = /^floodgauge=[0-9a-f]{64}; (?!.*Secure)/

describe('the cookie behind a proxy with TLS', () => {
  const cases: [string, Partial<HttpSettings>, Record<string, string>, RegExp][] = [
    ['that is trusted', { trustedProxies: ['127.0.0.1'] }, { 'x-forwarded-proto': 'https' }, secure],
    ['that nobody has named', {}, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.9' }, secure],
    ['that passes on Host', { publicUrl: 'https://flood.example' }, { host: 'flood.example' }, secure],
    [
      'that changes Host and says nothing',
      { publicUrl: 'https://flood.example/monitor/' },
      { host: '127.0.0.1:8080', origin: 'https://flood.example', 'sec-fetch-site': 'same-origin' },
      secure,
    ],
    ['is another one without TLS', {}, { 'x-forwarded-proto': 'http' }, plain],
    [
      'that changes Host, of a browser that says nothing',
      { publicUrl: 'https://flood.example' },
      { host: 'x' },
      secure,
    ],
    [
      'is another one where people come by HTTP',
      { publicUrl: 'http://flood.example' },
      { host: 'flood.example' },
      plain,
    ],
  ]
  for (const [name, settings, headers, expected] of cases) {
    it(name, () =>
      withApi(settings, async (api) => {
        const answer = await signIn(api, headers)
        assert.equal(answer.statusCode, 200, answer.body)
        const cookie = String(answer.headers['set-cookie'])
        assert.match(cookie, expected)
        // Later requests of the browser have no Origin.
        const { origin, ...later } = headers
        const get = { url: '/api/v1/session', headers: { ...later, cookie: cookie.split(';')[0] } }
        assert.equal((await api.server.inject(get)).statusCode, 200)
      }),
    )
  }

  it('is not taken from one that anybody may have set', () =>
    withApi({ trustedProxies: ['127.0.0.1'] }, async (api) => {
      const answer = await signIn(api, { 'x-forwarded-proto': 'https' })
      const secret = /=([0-9a-f]{64})/.exec(String(answer.headers['set-cookie']))?.[1]
      const headers = { 'x-forwarded-proto': 'https', cookie: `floodgauge=${secret}` }
      assert.equal((await api.server.inject({ url: '/api/v1/session', headers })).statusCode, 401)
    }))
})

describe('a proxy that is not named', () => {
  it('is warned of once an hour', () =>
    withApi({ trustedProxies: ['192.0.2.1'] }, async (api) => {
      const warned = () => logged.filter((line) => line.includes('http.trustedProxies does not name')).length
      const get = (remoteAddress: string, headers: Record<string, string> = {}) =>
        api.server.inject({ url: '/healthz', headers, remoteAddress })
      const forwarded = { 'x-forwarded-for': '203.0.113.7' }
      await get('127.0.0.1')
      await get('192.0.2.1', forwarded)
      assert.equal(warned(), 0)
      await get('127.0.0.1', forwarded)
      await get('127.0.0.1', forwarded)
      assert.equal(warned(), 1)
      api.clock.advance(3_600_000)
      await get('127.0.0.1', forwarded)
      assert.equal(warned(), 2)
    }))

  it('is warned of at the start where a public address shows that there is one', async () => {
    const startsWith = async (settings: Partial<HttpSettings>) => {
      const api = await open(settings)
      await api.close()
      return logged.filter((line) => line.includes('names a reverse proxy')).length
    }
    assert.equal(await startsWith({ publicUrl: 'https://flood.example' }), 1)
    assert.equal(await startsWith({ publicUrl: 'https://flood.example', trustedProxies: ['127.0.0.1'] }), 0)
    assert.equal(await startsWith({}), 0)
  })

  it('on this machine does not open the metrics to those behind it, whatever it says of them', () =>
    withApi({ metrics: 'loopback', trustedProxies: ['127.0.0.1'] }, async ({ server }) => {
      const get = (headers: Record<string, string>) =>
        server.inject({ url: '/metrics', headers, remoteAddress: '127.0.0.1' })
      assert.equal((await get({})).statusCode, 200)
      for (const name of [
        'forwarded',
        'via',
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
        'x-real-ip',
      ]) {
        const refused = await get({ [name]: '127.0.0.1' })
        assert.equal(refused.statusCode, 403)
        assert.match(refused.json().detail, /a proxy has passed this request on/)
      }
    }))
})

it('the metrics are not for a page whose name leads to this machine', () =>
  withApi({ metrics: 'loopback' }, async ({ server }) => {
    const get = (host: string) => server.inject({ url: '/metrics', headers: { host }, remoteAddress: '::1' })
    for (const host of ['127.0.0.1:8080', 'LOCALHOST', '[::1]:8080', '127.1.2.3', hostname()])
      assert.equal((await get(host)).statusCode, 200, host)
    for (const host of [
      'rebound.example',
      'rebound.example:8080',
      '127.0.0.1.example',
      'localhost.example',
      '192.0.2.1',
    ])
      assert.equal((await get(host)).statusCode, 403, host)
    assert.match((await get('rebound.example')).json().detail, /by a name of this machine/)
  }))

it('browsers that have come by HTTPS are to come by nothing else, where the public address says so', async () => {
  const sent = async (settings: Partial<HttpSettings>) => {
    let header: unknown
    await withApi(settings, async ({ server }) => {
      header = (await server.inject({ url: '/healthz' })).headers['strict-transport-security']
    })
    return header
  }
  assert.equal(await sent({ publicUrl: 'https://flood.example' }), 'max-age=31536000')
  assert.equal(await sent({ publicUrl: 'http://flood.example' }), undefined)
})
