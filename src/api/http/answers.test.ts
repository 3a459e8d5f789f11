// Every answer that is no success, and the headers of all.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { InjectOptions } from 'fastify'
import { Value } from 'typebox/value'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { Problem } from '../../contract/shapes.ts'
import { AppError } from '../../errors.ts'

let api: TestApi
let caller: TestCaller

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 } })
  caller = await api.addCaller('ann@example.net')
})
after(() => api.close())

const json = { 'content-type': 'application/json' }
const verbs = ['add', 'delete', 'enable', 'disable']
const paths = [
  '/open/site',
  ...verbs.map((verb) => `/open/site/${verb}`),
  '/open/event/ddos',
  '/open/event/ddos/detail/x',
]

async function problem(options: InjectOptions, status: number) {
  const headers = { ...caller.headers, ...options.headers }
  const answer = await api.server.inject({ ...options, headers })
  assert.equal(answer.statusCode, status, `${options.method} ${options.url}: ${answer.body}`)
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
  const body = answer.json()
  assert.ok(Value.Check(Problem, body), answer.body)
  assert.equal(body.status, status)
  return { answer, body }
}

describe('bodies', () => {
  const noJson = 'It is not valid JSON in UTF-8'
  const bad: [name: string, payload: string | Buffer, pointer: string, detail: string][] = [
    ['no JSON', '{"hosts":', '', noJson],
    ['an empty body', '', '', noJson],
    ['no object', '[]', '', 'It must be an object'],
    ['null', 'null', '', 'It must be an object'],
    ['no hosts', '{}', '/hosts', 'It is missing'],
    ['hosts in the prototype', '{"__proto__":{"hosts":["a.example"]}}', '/hosts', 'It is missing'],
    ['hosts that are no array', '{"hosts":"a.example"}', '/hosts', 'It must be an array'],
    ['hosts that are null', '{"hosts":null}', '/hosts', 'It must be an array'],
    ['no hosts in the array', '{"hosts":[]}', '/hosts', 'It must not be empty'],
    ['a host that is no text', '{"hosts":["a.example",1]}', '/hosts/1', 'It must be a string'],
    ['a host that is an array', '{"hosts":[["a.example"]]}', '/hosts/0', 'It must be a string'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '', noJson],
    ['JSON that is nested very deeply', '['.repeat(500_000), '', noJson],
  ]
  for (const verb of verbs) {
    for (const [name, payload, pointer, detail] of bad) {
      it(`${verb}: ${name} is 400`, async () => {
        const { body } = await problem({ method: 'POST', url: `/open/site/${verb}`, headers: json, payload }, 400)
        assert.deepEqual(body.errors?.[0], { pointer, detail })
      })
    }

    it(`${verb}: more than 1,000 hosts, or more than 1 MiB, is 413; neither limit is one less`, async () => {
      const url = `/open/site/${verb}`
      const hosts = Array.from({ length: 1_001 }, (_, i) => `h${i}.example.com`)
      await problem({ method: 'POST', url, payload: { hosts } }, 413)
      await problem({ method: 'POST', url, headers: json, payload: `{"hosts":["${'a'.repeat(1024 * 1024)}"]}` }, 413)
      const ok = await api.server.inject({
        method: 'POST',
        url,
        headers: caller.headers,
        payload: { hosts: hosts.slice(1) },
      })
      assert.equal(ok.statusCode, 200)
      const large = `{"hosts":["${'a'.repeat(1024 * 1024 - 14)}"]}`
      assert.equal(large.length, 1024 * 1024)
      const fits = await api.server.inject({
        method: 'POST',
        url,
        headers: { ...caller.headers, ...json },
        payload: large,
      })
      assert.equal(fits.statusCode, 200)
    })
  }

  it('other members are ignored', async () => {
    const payload = '{"hosts":["b.example.com"],"__proto__":{"x":1},"constructor":{"prototype":1},"note":"x"}'
    const answer = await api.server.inject({
      method: 'POST',
      url: '/open/site/add',
      headers: { ...caller.headers, ...json },
      payload,
    })
    assert.deepEqual(answer.json(), { status: 1, success: ['b.example.com'], error: [] })
  })

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonx',
    'multipart/form-data',
    'x',
  ]) {
    it(`${type} is 415`, async () => {
      const headers = { 'content-type': type }
      await problem({ method: 'POST', url: '/open/site/add', headers, payload: '{"hosts":["a.example.com"]}' }, 415)
    })
  }

  it('JSON may say that it is UTF-8; compression is 415', async () => {
    const payload = '{"hosts":["a.example.com"]}'
    const headers = { ...caller.headers, 'content-type': 'Application/JSON; charset=utf-8' }
    const answer = await api.server.inject({ method: 'POST', url: '/open/site/add', headers, payload })
    assert.equal(answer.statusCode, 200)
    await problem(
      { method: 'POST', url: '/open/site/add', headers: { ...json, 'content-encoding': 'gzip' }, payload },
      415,
    )
  })
})

