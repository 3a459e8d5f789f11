import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventAt, FakeService, json } from '../test/helpers/servers/fake-service.ts'
import type { Client } from './client.ts'
import { ProblemError } from './problem.ts'

test('each function calls its endpoint with the authentication headers', async () => {
  const service = new FakeService(({ url }) => {
    if (url.pathname === '/open/site') return json({ data: [{ host: 'a.example' }], status: 1 })
    if (url.pathname === '/open/event/ddos') return json({ data: [eventAt(0)] })
    if (url.pathname.startsWith('/open/event/ddos/detail/')) return json({ data: { ...eventAt(0), dac: [] } })
    return json({ status: 1, success: ['a.example'], error: [] })
  })
  const client = service.client()
  await client.listSites()
  await client.addSites(['a.example'])
  await client.deleteSites(['a.example'])
  await client.enableSites(['a.example'])
  await client.disableSites(['a.example'])
  await client.listEvents({ last: 3 })
  await client.getEvent('a/b')
  await client.findEvents({ last: 3, state: 'open', deviationMin: 2 })
  await client.getEventReport('a/b')
  await client.getEventSeries('a/b')
  await client.getTarget('192.0.2.1')
  await client.getSite('192.0.2.0/24')
  await client.importNames(new TextEncoder().encode('{}\n'))
  await client.queryPassiveDns('a/b')
  await client.verifySite('192.0.2.0/24')
  await client.listProofs()
  await client.listExporters()
  await client.getExporter('a/b')
  await client.startSimulation('192.0.2.0/24', { vector: 'syn' })
  await client.getSimulation('192.0.2.0/24')
  await client.stopSimulation('192.0.2.0/24')
  assert.deepEqual(
    service.calls.map(({ method, url, body }) => [method, url.pathname + url.search, body]),
    [
      ['GET', '/open/site', undefined],
      ['POST', '/open/site/add', { hosts: ['a.example'] }],
      ['POST', '/open/site/delete', { hosts: ['a.example'] }],
      ['POST', '/open/site/enable', { hosts: ['a.example'] }],
      ['POST', '/open/site/disable', { hosts: ['a.example'] }],
      ['GET', '/open/event/ddos?last=3', undefined],
      ['GET', '/open/event/ddos/detail/a%2Fb', undefined],
      ['GET', '/api/v1/events?state=open&deviationMin=2&last=3', undefined],
      ['GET', '/api/v1/events/a%2Fb', undefined],
      ['GET', '/api/v1/events/a%2Fb/series', undefined],
      ['GET', '/api/v1/targets/192.0.2.1', undefined],
      ['GET', '/api/v1/sites/192.0.2.0%2F24', undefined],
      ['POST', '/api/v1/names/observations', undefined],
      ['GET', '/pdns/query/a%2Fb', undefined],
      ['POST', '/api/v1/sites/192.0.2.0%2F24/verify', undefined],
      ['GET', '/api/v1/proofs', undefined],
      ['GET', '/api/v1/exporters', undefined],
      ['GET', '/api/v1/exporters/a%2Fb', undefined],
      ['POST', '/api/v1/sites/192.0.2.0%2F24/simulation', { vector: 'syn' }],
      ['GET', '/api/v1/sites/192.0.2.0%2F24/simulation', undefined],
      ['POST', '/api/v1/sites/192.0.2.0%2F24/simulation/stop', undefined],
    ],
  )
  for (const { headers, method, url, body } of service.calls) {
    assert.equal(headers.get('x-svc-authtoken'), 'secret')
    assert.equal(headers.get('x-svc-authemail'), 'ann@example.org')
    const bodyType = /\/(?:verify|stop)$/.test(url.pathname)
      ? null
      : body !== undefined
        ? 'application/json'
        : 'application/x-ndjson'
    assert.equal(headers.get('content-type'), method === 'POST' ? bodyType : null)
  }
})

