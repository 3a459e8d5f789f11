import assert from 'node:assert/strict'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { QuickMailer } from '../../../test/helpers/labs/quick-mailer.ts'
import { requestsPerMinute } from './confirming.ts'

const publicUrl = 'https://ddos.example.net'
const browser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'same-origin' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
const noc = 'noc@example.org'

let mailer: QuickMailer
let api: TestApi
let ann: TestCaller
let bob: TestCaller
let root: TestCaller

const startApi = async (t: TestContext, given: { publicUrl?: string } = { publicUrl }) => {
  mailer = new QuickMailer()
  const made = await createTestApi({ settings: given, mailer: mailer })
  t.after(() => made.close())
  api = made
  ann = await api.addCaller('ann@example.com')
  bob = await api.addCaller('bob@example.com')
  root = await api.addCaller('root@example.com', { role: 'admin', scopes: ['read', 'write', 'admin'] })
}
beforeEach((t) => startApi(t as TestContext))

const call = async (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  payload?: object,
  { headers }: Pick<TestCaller, 'headers'> = ann,
) => {
  const url = `/api/v1/alerts/${path}`
  const answer = await api.server.inject({ method, url, headers, ...(payload && { payload }) })
  await api.alerts.confirmations.sent()
  return { status: answer.statusCode, body: answer.json() }
}
const add = async (to: string[] = [noc], caller = ann, settings: object = {}) =>
  (await call('POST', 'channels', { name: to.join(), kind: 'mail', settings: { to, ...settings } }, caller)).body
    .channel
const shown = async (id: string, caller: Pick<TestCaller, 'headers'> = ann) =>
  (await call('GET', 'channels', undefined, caller)).body.channels.find((each: { id: string }) => each.id === id)
const ask = (id: string, caller = ann) => call('POST', `channels/${id}/confirmation`, undefined, caller)
const test = (id: string, caller: Pick<TestCaller, 'headers'> = ann) =>
  call('POST', `channels/${id}/test`, undefined, caller)

/** The way that the latest mail to the address has in its link. */
function linkTo(address = noc): string {
  const { text } = mailer.received.findLast(({ to }) => to.includes(address)) ?? { text: '' }
  const [, path] = /https:\/\/ddos\.example\.net(\/api\/v1\/alerts\/confirm\?t=[0-9a-f.]+)/.exec(text) ?? []
  return path ?? ''
}
const get = (url: string, headers: Record<string, string> = browser) => api.server.inject({ url, headers })
const click = (url: string, headers: Record<string, string> = form) =>
  api.server.inject({ method: 'POST', url, headers, payload: '' })

