import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestApi } from '../../../test/helpers/api.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { buildOpenApi } from '../../contract/openapi.ts'
import { html } from './html.ts'

describe('pages', () => {
  it('are plain HTML without scripts, with styles that their policy allows', async () => {
    const api = await createTestApi()
    for (const url of ['/', '/docs', '/docs/', '/setup', '/link']) {
      const { statusCode, headers, body } = await api.server.inject({ url })
      assert.equal(statusCode, 200)
      assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/)
      assert.match(String(headers['content-security-policy']), /style-src 'sha256-[\w+/=]+'/)
      assert.doesNotMatch(body, /<script|style=|onclick|(?:src|href|action|content)="?https?:|url\(|@import/)
    }
    await api.close()
  })

  it('of the interface name every endpoint and parameter', async () => {
    const api = await createTestApi({ settings: { vendor: 'ACME' } })
    const { body } = await api.server.inject({ url: '/docs' })
    for (const { path, summary } of Object.values(endpoints).map(({ route }) => route))
      assert.ok(body.includes(path) && body.includes(summary), path)
    for (const word of ['X-ACME-AuthToken', 'cursor', 'RFC 9457', '<td>429</td>']) assert.ok(body.includes(word), word)
    await api.close()
  })

  it('openapi.json is the description', async () => {
    const api = await createTestApi()
    const { headers, body } = await api.server.inject({ url: '/openapi.json' })
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(buildOpenApi())))
    await api.close()
  })
})

describe('html', () => {
  it('escapes every part but what is HTML already', () => {
    const evil = `<b a="1" c='2'>&`
    assert.equal(
      html`<p title="${evil}">${[html`<i>${evil}</i>`, evil, 1]}</p>`.text,
      '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;"><i>&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;</i>&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;1</p>',
    )
  })
})

describe('state', () => {
  it('alive, ready or not, with the reasons', async () => {
    let ready = false
    const api = await createTestApi({
      health: () => ({ ready, checks: { store: { ok: ready, detail: 'disk full', isWarning: false, sinceMs: null } } }),
    })
    assert.deepEqual((await api.server.inject({ url: '/healthz' })).json(), { status: 'ok' })
    const not = await api.server.inject({ url: '/readyz' })
    assert.deepEqual(
      [not.statusCode, not.json()],
      [503, { status: 'not ready', checks: { store: { ok: false, detail: 'disk full' } } }],
    )
    ready = true
    const is = await api.server.inject({ url: '/readyz/' })
    assert.deepEqual([is.statusCode, is.json().status], [200, 'ready'])
    await api.close()
  })

  it('metrics count requests by route and status, never by path', async () => {
    const api = await createTestApi({ settings: { metrics: 'anyone' } })
    const { headers } = await api.addCaller('a@b.net')
    await api.server.inject({ url: '/open/event/ddos/detail/secret1', headers })
    await api.server.inject({ url: '/open/event/ddos/detail/secret2', headers })
    await api.server.inject({ url: '/secret3' })
    await api.server.inject({ url: '/open/site' })
    const { body } = await api.server.inject({ url: '/metrics' })
    assert.match(body, /floodgauge_http_requests_total\{route="\/open\/event\/ddos\/detail\/:id",code="200"\} 2/)
    assert.match(body, /floodgauge_http_requests_total\{route="none",code="404"\} 1/)
    assert.match(body, /floodgauge_http_authentications_total\{result="failed"\} 1/)
    assert.match(body, /floodgauge_http_request_duration_seconds_count\{route="\/open\/site"\} 1/)
    assert.doesNotMatch(body, /secret/)
    await api.close()
  })

  it('metrics are for whom the setting says', async () => {
    const statusOf = async (metrics: 'loopback' | 'anyone' | 'off', remoteAddress: string) => {
      const api = await createTestApi({ settings: { metrics } })
      const { statusCode } = await api.server.inject({ url: '/metrics', remoteAddress })
      await api.close()
      return statusCode
    }
    assert.equal(await statusOf('loopback', '127.0.0.1'), 200)
    assert.equal(await statusOf('loopback', '::ffff:127.0.0.1'), 200)
    assert.equal(await statusOf('loopback', '192.0.2.1'), 403)
    assert.equal(await statusOf('anyone', '192.0.2.1'), 200)
    assert.equal(await statusOf('off', '127.0.0.1'), 404)
  })
})
