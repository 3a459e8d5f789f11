import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { noticeOf, routingOf } from '../../../test/store-contract/alerts/parts.ts'
import type { EventDetail } from '../../store/store.ts'
import { requestsPerMinute } from './acknowledge.ts'

const publicUrl = 'https://ddos.example.net'
const browser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'same-origin' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }

let api: TestApi
let ann: TestCaller
let event: EventDetail
let channelId: string

beforeEach(async (t) => {
  api = await createTestApi({ settings: { publicUrl } })
  ;(t as TestContext).after(() => api.close())
  ann = await api.addCaller('ann@example.com')
  event = eventOf(ann.user.id, 1, { site: '<b>shop</b>.example.net', domain: '<b>shop</b>.example.net' })
  await addEvents(api.store, [event])
  channelId = await addChannel(ann)
})

async function addChannel({ user }: TestCaller, settings = {}): Promise<string> {
  const id = randomBytes(8).toString('hex')
  const sealed = api.alerts.channels.seal(id, {})
  await api.store.addChannel(user.id, { id, kind: 'slack', name: 'Night & day', settings, sealed }, 10)
  return id
}

function linkOf(of = { eventId: event.id, channelId }): string {
  return String(api.alerts.links.urlFor(of, api.clock.now())).slice(publicUrl.length)
}

const get = (url: string, headers: Record<string, string> = {}) => api.server.inject({ url, headers })
const click = (url: string, headers: Record<string, string> = form) =>
  api.server.inject({ method: 'POST', url, headers, payload: '' })
const acknowledged = async () => (await api.store.notesOf(ann.user.id, [event.id])).get(event.id)?.acknowledged ?? null

describe('the link of a message', () => {
  it('says what it is about, and changes nothing, however often scanners follow it', async () => {
    for (let n = 0; n < 3; n++) {
      const { statusCode, headers, body } = await get(linkOf(), browser)
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-.*form-action 'self'/,
      )
      assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'same-origin'])
      assert.match(body, /<form method="post"><button type="submit">Acknowledge<\/button>/)
      assert.match(body, /&lt;b&gt;shop&lt;\/b&gt;\.example\.net/)
      assert.match(body, /<strong>ann@example\.com<\/strong> \(Night &amp; day\)/)
      assert.doesNotMatch(body, /<script|<b>shop/)
    }
    assert.equal(await acknowledged(), null)
  })

  it('takes note of the event at a click, in the name of the channel’s user, once', async () => {
    const atMs = api.clock.now()
    const { statusCode, body } = await click(linkOf())
    assert.equal(statusCode, 200)
    assert.match(body, /<strong>Acknowledged<\/strong>\. By: ann@example\.com, 2026-01-15 12:00:00 UTC/)
    assert.deepEqual(await acknowledged(), { by: 'ann@example.com', atMs })
    api.clock.advance(60_000)
    assert.equal((await click(linkOf())).statusCode, 200)
    assert.deepEqual(await acknowledged(), { by: 'ann@example.com', atMs })
    const rows = (await api.store.auditAfter(0, 10)).filter(({ kind }) => kind === 'acknowledgeByLink')
    assert.deepEqual(
      rows.map(({ actor, object, outcome, detailText }) => [actor.name, object, outcome, JSON.parse(detailText)]),
      [['ann@example.com', event.id, 'done', { channel: 'Night & day' }]],
    )
  })

  it('is data for programs', async () => {
    const looked = await get(linkOf())
    assert.deepEqual([looked.json().by, looked.json().acknowledged], ['ann@example.com', null])
    const done = await click(linkOf(), {})
    assert.deepEqual(done.json().acknowledged, { by: 'ann@example.com', at: '2026-01-15T12:00:00+00:00' })
    for (const headers of [{}, browser]) assert.equal((await get(linkOf(), headers)).headers.etag, undefined)
  })

  it('speaks the language of the channel, or of the browser', async () => {
    const chinese = { ...browser, 'accept-language': 'fr;q=0.9, zh-CN, en' }
    assert.match((await get(linkOf(), chinese)).body, /<html lang="zh">.*确认/s)
    assert.match((await get('/api/v1/alerts/acknowledge?t=x', chinese)).body, /<html lang="zh">.*此链接无效/s)
    const other = await api.addCaller('bob@example.com')
    channelId = await addChannel(other, { language: 'en' })
    event = eventOf(other.user.id, 2)
    await addEvents(api.store, [event])
    assert.match((await get(linkOf(), chinese)).body, /<html lang="en">/)
  })
})