describe('queries', () => {
  const bad = [
    'last=0',
    'last=366',
    'last=x',
    'last=1&last=1',
    'start=2017-02-30',
    'start=x&end=y',
    'start=2020-01-02&end=2020-01-01',
    'start=2020-01-01&start=2020-01-01',
    'limit=0',
    'cursor=x',
  ]
  for (const query of bad) {
    it(`${query} is 400, and says which parameter`, async () => {
      const { body } = await problem({ url: `/open/event/ddos?${query}` }, 400)
      assert.ok(body.errors?.every(({ parameter }) => query.includes(`${parameter}=`)))
    })
  }
})

describe('paths and methods', () => {
  it('every path is answered with a slash at its end, without a redirect', async () => {
    for (const path of paths) {
      const isPost = /site\/./.test(path)
      const send = (url: string) =>
        api.server.inject({
          method: isPost ? 'POST' : 'GET',
          url,
          headers: caller.headers,
          ...(isPost ? { payload: { hosts: ['x'] } } : {}),
        })
      const [plain, slashed] = await Promise.all([send(path), send(`${path}/`)])
      assert.deepEqual([plain.statusCode, slashed.statusCode], [200, 200], path)
      assert.equal(slashed.body, plain.body)
    }
  })

  it('a wrong method is 405 with Allow; OPTIONS tells the same', async () => {
    for (const path of paths) {
      const allow = /site\/./.test(path) ? 'OPTIONS, POST' : 'GET, HEAD, OPTIONS'
      for (const method of ['PUT', 'PATCH', 'DELETE', allow.includes('GET') ? 'POST' : 'GET'] as const) {
        const { answer } = await problem({ method, url: path }, 405)
        assert.equal(answer.headers.allow, allow)
      }
      const options = await api.server.inject({ method: 'OPTIONS', url: `${path}/` })
      assert.deepEqual([options.statusCode, options.headers.allow, options.body], [204, allow, ''])
    }
  })

  it('a path may be percent-encoded in part', async () => {
    assert.equal((await api.server.inject({ url: '/open/sit%65', headers: caller.headers })).statusCode, 200)
    const { answer } = await problem({ method: 'PUT', url: '/open/sit%65/?x=%zz' }, 405)
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
    await problem({ method: 'PUT', url: '/open/event/ddos/detail/a%2Fb' }, 405)
    await problem({ method: 'PUT', url: '/open%2Fsite' }, 404)
    for (const method of ['GET', 'POST', 'PUT'] as const) await problem({ method, url: '/open/%zz' }, 400)
  })

  it('HEAD answers as GET does, without the body', async () => {
    for (const path of paths.filter((each) => !/site\/./.test(each))) {
      const [get, head] = await Promise.all(
        (['GET', 'HEAD'] as const).map((method) => api.server.inject({ method, url: path, headers: caller.headers })),
      )
      assert.deepEqual([head.statusCode, head.body], [get.statusCode, ''])
      assert.equal(head.headers['content-type'], get.headers['content-type'])
      if (head.headers['content-length'] !== undefined)
        assert.equal(head.headers['content-length'], get.headers['content-length'])
    }
    const denied = await api.server.inject({ method: 'HEAD', url: '/open/site/add', headers: caller.headers })
    assert.deepEqual([denied.statusCode, denied.headers.allow], [405, 'OPTIONS, POST'])
  })

  it('what is not there is 404; what can not be decoded is 400', async () => {
    for (const url of [
      '/nothing',
      '/open',
      '/open/sites',
      '/open/site/add/x',
      '/open/event/ddos/detail',
      '/open/event/ddos/detail/x/y',
      '/OPEN/site',
      '//open/site',
    ]) {
      await problem({ url }, 404)
      await problem({ method: 'POST', url, headers: { 'content-type': 'text/nothing' }, payload: 'x' }, 404)
    }
    await problem({ url: '/open/event/ddos/detail/%zz' }, 400)
  })
})

