import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ofSystem } from '../../../test/helpers/labs/alerts.ts'
import { WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { listOf, type Reach } from './reach.ts'
import { type ReachOptions, Refused, send } from './request.ts'

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await new WebhookReceiver().start()
})
afterEach(() => receiver.stop())

const post = (url: string, given: Partial<ReachOptions> = {}) => {
  const outgoing = { url: new URL(url), method: 'POST' as const, headers: { 'x-of': 'test' }, body: 'ü' }
  return send(outgoing, { reach: 'public', allowed: listOf([]), resolve: ofSystem, ...given })
}
const port = () => new URL(receiver.url).port

describe('a request to a place of a user', () => {
  it('reaches what it may', async () => {
    const answer = await post(receiver.url, { reach: 'any' })
    assert.equal(answer.status, 204)
    const [{ headers, body, path }] = receiver.received
    assert.deepEqual([headers['x-of'], headers['content-length'], body, path], ['test', '2', 'ü', '/hook'])
  })

  it('reaches nothing of this machine, however it is written', async () => {
    const names: Record<string, string[]> = {
      'inside.example': ['127.0.0.1'],
      'both.example': ['8.8.8.8', '127.0.0.1'],
      'mapped.example': ['::ffff:127.0.0.1'],
    }
    const resolve = async (name: string) =>
      (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    for (const host of [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '0', '0.0.0.0'],
      ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[::]', '10.0.0.1', '[fe80::1]'],
      ...['169.254.169.254', '192.168.0.1', '172.16.0.1', '100.64.0.1', '①②⑦.0.0.1', ...Object.keys(names)],
    ])
      for (const address of [`http://${host}:8080/`, `https://${host}/`, `http://${host}:${port()}/`])
        await assert.rejects(post(address, { resolve }), Refused, address)
    for (const address of ['ftp://8.8.8.8/', 'file:///etc/passwd', 'http://a:b@8.8.8.8/', 'http://8.8.8.8:25/'])
      await assert.rejects(post(address), Refused, address)
    assert.deepEqual(receiver.received, [])
  })

  it('tries each address that was looked at, one after the other', async () => {
    const addresses = ['127.0.0.2', '::1', '127.0.0.1'].map((address) => ({
      address,
      family: address === '::1' ? 6 : 4,
    }))
    const answer = await post(`http://several.example:${port()}/`, { reach: 'any', resolve: async () => addresses })
    assert.equal(answer.status, 204)
    await assert.rejects(
      post(`http://several.example:${port()}/`, { reach: 'any', resolve: async () => addresses.slice(0, 2) }),
      { code: 'ECONNREFUSED' },
    )
  })

  it('goes to the address that was looked at, whatever the name says the next time', async () => {
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
    const answer = await post(`http://moves.example:${port()}/`, { reach: 'any' satisfies Reach, resolve })
    assert.equal(answer.status, 204)
    assert.equal(asked, 1)
    assert.equal(receiver.received[0].headers.host, `moves.example:${port()}`)
  })

  it('follows no redirect', async () => {
    receiver.answer = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } })
    assert.equal((await post(receiver.url, { reach: 'any' })).status, 302)
    assert.equal(receiver.received.length, 1)
  })

  it('has its answer when the status is there, though the body never ends or is broken off', async (t) => {
    const server = createServer((request, response) => {
      response.writeHead(202)
      response.write(request.url === '/open' ? 'some' : 'part')
      if (request.url === '/broken') setTimeout(() => response.destroy(), 50)
    }).listen(0, '127.0.0.1')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    const place = `http://127.0.0.1:${Object(server.address()).port}`
    const [open, broken] = await Promise.all(
      ['open', 'broken'].map((path) => post(`${place}/${path}`, { reach: 'any' })),
    )
    assert.deepEqual([open.status, open.text, broken.status, broken.text], [202, 'some', 202, 'part'])
  })

  it('ends when it is ended', async () => {
    receiver.answer = () => 'hang'
    const end = new AbortController()
    setTimeout(() => end.abort(), 50)
    await assert.rejects(post(receiver.url, { reach: 'any', signal: end.signal }), { name: 'AbortError' })
  })
})