test('any endpoint is called by its name, with what the contract says that it takes', async () => {
  const service = new FakeService(({ url }) => {
    if (url.pathname === '/api/v1/users/a%2Fb')
      return json({ title: 'Not found', detail: 'There is no such user' }, 404)
    if (url.pathname === '/pdns/query/x') {
      return new Response('{"rrname":"a"}\n{"rrname":"b"}\n', { headers: { 'content-type': 'application/x-ndjson' } })
    }
    return json({ events: [], link: '' }, 200, { link: '</api/v1/events?limit=2&cursor=c>; rel="next"' })
  })
  const { call, page } = service.client()
  await call('getOverview')
  await call('findEvents', { query: { state: 'open', q: '', site: undefined, limit: 2 } })
  await call('changeSites', { body: { hosts: ['a.example'], groupId: null } })
  await assert.rejects(call('changeUser', { params: { id: 'a/b' }, body: {} }), { name: 'ProblemError', status: 404 })
  await call('importNames', { body: new TextEncoder().encode('{}\n') })
  assert.deepEqual(await call('queryPassiveDns', { params: { question: 'x' } }), [{ rrname: 'a' }, { rrname: 'b' }])
  assert.equal((await page('findEvents', { query: { limit: 2 } })).next?.cursor, 'c')
  assert.deepEqual(
    service.calls.map(({ method, url, body }) => [method, url.pathname + url.search, body]),
    [
      ['GET', '/api/v1/overview', undefined],
      ['GET', '/api/v1/events?state=open&limit=2', undefined],
      ['PATCH', '/api/v1/sites', { hosts: ['a.example'], groupId: null }],
      ['PATCH', '/api/v1/users/a%2Fb', {}],
      ['POST', '/api/v1/names/observations', undefined],
      ['GET', '/pdns/query/x', undefined],
      ['GET', '/api/v1/events?limit=2', undefined],
    ],
  )
})

/** It is compiled, and not run: each line would fail to compile without its remark. */
export async function refusedByTheCompiler({ call }: Client): Promise<void> {
  // @ts-expect-error There is no such endpoint.
  await call('getOverviews')
  // @ts-expect-error The path has a parameter.
  await call('getSite')
  // @ts-expect-error The query has no such parameter.
  await call('findEvents', { query: { colour: 'red' } })
  // @ts-expect-error No event is in this state.
  await call('findEvents', { query: { state: 'lost' } })
  // @ts-expect-error The body has a member more.
  await call('changeSites', { body: { hosts: [] } })
  // @ts-expect-error A stream has an address, and no answer.
  await call('getStream')
  // @ts-expect-error The answer has no such member.
  await call('getOverview').then(({ colour }) => colour)
}

test('the vendor word and the path of the base address are kept', async () => {
  const service = new FakeService(() => json({ data: [], status: 1 }))
  await service.client({ vendor: 'ACME', baseUrl: 'http://service.test/below/' }).listSites()
  assert.equal(service.calls[0].url.pathname, '/below/open/site')
  assert.equal(service.calls[0].headers.get('x-acme-authtoken'), 'secret')
  assert.equal(service.calls[0].headers.get('x-svc-authtoken'), null)
})

test('an unknown event is null', async () => {
  assert.equal(await new FakeService(() => json({ data: {} })).client().getEvent('0'), null)
})

test('an unknown exporter and a foreign address are null, and nothing else is', async () => {
  const problem = { title: 'Not found', status: 404, detail: 'Nothing has come from it' }
  assert.equal(await new FakeService(() => json(problem, 404)).client().getExporter('192.0.2.1'), null)
  assert.equal(await new FakeService(() => json(problem, 404)).client().getTarget('192.0.2.1'), null)
  await assert.rejects(new FakeService(() => json(problem, 403)).client().getExporter('192.0.2.1'), ProblemError)
})

test('moments are sent in the form of the interface', async () => {
  const service = new FakeService(() => json({ data: [] }))
  await service.client().listEvents({ start: new Date(Date.UTC(2017, 2, 8, 10, 9, 18, 999)), end: '2017-03-09' })
  assert.equal(service.calls[0].url.searchParams.get('start'), '2017-03-08T10:09:18+00:00')
  assert.equal(service.calls[0].url.search.includes('%2B00%3A00'), true)
  assert.equal(service.calls[0].url.searchParams.get('end'), '2017-03-09')
})

test('a problem is thrown with its status, body and reasons', async () => {
  const problem = {
    title: 'Bad request',
    detail: 'The window is wrong.',
    errors: [{ parameter: 'last', detail: 'must be <= 365' }],
  }
  const service = new FakeService(() => json(problem, 400))
  await assert.rejects(service.client().listEvents({ last: 999 }), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.equal(error.status, 400)
    assert.deepEqual(error.problem, problem)
    assert.equal(error.message, '400 Bad request: The window is wrong.; last must be <= 365')
    assert.equal(error.isTransient, false)
    return true
  })
  assert.equal(service.calls.length, 1)
})

