import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createTestApi, eventOf, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'

let api: TestApi
let ann: TestCaller

before(async () => {
  api = await createTestApi()
  ann = await api.addCaller('ann@example.net')
  await addEvents(
    api.store,
    Array.from({ length: 200 }, (_, n) => eventOf(ann.user.id, n)),
  )
  api.clock.advance(3_600_000)
})
after(() => api.close())

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  api.server.inject({ method, url, headers: { ...ann.headers, ...headers } })
const tokens = '/api/v1/tokens'
const events = '/api/v1/events?limit=100'

describe('an entity tag', () => {
  it('answers who asks again with 304 and no body, until the answer is another one', async () => {
    const first = await get('/api/v1/groups')
    const tag = String(first.headers.etag)
    assert.match(tag, /^W\/"[\w-]{27}"$/)
    assert.equal(first.headers['cache-control'], 'private, no-cache')
    for (const given of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await get('/api/v1/groups', { 'if-none-match': given })
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag], given)
      assert.equal(again.headers['content-type'], undefined)
      assert.match(String(again.headers.ratelimit), /"token"/)
    }
    assert.equal((await get('/api/v1/groups', { 'if-none-match': '"other"' })).statusCode, 200)
    await api.server.inject({ method: 'POST', url: '/api/v1/groups', headers: ann.headers, payload: { name: 'New' } })
    const changed = await get('/api/v1/groups', { 'if-none-match': tag })
    assert.equal(changed.statusCode, 200)
    assert.notEqual(changed.headers.etag, tag)
  })

  it('is the same for HEAD and for each coding', async () => {
    const { headers } = await get(tokens)
    assert.equal((await get(tokens, {}, 'HEAD')).headers.etag, headers.etag)
    assert.equal((await get(tokens, { 'accept-encoding': 'gzip' })).headers.etag, headers.etag)
    assert.equal((await get(tokens, { 'if-none-match': String(headers.etag) }, 'HEAD')).statusCode, 304)
  })

  it('is no way around the credentials', async () => {
    const answer = await api.server.inject({ url: tokens, headers: { 'if-none-match': '*' } })
    assert.equal(answer.statusCode, 401)
  })

  it('leaves what browsers keep to nothing, and /open as it is', async () => {
    const cookie = (await api.signedIn(ann.user)).cookie
    const session = await api.server.inject({ url: '/api/v1/session', headers: { cookie } })
    assert.equal(session.headers['cache-control'], 'no-store')
    const open = await get('/open/event/ddos', { 'accept-encoding': 'gzip, br', 'if-none-match': '*' })
    assert.deepEqual(
      [open.statusCode, open.headers.etag, open.headers['content-encoding'], open.headers.vary],
      [200, undefined, undefined, undefined],
    )
  })
})

describe('a compressed answer', () => {
  it('is the same answer, smaller, by what the client takes', async () => {
    const plain = await get(events)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.match(String(plain.headers.vary), /accept-encoding/)
    for (const [accepted, coding, unpack] of [
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
    ] as const) {
      const packed = await get(events, { 'accept-encoding': accepted })
      assert.equal(packed.headers['content-encoding'], coding)
      assert.ok(packed.rawPayload.length < plain.rawPayload.length / 3)
      assert.equal(unpack(packed.rawPayload).toString(), plain.body)
      assert.notEqual(packed.headers['content-length'], plain.headers['content-length'])
    }
    for (const accepted of ['', 'identity', 'gzip;q=0', 'zstd'])
      assert.equal((await get(events, { 'accept-encoding': accepted })).headers['content-encoding'], undefined)
  })

  it('may be one that is sent in pieces, or a table', async () => {
    const whole = '/api/v1/events'
    const [plain, packed] = [await get(whole), await get(whole, { 'accept-encoding': 'gzip' })]
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
    const [{ id }] = plain.json().events
    const table = await get(`/api/v1/events/${id}/csv`, { 'accept-encoding': 'gzip' })
    assert.match(String(table.headers['content-type']), /text\/csv/)
  })

  it('is not given where there are secrets, or little, or an error', async () => {
    const accept = { 'accept-encoding': 'gzip, br' }
    for (let i = 0; i < 30; i++) await api.addCaller('ann@example.net')
    const list = await get(tokens, accept)
    assert.ok(list.rawPayload.length > 2_000)
    for (const answer of [list, await get('/api/v1/session', accept), await get('/api/v1/groups', accept)])
      assert.deepEqual([answer.statusCode, answer.headers['content-encoding']], [200, undefined])
    const missing = await get(`/api/v1/events/${'x'.repeat(2_000)}`, accept)
    assert.deepEqual([missing.statusCode >= 400, missing.headers['content-encoding']], [true, undefined])
  })

  it('stays a stream where it goes on: what changes is told at once', async () => {
    const address = await api.server.listen({ port: 0, host: '127.0.0.1' })
    const stop = new AbortController()
    const stream = await fetch(`${address}/api/v1/stream`, {
      headers: { ...ann.headers, 'accept-encoding': 'gzip, br' },
      signal: stop.signal,
    })
    assert.equal(stream.headers.get('content-encoding'), null)
    const reader = stream.body?.getReader()
    assert.match(new TextDecoder().decode((await reader?.read())?.value), /^retry:/)
    stop.abort()
  })
})