describe('an address that no admin entered', () => {
  it('is sent nothing but a mail that asks, until somebody has clicked', async () => {
    const channel = await add([noc], ann, { language: 'zh' })
    assert.deepEqual(
      [channel.state, channel.confirmedBy, channel.unconfirmed],
      ['unconfirmed', 'link', [{ address: noc, problem: '', askedAt: '2026-01-15T12:00:00+00:00' }]],
    )
    assert.deepEqual((await test(channel.id)).body.text, 'no address of it is confirmed')
    assert.equal(mailer.received.length, 1)
    const [{ to, subject, text, html }] = mailer.received
    assert.deepEqual([to, subject], [[noc], '请确认接收告警'])
    for (const each of [text, html]) assert.match(each, /ann@example\.com 希望.*api\/v1\/alerts\/confirm\?t=/s)

    const page = await get(linkTo())
    assert.match(page.body, /<form method="post"><button type="submit">Yes, send them<\/button>/)
    assert.equal((await shown(channel.id)).state, 'unconfirmed')

    assert.match((await click(linkTo())).body, /Confirmed: alerts are sent/)
    const after = await shown(channel.id)
    assert.deepEqual([after.state, after.confirmedBy, after.unconfirmed], ['ok', null, []])
    assert.equal((await test(channel.id)).body.isDone, true)
    assert.deepEqual(mailer.received.at(-1)?.to, [noc])
  })

  it('stays confirmed whatever else changes, for its user alone; another one needs its own word', async () => {
    const channel = await add()
    await click(linkTo())
    const settings = { to: ['NOC@Example.org'], language: 'en' }
    const changed = await call('PATCH', `channels/${channel.id}`, { name: 'Night', settings })
    assert.equal(changed.body.state, 'ok')
    assert.equal((await add([noc], bob)).state, 'unconfirmed')
    const other = await call('PATCH', `channels/${channel.id}`, { settings: { to: ['soc@example.org'] } })
    assert.deepEqual([other.body.state, other.body.unconfirmed[0].address], ['unconfirmed', 'soc@example.org'])
    assert.deepEqual(mailer.received.at(-1)?.to, ['soc@example.org'])
  })

  it('is asked when it comes with a file, too', async () => {
    const channels = [{ name: 'Duty', kind: 'mail', settings: { to: [noc] } }]
    assert.equal((await call('POST', 'import', { channels })).status, 200)
    assert.deepEqual(mailer.received.at(-1)?.to, [noc])
  })

  it('waits alone: the others of its channel are sent to', async () => {
    const channel = await add(['ann@example.com', noc])
    assert.equal(channel.state, 'unconfirmed')
    const { isDone, text } = (await test(channel.id)).body
    assert.deepEqual([isDone, text], [true, 'the server has it; addresses to be confirmed: 1'])
    assert.deepEqual(mailer.received.at(-1)?.to, ['ann@example.com'])
  })

  it('is that of nobody who is an admin, and not that of the account', async () => {
    assert.equal((await add([noc], root)).state, 'ok')
    assert.equal((await add(['Ann@example.com'])).state, 'ok')
    assert.deepEqual(mailer.received, [])
    // Who was an admin when the address was entered lost that role.
    const { id } = (await call('GET', 'channels', undefined, root)).body.channels[0]
    await api.addCaller('next@example.com', { role: 'admin', scopes: ['admin'] })
    await api.store.updateUser(root.user.id, { role: 'member' })
    const demoted = await api.addCaller('root@example.com')
    assert.equal((await shown(id, demoted)).state, 'unconfirmed')
    assert.equal((await test(id, demoted)).body.isDone, false)
  })

  it('is asked three times an hour, of one user and of all, and no user hears of another', async () => {
    const mine = await add()
    for (let n = 0; n < 2; n++) assert.equal((await ask(mine.id)).status, 200)
    const refused = await ask(mine.id)
    assert.deepEqual([refused.status, refused.body.reason], [429, 'asked-too-often'])
    const theirs = await add([noc], bob)
    assert.deepEqual(
      [theirs.state, theirs.unconfirmed],
      ['unconfirmed', [{ address: noc, problem: '', askedAt: '2026-01-15T12:00:00+00:00' }]],
    )
    assert.equal((await ask(theirs.id, bob)).status, 200)
    assert.equal(mailer.received.length, 3)
    assert.deepEqual(api.alerts.confirmations.counts, { sent: 3, failed: 0, putOff: 2, refused: 1 })
    api.clock.advance(3_600_000)
    assert.equal((await ask(theirs.id, bob)).status, 200)
    assert.deepEqual([mailer.received.length, mailer.received.at(-1)?.to], [4, [noc]])
  })

  it('is one of twenty that a user may have asked in a day', async () => {
    const paces = { perAddressHour: 1, perAddressDay: 1, perUserDay: 100 }
    for (let n = 0; n < 20; n++) await api.store.askAddress(ann.user.id, `n${n}@example.org`, paces)
    const { unconfirmed } = await add(['n20@example.org'])
    assert.deepEqual([mailer.received.length, unconfirmed[0].askedAt], [0, null])
    assert.equal((await add(['n20@example.org'], bob)).unconfirmed[0].askedAt, '2026-01-15T12:00:00+00:00')
  })

  it('has what the mail server said against it, and others may have it asked', async () => {
    mailer.refusesAll = true
    const channel = await add()
    assert.equal((await shown(channel.id)).unconfirmed[0].problem, 'the mail server did not take it (550)')
    mailer.refusesAll = false
    for (let n = 0; n < 2; n++) await ask(channel.id)
    await add([noc], bob)
    assert.equal(mailer.received.length, 3)
    assert.equal((await shown(channel.id)).unconfirmed[0].problem, '')
  })

  it('is confirmed by an admin, for one user', async () => {
    const channel = await add()
    const body = { user: 'ann@example.com', address: noc }
    assert.equal((await call('POST', 'addresses', body)).status, 403)
    assert.equal((await call('POST', 'addresses', { ...body, user: 'nobody@example.com' }, root)).status, 404)
    assert.equal((await call('POST', 'addresses', { ...body, address: 'a@b\r\nc' }, root)).status, 400)
    const done = await call('POST', 'addresses', body, root)
    assert.deepEqual(done.body, { address: noc, by: 'ann@example.com', confirmedAt: '2026-01-15T12:00:00+00:00' })
    assert.equal((await shown(channel.id)).state, 'ok')
    assert.equal((await add([noc], bob)).state, 'unconfirmed')
    const row = (await api.store.auditAfter(0, 50)).findLast(({ kind }) => kind === 'confirmAddress')
    assert.deepEqual([row?.actor.name, row?.object], ['root@example.com', noc])
    assert.deepEqual(JSON.parse(row?.detailText ?? ''), { user: 'ann@example.com' })
  })

  it('is for an admin to confirm where the service does not know its own address', async (t) => {
    await startApi(t, {})
    const channel = await add()
    assert.deepEqual(
      [channel.state, channel.confirmedBy, channel.unconfirmed[0].askedAt],
      ['unconfirmed', 'admin', null],
    )
    const { status, body } = await ask(channel.id)
    assert.deepEqual([status, body.reason], [409, 'no-confirming-mail'])
    assert.deepEqual(mailer.received, [])
  })
})