test('answers that are none of this interface are told as such', async () => {
  const answers = [
    () => new Response('<html>', { status: 502 }),
    () => new Response('<html>'),
    () => json([]),
    () => json(null),
    () => json({ data: 5 }),
    () => json({ title: 5 }, 400),
    () => json({ errors: ['x'] }, 400),
  ]
  for (const answer of answers) {
    await assert.rejects(
      new FakeService(answer).client().listEvents(),
      (error) => error instanceof ProblemError && error.problem === null,
    )
  }
  await assert.rejects(new FakeService(() => json({ data: [], status: 0 })).client().listSites(), ProblemError)
})

test('a busy service is asked again after the time it names', async () => {
  const answers = [
    json({}, 429, { 'retry-after': '7' }),
    json({}, 503),
    json({}, 503, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }),
  ]
  const service = new FakeService(() => answers.shift() ?? json({ data: [], status: 1 }))
  assert.deepEqual(await service.client().listSites(), [])
  assert.deepEqual(service.waitsMs, [7000, 2000, 51_000])
})

test('patience ends: after the retries, and at once when the wait is too long', async () => {
  const busy = new FakeService(() => json({}, 429, { 'retry-after': '1' }))
  await assert.rejects(
    busy.client({ retries: 2 }).listSites(),
    (error) => error instanceof ProblemError && error.retryAfterMs === 1000,
  )
  assert.equal(busy.calls.length, 3)
  const long = new FakeService(() => json({}, 503, { 'retry-after': '3600' }))
  await assert.rejects(long.client().listSites(), (error) => error instanceof ProblemError && error.isTransient)
  assert.equal(long.calls.length, 1)
  const broken = new FakeService(() => json({}, 500, { 'retry-after': '1' }))
  await assert.rejects(broken.client().listSites(), ProblemError)
  assert.equal(broken.calls.length, 1)
})

test('an aborted signal ends a call, also while it waits', async () => {
  const stop = new AbortController()
  const service = new FakeService(() => {
    stop.abort(new Error('enough'))
    return json({}, 429, { 'retry-after': '1' })
  })
  await assert.rejects(service.client().listSites({ signal: stop.signal }), /enough/)
  assert.equal(service.calls.length, 1)
})

test('eventsBetween reads page after page, by the query of the link and no host of it', async () => {
  const pages: Record<string, [number[], string | null]> = {
    '': [[1, 2], 'https://elsewhere.test/open/event/ddos?start=2017-03-08&limit=2&cursor=b%2B'],
    'b+': [[3, 4], '/open/event/ddos?limit=2&cursor=c&start=2017-03-08'],
    c: [[5], null],
  }
  const service = new FakeService(({ url }) => {
    const [seconds, next] = pages[url.searchParams.get('cursor') ?? '']
    const link =
      next === null ? '<https://docs.test/>; rel="help"' : `<https://docs.test/>; rel="help", <${next}>; rel="next"`
    return json({ data: seconds.map((second) => eventAt(second * 1000)) }, 200, { link })
  })
  const seconds: number[] = []
  for await (const event of service.client().eventsBetween({ start: '2017-03-08' }, { pageSize: 2 }))
    seconds.push(Date.parse(event.cts) / 1000)
  assert.deepEqual(seconds, [1, 2, 3, 4, 5])
  assert.ok(
    service.calls.every(({ url }) => url.host === 'service.test' && url.searchParams.get('start') === '2017-03-08'),
  )
})

test('a service that announces the same page for ever is refused', async () => {
  const service = new FakeService(() => json({ data: [] }, 200, { link: '</open/event/ddos?cursor=a>; rel=next' }))
  await assert.rejects(service.client().eventsBetween()[Symbol.asyncIterator]().next(), /this page/)
  assert.equal(service.calls.length, 2)
})

test('an answer of lines is a list', async () => {
  const line = { rrname: 'a.example', rrtype: 'A', rdata: '192.0.2.1', time_first: 1, time_last: 2 }
  const texts = ['', `${JSON.stringify(line)}\n${JSON.stringify(line)}\n`]
  const headers = { 'content-type': 'application/x-ndjson' }
  const client = new FakeService(() => new Response(texts.shift(), { headers })).client()
  assert.deepEqual(await client.queryPassiveDns('a.example'), [])
  assert.deepEqual(await client.queryPassiveDns('a.example'), [line, line])
})
