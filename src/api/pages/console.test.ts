import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { basePathOf, readConsole } from './console.ts'

const script = 'console.log(1)'
let folder: string
let api: TestApi

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-console-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<html><base href="/" /><script src="./assets/index-1.js"></script></html>')
  writeFileSync(join(folder, 'assets/index-1.js'), script)
  writeFileSync(join(folder, 'assets/index-1.js.br'), 'brotli')
  writeFileSync(join(folder, 'assets/index-1.js.gz'), 'gzip')
  writeFileSync(join(folder, 'assets/.secret'), 'no asset')
  api = await createTestApi({ webConsole: readConsole(folder, '/') })
})

after(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => api.server.inject({ url, headers })

describe('the console', () => {
  test('every screen is the page, which runs nothing but its own files and is in nobody else’s frame', async () => {
    for (const url of [
      '/',
      '/events',
      '/events/58bfd7ae1f0a4b3c9d2e6f70',
      '/sites/192.0.2.0%2F24',
      '/setup?code=x',
      '/sign-in',
    ]) {
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 200, url)
      assert.match(body, /<base href="\/"/)
      assert.equal(headers['cache-control'], 'no-cache')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    }
  })

  test('the address of every screen is known, so that it can be reloaded and sent to somebody', async () => {
    const tables = ['screens.ts', 'router.tsx']
      .map((file) => readFileSync(new URL(`../../../web/app/${file}`, import.meta.url), 'utf8'))
      .join()
    const paths = [...tables.matchAll(/^ {2,4}path: '\/?([^']*)'/gm)].map(([, path]) => `/${path.replace('$', '')}`)
    assert.ok(paths.includes('/alerts/deliveries') && paths.includes('/sign-in'))
    for (const path of paths) assert.equal((await get(path)).statusCode, 200, path)
  })

  test('a browser that goes where there is nothing gets the page, which says so; a program does not', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const url of ['/nowhere', '/nowhere/at/all']) {
      const { statusCode, headers, body } = await get(url, browser)
      assert.deepEqual([statusCode, /<base href/.test(body)], [404, true], url)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    }
    for (const [url, headers] of [
      ['/nowhere', {}],
      ['/nowhere', { accept: 'application/json' }],
      ['/api/v1/nowhere', browser],
      ['/open/nowhere', browser],
      ['/assets/nowhere.js', browser],
    ] as const) {
      const answer = await get(url, headers)
      assert.deepEqual(
        [answer.statusCode, answer.headers['content-type']],
        [404, 'application/problem+json; charset=utf-8'],
      )
    }
  })

  test('assets stay for ever, in the form that the browser takes', async () => {
    const forms = [
      ['', undefined, script],
      ['gzip', 'gzip', 'gzip'],
      ['gzip, deflate, br', 'br', 'brotli'],
      ['gzip, br;q=0', 'gzip', 'gzip'],
      ['gzip;q=0.5', 'gzip', 'gzip'],
    ] as const
    for (const [accepted, encoding, body] of forms) {
      const answer = await get('/assets/index-1.js', { 'accept-encoding': accepted })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.body, body)
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.match(String(answer.headers['cache-control']), /immutable/)
      assert.equal(answer.headers.vary, 'accept-encoding')
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
    }
  })

  test('nothing but assets is served, and what is no screen is not there', async () => {
    for (const url of [
      '/assets/.secret',
      '/assets/..%2Findex.html',
      '/assets/index-2.js',
      '/assets/',
      '/elsewhere',
      '/api/v1/elsewhere',
    ]) {
      const { statusCode, headers } = await get(url)
      assert.equal(statusCode, 404, url)
      assert.match(String(headers['content-type']), /problem\+json/)
    }
  })

  test('below a path of a proxy the page is told so', () => {
    assert.equal(basePathOf(''), '/')
    assert.equal(basePathOf('https://example.net'), '/')
    assert.equal(basePathOf('https://example.net/ddos'), '/ddos/')
    assert.match(String(readConsole(folder, '/ddos/')?.page), /<base href="\/ddos\/"/)
  })

  test('there is none before it is built', () => assert.equal(readConsole(join(folder, 'nowhere'), '/'), null))
})