describe('a link of a message is refused', () => {
  const refused = async (url: string, status: number, text: RegExp) => {
    for (const [answer, type] of [
      [await get(url, browser), 'text/html'],
      [await click(url), 'text/html'],
      [await get(url), 'application/problem+json'],
      [await click(url, {}), 'application/problem+json'],
    ] as const) {
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(String(answer.headers['content-type']).split(';')[0], type)
      if (type === 'text/html') assert.match(answer.body, text)
    }
    assert.equal(await acknowledged(), null)
  }

  it('when it is forged, cut off, or another one', async () => {
    const link = linkOf()
    await refused(link.slice(0, -1), 403, /Copy the whole link/)
    await refused(`${link.slice(0, -4)}0000`, 403, /Copy the whole link/)
    await refused('/api/v1/alerts/acknowledge', 400, /A part of the link is missing/)
    await refused(`${link}&${link.split('?')[1]}`, 400, /A part of the link is missing/)
    const rows = (await api.store.auditAfter(0, 10)).map(({ kind, actor, outcome }) => [kind, actor.kind, outcome])
    assert.ok(
      rows.some(([kind, actor, outcome]) => `${kind} ${actor} ${outcome}` === 'acknowledgeByLink stranger FORBIDDEN'),
    )
    assert.ok(
      rows.every(([, , outcome]) => outcome !== 'done'),
      JSON.stringify(rows),
    )
  })

  it('when it has expired', async () => {
    const link = linkOf()
    api.clock.advance(86_402_000)
    await refused(link, 403, /24 hours/)
  })

  it('when its channel is gone, or its user may change nothing any more', async () => {
    const link = linkOf()
    await api.store.updateUser(ann.user.id, { role: 'viewer' })
    await refused(link, 403, /its user may no longer change/)
    await api.store.updateUser(ann.user.id, { role: 'member' })
    await api.store.deleteChannel(ann.user.id, channelId)
    await refused(link, 403, /is deleted/)
  })

  it('when there is no such event, or it is somebody else’s', async () => {
    await refused(linkOf({ eventId: 'f'.repeat(24), channelId }), 404, /no longer exists/)
    const bob = await api.addCaller('bob@example.com')
    const his = await addChannel(bob)
    await refused(linkOf({ eventId: event.id, channelId: his }), 404, /no longer exists/)
  })

  it('when a page of somebody else sends it', async () => {
    const evil = { ...form, 'sec-fetch-site': 'cross-site' }
    assert.equal((await click(linkOf(), evil)).statusCode, 403)
    assert.equal((await click(linkOf(), { ...form, 'content-type': 'text/plain' })).statusCode, 415)
    assert.equal(await acknowledged(), null)
  })

  it('when too many requests come from an address', async () => {
    const link = linkOf()
    for (let n = 0; n < requestsPerMinute; n++) assert.equal((await get(link)).statusCode, 200)
    const { statusCode, headers } = await click(link)
    assert.deepEqual([statusCode, headers['retry-after']], [429, '60'])
    assert.equal(await acknowledged(), null)
    assert.equal((await api.server.inject({ url: link, remoteAddress: '192.0.2.9' })).statusCode, 200)
    api.clock.advance(60_000)
    assert.equal((await click(link)).statusCode, 200)
  })
})

describe('a message about an attack on others', () => {
  it('has a link for admins, as long as they are', async () => {
    const boss = await api.addCaller('boss@example.com', { role: 'admin' })
    const his = await addChannel(boss)
    const link = linkOf({ eventId: event.id, channelId: his })
    await api.store.route(routingOf(0, [[noticeOf(ann.user.id, event.id), his]]))
    await api.store.updateUser(boss.user.id, { role: 'member' })
    assert.equal((await click(link)).statusCode, 403)
    await api.store.updateUser(boss.user.id, { role: 'admin' })
    assert.equal((await click(link)).statusCode, 200)
    assert.equal((await acknowledged())?.by, 'boss@example.com')
  })
})