describe('the link that confirms an address', () => {
  it('says on a page without scripts, that gives nothing of it away, what it is about', async () => {
    await add()
    const { headers, body } = await get(linkTo())
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-.*form-action 'self'/,
    )
    assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'strict-origin'])
    assert.match(body, /<strong>ann@example\.com<\/strong>.*<strong>noc@example\.org<\/strong>/)
    assert.doesNotMatch(body, /<script|<a /)
    assert.match((await get(linkTo(), { ...browser, 'accept-language': 'zh' })).body, /<html lang="zh">.*同意接收/s)
    const evil = `${'&'.repeat(3)}'<b>'@example.org`.replaceAll(/[<>]/g, '')
    await add([evil])
    assert.match((await get(linkTo(evil))).body, /&amp;&amp;&amp;&#39;b&#39;@example\.org/)
  })

  it('is data for programs, and in the audit log once', async () => {
    await add()
    assert.deepEqual((await get(linkTo(), {})).json(), { address: noc, by: 'ann@example.com', confirmedAt: null })
    for (let n = 0; n < 2; n++)
      assert.equal((await click(linkTo(), {})).json().confirmedAt, '2026-01-15T12:00:00+00:00')
    const rows = (await api.store.auditAfter(0, 50)).filter(({ kind }) => kind === 'confirmByLink')
    assert.deepEqual(
      rows.map(({ actor, object, outcome }) => [actor.kind, actor.name, object, outcome]),
      [['stranger', 'ann@example.com', noc, 'done']],
    )
  })

  it('is refused when it is forged, expired, for nothing any more, or asked for too often', async () => {
    const channel = await add()
    const link = linkTo()
    const refused = async (url: string, status: number, text: RegExp) => {
      const page = await click(url)
      assert.deepEqual([page.statusCode, text.test(page.body)], [status, true], page.body)
      assert.equal((await click(url, {})).statusCode, status)
    }
    await refused(`${link.slice(0, -4)}0000`, 403, /Copy the whole link/)
    await refused(link.split('?')[0], 400, /A part of the link is missing/)
    const acknowledging = api.alerts.links.urlFor({ eventId: 'a'.repeat(24), channelId: channel.id }, api.clock.now())
    const { search } = new URL(String(acknowledging))
    await refused(`/api/v1/alerts/confirm${search}`, 403, /Copy the whole link/)
    await call('PATCH', `channels/${channel.id}`, { settings: { to: ['ann@example.com'] } })
    await refused(link, 403, /Nothing is sent to this address/)
    await call('PATCH', `channels/${channel.id}`, { settings: { to: [noc] } })
    await api.store.updateUser(ann.user.id, { role: 'viewer' })
    await refused(link, 403, /Nothing is sent to this address/)
    await api.store.updateUser(ann.user.id, { role: 'member' })
    api.clock.advance(86_402_000)
    await refused(link, 403, /good for 24 hours/)
    assert.equal((await shown(channel.id)).state, 'unconfirmed')
    // After that a change of the channel has it asked again by itself.
    await call('PATCH', `channels/${channel.id}`, { name: 'Night' })
    assert.notEqual(linkTo(), link)
    for (let n = 0; n < requestsPerMinute; n++) await get(linkTo())
    const { statusCode, headers } = await click(linkTo())
    assert.deepEqual([statusCode, Number(headers['retry-after']) > 0], [429, true])
  })
})