describe('headers of every answer', () => {
  const requests: [name: string, options: InjectOptions][] = [
    ['a list', { url: '/open/site' }],
    ['a problem', { url: '/nothing' }],
    ['a path that can not be decoded', { url: '/%zz' }],
    ['a page', { url: '/docs' }],
    ['health', { url: '/healthz' }],
  ]
  for (const [name, options] of requests) {
    it(`${name} can not be sniffed or framed, and says nothing of the server`, async () => {
      const { headers } = await api.server.inject({ ...options, headers: caller.headers })
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
      assert.equal(headers.server ?? headers['x-powered-by'], undefined)
    })
  }

  it('private answers are not stored', async () => {
    for (const url of paths) {
      const { headers } = await api.server.inject({ url, headers: caller.headers })
      assert.equal(headers['cache-control'], 'no-store')
    }
  })
})

describe('failures of our own', () => {
  const failWith = async (error: Error) => {
    const broken = await createTestApi({
      wrap: (store) => ({
        ...store,
        sitesVersion: () => Promise.reject(error),
        addSites: () => Promise.reject(error),
        entriesBetween: () => Promise.reject(error),
      }),
    })
    const ann = await broken.addCaller('ann@example.net')
    const add = { method: 'POST' as const, url: '/open/site/add', payload: { hosts: ['a.example.com'] } }
    const answers = await Promise.all(
      [{ url: '/open/site' }, add, { url: '/open/event/ddos' }].map((options) =>
        broken.server.inject({ ...options, headers: ann.headers }),
      ),
    )
    await broken.close()
    return { answers, changes: broken.changes() }
  }

  it('a store that is down is 503 with Retry-After, and status 0 for the list of sites', async () => {
    const { answers, changes } = await failWith(new AppError('STORE_UNAVAILABLE', 'secret path'))
    assert.deepEqual([answers[0].statusCode, answers[0].body], [200, '{"data":[],"status":0}'])
    for (const answer of answers.slice(1)) {
      assert.equal(answer.statusCode, 503)
      assert.match(String(answer.headers['retry-after']), /^\d+$/)
      assert.ok(!answer.body.includes('secret'))
    }
    assert.equal(changes, 0)
  })

  it('a bug is 500 without a word of it', async () => {
    const { answers } = await failWith(new Error('secret state'))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 500, 500],
    )
    for (const { body } of answers) assert.ok(!body.includes('secret') && !body.includes('.ts'))
  })

  it('a store that is down before the caller is known', async () => {
    const broken = await createTestApi({
      wrap: (store) => ({
        ...store,
        credentialByHash: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'down')),
      }),
    })
    const answers = await Promise.all(
      ['/open/site', '/open/event/ddos'].map((url) => broken.server.inject({ url, headers: caller.headers })),
    )
    assert.deepEqual(
      answers.map(({ statusCode, body }) => [statusCode, body.length > 22]),
      [
        [200, false],
        [503, true],
      ],
    )
    await broken.close()
  })
})
